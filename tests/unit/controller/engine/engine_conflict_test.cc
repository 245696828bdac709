// Manifests in each other's way, and documents that cannot be read: what is told and what is left
// alone.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_world.h"
#include "support/admission_fixture.h"

namespace bindery::controller {
namespace {

using ::testing::ElementsAre;
using testing::EngineWorld;
using ::testing::IsEmpty;
using testing::kAna;
using testing::kEditor;
using testing::kOwnerByHand;
using testing::kViewer;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

class EngineConflict : public ::testing::Test {
 protected:
  EngineConflict() { world.cloud->AddTarget(EngineWorld::TargetName("t"), kOwnerByHand); }
  EngineWorld world;
};

TEST_F(EngineConflict, EachNamesTheOthersPlaceWhateverTheirConditions) {
  world.Declare("x", "t", kViewer, {kAna}).source = {"teams/x.yaml", 3};
  manifests::Manifest& other = world.Declare("y", "t", kViewer, {kAna});
  Json spec = *ParseJson(other.spec);
  spec["condition"] = {{"title", "later"}, {"expression", "request.time > timestamp('x')"}};
  other.spec = CanonicalJson(spec);
  other.source = {"teams/y.yaml", 14};
  const Engine::Scanned scanned = world.Scan();
  world.Work();
  const std::string role = "role \"roles/viewer\" on \"" + EngineWorld::TargetName("t") + "\"";
  EXPECT_EQ(world.Status("x"), "Stalled RoleConflict");
  EXPECT_EQ(world.Message("x"), role +
                                    " is also declared by \"y\" (teams/y.yaml:14): one binding "
                                    "per role" +
                                    testing::kWayOut);
  EXPECT_EQ(world.Message("y"), role +
                                    " is also declared by \"x\" (teams/x.yaml:3): one binding "
                                    "per role" +
                                    testing::kWayOut);
  EXPECT_THAT(scanned.conflicts, SizeIs(2));
  EXPECT_EQ(world.Writes(), 0);
  EXPECT_EQ(world.Reads(), 0);
  EXPECT_FALSE(world.Record("x").accepted);
}

TEST_F(EngineConflict, TheIncumbentIsStillEnforced) {
  world.Declare("x", "t", kViewer, {kAna});
  world.Pass();
  world.Declare("y", "t", kViewer, {"user:bob@example.com"});
  world.Pass();
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  world.NextInterval();
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/viewer user:ana@example.com"));
  EXPECT_EQ(world.Status("x"), "Stalled RoleConflict");
  EXPECT_EQ(world.Status("y"), "Stalled RoleConflict");
}

TEST_F(EngineConflict, StatusesDoNotFlapFromScanToScan) {
  world.Declare("x", "t", kViewer, {kAna}).source = {"x.yaml", 1};
  world.Pass();
  world.Declare("y", "t", kViewer, {kAna}).source = {"y.yaml", 1};
  world.broken_files.insert("x.yaml");  // x is frozen and contested
  world.Remove("x");
  world.Declare("z", "t", kEditor, {kAna});
  world.Scan();
  world.Work();
  const std::size_t events = world.store.state.events.size();
  const std::string before = world.Status("x") + world.Message("x");
  for (int i = 0; i < 3; ++i) {
    world.Scan();
    world.Work();
  }
  EXPECT_EQ(world.store.state.events.size(), events);
  EXPECT_EQ(world.Status("x") + world.Message("x"), before);
}

TEST_F(EngineConflict, AContestedRoleIsLeftAloneWhileOthersOfItsTargetAreEnforced) {
  world.Declare("x", "t", "roles/owner", {kAna});
  world.Declare("y", "t", "roles/owner", {kAna});
  world.Declare("v", "t", kViewer, {kAna});
  world.Pass();
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"),
              ElementsAre("roles/owner user:eve@example.com", "roles/viewer user:ana@example.com"));
  EXPECT_EQ(world.Status("v"), "Ready ReconciliationSucceeded");
  world.Restart();
  world.Pass();
  EXPECT_THAT(world.Grants("t"), SizeIs(2)) << "also after a restart";
  world.Remove("y");
  world.Pass();
  EXPECT_THAT(world.Grants("t"),
              ElementsAre("roles/owner user:ana@example.com", "roles/viewer user:ana@example.com"));
}

TEST_F(EngineConflict, AResolvedConflictComesIntoForce) {
  world.Declare("x", "t", kViewer, {kAna});
  world.Declare("y", "t", kViewer, {kAna});
  world.Pass();
  world.Remove("y");
  world.Pass();
  EXPECT_EQ(world.Status("x"), "Ready ReconciliationSucceeded");
  EXPECT_THAT(world.Names(), ElementsAre("x"));
}

TEST_F(EngineConflict, ABrokenNewFileWithholdsTheRemovalOfWhatNobodyDeclares) {
  world.Declare("v", "t", kViewer, {kAna});
  world.broken_files.insert("new.yaml");  // who knows: it may declare the owners
  world.Pass();
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"),
              ElementsAre("roles/owner user:eve@example.com", "roles/viewer user:ana@example.com"));
  EXPECT_EQ(world.Status("v"), "Stalled RemovalBlocked");
  EXPECT_THAT(world.Message("v"), ::testing::HasSubstr("new.yaml"));
  world.broken_files.clear();
  world.Pass();
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/viewer user:ana@example.com"));
}

/// "undeclared user:eve@example.com open", for each that is on record.
std::vector<std::string> FindDrift(const EngineWorld& world) {
  std::vector<std::string> texts;
  for (const store::DriftRecord& record : world.store.state.drift) {
    texts.push_back(std::string(ToString(record.item.drift_class)) + " " +
                    record.item.grant.principal + " " +
                    (record.resolved_at ? "by " + record.resolved_by : "open"));
  }
  return texts;
}

TEST_F(EngineConflict, WhatStandsIsNotOverBecauseItCannotBeJudged) {
  world.Declare("v", "t", kViewer, {kAna}).options.mode = Mode::kObserve;
  world.Pass();
  const std::vector<std::string> standing{"missing user:ana@example.com open",
                                          "undeclared user:eve@example.com open"};
  EXPECT_EQ(FindDrift(world), standing);
  const std::size_t found = world.observer.found.size();
  const WallTime before = world.now.wall;

  world.broken_files.insert("new.yaml");  // who knows: it may declare the owners
  world.Pass();
  world.NextInterval();
  EXPECT_EQ(FindDrift(world), standing);
  EXPECT_GT(world.store.state.drift.back().last_seen, before) << "it was looked at";

  world.broken_files.clear();
  world.Pass();
  EXPECT_EQ(FindDrift(world), standing);
  EXPECT_EQ(world.observer.found.size(), found) << "it is no news";
}

TEST_F(EngineConflict, WhatGoesWhileItCannotBeJudgedIsOver) {
  world.Declare("v", "t", kViewer, {kAna}).options.mode = Mode::kObserve;
  world.Pass();
  world.broken_files.insert("new.yaml");
  world.Pass();
  world.cloud->AddTarget(EngineWorld::TargetName("t"),
                         R"([{"role":"roles/viewer","members":["user:new@example.com"]},)"
                         R"({"role":"roles/owner","members":["user:new@example.com"]}])");
  world.NextInterval();
  EXPECT_THAT(FindDrift(world), ElementsAre("missing user:ana@example.com open",
                                            "undeclared user:eve@example.com by elsewhere",
                                            "undeclared user:new@example.com open"))
      << "a stranger among the owners is no news as long as owners may be declared";
}

TEST_F(EngineConflict, WhatAManifestThatIsGoneHadDeclaredIsNoDriftAnyMore) {
  world.Declare("v", "t", kViewer, {kAna}).options.mode = Mode::kObserve;
  manifests::Manifest& kept = world.Declare("e", "t", kEditor, {kAna});
  kept.options.mode = Mode::kObserve;
  kept.options.retain_on_delete = true;
  world.Pass();
  world.Remove("e");
  world.Pass();
  world.NextInterval();
  EXPECT_THAT(FindDrift(world), UnorderedElementsAre("missing user:ana@example.com open",
                                                     "missing user:ana@example.com by elsewhere",
                                                     "undeclared user:eve@example.com open"));
}

TEST_F(EngineConflict, AnInvalidDocumentBesideAGoodOneWithholdsItAtEveryScan) {
  world.Declare("v", "t", kViewer, {kAna}).source = {"team.yaml", 1};
  manifests::Problem problem;
  problem.file = "team.yaml";
  problem.line = 12;
  problem.resource = "owners";
  problem.message = "role is required";
  world.problems.push_back(problem);
  world.Pass();
  world.Pass();  // by now its file is known
  EXPECT_THAT(world.Grants("t"), SizeIs(2));
  EXPECT_EQ(world.Status("owners"), "Stalled ManifestInvalid");
  EXPECT_EQ(world.Message("owners"), "team.yaml:12: role is required");
}

TEST_F(EngineConflict, AFrozenManifestStaysInForceAndSaysWhy) {
  world.Declare("v", "t", kViewer, {kAna}).source = {"team.yaml", 1};
  world.Pass();
  const manifests::Manifest kept = world.manifests.at("v");
  world.Remove("v");
  world.broken_files.insert("team.yaml");
  world.Pass();
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  world.NextInterval();
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), SizeIs(1)) << "it is still enforced";
  EXPECT_EQ(world.Status("v"), "Stalled ManifestInvalid");
  EXPECT_EQ(world.Message("v"),
            "\"team.yaml\" cannot be read in full: its last good manifest stays in force");
  world.broken_files.clear();
  world.manifests["v"] = kept;
  world.Pass();
  EXPECT_EQ(world.Status("v"), "Ready ReconciliationSucceeded");
  EXPECT_EQ(world.Record("v").generation, 1);
}

class EmptiedFile : public EngineConflict, public ::testing::WithParamInterface<bool> {};

INSTANTIATE_TEST_SUITE_P(Scans, EmptiedFile, ::testing::Bool(), [](const auto& param) {
  return std::string(param.param ? "ByEdit" : "OfEverything");
});

TEST_P(EmptiedFile, DeletesNothingUntilItIsDeletedItself) {
  world.edits = GetParam();
  world.cloud->AddTarget(EngineWorld::TargetName("u"));
  world.Declare("other", "u", kViewer, {kAna});
  world.Declare("v", "t", kViewer, {kAna}).source = {"team.yaml", 1};
  world.Pass();
  world.Remove("v");
  world.blank_files.insert("team.yaml");
  for (const bool restart : {false, true}) {
    SCOPED_TRACE(restart);
    if (restart) world.Restart();
    world.Pass();
    world.cloud->AddTarget(EngineWorld::TargetName("t"));
    world.NextInterval();
    world.NextInterval();
    EXPECT_THAT(world.Grants("t"), SizeIs(1)) << "it is still enforced";
    EXPECT_EQ(world.Status("v"), "Stalled ManifestInvalid");
    EXPECT_EQ(world.Message("v"), "\"team.yaml\" is empty: its last good manifest stays in force");
  }
  world.blank_files.clear();
  world.Pass();
  EXPECT_THAT(world.Grants("t"), IsEmpty());
  EXPECT_EQ(world.Status("v"), "gone");
}

TEST_F(EngineConflict, APreviewPackageIsNamedOnce) {
  world.Declare("v", "t", kViewer, {kAna});
  EXPECT_THAT(world.Scan().previews, ElementsAre("cloudnative"));
  world.Declare("w", "t", kEditor, {kAna});
  EXPECT_THAT(world.Scan().previews, IsEmpty());
}

}  // namespace
}  // namespace bindery::controller
