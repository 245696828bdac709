// Nothing is taken away before the directory says for sure that it is not declared.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_world.h"

namespace bindery {
namespace {

using std::chrono::seconds;
using testing::EngineWorld;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kEditor;
using testing::kViewer;
using ::testing::UnorderedElementsAre;

constexpr const char* kAna = "user:ana@example.com";
constexpr const char* kBob = "user:bob@example.com";
constexpr const char* kEve = "user:eve@example.com";
constexpr const char* kAnaViews = "roles/viewer user:ana@example.com";
constexpr const char* kBobViews = "roles/viewer user:bob@example.com";
constexpr const char* kEveViews = "roles/viewer user:eve@example.com";
constexpr const char* kEveEdits = "roles/editor user:eve@example.com";

/// Two manifests on two targets, in force and settled.
class EngineEvidence : public ::testing::Test {
 protected:
  EngineEvidence() {
    world.settings.settle = seconds(10);
    world.Configure();
    for (const char* id : {"t", "u"}) world.cloud->AddTarget(EngineWorld::TargetName(id));
    world.facts.ground = Ground{"/m", "/m", 1, 2, 3, false, false, {}};
    Touch();
    world.Declare("m", "t", kViewer, {kAna, kBob});
    world.Declare("n", "u", kViewer, {kAna});
    world.Scan();
    world.Work();
    Settle();
  }

  /// Something in the directory changes now.
  void Touch() { world.facts.newest = world.now.wall; }
  /// A scan that finds a change.
  void ScanChange() {
    Touch();
    if (world.Scan().confirm) world.Scan();
    world.Work();
  }
  /// Time passes until the directory has settled, as the loop sees to it.
  void Settle() {
    world.Advance(seconds(10));
    world.Scan();
    world.Work();
  }

  EngineWorld world;
};

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

TEST_F(EngineEvidence, AnotherDirectoryIsAQuestionForAnOperator) {
  world.facts.ground->device = 99;
  world.Remove("m");
  ScanChange();
  Settle();
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews, kBobViews));
  EXPECT_EQ(world.Status("m"), "Stalled RemovalBlocked");
  EXPECT_THAT(world.Message("m"), HasSubstr("another volume"));
  ASSERT_NE(world.HoldDigest(), "");
  EXPECT_THAT(world.Message("m"), HasSubstr("bindery guard approve " + world.HoldDigest()));
  ASSERT_TRUE(world.engine->Approve(world.HoldDigest(), "ops", world.now).has_value());
  world.Work();
  EXPECT_THAT(world.Grants("t"), IsEmpty());
  world.Remove("n");
  ScanChange();
  Settle();
  EXPECT_THAT(world.Grants("u"), IsEmpty()) << "the new ground is the ground from now on";
}

TEST_F(EngineEvidence, AnApprovalAnswersOnlyForWhatItNames) {
  ASSERT_TRUE(world.engine->Suspend({"n"}, true, "ops", world.now).has_value());
  world.facts.ground->device = 99;
  world.Remove("m");
  world.Remove("n");
  ScanChange();
  Settle();
  const std::string first = world.HoldDigest();
  ASSERT_TRUE(world.engine->Approve(first, "ops", world.now).has_value());
  world.Work();
  Settle();
  EXPECT_THAT(world.Grants("t"), IsEmpty());
  ASSERT_TRUE(world.engine->Suspend({"n"}, false, "ops", world.now).has_value());
  world.Work();
  Settle();
  EXPECT_THAT(world.Grants("u"), UnorderedElementsAre(kAnaViews)) << "nobody was shown this one";
  ASSERT_NE(world.HoldDigest(), first);
  ASSERT_TRUE(world.engine->Approve(world.HoldDigest(), "ops", world.now).has_value());
  world.Work();
  Settle();
  EXPECT_THAT(world.Grants("u"), IsEmpty());
  EXPECT_EQ(world.engine->catalog().evidence().question(), "");
}

TEST_F(EngineEvidence, AnApprovalAnswersOnlyForTheRolesItNames) {
  world.Declare("e", "t", kEditor, {kEve});
  ScanChange();
  Settle();
  ASSERT_TRUE(world.engine->Suspend({"e"}, true, "ops", world.now).has_value());
  world.facts.ground->device = 99;
  world.Remove("m");
  world.Remove("e");
  ScanChange();
  Settle();
  ASSERT_TRUE(world.engine->Approve(world.HoldDigest(), "ops", world.now).has_value());
  world.Work();
  Settle();
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kEveEdits));
  ASSERT_TRUE(world.engine->Forget({"e"}, "ops", world.now).has_value());
  world.Work();
  Settle();
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kEveEdits)) << "nobody was shown this one";
}

TEST_F(EngineEvidence, WhatAnApprovalDidNotNameWaitsUntilItCanBeRead) {
  world.facts.ground->device = 99;
  world.Remove("m");
  world.Remove("n");
  world.cloud->Fail({.operation = "getIamPolicy",
                     .target = "/u:",
                     .status = 503,
                     .code = "UNAVAILABLE",
                     .times = 100});
  ScanChange();
  Settle();
  const std::string first = world.HoldDigest();
  ASSERT_TRUE(world.engine->Approve(first, "ops", world.now).has_value());
  world.Work();
  world.cloud->EndFaults();
  world.Advance(seconds(600));
  Settle();
  EXPECT_THAT(world.Grants("t"), IsEmpty());
  EXPECT_THAT(world.Grants("u"), UnorderedElementsAre(kAnaViews)) << "nobody was shown this one";
  ASSERT_NE(world.HoldDigest(), "");
  EXPECT_NE(world.HoldDigest(), first);
}

TEST_F(EngineEvidence, AConfigurationThatPlacesManifestsElsewhereIsAQuestion) {
  world.Declare("r", "t", kEditor, {kEve});
  world.manifests["r"].spec =
      std::string(R"({"name":"locations/global/authorizationPolicies/t",)") +
      R"("role":"roles/editor","members":["user:eve@example.com"]})";
  ScanChange();
  Settle();
  ASSERT_THAT(world.Grants("t"), ::testing::Contains(kEveEdits));
  world.cloud->AddTarget("projects/beta/locations/global/authorizationPolicies/t");
  world.settings.catalog.projects["cloudnative"] = "beta";
  world.Configure();
  world.Scan();
  world.Work();
  Settle();
  EXPECT_THAT(world.Grants("t"), ::testing::Contains(kEveEdits));
  EXPECT_THAT(world.engine->catalog().evidence().question(),
              HasSubstr("configuration was changed"));
  ASSERT_TRUE(world.engine->Approve(world.HoldDigest(), "ops", world.now).has_value());
  world.Work();
  Settle();
  EXPECT_THAT(world.Grants("t"), ::testing::Not(::testing::Contains(kEveEdits)));
}

TEST_F(EngineEvidence, AVolumeThatComesBackTakesTheQuestionWithIt) {
  world.facts.ground->device = 99;
  world.Remove("m");
  ScanChange();
  EXPECT_NE(world.HoldDigest(), "");
  world.facts.ground->device = 1;
  world.Declare("m", "t", kViewer, {kAna, kBob});
  ScanChange();
  Settle();
  EXPECT_EQ(world.HoldDigest(), "");
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
}

TEST_F(EngineEvidence, WhatARestoredStoreWouldRemoveWaitsForApproval) {
  world.store.state.evidence.question = "the store was restored from a backup";
  world.Remove("m");
  world.Restart();
  world.MoveOn(seconds(60));
  ScanChange();
  Settle();
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews, kBobViews));
  EXPECT_THAT(world.Message("m"), HasSubstr("restored from a backup"));
  ASSERT_TRUE(world.engine->Approve(world.HoldDigest(), "ops", world.now).has_value());
  world.Work();
  EXPECT_THAT(world.Grants("t"), IsEmpty());
}

TEST_F(EngineEvidence, AQuestionAboutNothingIsAnsweredByItself) {
  world.store.state.evidence.question = "the store was restored from a backup";
  world.Restart();
  world.MoveOn(seconds(60));
  world.Scan();
  world.Work();
  Settle();
  EXPECT_EQ(world.engine->catalog().evidence().question(), "");
  EXPECT_EQ(world.HoldDigest(), "");
}

TEST_F(EngineEvidence, AnUrgentRevocationDoesNotWait) {
  world.Declare("m", "t", kViewer, {kAna});
  ScanChange();
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews, kBobViews));
  ASSERT_TRUE(world.engine->MakeUrgent({"m"}, "ops", world.now).has_value());
  world.Work();
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews));
  EXPECT_EQ(world.Events("SettlingWaived"), 1);
}

TEST_F(EngineEvidence, AnUrgentRevocationIsStillBlockedByWhatIsUnread) {
  world.Declare("m", "t", kViewer, {kAna});
  world.broken_files = {"b.yaml"};
  ScanChange();
  ASSERT_TRUE(world.engine->MakeUrgent({"m"}, "ops", world.now).has_value());
  world.Work();
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews, kBobViews));
}

TEST_F(EngineEvidence, TellsHowManyTargetsWaitAndForWhat) {
  world.Declare("m", "t", kViewer, {kAna});
  ScanChange();
  EXPECT_EQ(world.engine->WithheldNow().pending, 1U);
  world.broken_files = {"b.yaml"};
  world.Declare("n", "u", kViewer, {kBob});
  ScanChange();
  EXPECT_EQ(world.engine->WithheldNow().blocked, 2U) << "it may hold what is missing from either";
  EXPECT_THAT(world.engine->WithheldNow().why, HasSubstr("b.yaml"));
  world.broken_files = {};
  ScanChange();
  Settle();
  EXPECT_EQ(world.engine->WithheldNow().pending, 0U);
  EXPECT_EQ(world.engine->WithheldNow().blocked, 0U);
}

}  // namespace
}  // namespace bindery
