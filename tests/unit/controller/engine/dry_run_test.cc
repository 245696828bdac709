#include "controller/engine/dry_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controller/engine/plan_part.h"
#include "fakes/engine_world.h"

namespace bindery::controller {
namespace {

using ::testing::ElementsAre;
using testing::EngineWorld;
using ::testing::IsEmpty;
using testing::kAna;
using testing::kEditor;
using testing::kEve;
using testing::kViewer;
using ::testing::SizeIs;

class DryRunTest : public ::testing::Test {
 protected:
  DryRunTest() {
    for (const char* id : {"t", "u", "v"}) world.cloud->AddTarget(EngineWorld::TargetName(id));
  }
  static std::shared_ptr<const manifests::ExtraOptions> Needing(const std::string& name) {
    auto rare = std::make_shared<manifests::ExtraOptions>();
    rare->depends_on = {name};
    return rare;
  }
  DryRun& Run(const std::vector<std::string>& names = {}) {
    run.emplace(*world.engine, world.now);
    run->Work(names, {});
    return *run;
  }
  /// Of the target of that id.
  const ForeseenTarget& Foreseen(const std::string& id) {
    for (const auto& [target, foreseen] : run->foreseen()) {
      if (target.name == EngineWorld::TargetName(id)) return foreseen;
    }
    ADD_FAILURE() << "nothing is foreseen of " << id;
    static const ForeseenTarget kNone;
    return kNone;
  }

  EngineWorld world;
  std::optional<DryRun> run;
};

TEST_F(DryRunTest, ChangesNeitherTheCloudNorTheEngineItIsATwinOf) {
  world.Declare("m", "t", kViewer, {kAna});
  world.Scan();
  const int changes = world.store.changes;
  Run();
  EXPECT_THAT(Foreseen("t").written.changes, SizeIs(1));
  EXPECT_EQ(world.Writes(), 0);
  EXPECT_EQ(world.store.changes, changes);
  EXPECT_FALSE(world.engine->catalog()
                   .claims()
                   .FindTarget(world.engine->catalog().claims().FindResource("m")->place.target)
                   ->calls.checked);
  EXPECT_EQ(world.Reads(), 1);
  world.Work();
  EXPECT_EQ(world.Writes(), 1) << "what it foresaw is still to be done";
}

TEST_F(DryRunTest, WhatNeedsOthersHasItsTurnByWhatWouldBeWritten) {
  world.Declare("base", "t", kViewer, {kAna});
  world.Declare("middle", "u", kViewer, {kAna}).options.rare = Needing("base");
  world.DeclareYaml(
      "apiVersion: cloudnative:networksecurity/v1\nkind: AuthorizationPolicyIamBinding\n"
      "metadata: {name: top}\nspec: {name: locations/global/authorizationPolicies/v, role: "
      "roles/viewer, members: \"${middle.members}\"}\n");
  world.Scan();
  Run();
  for (const char* id : {"t", "u", "v"}) EXPECT_THAT(Foreseen(id).written.changes, SizeIs(1)) << id;
  EXPECT_EQ(world.Reads(), 3) << "each is read once";
}

TEST_F(DryRunTest, OfNamedOnesOnlyWhatTheyNeedIsRead) {
  world.Declare("base", "t", kViewer, {kAna});
  world.Declare("top", "u", kViewer, {kAna}).options.rare = Needing("base");
  world.Declare("other", "v", kViewer, {kAna});
  world.Scan();
  Run({"top"});
  EXPECT_EQ(world.Reads(), 2);
  EXPECT_THAT(Foreseen("u").written.changes, SizeIs(1));
  EXPECT_FALSE(Foreseen("v").judged);
}

TEST_F(DryRunTest, RemovalsOfTargetsThatAreNotReadCountForTheGuard) {
  world.settings.guard.max_removed_grants = 1;
  world.settings.guard.max_removed_fraction = 1;
  world.Configure();
  world.Declare("m", "t", kViewer, {kAna});
  world.Declare("n", "u", kViewer, {kAna});
  world.Pass();
  world.Remove("m");
  world.Remove("n");
  if (world.Scan().confirm) world.Scan();
  Run({"m"});
  ASSERT_THAT(Foreseen("t").plan.changes, SizeIs(1));
  EXPECT_TRUE(Foreseen("t").plan.changes[0].IsStoppedBy(reconcilers::Gate::kGuard));
  EXPECT_THAT(Foreseen("t").written.changes, IsEmpty());
}

TEST_F(DryRunTest, OfAPartOfTheClaimsNothingElseIsCopied) {
  world.Declare("base", "t", kViewer, {kAna});
  world.Declare("top", "u", kViewer, {kAna}).options.rare = Needing("base");
  world.Declare("beside", "u", kEditor, {kEve});
  world.Declare("other", "v", kViewer, {kAna});
  world.Scan();
  const Claims& all = world.engine->catalog().claims();
  const auto part = FindPart(world.engine->catalog(), {"top"});
  ASSERT_TRUE(part);
  EXPECT_THAT(part->resources, ElementsAre("base", "beside", "top"));
  run.emplace(*world.engine, *part, world.now);
  EXPECT_EQ(run->catalog().claims().FindResource("other"), nullptr);
  EXPECT_THAT(run->catalog().claims().targets(), SizeIs(2));
  EXPECT_EQ(run->catalog().claims().DeclaredGrants(), all.DeclaredGrants());
  run->Work({"top"}, {});
  EXPECT_THAT(FindOpenOutcomes(*run).resources, IsEmpty());
  EXPECT_THAT(Foreseen("u").written.changes, SizeIs(2));
}

TEST_F(DryRunTest, APartIsNotEnoughForWhatIsOnItsWayOutOrTakesAccess) {
  world.Declare("m", "t", kViewer, {kAna});
  world.Declare("n", "u", kViewer, {kAna});
  world.Pass();
  world.cloud->Grant(EngineWorld::TargetName("u"), kViewer, kEve);
  world.Remove("m");
  if (world.Scan().confirm) world.Scan();
  EXPECT_FALSE(FindPart(world.engine->catalog(), {"m"}));
  const auto part = FindPart(world.engine->catalog(), {"n"});
  ASSERT_TRUE(part);
  run.emplace(*world.engine, *part, world.now);
  run->Work({"n"}, {});
  EXPECT_THAT(FindOpenOutcomes(*run).resources, ElementsAre("n"))
      << "the guard judges it together with the other";
  EXPECT_FALSE(FindOpenOutcomes(*run).need_all);
}

TEST_F(DryRunTest, WhatNeedsAnOpenOutcomeIsOpenToo) {
  world.Declare("base", "t", kViewer, {kAna});
  world.Declare("top", "u", kViewer, {kAna}).options.rare = Needing("base");
  world.Declare("beside", "u", kEditor, {kEve});
  world.Declare("other", "v", kViewer, {kAna});
  world.Pass();
  world.cloud->Grant(EngineWorld::TargetName("t"), kViewer, kEve);
  const auto part = FindPart(world.engine->catalog(), {"top", "other"});
  ASSERT_TRUE(part);
  run.emplace(*world.engine, *part, world.now);
  run->Work({"top", "other"}, {});
  EXPECT_THAT(FindOpenOutcomes(*run).resources, ElementsAre("base", "beside", "top"));
}

TEST_F(DryRunTest, APolicyThatLostMostIsBelievedWithoutWaiting) {
  world.settings.confirm_emptied = std::chrono::minutes(5);
  world.Configure();
  world.Declare("m", "t", kViewer, {kAna, kEve});
  world.Pass();
  world.cloud->ResetCounts();
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  Run();
  EXPECT_THAT(Foreseen("t").written.changes, SizeIs(2));
  EXPECT_EQ(world.Reads(), 1) << "the answer is taken to stay the same";
}

TEST_F(DryRunTest, TellsWhatCannotBeReadAndGoesOn) {
  world.Declare("m", "gone", kViewer, {kAna});
  world.Declare("n", "u", kViewer, {kAna}).options.rare = Needing("m");
  world.Declare("o", "v", kViewer, {kAna});
  world.Scan();
  Run();
  ASSERT_TRUE(Foreseen("gone").unread.has_value());
  EXPECT_EQ(Foreseen("gone").unread->code, Code::kNotFound);
  EXPECT_THAT(Foreseen("u").written.changes, IsEmpty());
  EXPECT_THAT(Foreseen("v").written.changes, SizeIs(1));
}

TEST_F(DryRunTest, AHostThatIsAwayIsToldOfEachTarget) {
  for (int i = 0; i < 9; ++i) {
    const std::string id = "a" + std::to_string(i);
    world.Declare("m" + id, id, kViewer, {kAna});
  }
  world.cloud->Fail({.operation = "getIamPolicy", .status = 503, .times = 1000});
  world.Scan();
  Run();
  EXPECT_THAT(run->foreseen(), SizeIs(9));
  for (const auto& [target, foreseen] : run->foreseen()) {
    EXPECT_TRUE(foreseen.unread.has_value()) << target.name;
  }
  EXPECT_TRUE(world.engine->schedule().calls().gate().Healthy()) << "that is for others to say";
}

TEST_F(DryRunTest, AFetchThatThrowsIsAnErrorOfItsTarget) {
  world.Declare("m", "t", kViewer, {kAna});
  world.Scan();
  run.emplace(*world.engine, world.now);
  DryRun::Reads reads;
  reads.fetch = [](const CheckJob&) -> Expected<std::string> { throw std::runtime_error("no"); };
  run->Work({}, reads);
  ASSERT_TRUE(Foreseen("t").unread.has_value());
  EXPECT_EQ(Foreseen("t").unread->code, Code::kInternal);
}

TEST_F(DryRunTest, AProjectIsAskedForAndItsManifestPlanned) {
  world.cloud->AddProject("acme", "415104041262");
  manifests::Manifest& manifest = world.Declare("m", "t", kViewer, {kAna});
  Json spec = *ParseJson(manifest.spec);
  spec["name"] = "projects/415104041262/locations/global/authorizationPolicies/t";
  manifest.spec = CanonicalJson(spec);
  DryRun offline(world.kinds, world.settings, world.now);
  offline.engine().SetConnections(world.Connections());
  offline.engine().Start({}, world.now);
  offline.Scan(world.Look());
  offline.Work({}, {});
  ASSERT_THAT(offline.foreseen(), SizeIs(1));
  EXPECT_THAT(offline.foreseen().begin()->second.written.changes, SizeIs(1));
}

TEST_F(DryRunTest, TellsTheProblemsOfTheDirectoryAsItIsInTheEnd) {
  world.Declare("one", "t", kViewer, {kAna});
  world.Declare("two", "t", kViewer, {kEve});
  DryRun offline(world.kinds, world.settings, world.now);
  offline.engine().SetConnections(world.Connections());
  offline.engine().Start({}, world.now);
  offline.Scan(world.Look());
  EXPECT_THAT(offline.problems(), SizeIs(2));
}

TEST_F(DryRunTest, WhatIsWrittenInTwoStepsIsToldAsOne) {
  // The policy of "t" is written twice: for "a" at once, and for "b" once "n" is there.
  world.Declare("a", "t", kViewer, {kAna});
  world.Declare("b", "t", kEditor, {kEve}).options.rare = Needing("n");
  world.Declare("n", "u", kViewer, {kAna});
  world.Scan();
  Run();
  EXPECT_THAT(Foreseen("t").written.changes, SizeIs(2));
  EXPECT_THAT(Foreseen("t").names, ElementsAre("a", "b"));
  EXPECT_FALSE(Foreseen("t").exists) << "when it was compared first";
}

TEST_F(DryRunTest, TellsWhatTheGuardHoldsInADirectoryThatRestsWhereverItIs) {
  world.settings.settle = std::chrono::seconds(10);
  world.settings.guard.max_removed_grants = 0;
  world.Configure();
  world.facts.ground = manifests::Ground{"/m", "/m", 1, 2, 3, false, false, {}};
  world.Declare("m", "t", kViewer, {kAna});
  world.Declare("n", "u", kViewer, {kAna});
  world.Pass();
  world.Remove("m");
  DryRun offline(world.kinds, world.settings, world.now);
  offline.engine().SetConnections(world.Connections());
  offline.engine().catalog().evidence().TakeAnyGround();
  world.Load(offline.engine());
  ScanInput scan = world.Look();
  scan.facts.ground = manifests::Ground{"/checkout", "/checkout", 4, 5, 6, false, false, {}};
  scan.facts.newest = world.now.wall - std::chrono::seconds(10);
  offline.Scan(scan);
  offline.Work({}, {});
  ASSERT_THAT(offline.foreseen(), SizeIs(2));
  const ForeseenTarget& foreseen = offline.foreseen().begin()->second;
  ASSERT_THAT(foreseen.plan.changes, SizeIs(1));
  EXPECT_TRUE(foreseen.plan.changes[0].IsStoppedBy(reconcilers::Gate::kGuard));
}

TEST_F(DryRunTest, TellsOfWhatOthersHaveOfTheRoleOfAMemberThatGoes) {
  world.Declare("base", "t", kEditor, {kAna});
  world.Put("m", {"cloudnative:networksecurity/v1", "AuthorizationPolicyIamMember"},
            {{"name", EngineWorld::TargetName("t")}, {"role", kViewer}, {"member", kEve}});
  world.Pass();
  world.cloud->Grant(EngineWorld::TargetName("t"), kViewer, kAna);
  world.Remove("m");
  if (world.Scan().confirm) world.Scan();
  Run();
  EXPECT_THAT(Foreseen("t").written.changes, SizeIs(2)) << "nobody declares the role any more";
  world.Work();
  EXPECT_THAT(world.cloud->Grants(EngineWorld::TargetName("t")), SizeIs(1))
      << "it goes in the same pass, not an interval later";
}

}  // namespace
}  // namespace bindery::controller
