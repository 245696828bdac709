// Nothing is taken away before the directory says for sure that it is not declared.

#include "unit/controller/engine_evidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bindery::controller {
namespace {

using std::chrono::seconds;
using testing::EngineEvidence;
using testing::EngineWorld;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kAna;
using testing::kAnaViews;
using testing::kBob;
using testing::kBobViews;
using testing::kEditor;
using testing::kEve;
using testing::kEveEdits;
using testing::kEveViews;
using testing::kViewer;
using ::testing::UnorderedElementsAre;

TEST_F(EngineEvidence, ADeletedManifestLosesItsGrantsWhenTheDirectoryHasSettled) {
  world.Remove("m");
  ScanChange();
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews, kBobViews));
  EXPECT_EQ(world.Status("m"), "Reconciling RemovalPending");
  EXPECT_THAT(world.Message("m"), HasSubstr("2 grants"));
  EXPECT_THAT(world.Message("m"), HasSubstr("10s"));
  Settle();
  EXPECT_THAT(world.Grants("t"), IsEmpty());
  EXPECT_EQ(world.Status("m"), "gone");
}

/// What a configuration may give up, by what it says before.
struct Change {
  const char* name;
  void (*protect)(EngineSettings& settings);
};

const std::vector<Change>& WhatMayBeGivenUp() {
  static const std::vector<Change> kChanges = {
      {"protectedPrincipals",
       [](EngineSettings& settings) {
         ProtectedPrincipals kept;
         kept.add = {kEve};
         settings.catalog.protected_principals =
             std::make_shared<const ProtectedPrincipals>(std::move(kept));
       }},
      {"drift.accept",
       [](EngineSettings& settings) {
         AcceptedDriftRule rule;
         rule.member = kEve;
         settings.catalog.accepted =
             std::make_shared<const AcceptedDriftRules>(AcceptedDriftRules{rule});
       }},
      {"undeclaredRoles",
       [](EngineSettings& settings) { settings.catalog.keep_undeclared = true; }},
      {"mode", [](EngineSettings& settings) { settings.catalog.mode = Mode::kObserve; }},
  };
  return kChanges;
}

TEST_F(EngineEvidence, WhatTheConfigurationGivesUpWaitsAsWhatAManifestDoes) {
  world.settings.guard.max_removed_grants = 100;
  world.settings.guard.max_removed_fraction = 1;
  for (const Change& change : WhatMayBeGivenUp()) {
    const EngineSettings before = world.settings;
    change.protect(world.settings);
    world.Configure();
    Settle();
    world.cloud->Grant(EngineWorld::TargetName("t"), kEditor, kEve);
    world.NextInterval();
    EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews, kBobViews, kEveEdits))
        << change.name;
    world.settings = before;
    world.Configure();
    world.Reconcile("m");
    EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews, kBobViews, kEveEdits))
        << change.name << ": the file may be half of what it is to be";
    world.Scan();
    Settle();
    world.NextInterval();
    EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews, kBobViews)) << change.name;
  }
}

TEST_F(EngineEvidence, WhatAStartGivesUpOfTheLastConfigurationWaitsToo) {
  world.settings.guard.max_removed_grants = 100;
  world.settings.guard.max_removed_fraction = 1;
  for (const Change& change : WhatMayBeGivenUp()) {
    const EngineSettings before = world.settings;
    change.protect(world.settings);
    world.Configure();
    world.Scan();
    Settle();
    world.cloud->Grant(EngineWorld::TargetName("t"), kEditor, kEve);
    world.NextInterval();
    world.settings = before;
    for (int start = 0; start < 2; ++start) {
      world.MoveOn(std::chrono::hours(1));
      world.Restart();
      world.Scan();
      world.Work();
      EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews, kBobViews, kEveEdits))
          << change.name << ": the file may be half of what it is to be, also at start " << start;
    }
    Settle();
    world.NextInterval();
    EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews, kBobViews)) << change.name;
    world.cloud->Grant(EngineWorld::TargetName("t"), kEditor, kEve);
    world.MoveOn(std::chrono::hours(1));
    world.Restart();
    world.Scan();
    world.Work();
    EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews, kBobViews))
        << change.name << ": by the same configuration the stamps decide";
  }
}

TEST_F(EngineEvidence, WhatAStartGivesUpOfAcceptedDriftWaitsToo) {
  world.settings.guard.max_removed_grants = 100;
  world.settings.guard.max_removed_fraction = 1;
  const auto accept = [this](const std::string& member) {
    world.DeclareYaml(
        "apiVersion: bindery\nkind: AcceptedDrift\nmetadata: {name: incident}\n"
        "spec:\n  match: {member: \"" +
        member + "\"}\n  reason: incident\n  owner: ana\n  until: 2100-01-01\n");
  };
  accept(kEve);
  ScanChange();
  Settle();
  world.cloud->Grant(EngineWorld::TargetName("t"), kEditor, kEve);
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews, kBobViews, kEveEdits));
  accept("user:mallory@example.com");
  Touch();
  world.Restart();
  world.Scan();
  world.Work();
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews, kBobViews, kEveEdits));
  Settle();
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews, kBobViews));
}

TEST_F(EngineEvidence, TheEventOfADeletedManifestSaysWhatItsGrantsWaitFor) {
  const auto told = [this] {
    std::string message;
    for (const auto& [id, event] : world.store.state.events) {
      if (event.reason == "ManifestRemoved") message = event.message;
    }
    return message;
  };
  world.Remove("m");
  ScanChange();
  EXPECT_EQ(told(),
            "its manifest is gone; what it granted waits to be removed: the manifests directory "
            "must stay unchanged for 10s (manifests.settle)");
  Settle();
  world.Remove("n");
  world.broken_files = {"b.yaml"};
  world.settings.settle = seconds(0);
  world.Configure();
  ScanChange();
  EXPECT_EQ(world.Status("n"), "Stalled RemovalBlocked");
  EXPECT_THAT(told(), HasSubstr("waits to be removed: the manifests directory")) << "of m";
  world.broken_files = {};
  ScanChange();
  EXPECT_EQ(told(), "its manifest is gone: what it granted is to be removed");
}

TEST_F(EngineEvidence, ARemovedMemberStaysUntilThenAndANewOneIsThereAtOnce) {
  world.Declare("m", "t", kViewer, {kAna, kEve});
  ScanChange();
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews, kBobViews, kEveViews));
  EXPECT_EQ(world.Status("m"), "Reconciling RemovalPending");
  Settle();
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews, kEveViews));
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
}

TEST_F(EngineEvidence, AMemberThatComesBackInTimeWasNeverGone) {
  world.Declare("m", "t", kViewer, {kAna});
  ScanChange();
  world.Advance(seconds(5));
  world.Declare("m", "t", kViewer, {kAna, kBob});
  ScanChange();
  Settle();
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews, kBobViews));
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
}

TEST_F(EngineEvidence, WhatOthersAddBesideASettledDirectoryIsPutRightAtOnce) {
  world.cloud->Grant(EngineWorld::TargetName("t"), kEditor, kEve);
  world.Reconcile("m");
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews, kBobViews));
}

TEST_F(EngineEvidence, WhatOthersAddToAnotherTargetDoesNotWaitForAnEdit) {
  world.Declare("m", "t", kViewer, {kAna});
  ScanChange();
  world.cloud->Grant(EngineWorld::TargetName("u"), kEditor, kEve);
  world.Reconcile("n");
  EXPECT_THAT(world.Grants("u"), UnorderedElementsAre(kAnaViews));
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews, kBobViews));
}

TEST_F(EngineEvidence, UndeclaredRolesOfANewTargetWait) {
  world.cloud->AddTarget(EngineWorld::TargetName("v"));
  world.cloud->Grant(EngineWorld::TargetName("v"), kEditor, kEve);
  world.Declare("o", "v", kViewer, {kAna});
  ScanChange();
  EXPECT_THAT(world.Grants("v"), UnorderedElementsAre(kAnaViews, kEveEdits));
  EXPECT_EQ(world.Status("o"), "Reconciling RemovalPending");
  Settle();
  EXPECT_THAT(world.Grants("v"), UnorderedElementsAre(kAnaViews));
}

TEST_F(EngineEvidence, AManifestThatAnUnreadFileMayHoldStaysInForce) {
  world.Remove("m");
  world.broken_files = {"renamed.yaml"};
  ScanChange();
  Settle();
  Settle();
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews, kBobViews));
  EXPECT_EQ(world.Status("m"), "Stalled RemovalBlocked");
  EXPECT_THAT(world.Message("m"), HasSubstr("renamed.yaml"));
  world.broken_files.clear();
  ScanChange();
  EXPECT_EQ(world.Status("m"), "Reconciling RemovalPending");
  Settle();
  EXPECT_THAT(world.Grants("t"), IsEmpty());
}

TEST_F(EngineEvidence, WhatWasUnreadForLongSettlesOnceItIsSeenToBeGone) {
  world.broken_files = {"m.yaml"};
  world.Remove("m");
  ScanChange();
  world.Advance(seconds(600));
  world.broken_files.clear();
  ScanChange();
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews, kBobViews));
  EXPECT_EQ(world.Status("m"), "Reconciling RemovalPending");
  Settle();
  EXPECT_THAT(world.Grants("t"), IsEmpty());
}

TEST_F(EngineEvidence, AMemberThatAnUnreadFileMayHoldStays) {
  world.Declare("m", "t", kViewer, {kAna});
  world.broken_files = {"split.yaml"};
  ScanChange();
  Settle();
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews, kBobViews));
  EXPECT_EQ(world.Status("m"), "Stalled RemovalBlocked");
  EXPECT_THAT(world.Message("m"), HasSubstr("split.yaml"));
}

TEST_F(EngineEvidence, OneTeamsOldFaultDoesNotBlockTheOthersDeletions) {
  world.broken_files = {"old.yaml"};
  ScanChange();
  world.Remove("m");
  world.Declare("n", "u", kViewer, {kBob});
  ScanChange();
  Settle();
  EXPECT_THAT(world.Grants("t"), IsEmpty());
  EXPECT_THAT(world.Grants("u"), UnorderedElementsAre(kBobViews));
}

TEST_F(EngineEvidence, ARestartForgetsNeitherWhatIsMissingNorSinceWhen) {
  world.Remove("m");
  world.broken_files = {"renamed.yaml"};
  ScanChange();
  for (int i = 0; i < 3; ++i) {
    world.Restart();
    world.MoveOn(seconds(60));
    world.Scan();
    world.Work();
    Settle();
    EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews, kBobViews)) << i;
    EXPECT_EQ(world.Status("m"), "Stalled RemovalBlocked") << i;
  }
}

TEST_F(EngineEvidence, ARestartWhileARemovalWaitsIsDecidedByTheStamps) {
  world.Declare("m", "t", kViewer, {kAna});
  ScanChange();
  world.Restart();
  world.Scan();
  world.Work();
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews, kBobViews));
  Settle();
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews));
}

TEST_F(EngineEvidence, AStartByAClockThatRunsAheadMakesNoStampOld) {
  world.Declare("m", "t", kViewer, {kAna});
  Touch();
  constexpr std::chrono::hours kAhead(1);
  world.now.wall += kAhead;
  world.cloud_ahead = -kAhead;
  world.Restart();
  world.Scan();
  world.Work();
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews, kBobViews))
      << "the manifest was edited a moment ago";
  Settle();
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews));
}

TEST_F(EngineEvidence, WithoutAStoreATargetIsNotNarrowedWhileAnythingIsUnread) {
  world.cloud->Grant(EngineWorld::TargetName("t"), kEditor, kEve);
  world.store = {};
  world.blank_files = {"emptied.yaml"};
  world.Restart();
  world.MoveOn(seconds(60));
  world.Declare("m", "t", kViewer, {kAna});
  world.Scan();
  world.Work();
  Settle();
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews, kBobViews, kEveEdits));
  EXPECT_EQ(world.Status("m"), "Stalled RemovalBlocked");
  EXPECT_THAT(world.Message("m"), HasSubstr("emptied.yaml"));
}

TEST_F(EngineEvidence, RolesThatSomethingUnreadMayDeclareAreSaidToBeLeftAlone) {
  world.cloud->Grant(EngineWorld::TargetName("t"), kEditor, kEve);
  world.store = {};
  world.blank_files = {"emptied.yaml"};
  world.Restart();
  world.MoveOn(seconds(60));
  world.Declare("m", "t", kViewer, {kAna, kBob});
  world.Scan();
  world.Work();
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews, kBobViews, kEveEdits));
  EXPECT_EQ(world.Status("m"), "Stalled RemovalBlocked");
  EXPECT_THAT(world.Message("m"), HasSubstr("1 grant on its target"));
  EXPECT_THAT(world.Message("m"), HasSubstr("emptied.yaml"));
}

TEST_F(EngineEvidence, AnUrgentRevocationDoesNotWait) {
  world.Declare("m", "t", kViewer, {kAna});
  ScanChange();
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews, kBobViews));
  ASSERT_TRUE(world.engine->commands().MakeUrgent({"m"}, "ops", world.now).has_value());
  world.Work();
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews));
  EXPECT_EQ(world.Events("SettlingWaived"), 1);
}

TEST_F(EngineEvidence, AnUrgentRevocationIsStillBlockedByWhatIsUnread) {
  world.Declare("m", "t", kViewer, {kAna});
  world.broken_files = {"b.yaml"};
  ScanChange();
  ASSERT_TRUE(world.engine->commands().MakeUrgent({"m"}, "ops", world.now).has_value());
  world.Work();
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews, kBobViews));
}

TEST_F(EngineEvidence, TellsHowManyTargetsWaitAndForWhat) {
  world.Declare("m", "t", kViewer, {kAna});
  ScanChange();
  EXPECT_EQ(world.engine->removals().awaiting().Summarise().pending, 1U);
  world.broken_files = {"b.yaml"};
  world.Declare("n", "u", kViewer, {kBob});
  ScanChange();
  EXPECT_EQ(world.engine->removals().awaiting().Summarise().blocked, 2U)
      << "it may hold what is missing from either";
  EXPECT_THAT(world.engine->removals().awaiting().Summarise().why, HasSubstr("b.yaml"));
  world.broken_files = {};
  ScanChange();
  Settle();
  EXPECT_EQ(world.engine->removals().awaiting().Summarise().pending, 0U);
  EXPECT_EQ(world.engine->removals().awaiting().Summarise().blocked, 0U);
}

}  // namespace
}  // namespace bindery::controller
