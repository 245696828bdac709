// Who may take over the claim of a manifest that is gone, by scans of everything and by edits.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_world.h"

namespace bindery::controller {
namespace {

using ::testing::ElementsAre;
using testing::EngineWorld;
using ::testing::HasSubstr;
using testing::kAna;
using testing::kAnaViews;
using testing::kBob;
using testing::kBobViews;
using testing::kEditor;
using testing::kReady;
using testing::kViewer;

constexpr const char* kProtected = "Stalled Protected";

class EngineTakeOver : public ::testing::TestWithParam<bool> {
 protected:
  EngineTakeOver() {
    world.edits = GetParam();
    world.cloud->AddTarget(EngineWorld::TargetName("t"));
  }
  /// "kept", who views t, and is protected.
  void DeclareKept() {
    world.Declare("kept", "t", kViewer, {kAna}).options.protect = true;
    world.Pass();
  }
  manifests::Manifest& DeclareSuccessor() { return world.Declare("new", "t", kViewer, {kBob}); }
  void ExpectKept() {
    world.NextInterval();
    EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
    EXPECT_EQ(world.Status("new"), kProtected);
    EXPECT_FALSE(world.Record("new").accepted);
    EXPECT_TRUE(world.Record("kept").accepted);
  }
  EngineWorld world;
};

INSTANTIATE_TEST_SUITE_P(Scans, EngineTakeOver, ::testing::Bool(), [](const auto& param) {
  return std::string(param.param ? "ByEdit" : "OfEverything");
});

TEST_P(EngineTakeOver, ANameOfItsOwnDoesNotLiftProtection) {
  DeclareKept();
  world.Remove("kept");
  DeclareSuccessor();
  const Engine::Scanned first = world.Scan();
  ASSERT_EQ(first.conflicts.size(), 1U);
  EXPECT_EQ(first.conflicts[0].code, "Protected");
  EXPECT_EQ(first.conflicts[0].file, "new.yaml");
  world.Pass();
  ExpectKept();
  EXPECT_EQ(world.Message("new"),
            "role \"roles/viewer\" on \"" + EngineWorld::TargetName("t") +
                "\" is held by \"kept\", which is protected (options.protect) and whose manifest "
                "(kept.yaml:1) is gone: nobody takes it over. If this is the same one by another "
                "name, say options.aliases: [kept]; else put that manifest back without "
                "options.protect, alone and in a change of its own, or give it up with: bindery "
                "forget kept");
  EXPECT_EQ(world.Status("kept"), kProtected);
}

TEST_P(EngineTakeOver, ProtectionIsNotForgottenWhateverTimeHasPassed) {
  DeclareKept();
  world.Remove("kept");
  world.Declare("other", "t", kEditor, {kAna});  // so that an edit is judged as an edit
  world.Pass();
  EXPECT_EQ(world.Status("kept"), kProtected);
  world.NextInterval();
  world.Remove("other");
  world.Pass();
  DeclareSuccessor();
  world.Pass();
  ExpectKept();
  world.Restart();
  world.Pass();
  ExpectKept();
}

TEST_P(EngineTakeOver, AProtectedRestrictionPolicyIsNotReplacedEither) {
  world.DeclareRestriction("kept", "dashboard:d", "viewer", {"role:r"}).options.protect = true;
  world.Pass();
  world.Remove("kept");
  world.DeclareRestriction("new", "dashboard:d", "viewer", {"role:s"});
  world.Pass();
  world.NextInterval();
  EXPECT_THAT(world.cloud->Restriction("dashboard:d").dump(), HasSubstr("role:r"));
  EXPECT_EQ(world.Status("new"), kProtected);
  EXPECT_THAT(world.Message("new"), HasSubstr("the policy of \"dashboard:d\" is held by \"kept\""));
}

TEST_P(EngineTakeOver, AManifestThatMovesToAProtectedRoleKeepsItsOwn) {
  world.Declare("new", "t", kEditor, {kBob});
  DeclareKept();
  world.Remove("kept");
  DeclareSuccessor();
  world.Pass();
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/editor user:bob@example.com", kAnaViews));
  EXPECT_EQ(world.Status("new"), kProtected);
}

TEST_P(EngineTakeOver, WhatIsForgottenIsFreeAtOnce) {
  DeclareKept();
  world.Remove("kept");
  DeclareSuccessor();
  world.Pass();
  ASSERT_TRUE(world.engine->commands().Forget({"kept"}, "ops", world.now).has_value());
  world.Work();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kBobViews));
  EXPECT_EQ(world.Status("new"), kReady);
  EXPECT_THAT(world.Names(), ElementsAre("new"));
}

TEST_P(EngineTakeOver, AnAliasMakesItTheSameResourceAlsoLater) {
  DeclareKept();
  world.Remove("kept");
  DeclareSuccessor();
  world.Pass();
  manifests::ExtraOptions renamed;
  renamed.aliases = {"kept"};
  DeclareSuccessor().options.rare = std::make_shared<manifests::ExtraOptions>(renamed);
  world.Pass();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kBobViews));
  EXPECT_THAT(world.Names(), ElementsAre("new"));
  EXPECT_EQ(world.Status("new"), kReady);
}

TEST_P(EngineTakeOver, WhoComesBackWithoutProtectionMayBeReplacedAfterwards) {
  DeclareKept();
  world.Remove("kept");
  DeclareSuccessor();
  world.Pass();
  world.Remove("new");
  world.Declare("kept", "t", kViewer, {kAna}).options.protect = false;
  world.Pass();
  EXPECT_EQ(world.Status("kept"), kReady);
  world.Remove("kept");
  DeclareSuccessor();
  world.Pass();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kBobViews));
}

// Who was kept out by one that is missing now -----------------------------------------------------

TEST_P(EngineTakeOver, AnIncumbentThatIsMissedOnceKeepsItsRole) {
  world.Declare("old", "t", kViewer, {kAna});
  world.Pass();
  DeclareSuccessor();
  world.Pass();
  const manifests::Manifest kept = world.manifests.at("old");
  world.Remove("old");
  EXPECT_TRUE(world.Scan().confirm);
  world.Work();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
  EXPECT_EQ(world.Status("new"), "Stalled RoleConflict");
  EXPECT_EQ(world.Message("new"),
            "role \"roles/viewer\" on \"" + EngineWorld::TargetName("t") +
                "\" is held by \"old\" (old.yaml:1), whose manifest is missing since this scan: it "
                "is free when the next one confirms that; wait, or put that manifest back");
  world.manifests["old"] = kept;
  world.Pass();
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
  EXPECT_TRUE(world.Record("old").accepted);
  EXPECT_FALSE(world.Record("new").accepted);
  EXPECT_EQ(world.Record("old").generation, 1);
}

TEST_P(EngineTakeOver, AnIncumbentThatIsMissedTwiceIsSucceededInOneWrite) {
  world.Declare("old", "t", kViewer, {kAna});
  world.Pass();
  DeclareSuccessor();
  world.Pass();
  world.cloud->ResetCounts();
  world.Remove("old");
  world.Pass();
  EXPECT_EQ(world.Writes(), 1);
  EXPECT_THAT(world.Grants("t"), ElementsAre(kBobViews));
  EXPECT_THAT(world.Names(), ElementsAre("new"));
  EXPECT_EQ(world.Status("new"), kReady);
}

TEST_P(EngineTakeOver, ARestartBetweenTheTwoScansTakesNothingFromTheIncumbent) {
  world.Declare("old", "t", kViewer, {kAna});
  world.Pass();
  DeclareSuccessor();
  world.Pass();
  world.Restart();
  const manifests::Manifest kept = world.manifests.at("old");
  world.Remove("old");
  world.Scan();
  world.Work();
  world.Restart();
  world.manifests["old"] = kept;
  world.Pass();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
  EXPECT_TRUE(world.Record("old").accepted);
}

TEST_P(EngineTakeOver, OutputsThatComeInBetweenAreNoSecondLook) {
  world.cloud->AddTarget(EngineWorld::TargetName("u"));
  world.cloud->AddTarget(EngineWorld::TargetName("v"));
  world.Declare("old", "t", kViewer, {kAna});
  world.Pass();
  DeclareSuccessor();
  world.Pass();
  world.Remove("old");
  world.Declare("base", "u", kViewer, {kBob});
  world.DeclareYaml(
      "apiVersion: cloudnative:networksecurity/v1\nkind: AuthorizationPolicyIamBinding\n"
      "metadata: {name: linked}\nspec: {name: locations/global/authorizationPolicies/v, role: "
      "roles/viewer, members: \"${base.members}\"}\n");
  world.Scan();
  world.Work();
  EXPECT_THAT(world.Grants("v"), ElementsAre(kBobViews)) << "it was weighed again";
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews)) << "the directory was looked at once";
  EXPECT_TRUE(world.Record("old").accepted);
}

TEST_P(EngineTakeOver, ANewNameTakesOverAtOnceAsARenameDoes) {
  world.Declare("old", "t", kViewer, {kAna});
  world.Pass();
  world.Remove("old");
  DeclareSuccessor();
  world.Scan();
  world.Work();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kBobViews));
  EXPECT_THAT(world.Names(), ElementsAre("new"));
}

}  // namespace
}  // namespace bindery::controller
