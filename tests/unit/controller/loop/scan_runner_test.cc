// Scans on a thread of their own.

#include "controller/loop/scan_runner.h"

#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <vector>

namespace bindery::controller {
namespace {

using namespace std::chrono_literals;

/// An empty directory; counts how often it is looked at.
class CountingSource final : public ManifestSource {
 public:
  Expected<Scanned> Scan(ScanMode how) override {
    ++scans;
    last = how;
    Scanned scanned;
    scanned.scan.complete = true;
    return scanned;
  }
  [[nodiscard]] int WatchDescriptor() const override { return -1; }
  bool TakeHints() override { return false; }

  std::atomic<int> scans{0};
  std::atomic<ScanMode> last{ScanMode::kHinted};
};

class ScanRunnerTest : public ::testing::Test {
 protected:
  ScanRunnerTest() { runner_.SetLimits({1ms, 1h}); }
  /// Until so many scans have ended.
  void RunUntil(std::size_t ended) {
    const auto work = boost::asio::make_work_guard(io_);
    while (ended_.size() < ended) io_.run_one();
  }

  boost::asio::io_context io_{1};
  SystemClock clock_;
  CountingSource source_;
  std::vector<bool> ended_;  ///< Whether each could be used.
  ScanRunner runner_{io_, source_, clock_,
                     [this](ScanRunner::Ended scan) { ended_.push_back(scan.usable); }};
};

TEST_F(ScanRunnerTest, TheFirstScanLooksAtEverything) {
  runner_.Start();
  EXPECT_TRUE(runner_.scanning());
  RunUntil(1);
  EXPECT_FALSE(runner_.busy());
  EXPECT_EQ(source_.last, ScanMode::kFull);
}

TEST_F(ScanRunnerTest, AScanThatIsAskedForMeanwhileFollows) {
  runner_.Scan(ScanMode::kFull);
  runner_.Scan(ScanMode::kSettled);
  RunUntil(2);
  EXPECT_EQ(source_.scans, 2);
  EXPECT_EQ(source_.last, ScanMode::kSettled);
}

TEST_F(ScanRunnerTest, WhatIsMissingIsLookedForOnceMore) {
  runner_.Scan(ScanMode::kFull);
  RunUntil(1);
  runner_.Confirm(/*missing=*/true, clock_.Mono());
  EXPECT_TRUE(runner_.confirming());
  RunUntil(2);
  EXPECT_EQ(source_.last, ScanMode::kSettled);
}

TEST_F(ScanRunnerTest, NoneBeginsAfterStop) {
  runner_.Start();
  runner_.Stop(1h, [] {});
  runner_.Scan(ScanMode::kFull);
  RunUntil(1);
  EXPECT_FALSE(runner_.holds_up());
  EXPECT_EQ(source_.scans, 1);
}

}  // namespace
}  // namespace bindery::controller
