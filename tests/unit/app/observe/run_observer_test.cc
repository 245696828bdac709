#include "app/observe/run_observer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "support/fake_clock.h"

namespace bindery::app {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

class RunObserverTest : public ::testing::Test {
 protected:
  /// The work on one target, from being queued to its end.
  void Work(WorkAction action, std::optional<Code> error = std::nullopt, bool unexpected = false) {
    controller::TargetReport report;
    report.target = {Interned("K"), {}, "projects/acme"};
    report.result = error ? WorkResult::kError : WorkResult::kRequeueAfter;
    report.action = action;
    report.error = error;
    report.unexpected = unexpected;
    report.duration = 2s;
    report.lateness = 3s;
    observer_.work().Queued(report.target, error.has_value());
    observer_.work().Taken(report.target, 1s);
    observer_.work().Worked(report);
  }

  /// Whether the exposition has that line.
  [[nodiscard]] bool Shows(const std::string& line) {
    return ("\n" + metrics_.Render()).find("\n" + line + "\n") != std::string::npos;
  }

  testing::FakeClock clock_;
  std::string logged_;
  telemetry::Logger log_{
      {.format = LogFormat::kJson,
       .level = LogLevel::kDebug,
       .sink = [this](std::string_view line) { logged_ += std::string(line) + "\n"; }}};
  telemetry::Metrics metrics_{{{"K"}, "test"}};
  ProgressBar progress_{"checking", clock_, {}};
  RunObserver observer_{log_, metrics_, clock_, progress_};
};

TEST_F(RunObserverTest, TheEndOfWorkIsCountedByWhatItWas) {
  struct Case {
    const char* why;
    std::optional<Code> error;
    bool unexpected;
    int errors, terminal, panics, timeouts;
  };
  const Case cases[] = {
      {"no error", std::nullopt, false, 0, 0, 0, 0},
      {"the cloud is away", Code::kUnavailable, false, 1, 0, 0, 0},
      {"trying again cannot help", Code::kPermissionDenied, false, 1, 1, 0, 0},
      {"a call ran into its limit", Code::kDeadlineExceeded, false, 1, 0, 0, 1},
      {"an exception", Code::kInternal, true, 1, 0, 1, 0},
      {"an internal error of the cloud", Code::kInternal, false, 1, 0, 0, 0},
  };
  int errors = 0;
  int terminal = 0;
  int panics = 0;
  int timeouts = 0;
  for (const Case& c : cases) {
    Work(c.error ? WorkAction::kFailed : WorkAction::kUnchanged, c.error, c.unexpected);
    const auto shows = [this](const std::string& family, int& count, int more) {
      count += more;
      return Shows("controller_runtime_" + family + "{controller=\"k\"} " + std::to_string(count));
    };
    EXPECT_TRUE(shows("reconcile_errors_total", errors, c.errors)) << c.why;
    EXPECT_TRUE(shows("terminal_reconcile_errors_total", terminal, c.terminal)) << c.why;
    EXPECT_TRUE(shows("reconcile_panics_total", panics, c.panics)) << c.why;
    EXPECT_TRUE(shows("reconcile_timeouts_total", timeouts, c.timeouts)) << c.why;
  }
  EXPECT_TRUE(Shows("controller_runtime_active_workers{controller=\"k\"} 0"));
  EXPECT_TRUE(
      Shows("controller_runtime_reconcile_total{controller=\"k\",result=\"requeue_after\"} 1"));
  EXPECT_TRUE(Shows("controller_runtime_reconcile_total{controller=\"k\",result=\"error\"} 5"));
  EXPECT_TRUE(Shows("workqueue_adds_total{controller=\"k\",name=\"k\"} 6"));
  EXPECT_TRUE(Shows("workqueue_retries_total{controller=\"k\",name=\"k\"} 5"));
  EXPECT_TRUE(Shows("controller_runtime_reconcile_time_seconds_sum{controller=\"k\"} 12"));
  EXPECT_TRUE(Shows("workqueue_queue_duration_seconds_sum{controller=\"k\",name=\"k\"} 6"));
  EXPECT_TRUE(Shows("workqueue_work_duration_seconds_sum{controller=\"k\",name=\"k\"} 12"));
  EXPECT_TRUE(Shows("bindery_reconcile_lateness_seconds_sum{kind=\"K\"} 18"));
}

TEST_F(RunObserverTest, WhatStaysHeldIsLoggedAsNewsOnce) {
  Work(WorkAction::kHeld);
  EXPECT_THAT(logged_, HasSubstr("\"level\":\"info\""));
  EXPECT_THAT(logged_, HasSubstr("target held"));
  logged_.clear();
  Work(WorkAction::kHeld);
  EXPECT_THAT(logged_, HasSubstr("\"level\":\"debug\""));
  logged_.clear();
  Work(WorkAction::kObserved);
  EXPECT_THAT(logged_, HasSubstr("\"level\":\"info\""));
}

TEST_F(RunObserverTest, AFailedLoadKeepsTheTimeOfTheLastGoodOne) {
  observer_.ConfigLoaded(true);
  observer_.Loaded({}, nullptr);
  const std::string before = metrics_.Render();
  clock_.Pass(1h);
  observer_.ConfigLoaded(false);
  observer_.LoadFailed({Code::kNotFound, "gone"});
  for (const char* family : {"bindery_last_load", "bindery_config_last_reload_success"}) {
    const std::string name = std::string("\n") + family + "_timestamp_seconds ";
    const std::size_t at = before.find(name);
    ASSERT_NE(at, std::string::npos) << family;
    EXPECT_THAT(metrics_.Render(), HasSubstr(before.substr(at, before.find('\n', at + 1) - at)));
  }
  EXPECT_TRUE(Shows("bindery_last_load_successful 0"));
  EXPECT_TRUE(Shows("bindery_config_last_reload_successful 0"));
}

TEST_F(RunObserverTest, AKnownKindHasItsConcurrencyAndTheWatcherItsMode) {
  observer_.Began(/*inotify=*/false, 32);
  EXPECT_TRUE(Shows("controller_runtime_max_concurrent_reconciles{controller=\"k\"} 32"));
  EXPECT_TRUE(Shows("bindery_watcher_mode{mode=\"poll\"} 1"));
  EXPECT_TRUE(Shows("bindery_watcher_mode{mode=\"inotify\"} 0"));
}

}  // namespace
}  // namespace bindery::app
