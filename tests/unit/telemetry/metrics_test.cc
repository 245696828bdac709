#include "telemetry/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <set>
#include <sstream>
#include <string>

#include "core/time_text.h"
#include "support/temp_dir.h"

namespace bindery {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

MetricsOptions Options() {
  return {{"AuthorizationPolicyIamBinding", "RestrictionPolicy"}, "1.2.3"};
}

/// The value of one series as it stands in an exposition; NaN when it is not there.
double ValueOf(const std::string& text, const std::string& series) {
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    if (line.substr(0, series.size() + 1) == series + " ")
      return std::stod(line.substr(series.size() + 1));
  }
  return std::numeric_limits<double>::quiet_NaN();
}

/// Touches every family.
void UseEverything(Metrics& metrics) {
  const WallTime time = *ParseRfc3339("2026-11-21T00:00:00Z");
  const std::string kind = "RestrictionPolicy";
  metrics.SetMaxConcurrentReconciles(32);
  metrics.ReconcileStarted(kind);
  metrics.ReconcileStarted(kind);
  metrics.ReconcileFinished(kind, ReconcileResult::kSuccess, 30ms);
  metrics.ReconcileStarted(kind);
  metrics.ReconcileFinished(kind, ReconcileResult::kError, 2s);
  metrics.ReconcileFailedTerminally(kind);
  metrics.ReconcilePanicked(kind);
  metrics.ReconcileTimedOut(kind);
  metrics.QueueAdded(kind);
  metrics.QueueRetried(kind);
  metrics.QueueTaken(kind, 10us);
  metrics.QueueDone(kind, 10ms);
  metrics.SetQueueDepth(kind, QueuePriority::kChange, 7);
  metrics.SetUnfinishedWork(kind, 3s, 2s);
  metrics.SetResources(kind, ResourceState::kReady, 5);
  metrics.SetTargets(kind, 4);
  metrics.SetGrants(kind, 9);
  DriftItem drift;
  drift.severity = Severity::kHigh;
  drift.cause = DriftCause::kForeign;
  metrics.SetOpenDrift(kind, drift.drift_class, drift.severity, drift.cause, 2);
  metrics.SetAcceptedDrift(kind, drift.drift_class, 3);
  metrics.DriftFound(kind, drift);
  metrics.DriftCorrected(kind, drift);
  metrics.SetOldestObservation(kind, time);
  metrics.ReconcileWasLate(kind, 300ms);
  metrics.ApiRequest("restrictionPolicy", "get", 200, 15ms);
  metrics.ApiRequest("restrictionPolicy", "get", 0, 15ms);
  metrics.SetQuota("monitoring", "", {0.75, 12.5, 3s, 2});
  metrics.SetHost("https://api.example.com", true, 1);
  metrics.SetRechecks(std::chrono::seconds(300), std::chrono::seconds(150), 200);
  metrics.SetGuard({1, 60, 7});
  metrics.SetManifestErrors(3, 2);
  metrics.SetManifestProblems({{{"DateTimeCheck", "warning"}, 3}});
  metrics.ManifestsLoaded(true, time);
  metrics.ConfigReloaded(true, time);
  metrics.SetWatcherMode(WatcherMode::kPoll);
  metrics.StoreCommitted(2ms);
  metrics.SetStoreUsable(true);
  metrics.StoreReopened(1);
  metrics.notifications().Begin("siem");
  metrics.notifications().Count("siem", NotificationOutcome::kGivenUp, 3);
  metrics.notifications().SetPending("siem", 12);
  metrics.notifications().SetFailing("siem", true);
  metrics.notifications().Delivered("siem", time);
}

TEST(Metrics, OfWebhooksWhatHappenedToEventsIsCounted) {
  Metrics metrics(Options());
  UseEverything(metrics);
  const std::string text = metrics.Render();
  const auto total = [](const std::string& outcome) {
    return "bindery_notifications_total{outcome=\"" + outcome + "\",webhook=\"siem\"}";
  };
  EXPECT_EQ(ValueOf(text, total("given_up")), 3);
  for (const char* outcome : {"delivered", "repeated", "expired", "failed"}) {
    EXPECT_EQ(ValueOf(text, total(outcome)), 0) << outcome;
  }
  EXPECT_EQ(ValueOf(text, "bindery_notifications_pending{webhook=\"siem\"}"), 12);
  EXPECT_EQ(ValueOf(text, "bindery_notifications_failing{webhook=\"siem\"}"), 1);
  metrics.notifications().End("siem");
  EXPECT_EQ(ValueOf(metrics.Render(), "bindery_notifications_failing{webhook=\"siem\"}"), 0);
}

TEST(Metrics, WhatHappenedIsCountedUnderTheUsualNames) {
  Metrics metrics(Options());
  UseEverything(metrics);
  const std::string text = metrics.Render();
  struct Case {
    const char* series;
    double value;
  };
  const Case cases[] = {
      {R"(controller_runtime_reconcile_total{controller="restrictionpolicy",result="success"})", 1},
      {R"(controller_runtime_reconcile_total{controller="restrictionpolicy",result="error"})", 1},
      {R"(controller_runtime_reconcile_total{controller="restrictionpolicy",result="requeue_after"})",
       0},
      {R"(controller_runtime_reconcile_errors_total{controller="restrictionpolicy"})", 1},
      {R"(controller_runtime_terminal_reconcile_errors_total{controller="restrictionpolicy"})", 1},
      {R"(controller_runtime_reconcile_panics_total{controller="restrictionpolicy"})", 1},
      {R"(controller_runtime_reconcile_timeouts_total{controller="restrictionpolicy"})", 1},
      {R"(controller_runtime_reconcile_time_seconds_count{controller="restrictionpolicy"})", 2},
      {R"(controller_runtime_reconcile_time_seconds_bucket{controller="restrictionpolicy",le="0.05"})",
       1},
      {R"(controller_runtime_max_concurrent_reconciles{controller="restrictionpolicy"})", 32},
      {R"(controller_runtime_active_workers{controller="restrictionpolicy"})", 1},
      {R"(workqueue_depth{controller="restrictionpolicy",name="restrictionpolicy",priority="2"})",
       7},
      {R"(workqueue_adds_total{controller="restrictionpolicy",name="restrictionpolicy"})", 1},
      {R"(workqueue_retries_total{controller="restrictionpolicy",name="restrictionpolicy"})", 1},
      {R"(workqueue_queue_duration_seconds_count{controller="restrictionpolicy",name="restrictionpolicy"})",
       1},
      {R"(workqueue_work_duration_seconds_sum{controller="restrictionpolicy",name="restrictionpolicy"})",
       0.01},
      {R"(workqueue_unfinished_work_seconds{controller="restrictionpolicy",name="restrictionpolicy"})",
       3},
      {R"(workqueue_longest_running_processor_seconds{controller="restrictionpolicy",name="restrictionpolicy"})",
       2},
      {R"(bindery_resources{kind="RestrictionPolicy",state="ready"})", 5},
      {R"(bindery_targets{kind="RestrictionPolicy"})", 4},
      {R"(bindery_grants{kind="RestrictionPolicy"})", 9},
      {R"(bindery_drift_accepted_items{class="missing",kind="RestrictionPolicy"})", 3},
      {R"(bindery_drift_items{cause="foreign",class="missing",kind="RestrictionPolicy",severity="high"})",
       2},
      {R"(bindery_drift_found_total{cause="foreign",class="missing",kind="RestrictionPolicy",severity="high"})",
       1},
      {R"(bindery_drift_corrected_total{cause="foreign",class="missing",kind="RestrictionPolicy",severity="high"})",
       1},
      {R"(bindery_oldest_observation_timestamp_seconds{kind="RestrictionPolicy"})", 1795219200},
      {R"(bindery_reconcile_lateness_seconds_sum{kind="RestrictionPolicy"})", 0.3},
      {R"(bindery_api_requests_total{code="200",method="get",service="restrictionPolicy"})", 1},
      {R"(bindery_api_requests_total{code="error",method="get",service="restrictionPolicy"})", 1},
      {R"(bindery_api_request_duration_seconds_count{method="get",service="restrictionPolicy"})",
       2},
      {R"(bindery_quota_headroom_ratio{provider="monitoring",quota_project=""})", 0.75},
      {R"(bindery_quota_calls_per_second{provider="monitoring",quota_project=""})", 12.5},
      {R"(bindery_quota_paused_seconds{provider="monitoring",quota_project=""})", 3},
      {R"(bindery_quota_refusals_total{provider="monitoring",quota_project=""})", 2},
      {R"(bindery_circuit_breaker_open{host="https://api.example.com"})", 1},
      {R"(bindery_circuit_breaker_openings_total{host="https://api.example.com"})", 1},
      {"bindery_guard_holds", 1},
      {"bindery_guard_held_removals", 60},
      {"bindery_guard_denied_removals", 7},
      {"bindery_manifest_errors", 3},
      {"bindery_manifest_warnings", 2},
      {"bindery_last_load_timestamp_seconds", 1795219200},
      {"bindery_last_load_successful", 1},
      {"bindery_config_last_reload_successful", 1},
      {"bindery_config_last_reload_success_timestamp_seconds", 1795219200},
      {R"(bindery_watcher_mode{mode="poll"})", 1},
      {R"(bindery_watcher_mode{mode="inotify"})", 0},
      {"bindery_store_commit_duration_seconds_count", 1},
  };
  for (const Case& c : cases) EXPECT_DOUBLE_EQ(ValueOf(text, c.series), c.value) << c.series;
  EXPECT_THAT(text, HasSubstr("version=\"1.2.3\""));
}

TEST(Metrics, KnownKindsStartAtZero) {
  Metrics metrics(Options());
  const std::string text = metrics.Render();
  for (
      const char* series : {
          R"(controller_runtime_reconcile_total{controller="authorizationpolicyiambinding",result="requeue"})",
          R"(workqueue_depth{controller="authorizationpolicyiambinding",name="authorizationpolicyiambinding",priority="0"})",
          R"(bindery_drift_found_total{cause="foreign",class="lookup-changed",kind="AuthorizationPolicyIamBinding",severity="critical"})",
          R"(bindery_reconcile_lateness_seconds_count{kind="AuthorizationPolicyIamBinding"})",
          R"(bindery_resources{kind="AuthorizationPolicyIamBinding",state="stalled"})",
          "bindery_guard_holds",
      }) {
    EXPECT_EQ(ValueOf(text, series), 0) << series;
  }
  EXPECT_THAT(text, Not(HasSubstr("bindery_oldest_observation_timestamp_seconds{")))
      << "1970 would look like a very old observation";
}

TEST(Metrics, AFailedLoadKeepsTheTimeOfTheLastGoodOne) {
  Metrics metrics(Options());
  metrics.ManifestsLoaded(true, *ParseRfc3339("2026-11-21T00:00:00Z"));
  metrics.ManifestsLoaded(false, *ParseRfc3339("2026-11-22T00:00:00Z"));
  metrics.ConfigReloaded(true, *ParseRfc3339("2026-11-21T00:00:00Z"));
  metrics.ConfigReloaded(false, *ParseRfc3339("2026-11-22T00:00:00Z"));
  const std::string text = metrics.Render();
  EXPECT_EQ(ValueOf(text, "bindery_last_load_successful"), 0);
  EXPECT_EQ(ValueOf(text, "bindery_last_load_timestamp_seconds"), 1795219200);
  EXPECT_EQ(ValueOf(text, "bindery_config_last_reload_successful"), 0);
  EXPECT_EQ(ValueOf(text, "bindery_config_last_reload_success_timestamp_seconds"), 1795219200);
}

TEST(Metrics, TheProcessIsDescribedAtEachRender) {
  Metrics metrics(Options());
  const std::string text = metrics.Render();
  EXPECT_GT(ValueOf(text, "process_resident_memory_bytes"), 1e5);
  EXPECT_GT(ValueOf(text, "process_virtual_memory_bytes"),
            ValueOf(text, "process_resident_memory_bytes"));
  EXPECT_GE(ValueOf(text, "process_open_fds"), 3);
  EXPECT_GE(ValueOf(text, "process_max_fds"), ValueOf(text, "process_open_fds"));
  EXPECT_GT(ValueOf(text, "process_cpu_seconds_total"), 0);
  const double now =
      std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  EXPECT_LE(ValueOf(text, "process_start_time_seconds"), now + 2);
  EXPECT_GT(ValueOf(text, "process_start_time_seconds"), now - 3'600);
}

TEST(Metrics, OnRenderRefreshesGaugesFirst) {
  Metrics metrics(Options());
  std::size_t calls = 0;
  metrics.OnRender([&] { metrics.SetManifestErrors(++calls, 0); });
  EXPECT_EQ(ValueOf(metrics.Render(), "bindery_manifest_errors"), 1);
  EXPECT_EQ(ValueOf(metrics.Render(), "bindery_manifest_errors"), 2);
}

TEST(Metrics, PromtoolHasNothingToSay) {
  Metrics metrics(Options());
  UseEverything(metrics);
  const testing::TempDir dir;
  dir.Write("metrics", metrics.Render());
  const std::string command = std::string(BINDERY_PROMTOOL) + " check metrics <" +
                              (dir / "metrics") + " >" + (dir / "words") + " 2>&1";
  // NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread is running
  const int status = std::system(command.c_str());
  EXPECT_EQ(status, 0);
  EXPECT_EQ(dir.Read("words"), "");
}

TEST(Metrics, EveryFamilyIsShownOnce) {
  Metrics metrics(Options());
  UseEverything(metrics);
  std::istringstream lines(metrics.Render());
  std::set<std::string> families;
  std::string line;
  while (std::getline(lines, line)) {
    if (line.substr(0, 7) != "# TYPE ") continue;
    EXPECT_TRUE(families.insert(line).second) << line;
  }
  EXPECT_EQ(families.size(), 68U);
}

}  // namespace
}  // namespace bindery
