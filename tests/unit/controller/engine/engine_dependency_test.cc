// Who waits for whom: dependsOn and references, on create, update, delete, rename and restart.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_world.h"

namespace bindery::controller {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::EngineWorld;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kAna;
using testing::kAnaViews;
using testing::kBob;
using testing::kBobViews;
using testing::kEditor;
using testing::kReady;
using testing::kViewer;

constexpr const char* kWaiting = "Reconciling DependencyNotReady";

/// "base" on target t, and "top" on target u that needs it.
class EngineDependency : public ::testing::Test {
 protected:
  EngineDependency() {
    world.cloud->AddTarget(EngineWorld::TargetName("t"));
    world.cloud->AddTarget(EngineWorld::TargetName("u"));
  }
  void DeclareBoth() {
    world.Declare("base", "t", kViewer, {kAna});
    DeclareTop();
  }
  void DeclareTop() { world.Declare("top", "u", kViewer, {kBob}).options.rare = Needing({"base"}); }
  static std::shared_ptr<const manifests::ExtraOptions> Needing(std::vector<std::string> names) {
    auto rare = std::make_shared<manifests::ExtraOptions>();
    rare->depends_on = std::move(names);
    return rare;
  }
  /// A manifest with references, as it is written: `members` is YAML.
  void DeclareByReference(const std::string& name, const std::string& target,
                          const std::string& members) {
    world.DeclareYaml(R"(
apiVersion: cloudnative:networksecurity/v1
kind: AuthorizationPolicyIamBinding
metadata: {name: )" + name +
                      R"(}
spec:
  name: )" + target + R"(
  role: roles/viewer
  members: )" + members +
                      "\n");
  }
  void Refuse(const std::string& target, int times = 1) {
    world.cloud->Fail({.operation = "getIamPolicy",
                       .target = EngineWorld::TargetName(target),
                       .status = 403,
                       .code = "PERMISSION_DENIED",
                       .times = times});
  }
  EngineWorld world;
};

TEST_F(EngineDependency, WhatIsNeededComesFirst) {
  DeclareBoth();
  Refuse("t");
  world.Pass();
  EXPECT_EQ(world.Status("top"), kWaiting);
  EXPECT_THAT(world.Message("top"),
              AllOf(HasSubstr("\"base\" (base.yaml:1)"), HasSubstr("PERMISSION_DENIED")));
  EXPECT_THAT(world.Grants("u"), IsEmpty());
  world.NextInterval();
  EXPECT_EQ(world.Status("base"), kReady);
  EXPECT_EQ(world.Status("top"), kReady);
  EXPECT_THAT(world.Grants("u"), ElementsAre(kBobViews));
}

/// What is needed becomes as declared while the dependent is being read.
class EngineDependencyFound : public EngineDependency,
                              public ::testing::WithParamInterface<bool> {};

TEST_P(EngineDependencyFound, WhileTheDependentIsReadIsNotMissed) {
  DeclareBoth();
  world.Pass();
  // It is read although nothing changed, and what it needs is not as declared any more.
  ASSERT_TRUE(world.engine->commands().Reconcile({"top"}, world.now, nullptr).has_value());
  const Engine::Actions top = world.Step();
  ASSERT_EQ(top.checks.size(), 1U);
  world.Declare("base", "t", kViewer, {kAna, kBob});
  world.Scan();
  world.Work();
  world.cloud->AddTarget(EngineWorld::TargetName("u"));
  if (GetParam()) {
    // A scan that reads all documents again.
    world.edits = false;
    world.Declare("another", "t", kEditor, {});
    world.Scan();
  }
  world.Check(top.checks.front());
  world.Work();
  EXPECT_EQ(world.Status("top"), kReady);
  EXPECT_THAT(world.Grants("u"), ElementsAre(kBobViews));
}

std::string FoundName(const ::testing::TestParamInfo<bool>& scanned) {
  return scanned.param ? "WithAScanInBetween" : "Alone";
}
INSTANTIATE_TEST_SUITE_P(, EngineDependencyFound, ::testing::Bool(), FoundName);

TEST_F(EngineDependency, WhatIsKeptOutOfOneTargetWithWhatItNeedsIsNotReadWithoutEnd) {
  world.Declare("base", "t", kViewer, {kAna}).options.protect = true;
  world.Declare("top", "t", kEditor, {kBob}).options.rare = Needing({"base"});
  world.Pass();
  ASSERT_EQ(world.Status("top"), kReady);
  // It is protected and stays in force as it was, so that top waits for what it will declare.
  world.Declare("base", "u", kViewer, {kAna}).options.protect = true;
  DeclareByReference("top", "locations/global/authorizationPolicies/u", "\"${base.members}\"");
  world.Pass();
  EXPECT_EQ(world.Status("base"), "Stalled Protected");
  const int reads = world.Reads();
  world.Work();
  EXPECT_EQ(world.Reads(), reads);
}

TEST_F(EngineDependency, NobodyIsReadTwiceForIt) {
  DeclareBoth();
  world.Pass();
  EXPECT_EQ(world.Status("top"), kReady);
  EXPECT_EQ(world.Reads(), 2);
  EXPECT_EQ(world.Writes(), 2);
}

TEST_F(EngineDependency, AChainIsWorkedOffInOnePass) {
  constexpr int kLength = 20;
  for (int i = 0; i < kLength; ++i) {
    const std::string id = "c" + std::to_string(i);
    world.cloud->AddTarget(EngineWorld::TargetName(id));
    manifests::Manifest& manifest = world.Declare(id, id, kViewer, {kAna});
    // The last in the order of names comes first.
    if (i + 1 < kLength) manifest.options.rare = Needing({"c" + std::to_string(i + 1)});
  }
  world.Pass();
  EXPECT_EQ(world.Status("c0"), kReady);
  EXPECT_EQ(world.Writes(), kLength);
}

TEST_F(EngineDependency, DriftIsReportedButNotRepairedWhileWhatIsNeededHasFailed) {
  DeclareBoth();
  world.Pass();
  world.cloud->AddTarget(EngineWorld::TargetName("u"));
  Refuse("t");
  world.cloud->ResetCounts();
  world.NextInterval();
  ASSERT_EQ(world.Record("base").status.reason, "PERMISSION_DENIED");
  world.Reconcile("top");
  EXPECT_EQ(world.Status("top"), kWaiting);
  EXPECT_THAT(world.Grants("u"), IsEmpty());
  EXPECT_FALSE(world.observer.found.empty());
  world.NextInterval();
  EXPECT_THAT(world.Grants("u"), ElementsAre(kBobViews));
  EXPECT_EQ(world.Status("top"), kReady);
}

TEST_F(EngineDependency, WhatOnlyEverWaitedTakesNothingWithItWhenItGoes) {
  world.settings.catalog.keep_undeclared = true;
  world.Configure();
  world.cloud->AddTarget(EngineWorld::TargetName("u"),
                         R"([{"role":"roles/viewer","members":["user:ana@example.com"]}])");
  Refuse("t", 10);
  DeclareBoth();
  world.Pass();
  ASSERT_EQ(world.Status("top"), kWaiting);
  world.Remove("top");
  world.Pass();
  world.NextInterval();
  EXPECT_THAT(world.Grants("u"), ElementsAre(kAnaViews)) << "it never granted anything";
  EXPECT_EQ(world.Status("top"), "gone");
}

TEST_F(EngineDependency, WhatWasEnforcedBeforeItWaitedIsRemoved) {
  DeclareBoth();
  world.Pass();
  ASSERT_EQ(world.Status("top"), kReady);
  Refuse("t", 10);
  world.Declare("base", "t", kEditor, {kAna});
  world.Pass();
  ASSERT_EQ(world.Status("top"), kWaiting);
  world.Remove("top");
  world.Pass();
  world.NextInterval();
  EXPECT_THAT(world.Grants("u"), IsEmpty());
}

TEST_F(EngineDependency, AChangeOfWhatIsNeededIsWaitedFor) {
  DeclareBoth();
  world.Pass();
  world.Declare("base", "t", kViewer, {kAna, kBob});
  world.Declare("top", "u", kEditor, {kBob}).options.rare = Needing({"base"});
  Refuse("t");
  world.Pass();
  EXPECT_THAT(world.Grants("u"), ElementsAre(kBobViews)) << "as before";
  EXPECT_EQ(world.Status("top"), kWaiting);
  world.NextInterval();
  EXPECT_THAT(world.Grants("u"), ElementsAre("roles/editor user:bob@example.com"));
}

TEST_F(EngineDependency, DependentsAreRemovedFirst) {
  DeclareBoth();
  world.Pass();
  world.Remove("base");
  world.Remove("top");
  world.cloud->Fail({.operation = "setIamPolicy",
                     .target = EngineWorld::TargetName("u"),
                     .status = 403,
                     .code = "PERMISSION_DENIED"});
  world.Pass();
  EXPECT_THAT(world.Grants("u"), ElementsAre(kBobViews));
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews)) << "still needed";
  EXPECT_EQ(world.Status("base"), "Reconciling Deleting");
  EXPECT_THAT(world.Message("base"), HasSubstr("\"top\""));
  world.NextInterval();
  EXPECT_EQ(world.Status("top"), "gone");
  EXPECT_EQ(world.Status("base"), "gone");
  EXPECT_THAT(world.Grants("t"), IsEmpty());
  EXPECT_THAT(world.Grants("u"), IsEmpty());
}

TEST_F(EngineDependency, WhatWasKeptIsRemovedFromBesideWhatStays) {
  DeclareBoth();
  world.Declare("stays", "t", kEditor, {kAna});
  world.Pass();
  world.Remove("base");
  world.Remove("top");
  Refuse("u");
  world.Pass();
  ASSERT_EQ(world.Status("base"), "Reconciling Deleting");
  world.NextInterval();
  EXPECT_EQ(world.Status("top"), "gone");
  EXPECT_EQ(world.Status("base"), "gone");
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/editor user:ana@example.com"));
}

TEST_F(EngineDependency, WhatARetainedDependentNeededIsRemoved) {
  world.Declare("base", "t", kViewer, {kAna});
  manifests::Manifest& top = world.Declare("top", "u", kViewer, {kBob});
  top.options.rare = Needing({"base"});
  top.options.protect = true;
  world.Pass();
  world.Remove("base");
  world.Remove("top");
  world.Pass();
  EXPECT_EQ(world.Status("base"), "gone");
  EXPECT_EQ(world.Status("top"), "Stalled Protected");
}

TEST_F(EngineDependency, WhatIsStillNeededIsNotRemoved) {
  DeclareBoth();
  world.Pass();
  world.Remove("base");
  world.Pass();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
  EXPECT_EQ(world.Status("top"), "Stalled ManifestInvalid");
  EXPECT_THAT(world.Message("top"), HasSubstr("base"));
  world.Declare("top", "u", kViewer, {kBob});
  world.manifests.at("top").options.rare = nullptr;
  world.Pass();
  EXPECT_EQ(world.Status("base"), "gone");
  EXPECT_THAT(world.Grants("t"), IsEmpty());
  EXPECT_EQ(world.Status("top"), kReady);
}

TEST_F(EngineDependency, ARestartWaitsAnew) {
  DeclareBoth();
  world.Pass();
  world.cloud->AddTarget(EngineWorld::TargetName("u"));
  Refuse("t");
  world.Restart();
  world.Pass();
  EXPECT_THAT(world.Grants("u"), IsEmpty()) << "nothing is written before base was seen";
  world.NextInterval();
  EXPECT_THAT(world.Grants("u"), ElementsAre(kBobViews));
}

TEST_F(EngineDependency, AReferenceTakesWhatTheOtherDeclares) {
  world.Declare("base", "t", kViewer, {kAna, kBob});
  DeclareByReference("top", "locations/global/authorizationPolicies/u", "[\"${base.members[1]}\"]");
  world.Pass();
  EXPECT_EQ(world.Status("top"), kReady);
  EXPECT_THAT(world.Grants("u"), ElementsAre(kBobViews));
  EXPECT_THAT(world.Record("top").spec, HasSubstr(kBob));
}

TEST_F(EngineDependency, AReferenceFollowsItsSourceAtOnce) {
  world.Declare("base", "t", kViewer, {kAna});
  DeclareByReference("top", "locations/global/authorizationPolicies/u", "${base.members}");
  world.Pass();
  ASSERT_THAT(world.Grants("u"), ElementsAre(kAnaViews));
  world.Declare("base", "t", kViewer, {kBob});
  world.Pass();
  EXPECT_THAT(world.Grants("u"), ElementsAre(kBobViews));
  EXPECT_EQ(world.Status("top"), kReady);
}

TEST_F(EngineDependency, NothingIsWrittenByAnOutdatedReference) {
  world.Declare("base", "t", kViewer, {kAna});
  DeclareByReference("top", "locations/global/authorizationPolicies/u", "${base.members}");
  world.Pass();
  world.Declare("base", "t", kViewer, {kBob});
  world.cloud->AddTarget(EngineWorld::TargetName("u"));
  Refuse("t");
  world.Pass();
  world.Reconcile("top");
  EXPECT_THAT(world.Grants("u"), IsEmpty());
  EXPECT_EQ(world.Status("top"), kWaiting);
  world.NextInterval();
  EXPECT_THAT(world.Grants("u"), ElementsAre(kBobViews));
}

TEST_F(EngineDependency, AReferenceToWhatIsNotKnownYetWaitsAndTouchesNothing) {
  world.cloud->RemoveTarget(EngineWorld::TargetName("t"));
  world.cloud->AddTarget(EngineWorld::TargetName("u"),
                         R"([{"role":"roles/viewer","members":["user:eve@example.com"]}])");
  world.Declare("base", "t", kViewer, {kAna});
  world.Declare("other", "u", kEditor, {kAna});
  DeclareByReference("top", "locations/global/authorizationPolicies/u", "[\"user:${base.etag}\"]");
  world.Pass();
  EXPECT_EQ(world.Status("top"), kWaiting);
  EXPECT_THAT(world.Message("top"), HasSubstr("\"base\""));
  EXPECT_THAT(world.Grants("u"),
              ElementsAre("roles/editor user:ana@example.com", "roles/viewer user:eve@example.com"))
      << "the role that top declares is left as it is";
}

TEST_F(EngineDependency, AResolvedValueIsCheckedAsIfItWereWritten) {
  world.Declare("base", "t", kViewer, {kAna});
  DeclareByReference("top", "locations/global/authorizationPolicies/u", "[\"${base.role}\"]");
  world.Pass();
  EXPECT_EQ(world.Status("top"), "Stalled ManifestInvalid");
  EXPECT_THAT(world.Message("top"), HasSubstr("roles/viewer"));
  EXPECT_THAT(world.Grants("u"), IsEmpty());
}

TEST_F(EngineDependency, AReferenceInTheTargetMovesTheBinding) {
  world.cloud->AddTarget(EngineWorld::TargetName("v"));
  world.Declare("base", "t", kViewer, {"group:u@example.com"});
  DeclareByReference("top", "${pointer.name}", "[\"user:bob@example.com\"]");
  world.Declare("pointer", "u", kEditor, {kAna});
  world.Pass();
  ASSERT_THAT(world.Grants("u"), ElementsAre("roles/editor user:ana@example.com", kBobViews));
  world.Declare("pointer", "v", kEditor, {kAna});
  world.Pass();
  EXPECT_THAT(world.Grants("v"), ElementsAre("roles/editor user:ana@example.com", kBobViews));
  EXPECT_THAT(world.Grants("u"), IsEmpty());
  EXPECT_EQ(world.Status("top"), kReady);
}

TEST_F(EngineDependency, ReferencesSurviveARestart) {
  world.Declare("base", "t", kViewer, {kAna});
  DeclareByReference("top", "locations/global/authorizationPolicies/u", "${base.members}");
  world.Pass();
  world.cloud->ResetCounts();
  world.Restart();
  world.Pass();
  EXPECT_EQ(world.Writes(), 0);
  EXPECT_EQ(world.Reads(), 2);
  EXPECT_EQ(world.Status("top"), kReady);
  EXPECT_EQ(world.Record("top").generation, 1);
}

TEST_F(EngineDependency, OutputsThatChangeDoNotCountAsScansWithoutAManifest) {
  world.Declare("base", "t", kViewer, {kAna});
  world.Declare("leaving", "t", kEditor, {kAna});
  DeclareByReference("top", "locations/global/authorizationPolicies/u", "${base.members}");
  world.Pass();
  world.Remove("leaving");
  world.Declare("base", "t", kViewer, {kBob});
  ASSERT_TRUE(world.Scan().confirm);
  world.Work();
  EXPECT_EQ(world.Record("leaving").missing_scans, 1);
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/editor user:ana@example.com", kBobViews));
}

}  // namespace
}  // namespace bindery::controller
