// Which trace the work on a target is, and what is told of it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_world.h"

namespace bindery::controller {
namespace {

using ::testing::Each;
using testing::EngineWorld;
using testing::kAna;
using testing::kViewer;
using ::testing::SizeIs;

constexpr const char* kCaller = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

class EngineTrace : public ::testing::Test {
 protected:
  EngineTrace() {
    for (const std::string id : {"a", "b"}) {
      world_.cloud->AddTarget(EngineWorld::TargetName(id));
      world_.Declare(id, id, kViewer, {kAna});
    }
  }
  void Sample(double ratio) {
    world_.settings.trace_sample_ratio = ratio;
    world_.Configure();
  }
  [[nodiscard]] const std::vector<TargetReport>& Reports() const { return world_.observer.reports; }

  EngineWorld world_;
};

TEST_F(EngineTrace, EachTargetOfAPassIsATraceThatLinksToIt) {
  Sample(1);
  world_.Pass();
  ASSERT_THAT(Reports(), SizeIs(2));
  ASSERT_THAT(world_.observer.passes, SizeIs(1));
  const PassReport& pass = world_.observer.passes.front();
  EXPECT_EQ(pass.targets, 2U);
  EXPECT_EQ(pass.unread, 0U);
  EXPECT_TRUE(pass.trace.sampled);
  EXPECT_NE(telemetry::TraceIdText(Reports()[0].trace), telemetry::TraceIdText(Reports()[1].trace));
  for (const TargetReport& report : Reports()) {
    EXPECT_TRUE(report.trace.valid());
    EXPECT_TRUE(report.trace.sampled);
    EXPECT_EQ(report.pass, pass.trace);
    EXPECT_EQ(report.trace_parent, 0U);
    EXPECT_EQ(report.trigger, Priority::kChange);
    EXPECT_EQ(report.error, std::nullopt);
    EXPECT_EQ(report.started, world_.now.mono);
  }
}

TEST_F(EngineTrace, ReCheckAndRetryArePartOfNoPass) {
  Sample(1);
  world_.Pass();
  world_.observer.reports.clear();
  world_.cloud->Fail({.operation = "getIamPolicy", .status = 503, .code = "UNAVAILABLE"});
  world_.NextInterval();
  ASSERT_GE(Reports().size(), 3U);
  EXPECT_EQ(Reports().front().trigger, Priority::kPeriodic);
  EXPECT_EQ(Reports().front().error, Code::kUnavailable);
  std::set<Priority> triggers;
  std::set<std::string> traces;
  for (const TargetReport& report : Reports()) {
    triggers.insert(report.trigger);
    traces.insert(telemetry::TraceIdText(report.trace));
    EXPECT_FALSE(report.pass.valid());
  }
  EXPECT_TRUE(triggers.contains(Priority::kRetry));
  EXPECT_EQ(traces.size(), Reports().size());
}

TEST_F(EngineTrace, WhatIsNotSampledHasIdsAllTheSame) {
  world_.Pass();
  for (const TargetReport& report : Reports()) {
    EXPECT_TRUE(report.trace.valid());
    EXPECT_FALSE(report.trace.sampled);
  }
}

TEST_F(EngineTrace, TheJobsAndWhatIsToldOfThemAreOfTheTrace) {
  world_.Scan();
  Engine::Actions actions = world_.Step();
  ASSERT_THAT(actions.checks, SizeIs(2));
  for (const auto& task : actions.checks) world_.Check(task);
  actions = world_.Step();
  ASSERT_THAT(actions.writes, SizeIs(2));
  world_.Write(actions.writes[0]);
  ASSERT_THAT(Reports(), SizeIs(1));
  EXPECT_EQ(Reports()[0].trace, actions.writes[0].job.check->trace);
  EXPECT_EQ(world_.observer.told_in.back(), Reports()[0].trace);
  EXPECT_FALSE(telemetry::CurrentTrace().valid());
}

TEST_F(EngineTrace, WhoAskedForACheckIsItsParentOnce) {
  world_.Pass();
  world_.observer.reports.clear();
  const telemetry::TraceContext caller = *telemetry::ParseTraceparent(kCaller);
  {
    const telemetry::TraceScope scope(caller);
    ASSERT_TRUE(world_.engine->commands().Reconcile({"a"}, world_.now, nullptr).has_value());
  }
  world_.Work();
  ASSERT_THAT(Reports(), SizeIs(1));
  EXPECT_EQ(telemetry::TraceIdText(Reports()[0].trace), telemetry::TraceIdText(caller));
  EXPECT_EQ(Reports()[0].trace_parent, caller.span);
  EXPECT_TRUE(Reports()[0].trace.sampled);
  world_.Reconcile("a");
  ASSERT_THAT(Reports(), SizeIs(2));
  EXPECT_NE(telemetry::TraceIdText(Reports()[1].trace), telemetry::TraceIdText(caller));
}

TEST_F(EngineTrace, APassThatGrowsBeforeItIsJudgedIsOne) {
  Sample(1);
  world_.Scan();
  world_.cloud->AddTarget(EngineWorld::TargetName("c"));
  world_.Declare("c", "c", kViewer, {kAna});
  world_.Pass();
  ASSERT_THAT(world_.observer.passes, SizeIs(1));
  EXPECT_EQ(world_.observer.passes.front().targets, 3U);
  ASSERT_THAT(Reports(), SizeIs(3));
  for (const TargetReport& report : Reports()) {
    EXPECT_EQ(report.pass, world_.observer.passes.front().trace);
  }
}

}  // namespace
}  // namespace bindery::controller
