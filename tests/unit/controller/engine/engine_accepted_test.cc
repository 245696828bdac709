// Accepted drift: neither repaired nor told of until its time is over.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/text/time_text.h"
#include "fakes/engine_world.h"

namespace bindery::controller {
namespace {

using ::testing::ElementsAre;
using testing::EngineWorld;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kAna;
using testing::kBob;
using testing::kEditor;
using testing::kEve;
using testing::kViewer;
using ::testing::UnorderedElementsAre;
using namespace std::chrono_literals;

class EngineAccepted : public ::testing::Test {
 protected:
  EngineAccepted() {
    world.cloud->AddTarget(EngineWorld::TargetName("t"));
    world.Declare("m", "t", kViewer, {kAna});
    world.Pass();
    world.NextInterval();
  }
  /// As after a reload of the configuration.
  void Accept(AcceptedDriftRules rules) {
    world.settings.catalog.accepted = std::make_shared<const AcceptedDriftRules>(std::move(rules));
    world.Configure();
  }
  AcceptedDriftRule BreakGlass(std::optional<std::chrono::milliseconds> time = 24h) const {
    AcceptedDriftRule rule;
    rule.target = EngineWorld::TargetName("t");
    rule.member = kEve;
    rule.acceptance = {"incident 42", "ana", std::nullopt};
    if (time) rule.acceptance.until = world.now.wall + *time;
    return rule;
  }
  void GrantEve() { world.cloud->Grant(EngineWorld::TargetName("t"), kViewer, kEve); }
  bool EveIsThere() const {
    const auto grants = world.Grants("t");
    return std::find(grants.begin(), grants.end(), "roles/viewer user:eve@example.com") !=
           grants.end();
  }
  std::vector<store::DriftRecord> Standing() const { return *world.store.Drift({true, {}, 1000}); }
  int Alarms() const { return world.Events("DriftFound"); }

  EngineWorld world;
};

TEST_F(EngineAccepted, ABreakGlassGrantStaysUntilItsTimeIsOver) {
  Accept({BreakGlass()});
  const int writes = world.Writes();
  const int alarms = Alarms();
  const std::size_t found = world.observer.found.size();
  GrantEve();
  world.Advance(23h);
  EXPECT_TRUE(EveIsThere());
  EXPECT_EQ(world.Writes(), writes);
  EXPECT_EQ(Alarms(), alarms);
  EXPECT_EQ(world.observer.found.size(), found);
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
  EXPECT_THAT(world.Message("m"), HasSubstr("but for 1 accepted difference"));
  ASSERT_EQ(Standing().size(), 1U);
  const DriftItem item = Standing().front().item;
  EXPECT_EQ(item.state, DriftState::kAccepted);
  EXPECT_EQ(item.cause, DriftCause::kForeign);
  ASSERT_TRUE(item.acceptance.has_value());
  EXPECT_EQ(item.acceptance->reason, "incident 42");

  world.Advance(1h + 1s);
  EXPECT_FALSE(EveIsThere());
  EXPECT_EQ(Alarms(), alarms + 1);
  EXPECT_THAT(Standing(), IsEmpty());
  ASSERT_FALSE(world.observer.found.empty());
  EXPECT_EQ(world.observer.found.back().cause, DriftCause::kForeign);
}

TEST_F(EngineAccepted, AnIdleTargetIsLookedAtAtTheEndAndNotOnlyAfterAnInterval) {
  world.settings.recheck.interval = 48h;
  world.Configure();
  Accept({BreakGlass()});
  GrantEve();
  world.Reconcile("m");
  EXPECT_TRUE(EveIsThere());
  world.Advance(24h - 1min);
  EXPECT_TRUE(EveIsThere());
  const int reads = world.Reads();
  world.Advance(1min + 1s);
  EXPECT_FALSE(EveIsThere());
  EXPECT_GT(world.Reads(), reads);
}

TEST_F(EngineAccepted, AnythingElseOnTheTargetIsStillRepaired) {
  Accept({BreakGlass()});
  GrantEve();
  world.cloud->Grant(EngineWorld::TargetName("t"), kEditor, kBob);
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre("roles/viewer user:ana@example.com",
                                                      "roles/viewer user:eve@example.com"));
  ASSERT_EQ(Standing().size(), 1U);
  EXPECT_EQ(Standing().front().item.state, DriftState::kAccepted);
}

TEST_F(EngineAccepted, WhatIsMissingMayStayMissing) {
  AcceptedDriftRule rule = BreakGlass();
  rule.member = kAna;
  rule.drift_class = DriftClass::kMissing;
  Accept({rule});
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), IsEmpty());
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
  world.Advance(24h);
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/viewer user:ana@example.com"));
}

TEST_F(EngineAccepted, AnotherConditionMayStayAsOneDifference) {
  AcceptedDriftRule rule = BreakGlass();
  rule.member = kAna;
  Accept({rule});
  const std::string bindings =
      R"([{"role": "roles/viewer", "members": ["user:ana@example.com"],
           "condition": {"title": "on call", "expression": "request.host == 'a'"}}])";
  world.cloud->AddTarget(EngineWorld::TargetName("t"), bindings);
  const int writes = world.Writes();
  world.NextInterval();
  EXPECT_EQ(world.Writes(), writes) << "neither the addition nor the removal";
  ASSERT_EQ(Standing().size(), 1U);
  EXPECT_EQ(Standing().front().item.drift_class, DriftClass::kConditionChanged);
  EXPECT_EQ(Standing().front().item.state, DriftState::kAccepted);
}

TEST_F(EngineAccepted, AReloadTakesEffectAtOnce) {
  GrantEve();
  world.settings.catalog.mode = Mode::kObserve;
  world.Configure();
  world.NextInterval();
  ASSERT_EQ(Standing().size(), 1U);
  EXPECT_EQ(Standing().front().item.state, DriftState::kOpen);
  EXPECT_EQ(world.Status("m"), "Stalled DriftObserved");
  Accept({BreakGlass(std::nullopt)});
  world.Work();
  EXPECT_EQ(Standing().front().item.state, DriftState::kAccepted);
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
  const int alarms = Alarms();
  Accept({});
  world.Work();
  EXPECT_EQ(Standing().front().item.state, DriftState::kOpen);
  EXPECT_FALSE(Standing().front().item.acceptance.has_value());
  EXPECT_EQ(Alarms(), alarms + 1);
}

TEST_F(EngineAccepted, AReloadThatEndsItIsDoubtedOnce) {
  world.settings.settle = std::chrono::seconds(10);
  world.facts.ground = manifests::Ground{"/m", "/m", 1, 2, 3, false, false, {}};
  Accept({BreakGlass(std::nullopt)});
  GrantEve();
  world.NextInterval();
  Accept({});
  for (int look = 0; look < 3; ++look) {
    world.Scan();
    world.MoveOn(std::chrono::seconds(10));
  }
  const auto is_settled = [this] {
    const store::EvidenceRecord record = world.engine->catalog().ages().Record();
    return record.settled == record.look;
  };
  ASSERT_TRUE(is_settled());
  world.Step();
  EXPECT_TRUE(is_settled());
}

TEST_F(EngineAccepted, ARestartForgetsNothing) {
  Accept({BreakGlass()});
  GrantEve();
  world.NextInterval();
  const int alarms = Alarms();
  world.Restart();
  world.Pass();
  EXPECT_TRUE(EveIsThere());
  EXPECT_EQ(Alarms(), alarms);
  world.MoveOn(25h);
  world.Restart();
  world.Pass();
  EXPECT_FALSE(EveIsThere()) << "its time was over while nobody looked";
  EXPECT_EQ(Alarms(), alarms + 1);
}

TEST_F(EngineAccepted, OneWhoseManifestIsBrokenEndsOnlyWhenItCanBeRead) {
  const std::string manifest =
      "apiVersion: bindery\nkind: AcceptedDrift\nmetadata: {name: incident}\n"
      "spec: {match: {member: \"user:eve@example.com\"}, reason: incident, owner: ana, until: \"" +
      FormatRfc3339(world.now.wall + 24h) + "\"}\n";
  world.DeclareYaml(manifest);
  world.Pass();
  GrantEve();
  world.NextInterval();
  ASSERT_TRUE(EveIsThere());
  const int writes = world.Writes();
  // Half of what it is to be.
  world.Remove("incident");
  world.broken_files = {"incident.yaml"};
  world.Pass();
  world.Advance(25h);
  EXPECT_TRUE(EveIsThere()) << "the other half may name a later end";
  EXPECT_EQ(world.Writes(), writes);
  world.broken_files = {};
  world.DeclareYaml(manifest);
  world.Pass();
  world.NextInterval();
  EXPECT_FALSE(EveIsThere()) << "it names the same end";
}

TEST_F(EngineAccepted, AClockThatRunsAheadEndsNothing) {
  Accept({BreakGlass()});
  GrantEve();
  world.NextInterval();
  const int alarms = Alarms();
  world.SetClock(48h);
  world.NextInterval();
  world.NextInterval();
  EXPECT_TRUE(EveIsThere()) << "the services say that it is too early";
  EXPECT_EQ(Alarms(), alarms);
  ASSERT_EQ(Standing().size(), 1U);
  EXPECT_EQ(Standing().front().item.state, DriftState::kAccepted);
  world.Advance(25h);
  EXPECT_FALSE(EveIsThere()) << "both clocks say that it is over";
}

TEST_F(EngineAccepted, WhatAManifestGrantedGoesWithItWhateverIsAccepted) {
  AcceptedDriftRule rule;
  rule.drift_class = DriftClass::kUndeclared;
  rule.acceptance = {"all of it", "ana", std::nullopt};
  world.Declare("other", "t", kEditor, {kBob});
  world.Pass();
  Accept({rule});
  GrantEve();
  world.NextInterval();
  world.Remove("m");
  world.Pass();
  world.NextInterval();
  world.NextInterval();
  EXPECT_EQ(world.Status("m"), "gone");
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre("roles/editor user:bob@example.com",
                                                      "roles/viewer user:eve@example.com"));
}

TEST_F(EngineAccepted, ARollbackBringsBackThePolicyInFull) {
  Accept({BreakGlass(std::nullopt)});
  ASSERT_FALSE(world.store.state.revisions.empty());
  const store::RevisionRecord revision = world.store.state.revisions.back();
  GrantEve();
  world.NextInterval();
  ASSERT_TRUE(EveIsThere());
  ASSERT_TRUE(
      world.engine->commands().Rollback("m", revision, "ana", world.now, nullptr).has_value());
  world.Work();
  EXPECT_FALSE(EveIsThere());
}

}  // namespace
}  // namespace bindery::controller
