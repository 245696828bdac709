// Manifests that go, move or are renamed: what becomes of what they granted.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "fakes/engine_world.h"

namespace bindery::controller {
namespace {

using ::testing::ElementsAre;
using testing::EngineWorld;
using ::testing::IsEmpty;
using testing::kAna;
using testing::kAnaViews;
using testing::kBob;
using testing::kEditor;
using testing::kViewer;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

constexpr const char* kAnaEdits = "roles/editor user:ana@example.com";

class EngineRemoval : public ::testing::Test {
 protected:
  EngineRemoval() {
    world.cloud->AddTarget(EngineWorld::TargetName("t"));
    world.cloud->AddTarget(EngineWorld::TargetName("u"));
    world.Declare("m", "t", kViewer, {kAna});
    world.Pass();
    world.cloud->ResetCounts();
  }
  EngineWorld world;
};

TEST_F(EngineRemoval, TakesTwoGenerationsWithoutTheManifest) {
  world.Remove("m");
  EXPECT_TRUE(world.Scan().confirm);
  world.Work();
  EXPECT_EQ(world.Writes(), 0);
  EXPECT_EQ(world.Reads(), 0) << "nothing has changed yet";
  EXPECT_EQ(world.Record("m").missing_scans, 1);
  EXPECT_FALSE(world.Scan().confirm);
  world.Work();
  EXPECT_THAT(world.Grants("t"), IsEmpty());
  EXPECT_EQ(world.Status("m"), "gone");
  EXPECT_EQ(world.Events("ManifestRemoved"), 1);
  EXPECT_EQ(world.Events("Deleted"), 1);
  EXPECT_THAT(world.store.state.targets, IsEmpty());
  EXPECT_THAT(world.store.state.revisions, SizeIs(3)) << "history stays: found, written, emptied";
  for (const store::DriftRecord& record : world.store.state.drift) {
    ASSERT_TRUE(record.resolved_at.has_value());
    EXPECT_EQ(*record.resolved_at, world.now.wall);
  }
}

TEST_F(EngineRemoval, AManifestThatComesBackInTimeLosesNothing) {
  const manifests::Manifest kept = world.manifests.at("m");
  world.Remove("m");
  world.Scan();
  world.manifests["m"] = kept;
  world.Pass();
  EXPECT_EQ(world.Writes(), 0);
  EXPECT_EQ(world.Record("m").missing_scans, 0);
  EXPECT_EQ(world.Record("m").generation, 1);
}

TEST_F(EngineRemoval, UntilTheNextScanConfirmsItNothingIsGivenNorTaken) {
  world.Declare("of-bob", "t", kEditor, {kBob});
  world.Pass();
  world.cloud->AddTarget(EngineWorld::TargetName("t"),
                         R"([{"role":"roles/viewer","members":["user:eve@example.com"]}])");
  world.cloud->ResetCounts();
  world.Remove("m");
  EXPECT_TRUE(world.Scan().confirm);
  world.Reconcile("of-bob");
  EXPECT_EQ(world.Writes(), 1);
  EXPECT_THAT(world.Grants("t"), UnorderedElementsAre("roles/editor user:bob@example.com",
                                                      "roles/viewer user:eve@example.com"));
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded") << "as before";
  world.Scan();
  world.Work();
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/editor user:bob@example.com"));
}

TEST_F(EngineRemoval, WhatWasLeftAloneMeanwhileIsEnforcedOnceTheManifestIsBack) {
  const manifests::Manifest kept = world.manifests.at("m");
  struct Case {
    const char* how;
    std::function<void()> comes_back;
  };
  for (const Case& way :
       {Case{"as it was", [&] { world.manifests["m"] = kept; }},
        Case{"in a file that cannot be read", [&] { world.broken_files = {"m.yaml"}; }}}) {
    SCOPED_TRACE(way.how);
    world.Remove("m");
    world.broken_files.clear();
    EXPECT_TRUE(world.Scan().confirm);
    world.cloud->AddTarget(EngineWorld::TargetName("t"), "[]");
    world.NextInterval();
    EXPECT_THAT(world.Grants("t"), IsEmpty());
    way.comes_back();
    world.Pass();
    EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
  }
}

TEST_F(EngineRemoval, TheLastManifestLeavesWhatOthersGranted) {
  world.settings.catalog.keep_undeclared = true;
  world.Configure();
  world.cloud->AddTarget(EngineWorld::TargetName("t"),
                         R"([{"role":"roles/owner","members":["user:eve@example.com"]},)"
                         R"({"role":"roles/viewer","members":["user:ana@example.com"]}])");
  world.settings.catalog.keep_undeclared = false;
  world.Configure();
  world.Remove("m");
  world.Pass();
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/owner user:eve@example.com"));
  EXPECT_EQ(world.Status("m"), "gone");
}

TEST_F(EngineRemoval, ProtectedOnesStayAndSaySo) {
  world.Declare("m", "t", kViewer, {kAna}).options.protect = true;
  world.Pass();
  world.Remove("m");
  world.Pass();
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
  EXPECT_EQ(world.Status("m"), "Stalled Protected");
  EXPECT_EQ(world.Message("m"),
            "its manifest is gone, but it is protected (options.protect): nothing is removed");

  ASSERT_TRUE(world.engine->commands().Forget({"m"}, "ops", world.now).has_value());
  world.Work();
  EXPECT_EQ(world.Status("m"), "gone");
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
}

TEST_F(EngineRemoval, ProtectionForbidsAReplacementToo) {
  world.Declare("m", "t", kViewer, {kAna}).options.protect = true;
  world.Pass();
  world.Declare("m", "t", kEditor, {kAna});
  world.Pass();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
  EXPECT_EQ(world.Status("m"), "Stalled Protected");
  EXPECT_EQ(world.Message("m"),
            "it is protected (options.protect), so that role \"roles/viewer\" on \"" +
                EngineWorld::TargetName("t") +
                "\" cannot be replaced: take options.protect out first, in a change of its own");

  world.Declare("m", "t", kViewer, {kAna}).options.protect = false;
  world.Pass();
  world.Declare("m", "t", kEditor, {kAna});
  world.Pass();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaEdits));
}

TEST_F(EngineRemoval, RetainedOnesAreForgottenAndTheCloudIsLeftAsItIs) {
  world.Declare("m", "t", kViewer, {kAna}).options.retain_on_delete = true;
  world.Pass();
  world.cloud->ResetCounts();
  world.Remove("m");
  world.Pass();
  EXPECT_EQ(world.Status("m"), "gone");
  EXPECT_EQ(world.Writes(), 0);
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
  EXPECT_THAT(world.store.state.targets, IsEmpty());
}

TEST_F(EngineRemoval, RetainedOnesAreRememberedBesideOthers) {
  world.Declare("m", "t", kViewer, {kAna}).options.retain_on_delete = true;
  world.Declare("e", "t", kEditor, {kAna});
  world.Pass();
  world.Remove("m");
  world.Pass();
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaEdits, kAnaViews));
  EXPECT_EQ(world.Status("m"), "Ready Retained");
  world.Remove("e");
  world.Pass();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
  EXPECT_THAT(world.Names(), IsEmpty());
}

TEST_F(EngineRemoval, InModeObserveWhatIsLeftIsReported) {
  world.settings.catalog.mode = Mode::kObserve;
  world.Configure();
  world.Remove("m");
  world.Pass();
  EXPECT_EQ(world.Status("m"), "Stalled DriftObserved");
  EXPECT_EQ(world.Message("m"),
            "its manifest is gone, and 1 grant is of it left; nothing is removed in mode observe");
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
  // Someone takes it away by hand.
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  world.NextInterval();
  world.NextInterval();
  EXPECT_EQ(world.Status("m"), "gone");
}

TEST_F(EngineRemoval, AnotherRoleReplacesTheOldOneInOneWrite) {
  world.Declare("m", "t", kEditor, {kAna});
  world.Pass();
  EXPECT_EQ(world.Writes(), 1);
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaEdits));
  EXPECT_THAT(world.Names(), ElementsAre("m"));
  EXPECT_EQ(world.Record("m").generation, 2);
}

TEST_F(EngineRemoval, AnotherTargetLeavesNothingBehindOnTheOldOne) {
  world.Declare("m", "u", kViewer, {kAna});
  world.Pass();
  EXPECT_THAT(world.Grants("t"), IsEmpty());
  EXPECT_THAT(world.Grants("u"), ElementsAre(kAnaViews));
  EXPECT_THAT(world.Names(), ElementsAre("m"));
}

TEST_F(EngineRemoval, ARestartAmidAReplacementForgetsNothing) {
  world.Declare("m", "u", kViewer, {kAna});
  world.Scan();
  world.Step();  // stored; then the process ends
  EXPECT_THAT(world.Names(), ElementsAre("m", "m (before generation 2)"));
  EXPECT_EQ(world.Message("m (before generation 2)"),
            "what it granted is removed once \"m\" (m.yaml:1) grants in its place");
  world.Restart();
  world.Pass();
  EXPECT_THAT(world.Grants("t"), IsEmpty());
  EXPECT_THAT(world.Grants("u"), ElementsAre(kAnaViews));
  EXPECT_THAT(world.Names(), ElementsAre("m"));
}

TEST_F(EngineRemoval, MovingBackAndForthBeforeTheCloudAnswersEndsWhereItBegan) {
  world.cloud->Fail({"getIamPolicy", "", 503, "UNAVAILABLE", false, false, 4});
  world.Declare("m", "u", kViewer, {kAna});
  world.Pass();
  world.Declare("m", "t", kViewer, {kAna});
  world.Pass();
  world.Advance(std::chrono::seconds(60));
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
  EXPECT_THAT(world.Grants("u"), IsEmpty());
  EXPECT_THAT(world.Names(), ElementsAre("m"));
}

TEST_F(EngineRemoval, AChangeOfTheDefaultProjectMovesEveryManifestThatReliesOnIt) {
  world.manifests.at("m").spec =
      R"({"members":["user:ana@example.com"],"name":"locations/global/authorizationPolicies/t",)"
      R"("role":"roles/viewer"})";
  world.Pass();
  const std::string in_beta = "projects/beta/locations/global/authorizationPolicies/t";
  world.cloud->AddTarget(in_beta);
  world.settings.catalog.projects["cloudnative"] = "beta";
  world.Configure();
  world.Pass();
  EXPECT_THAT(world.cloud->Grants(in_beta), ElementsAre(kAnaViews));
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews)) << "not the manifest was changed";
  ASSERT_TRUE(world.engine->commands().Approve(world.HoldDigest(), "ops", world.now).has_value());
  world.Work();
  EXPECT_THAT(world.Grants("t"), IsEmpty());
  EXPECT_EQ(world.Record("m").generation, 3) << "a move is a new generation";
}

TEST_F(EngineRemoval, ARenameTakesTheRoleOverWithoutAWrite) {
  ASSERT_TRUE(world.engine->commands().Suspend({"m"}, true, "ops", world.now).has_value());
  world.Work();
  world.Remove("m");
  world.Declare("renamed", "t", kViewer, {kAna});
  world.Pass();
  EXPECT_EQ(world.Writes(), 0);
  EXPECT_THAT(world.Names(), ElementsAre("renamed"));
  EXPECT_TRUE(world.Record("renamed").suspended)
      << "it is the same binding to whoever suspended it";
}

TEST_F(EngineRemoval, TwoManifestsMayExchangeRolesAndKeepWhatTheyAre) {
  world.Declare("n", "t", kEditor, {"user:bob@example.com"});
  world.Pass();
  ASSERT_TRUE(world.engine->commands().Suspend({"n"}, true, "ops", world.now).has_value());
  world.Work();
  world.Declare("m", "t", kEditor, {kAna});
  world.Declare("n", "t", kViewer, {"user:bob@example.com"});
  world.Pass();
  EXPECT_TRUE(world.Record("n").suspended);
  EXPECT_FALSE(world.Record("m").suspended);
  EXPECT_EQ(world.Record("n").generation, 2);
  ASSERT_TRUE(world.engine->commands().Suspend({"n"}, false, "ops", world.now).has_value());
  world.Work();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaEdits, "roles/viewer user:bob@example.com"));
  EXPECT_THAT(world.Names(), ElementsAre("m", "n"));
}

}  // namespace
}  // namespace bindery::controller
