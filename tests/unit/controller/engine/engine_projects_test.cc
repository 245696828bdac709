// One policy under its project's id and number.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_world.h"

namespace bindery::controller {
namespace {

using ::testing::ElementsAre;
using testing::EngineWorld;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kAna;
using testing::kEditor;
using testing::kViewer;
using namespace std::chrono_literals;

constexpr const char* kBen = "user:ben@example.com";

class EngineProjects : public ::testing::Test {
 protected:
  EngineProjects() {
    world.cloud->AddTarget(EngineWorld::TargetName("t"));
    world.cloud->AddProject("acme", "415104041262");
    world.settings.guard.max_removed_grants = 50;
    world.Configure();
  }
  manifests::Manifest& DeclareByNumber(const std::string& name, const std::string& role,
                                       const std::string& member) {
    manifests::Manifest& manifest = world.Declare(name, "t", role, {member});
    Json spec = *ParseJson(manifest.spec);
    spec["name"] = "projects/415104041262/locations/global/authorizationPolicies/t";
    manifest.spec = CanonicalJson(spec);
    return manifest;
  }
  int Questions() const { return world.cloud->Calls("get"); }

  EngineWorld world;
};

TEST_F(EngineProjects, WithIdsAloneNobodyIsAsked) {
  world.Declare("m", "t", kViewer, {kAna});
  world.Pass();
  EXPECT_EQ(Questions(), 0);
}

TEST_F(EngineProjects, ANumberIsAskedForOnceAndIsTheSameTarget) {
  DeclareByNumber("by-number", kViewer, kAna);
  world.Declare("by-id", "t", kEditor, {kBen});
  world.Pass();
  EXPECT_EQ(Questions(), 1);
  EXPECT_EQ(world.Status("by-number"), "Ready ReconciliationSucceeded");
  EXPECT_EQ(world.Status("by-id"), "Ready ReconciliationSucceeded");
  EXPECT_EQ(world.Record("by-number").target.name, EngineWorld::TargetName("t"));
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/editor user:ben@example.com",
                                             "roles/viewer user:ana@example.com"));
  const int writes = world.Writes();
  DeclareByNumber("by-number", kViewer, kBen);
  world.Pass();
  world.Restart();
  world.Pass();
  world.NextInterval();
  EXPECT_EQ(Questions(), 1);
  EXPECT_EQ(world.Writes(), writes + 1);
}

TEST_F(EngineProjects, OneRoleUnderBothIsAConflict) {
  DeclareByNumber("by-number", kViewer, kAna);
  world.Declare("by-id", "t", kViewer, {kBen});
  world.Pass();
  EXPECT_EQ(world.Status("by-number"), "Stalled RoleConflict");
  EXPECT_EQ(world.Status("by-id"), "Stalled RoleConflict");
  EXPECT_EQ(world.Writes(), 0);
}

TEST_F(EngineProjects, WhoIsInForceStaysSo) {
  world.Declare("by-id", "t", kViewer, {kBen});
  world.Pass();
  DeclareByNumber("by-number", kViewer, kAna);
  world.Pass();
  EXPECT_EQ(world.Status("by-number"), "Stalled RoleConflict");
  EXPECT_EQ(world.Status("by-id"), "Stalled RoleConflict");
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/viewer user:ben@example.com"));
}

TEST_F(EngineProjects, UntilItIsKnownNothingIsWrittenToEither) {
  world.cloud->AddTarget(EngineWorld::TargetName("t"),
                         R"([{"role":"roles/viewer","members":["user:ana@example.com"]}])");
  world.cloud->Fail({"get", "", 503, "UNAVAILABLE", false, false, 1});
  DeclareByNumber("by-number", kViewer, kAna);
  world.Declare("by-id", "t", kEditor, {kBen});
  world.Pass();
  EXPECT_EQ(world.Status("by-number"), "Reconciling DependencyNotReady");
  EXPECT_EQ(world.Status("by-id"), "Reconciling DependencyNotReady");
  EXPECT_THAT(world.Message("by-number"), HasSubstr("the id of project 415104041262"));
  EXPECT_EQ(world.Writes(), 0);
  world.Advance(31s);
  EXPECT_EQ(world.Status("by-number"), "Ready ReconciliationSucceeded");
  EXPECT_EQ(world.Status("by-id"), "Ready ReconciliationSucceeded");
}

TEST_F(EngineProjects, WhatIsInForceByIdTakesNothingAwayMeanwhile) {
  world.Declare("by-id", "t", kEditor, {kBen});
  world.Pass();
  world.cloud->AddTarget(EngineWorld::TargetName("t"),
                         R"([{"role":"roles/editor","members":["user:ben@example.com"]},
                             {"role":"roles/viewer","members":["user:ana@example.com"]}])");
  world.cloud->Fail({"get", "", 503, "UNAVAILABLE", false, false, 1});
  DeclareByNumber("by-number", kViewer, kAna);
  world.Pass();
  world.Reconcile("by-id");
  EXPECT_EQ(world.Grants("t").size(), 2U) << "what by-number declares is not undeclared";
  world.Advance(31s);
  EXPECT_EQ(world.Grants("t").size(), 2U);
  EXPECT_EQ(world.Status("by-number"), "Ready ReconciliationSucceeded");
}

TEST_F(EngineProjects, WhereItIsNotToldANumberStandsForItself) {
  world.cloud->Fail({"get", "", 403, "PERMISSION_DENIED", false, false, 10});
  DeclareByNumber("by-number", kViewer, kAna);
  world.Pass();
  EXPECT_EQ(world.Status("by-number"), "Ready ReconciliationSucceeded");
  EXPECT_EQ(world.Events("ProjectUnknown"), 1);
  world.Declare("by-id", "t", kEditor, {kBen});
  world.Pass();
  EXPECT_EQ(world.Status("by-id"), "Stalled ManifestInvalid");
  EXPECT_THAT(world.Message("by-id"), HasSubstr("name the project as it was named in force"));
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/viewer user:ana@example.com"));
  EXPECT_EQ(Questions(), 1);
}

TEST_F(EngineProjects, WhereItIsNotToldARenamedManifestTakesNothingAway) {
  world.Declare("by-id", "t", kViewer, {kAna});
  world.Pass();
  const int writes = world.Writes();
  world.cloud->Fail({"get", "", 403, "PERMISSION_DENIED", false, false, 10});
  world.Remove("by-id");
  DeclareByNumber("by-number", kViewer, kAna);
  world.Pass();
  world.Declare("another", "t", kEditor, {kBen});
  world.Pass();
  world.NextInterval();
  EXPECT_EQ(world.Status("by-number"), "Stalled ManifestInvalid");
  EXPECT_THAT(world.Message("by-number"), HasSubstr("name the project as it was named in force"));
  EXPECT_EQ(world.Status("by-id"), "Stalled RemovalBlocked");
  EXPECT_EQ(world.Writes(), writes) << "nobody is written under two names";
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/viewer user:ana@example.com"));
}

/// A manifest was deleted, and the removal of what it granted waits for the directory to rest.
class EngineProjectsDeletion : public EngineProjects {
 protected:
  EngineProjectsDeletion() {
    world.settings.settle = 10s;
    world.Configure();
    world.facts.ground = manifests::Ground{"/m", "/m", 1, 2, 3, false, false, {}};
    world.cloud->AddTarget(EngineWorld::TargetName("u"));
    world.Declare("by-id", "t", kViewer, {kAna, kBen});
    world.Declare("other", "u", kViewer,
                  {kBen});  // A directory without a manifest counts as unread.
    Change();
    world.Advance(15s);
    world.Remove("by-id");
    Change();
  }
  void Change() {
    world.facts.newest = world.now.wall;
    world.Pass();
  }
  void Rest() {
    for (int i = 0; i < 3; ++i) {
      world.Advance(15s);
      world.Pass();
    }
  }
  void DeclareMember(const std::string& name, const std::string& project,
                     const std::string& member) {
    world.Put(name, {"cloudnative:networksecurity/v1", "AuthorizationPolicyIamMember"},
              {{"name", "projects/" + project + "/locations/global/authorizationPolicies/t"},
               {"role", kViewer},
               {"member", member}});
  }
};

/// What the service says when it is asked for the project, and what the manifest by number is told.
struct UnknownProject {
  const char* name;
  int http_status;
  const char* status;
  const char* said;
};
class EngineProjectsAfterDeletion : public EngineProjectsDeletion,
                                    public ::testing::WithParamInterface<UnknownProject> {
 protected:
  void RefuseProjects() {
    world.cloud->Fail({"get", "", GetParam().http_status, GetParam().status, false, false, 20});
  }
};

TEST_P(EngineProjectsAfterDeletion, AManifestThatComesUnderTheOtherNameKeepsTheAccess) {
  ASSERT_EQ(world.Status("by-id"), "Reconciling RemovalPending");
  const int writes = world.Writes();
  RefuseProjects();
  DeclareByNumber("by-number", kViewer, kAna);
  Change();
  EXPECT_EQ(world.Status("by-number"), GetParam().said);
  EXPECT_EQ(world.Status("by-id"), "Stalled RemovalBlocked");
  Rest();
  world.Restart();
  Rest();
  EXPECT_EQ(world.Status("by-id"), "Stalled RemovalBlocked");
  EXPECT_EQ(world.Writes(), writes);

  world.Remove("by-number");
  Change();
  Rest();
  EXPECT_THAT(world.Grants("t"), IsEmpty()) << "nobody declares it any more";
}

TEST_P(EngineProjectsAfterDeletion, SoDoesOneOfTwoThatShareWhatItGranted) {
  DeclareMember("ana", "acme", kAna);
  Change();
  ASSERT_EQ(world.Status("ana"), "Ready ReconciliationSucceeded");
  RefuseProjects();
  DeclareMember("ben", "415104041262", kBen);
  Change();
  EXPECT_EQ(world.Status("ben"), GetParam().said);
  EXPECT_EQ(world.Status("by-id"), "Stalled RemovalBlocked");
  EXPECT_THAT(world.Message("by-id"), HasSubstr("it may declare what this one granted"));
  Rest();
  world.Restart();
  Rest();
  EXPECT_EQ(world.Grants("t").size(), 2U);
  EXPECT_EQ(world.Status("by-id"), "Stalled RemovalBlocked");

  world.Remove("ben");
  Change();
  Rest();
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/viewer user:ana@example.com"));
  EXPECT_EQ(world.Status("by-id"), "gone");
}

INSTANTIATE_TEST_SUITE_P(Cases, EngineProjectsAfterDeletion,
                         ::testing::Values(UnknownProject{"NotYetTold", 503, "UNAVAILABLE",
                                                          "Reconciling DependencyNotReady"},
                                           UnknownProject{"NotTold", 403, "PERMISSION_DENIED",
                                                          "Stalled ManifestInvalid"}),
                         [](const auto& param) { return std::string(param.param.name); });

TEST_F(EngineProjects, WhereItIsNotToldAManifestDoesNotMoveToTheOtherName) {
  world.cloud->Fail({"get", "", 403, "PERMISSION_DENIED", false, false, 1});
  DeclareByNumber("m", kViewer, kAna);
  world.Pass();
  const int writes = world.Writes();
  world.Declare("m", "t", kViewer, {kAna});
  world.Pass();
  EXPECT_EQ(world.Status("m"), "Stalled ManifestInvalid");
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/viewer user:ana@example.com"));
  EXPECT_EQ(world.Writes(), writes);
  world.Restart();
  world.Pass();
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded") << "it is told";
  EXPECT_EQ(world.Writes(), writes);
  EXPECT_EQ(world.Record("m").target.name, EngineWorld::TargetName("t"));
}

TEST_F(EngineProjects, WhatStoodForItselfIsTheSameTargetOnceItIsTold) {
  world.cloud->Fail({"get", "", 403, "PERMISSION_DENIED", false, false, 1});
  DeclareByNumber("by-number", kViewer, kAna);
  world.Pass();
  const int writes = world.Writes();
  world.Restart();
  world.Pass();
  EXPECT_EQ(world.Status("by-number"), "Ready ReconciliationSucceeded");
  EXPECT_EQ(world.Record("by-number").target.name, EngineWorld::TargetName("t"));
  EXPECT_EQ(world.Writes(), writes) << "nothing was taken away on the way";
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/viewer user:ana@example.com"));
}

}  // namespace
}  // namespace bindery::controller
