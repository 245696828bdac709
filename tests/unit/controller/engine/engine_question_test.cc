// What an operator is asked before it is taken away, and what an answer is good for.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/controller/engine_evidence.h"

namespace bindery::controller {
namespace {

using std::chrono::seconds;
using testing::EngineEvidence;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kAna;
using testing::kAnaViews;
using testing::kBob;
using testing::kBobViews;
using testing::kEditor;
using testing::kEve;
using testing::kEveEdits;
using testing::kViewer;
using ::testing::UnorderedElementsAre;

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
  ASSERT_TRUE(world.engine->commands().Approve(world.HoldDigest(), "ops", world.now).has_value());
  world.Work();
  EXPECT_THAT(world.Grants("t"), IsEmpty());
  world.Remove("n");
  ScanChange();
  Settle();
  EXPECT_THAT(world.Grants("u"), IsEmpty()) << "the new ground is the ground from now on";
}

TEST_F(EngineEvidence, AQuestionThatNothingWaitsForEndsThoughNoManifestHadSettled) {
  world.Declare("e", "t", kEditor, {kEve});
  ScanChange();
  // The answer is known by now, and is not compared again.
  for (int i = 0; i < 2; ++i) {
    world.NextInterval();
    world.Work();
  }
  world.facts.ground->device = 99;
  ScanChange();
  Settle();
  ASSERT_NE(world.engine->catalog().evidence().question().text(), "");
  world.NextInterval();
  world.Work();
  Settle();
  EXPECT_EQ(world.engine->catalog().evidence().question().text(), "");
  world.Remove("e");
  ScanChange();
  Settle();
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kAnaViews, kBobViews));
}

TEST_F(EngineEvidence, AnApprovalAnswersOnlyForWhatItNames) {
  ASSERT_TRUE(world.engine->commands().Suspend({"n"}, true, "ops", world.now).has_value());
  world.facts.ground->device = 99;
  world.Remove("m");
  world.Remove("n");
  ScanChange();
  Settle();
  const std::string first = world.HoldDigest();
  ASSERT_TRUE(world.engine->commands().Approve(first, "ops", world.now).has_value());
  world.Work();
  Settle();
  EXPECT_THAT(world.Grants("t"), IsEmpty());
  ASSERT_TRUE(world.engine->commands().Suspend({"n"}, false, "ops", world.now).has_value());
  world.Work();
  Settle();
  EXPECT_THAT(world.Grants("u"), UnorderedElementsAre(kAnaViews)) << "nobody was shown this one";
  ASSERT_NE(world.HoldDigest(), first);
  ASSERT_TRUE(world.engine->commands().Approve(world.HoldDigest(), "ops", world.now).has_value());
  world.Work();
  Settle();
  EXPECT_THAT(world.Grants("u"), IsEmpty());
  EXPECT_EQ(world.engine->catalog().evidence().question().text(), "");
}

TEST_F(EngineEvidence, AnApprovalAnswersOnlyForTheRolesItNames) {
  world.Declare("e", "t", kEditor, {kEve});
  ScanChange();
  Settle();
  ASSERT_TRUE(world.engine->commands().Suspend({"e"}, true, "ops", world.now).has_value());
  world.facts.ground->device = 99;
  world.Remove("m");
  world.Remove("e");
  ScanChange();
  Settle();
  ASSERT_TRUE(world.engine->commands().Approve(world.HoldDigest(), "ops", world.now).has_value());
  world.Work();
  Settle();
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre(kEveEdits));
  ASSERT_TRUE(world.engine->commands().Forget({"e"}, "ops", world.now).has_value());
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
  ASSERT_TRUE(world.engine->commands().Approve(first, "ops", world.now).has_value());
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
  EXPECT_THAT(world.engine->catalog().evidence().question().text(),
              HasSubstr("configuration was changed"));
  ASSERT_TRUE(world.engine->commands().Approve(world.HoldDigest(), "ops", world.now).has_value());
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
  ASSERT_TRUE(world.engine->commands().Approve(world.HoldDigest(), "ops", world.now).has_value());
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
  EXPECT_EQ(world.engine->catalog().evidence().question().text(), "");
  EXPECT_EQ(world.HoldDigest(), "");
}

}  // namespace
}  // namespace bindery::controller
