#include "telemetry/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>

#include "core/access/status.h"
#include "core/access/work.h"
#include "core/text/time_text.h"
#include "support/temp_dir.h"

namespace bindery::telemetry {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

MetricsOptions Options() {
  return {{"AuthorizationPolicyIamBinding", "RestrictionPolicy"}, "1.2.3"};
}

/// The value of one series as it stands in an exposition; NaN when it is not there.
double GetValue(const std::string& text, const std::string& series) {
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
  metrics.reconciles.max_concurrent.Set(32, {kind});
  for (int i = 0; i < 3; ++i) metrics.reconciles.active_workers.Increment({kind});
  for (int i = 0; i < 2; ++i) metrics.reconciles.active_workers.Decrement({kind});
  metrics.reconciles.total.Increment({kind, ToString(WorkResult::kSuccess)});
  metrics.reconciles.total.Increment({kind, ToString(WorkResult::kError)});
  metrics.reconciles.time.Observe(30ms, {kind});
  metrics.reconciles.time.Observe(2s, {kind});
  metrics.reconciles.errors.Increment({kind});
  metrics.reconciles.terminal_errors.Increment({kind});
  metrics.reconciles.panics.Increment({kind});
  metrics.reconciles.timeouts.Increment({kind});
  metrics.queue.adds.Increment({kind});
  metrics.queue.retries.Increment({kind});
  metrics.queue.waiting_time.Observe(10us, {kind});
  metrics.queue.work_duration.Observe(10ms, {kind});
  metrics.queue.depth.Set(7, {kind, "2"});
  metrics.queue.unfinished.Set(3s, {kind});
  metrics.queue.longest.Set(2s, {kind});
  metrics.declared.resources.Set(5, {kind, ToString(ResourceState::kReady)});
  metrics.declared.targets.Set(4, {kind});
  metrics.declared.grants.Set(9, {kind});
  metrics.drift.open.Set(2, {kind, "missing", "high", "foreign"});
  metrics.drift.accepted.Set(3, {kind, "missing"});
  metrics.drift.found.Increment({kind, "missing", "high", "foreign"});
  metrics.drift.corrected.Increment({kind, "missing", "high", "foreign"});
  metrics.observations.policy_reads.Increment({kind, "etag"});
  metrics.observations.oldest.Set(time, {kind});
  metrics.observations.lateness.Observe(300ms, {kind});
  for (const char* code : {"200", "error"}) {
    metrics.clouds.request_duration.Observe(15ms, {"restrictionPolicy", "get"});
    metrics.clouds.requests.Increment({"restrictionPolicy", "get", code});
  }
  metrics.clouds.quota_headroom.Set(0.75, {"monitoring", ""});
  metrics.clouds.quota_rate.Set(12.5, {"monitoring", ""});
  metrics.clouds.quota_paused.Set(3s, {"monitoring", ""});
  for (const int total : {2, 1}) metrics.clouds.quota_refusals.RaiseTo(total, {"monitoring", ""});
  metrics.clouds.circuit_open.Set(true, {"https://api.example.com"});
  metrics.clouds.circuit_openings.RaiseTo(1, {"https://api.example.com"});
  metrics.removals.holds.Set(1);
  metrics.removals.held.Set(60);
  metrics.removals.denied.Set(7);
  metrics.inputs.manifest_errors.Set(3);
  metrics.inputs.manifest_warnings.Set(2);
  metrics.inputs.manifest_problems.Set(3, {"DateTimeCheck", "warning"});
  metrics.inputs.last_load_successful.Set(true);
  metrics.inputs.last_load.Set(time);
  metrics.inputs.last_config_reload_successful.Set(true);
  metrics.inputs.last_config_reload.Set(time);
  metrics.inputs.watcher_mode.Set(1, {"poll"});
  metrics.store.commit.Observe(2ms);
  metrics.notifications.events.Increment(3, {"siem", ToString(NotificationOutcome::kGivenUp)});
  metrics.notifications.pending.Set(12, {"siem"});
  metrics.notifications.failing.Set(1, {"siem"});
  metrics.notifications.last_success.Set(time, {"siem"});
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
      {R"(bindery_policy_reads_total{form="etag",kind="RestrictionPolicy"})", 1},
      {R"(bindery_policy_reads_total{form="full",kind="RestrictionPolicy"})", 0},
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
      {R"(bindery_manifest_problems{code="DateTimeCheck",severity="warning"})", 3},
      {R"(bindery_notifications_total{outcome="given_up",webhook="siem"})", 3},
      {R"(bindery_notifications_pending{webhook="siem"})", 12},
      {R"(bindery_notifications_failing{webhook="siem"})", 1},
  };
  for (const Case& c : cases) EXPECT_DOUBLE_EQ(GetValue(text, c.series), c.value) << c.series;
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
    EXPECT_EQ(GetValue(text, series), 0) << series;
  }
  EXPECT_THAT(text, Not(HasSubstr("bindery_oldest_observation_timestamp_seconds{")))
      << "1970 would look like a very old observation";
}

TEST(Metrics, OtherKindsAppearOnceUsed) {
  Metrics metrics(Options());
  EXPECT_THAT(metrics.Render(), Not(HasSubstr("TopicIamBinding")));
  metrics.declared.grants.Set(2, {"TopicIamBinding"});
  const std::string text = metrics.Render();
  EXPECT_EQ(GetValue(text, R"(bindery_grants{kind="TopicIamBinding"})"), 2);
  EXPECT_THAT(text, Not(HasSubstr(R"(bindery_targets{kind="TopicIamBinding")")));
}

TEST(Metrics, AHistogramHasItsBucketsSumAndCount) {
  MetricRegistry registry({});
  Histogram histogram(registry, "a_seconds", "How long.", {label::Of("code")}, {0.0001, 1, 2.5});
  for (const auto value : {0ms, 500ms, 2'000ms, 9'000ms}) {
    histogram.Observe(value, {"x"});
  }
  EXPECT_EQ(registry.Text(), R"(# HELP a_seconds How long.
# TYPE a_seconds histogram
a_seconds_count{code="x"} 4
a_seconds_sum{code="x"} 11.5
a_seconds_bucket{code="x",le="0.0001"} 1
a_seconds_bucket{code="x",le="1"} 2
a_seconds_bucket{code="x",le="2.5"} 3
a_seconds_bucket{code="x",le="+Inf"} 4
)");
}

TEST(Metrics, TextsAreEscapedAndNumbersAreExact) {
  MetricRegistry registry({});
  Gauge gauge(registry, "a", "It\\is\n\"so\".", {label::Of("b")});
  gauge.Set(0.1, {"back\\slash"});
  gauge.Set(1e300, {"two\nlines"});
  gauge.Set(-3, {"\"quoted\""});
  gauge.Set(std::numeric_limits<double>::infinity(), {"later"});
  gauge.Set(std::numeric_limits<double>::quiet_NaN(), {"none"});
  EXPECT_EQ(registry.Text(), R"(# HELP a It\\is\n"so".
# TYPE a gauge
a{b="back\\slash"} 0.1
a{b="two\nlines"} 1e+300
a{b="\"quoted\""} -3
a{b="later"} +Inf
a{b="none"} NaN
)");
}

TEST(Metrics, TheSameNameIsTheSameMetric) {
  MetricRegistry registry({});
  {
    Counter first(registry, "a_total", "A.");
    first.Increment();
  }
  Counter second(registry, "a_total", "A.");
  second.Increment();
  EXPECT_EQ(registry.Text(), "# HELP a_total A.\n# TYPE a_total counter\na_total 2\n");
  EXPECT_THROW(Gauge(registry, "a_total", "A."), std::logic_error);
}

TEST(Metrics, ValuesThatAreShownAlikeAreOneSeries) {
  MetricRegistry registry({});
  Counter counter(registry, "a_total", "A.", {label::Controller()});
  counter.Increment({"Topic"});
  counter.Increment({"topic"});
  EXPECT_EQ(registry.Text(),
            "# HELP a_total A.\n# TYPE a_total counter\na_total{controller=\"topic\"} 2\n");
}

TEST(Metrics, WhatIsClearedIsShownAsZero) {
  Metrics metrics(Options());
  metrics.inputs.manifest_problems.Set(3, {"DateTimeCheck", "warning"});
  metrics.inputs.manifest_problems.Clear();
  metrics.inputs.manifest_problems.Set(1, {"RoleConflict", "error"});
  const std::string text = metrics.Render();
  EXPECT_EQ(GetValue(text, R"(bindery_manifest_problems{code="DateTimeCheck",severity="warning"})"),
            0);
  EXPECT_EQ(GetValue(text, R"(bindery_manifest_problems{code="RoleConflict",severity="error"})"),
            1);
}

TEST(Metrics, TheProcessIsDescribedAtEachRender) {
  Metrics metrics(Options());
  const std::string text = metrics.Render();
  EXPECT_GT(GetValue(text, "process_resident_memory_bytes"), 1e5);
  EXPECT_GT(GetValue(text, "process_virtual_memory_bytes"),
            GetValue(text, "process_resident_memory_bytes"));
  EXPECT_GE(GetValue(text, "process_open_fds"), 3);
  EXPECT_GE(GetValue(text, "process_max_fds"), GetValue(text, "process_open_fds"));
  EXPECT_GT(GetValue(text, "process_cpu_seconds_total"), 0);
  const double now =
      std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  EXPECT_LE(GetValue(text, "process_start_time_seconds"), now + 2);
  EXPECT_GT(GetValue(text, "process_start_time_seconds"), now - 3'600);
}

TEST(Metrics, PromtoolHasNothingToSay) {
  Metrics metrics(Options());
  UseEverything(metrics);
  const testing::TempDir dir;
  dir.Write("metrics", metrics.Render());
  const std::string command =
      "promtool check metrics <" + (dir / "metrics") + " >" + (dir / "words") + " 2>&1";
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
  EXPECT_EQ(families.size(), 79U);
}

}  // namespace
}  // namespace bindery::telemetry
