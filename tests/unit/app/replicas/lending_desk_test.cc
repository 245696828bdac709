#include "app/replicas/lending_desk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <mutex>

#include "controller/sharing/check_batch.h"
#include "fakes/engine_world.h"
#include "support/fake_clock.h"

namespace bindery::app {
namespace {

using testing::EngineWorld;
using testing::FakeClock;
using ::testing::HasSubstr;
using ::testing::SizeIs;

/// The table of the database, and what is posted to the engine. Thread-safe.
class Table {
 public:
  template <typename Change>
  void Set(const Change& change) {
    const std::scoped_lock lock(mutex);
    change();
    changed.notify_all();
  }
  template <typename Done>
  void Await(const Done& done) {
    std::unique_lock lock(mutex);
    changed.wait(lock, done);
  }

  std::mutex mutex;
  std::condition_variable changed;
  Expected<std::vector<store::HelperRecord>> helpers = std::vector<store::HelperRecord>{{"helper"}};
  std::vector<store::CheckBatchRecord> placed;
  std::vector<store::CheckBatchAnswer> answers;
  int looks = 0;
  std::deque<std::function<void(controller::Engine&, const controller::Now&)>> posted;
};

class FakeBatches final : public store::CheckBatches {
 public:
  explicit FakeBatches(Table& table) : table_(table) {}

  Expected<std::vector<store::HelperRecord>> Helpers() override {
    Expected<std::vector<store::HelperRecord>> helpers = std::vector<store::HelperRecord>();
    table_.Set([&] {
      ++table_.looks;
      helpers = table_.helpers;
    });
    return helpers;
  }
  Expected<void> Place(const std::vector<store::CheckBatchRecord>& batches) override {
    table_.Set([&] { table_.placed.insert(table_.placed.end(), batches.begin(), batches.end()); });
    return {};
  }
  Expected<std::vector<store::CheckBatchAnswer>> Collect() override {
    std::vector<store::CheckBatchAnswer> answers;
    table_.Set([&] { answers = std::exchange(table_.answers, {}); });
    return answers;
  }

 private:
  Table& table_;
};

class LendingDeskTest : public ::testing::Test {
 protected:
  LendingDeskTest() {
    world_.cloud->AddTarget(EngineWorld::TargetName("t"));
    world_.Declare("m", "t", testing::kViewer, {testing::kAna});
    world_.Pass();
    world_.NextInterval();
  }
  void Open() {
    desk_ = std::make_unique<LendingDesk>(
        std::make_unique<FakeBatches>(table_),
        [this](std::function<void(controller::Engine&, const controller::Now&)> task) {
          table_.Set([&] { table_.posted.push_back(std::move(task)); });
        },
        log_, clock_);
  }
  /// Waits for one, and runs it as the loop does.
  void RunPosted() {
    std::function<void(controller::Engine&, const controller::Now&)> task;
    table_.Await([this] { return !table_.posted.empty(); });
    table_.Set([&] {
      task = std::move(table_.posted.front());
      table_.posted.pop_front();
    });
    task(*world_.engine, world_.now);
  }
  [[nodiscard]] std::size_t Helpers() const { return world_.engine->flow().lending().helpers(); }

  EngineWorld world_;
  Table table_;
  FakeClock clock_;
  std::string lines_;
  telemetry::Logger log_{{.format = LogFormat::kText,
                          .level = LogLevel::kInfo,
                          .sink = [this](std::string_view line) { lines_ += line; }}};
  std::unique_ptr<LendingDesk> desk_;
};

TEST_F(LendingDeskTest, ACheckGoesToTheHelperAndItsAnswerToTheEngine) {
  Open();
  RunPosted();
  ASSERT_EQ(Helpers(), 1U);
  world_.MoveOn(world_.settings.recheck.interval + std::chrono::seconds(1));
  controller::Engine::Actions actions = world_.Step();
  ASSERT_THAT(actions.lent, SizeIs(1));
  const int reads = world_.Reads();
  desk_->Lend(std::move(actions.lent));
  table_.Await([this] { return !table_.placed.empty(); });
  EXPECT_EQ(table_.placed[0].helper, "helper");
  EXPECT_THAT(*controller::ParseChecks(table_.placed[0].text), SizeIs(1));
  table_.Set([this] { table_.answers.push_back({table_.placed[0].id, "o"}); });
  RunPosted();
  world_.Work();
  EXPECT_EQ(world_.Reads(), reads + 1) << "what differs is read here";
  desk_.reset();
  EXPECT_THAT(lines_, HasSubstr("replicas that read targets for this one count=1"));
}

TEST_F(LendingDeskTest, WhileTheDatabaseIsAwayNobodyIsAsked) {
  Open();
  RunPosted();
  ASSERT_EQ(Helpers(), 1U);
  table_.Set([this] { table_.helpers = Fail(Code::kUnavailable, "the database is away"); });
  clock_.Pass(std::chrono::seconds(3));
  RunPosted();
  EXPECT_EQ(Helpers(), 0U);
  table_.Set([this] { table_.helpers = std::vector<store::HelperRecord>{{"helper"}}; });
  clock_.Pass(std::chrono::seconds(3));
  RunPosted();
  EXPECT_EQ(Helpers(), 1U);
  desk_.reset();
  EXPECT_EQ(lines_.find("warn"), std::string::npos) << lines_;
}

TEST_F(LendingDeskTest, WhatTheDatabaseRefusesIsToldOnce) {
  table_.helpers = Fail(Code::kPermissionDenied, "permission denied for schema public");
  Open();
  table_.Await([this] { return table_.looks > 0; });
  clock_.Pass(std::chrono::seconds(3));
  table_.Await([this] { return table_.looks > 1; });
  desk_.reset();
  const auto first = lines_.find("checks are not shared reason=");
  ASSERT_NE(first, std::string::npos) << lines_;
  EXPECT_THAT(lines_, HasSubstr("permission denied for schema public"));
  EXPECT_EQ(lines_.find("checks are not shared", first + 1), std::string::npos);
}

}  // namespace
}  // namespace bindery::app
