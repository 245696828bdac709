#include "app/plan/planner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_world.h"

namespace bindery::app {
namespace {

using ::testing::ElementsAre;
using testing::EngineWorld;
using testing::kAna;
using testing::kEditor;
using testing::kEve;
using testing::kViewer;

class Planner : public ::testing::Test {
 protected:
  Planner() {
    world_.cloud->AddTarget(EngineWorld::TargetName("t"));
    world_.Declare("m", "t", kViewer, {kAna});
    world_.Pass();
  }

  Json Plan() {
    controller::DryRun run(*world_.engine, world_.now);
    const Expected<report::PassPlan> plan = MakePlan(run, {}, {});
    EXPECT_TRUE(plan.has_value());
    return plan ? report::ToJson(*plan) : Json();
  }
  /// Somebody took the one grant away and gave another.
  void Tamper() {
    world_.cloud->AddTarget(EngineWorld::TargetName("t"),
                            R"([{"role":"roles/viewer","members":["user:eve@example.com"]}])");
  }

  EngineWorld world_;
};

struct StandingCase {
  const char* name;
  std::function<void(EngineWorld&)> arrange;
  const char* standing;
  const char* note;
  std::size_t reported;
};

void PrintTo(const StandingCase& tested, std::ostream* out) { *out << tested.name; }

class PlannerStanding : public Planner, public ::testing::WithParamInterface<StandingCase> {};

TEST_P(PlannerStanding, SaysHowATargetStandsToWhichNothingIsDone) {
  Tamper();
  GetParam().arrange(world_);
  const Json change = Plan().at("changes").at(0);
  EXPECT_EQ(change.at("action"), "none");
  EXPECT_EQ(change.at("standing"), GetParam().standing);
  EXPECT_EQ(change.at("note"), GetParam().note);
  EXPECT_EQ(change.value("reported", Json::array()).size(), GetParam().reported);
}

INSTANTIATE_TEST_SUITE_P(
    , PlannerStanding,
    ::testing::Values(
        StandingCase{"Declared",
                     [](EngineWorld& world) {
                       world.Declare("m", "t", kViewer, {kEve});
                       world.Scan();
                     },
                     "declared", "", 0},
        StandingCase{"ObservedByTheConfiguration",
                     [](EngineWorld& world) {
                       world.settings.catalog.mode = Mode::kObserve;
                       world.Configure();
                     },
                     "observed", "2 differences are only reported (mode observe)", 2},
        StandingCase{"ObservedByItsManifest",
                     [](EngineWorld& world) {
                       world.Declare("m", "t", kViewer, {kAna, kEve}).options.mode = Mode::kObserve;
                       world.Scan();
                     },
                     "observed", "1 difference is only reported (mode observe)", 1},
        StandingCase{"ObservedBesideWhatIsEnforced",
                     [](EngineWorld& world) {
                       world.Declare("m", "t", kViewer, {kAna, kEve}).options.mode = Mode::kObserve;
                       world.Declare("none", "t", kEditor, {});
                       world.Scan();
                     },
                     "observed", "m: 1 difference is only reported (mode observe)", 1},
        StandingCase{"SuspendedByItsManifest",
                     [](EngineWorld& world) {
                       world.Declare("m", "t", kViewer, {kAna}).options.suspend = true;
                       world.Scan();
                     },
                     "suspended", "suspended: not checked", 0},
        StandingCase{
            "SuspendedByAnOperator",
            [](EngineWorld& world) {
              EXPECT_TRUE(
                  world.engine->commands().Suspend({"m"}, true, "ops", world.now).has_value());
            },
            "suspended", "suspended: not checked", 0},
        StandingCase{"SuspendedInPart",
                     [](EngineWorld& world) {
                       world.Declare("m", "t", kViewer, {kAna}).options.suspend = true;
                       world.Declare("none", "t", kEditor, {});
                       world.Scan();
                     },
                     "suspended", "m: suspended: not checked", 0},
        StandingCase{
            "Contested",
            [](EngineWorld& world) {
              world.Declare("m", "t", kViewer, {kEve});
              world.Declare("one", "t", kEditor, {kAna});
              world.Declare("two", "t", kEditor, {kEve});
              world.Scan();
            },
            "stalled",
            "role \"roles/editor\" is left as it is: no manifest that declares it is in force", 0}),
    [](const auto& standing) { return std::string(standing.param.name); });

TEST_F(Planner, WhatNoPassChangesIsOpenDriftThatThePlanNames) {
  world_.settings.catalog.keep_undeclared = true;
  world_.settings.catalog.report_undeclared = true;
  world_.Configure();
  world_.cloud->Grant(EngineWorld::TargetName("t"), kEditor, kEve);
  const Json plan = Plan();
  const Json& change = plan.at("changes").at(0);
  EXPECT_EQ(change.at("action"), "none");
  EXPECT_EQ(change.at("standing"), "reported");
  EXPECT_EQ(change.at("reported").at(0).at("why"), "undeclaredRoles: report");
  EXPECT_EQ(change.at("stopped").at(0).at("gate"), "undeclared roles");
  EXPECT_EQ(change.at("note"),
            "1 open difference is not changed by any pass (undeclaredRoles: report)");
  EXPECT_EQ(plan.at("summary").at("reported"), 1);
  EXPECT_EQ(plan.at("summary").at("observed"), 0);
}

TEST_F(Planner, WhatIsOnlyReportedDoesNotHideWhatIsDone) {
  Tamper();
  world_.Declare("m", "t", kViewer, {kAna}).options.mode = Mode::kObserve;
  world_.Declare("editors", "t", kEditor, {kAna});
  world_.Scan();
  const Json plan = Plan();
  const Json& change = plan.at("changes").at(0);
  EXPECT_EQ(change.at("action"), "update");
  EXPECT_FALSE(change.contains("standing"));
  EXPECT_EQ(change.at("reported").size(), 2U);
  EXPECT_EQ(change.at("note"), "m: 2 differences are only reported (mode observe)");
  EXPECT_EQ(plan.at("summary").at("adds"), 1);
}

TEST_F(Planner, AManifestThatMovedIsNamedOnceAndByItsOwnName) {
  world_.Declare("m", "t", kEditor, {kAna});
  world_.Scan();
  const Json change = Plan().at("changes").at(0);
  EXPECT_EQ(change.at("action"), "update");
  EXPECT_THAT(change.at("resources"), ElementsAre("m"));
}

TEST_F(Planner, WhatWaitsForSomebodyWhoStaysAsHeIsIsNotPromised) {
  world_.cloud->AddTarget(EngineWorld::TargetName("u"),
                          R"([{"role":"roles/owner","members":["user:eve@example.com"]}])");
  world_.cloud->AddTarget(EngineWorld::TargetName("v"));
  const auto needing = [](const char* name) {
    auto rare = std::make_shared<manifests::ExtraOptions>();
    rare->depends_on = {name};
    return rare;
  };
  world_.Declare("base", "gone", kViewer, {kAna});
  world_.Declare("middle", "u", kViewer, {kAna}).options.rare = needing("base");
  world_.Declare("top", "v", kViewer, {kAna}).options.rare = needing("middle");
  world_.Scan();
  const Json plan = Plan();
  EXPECT_EQ(plan.at("summary").at("adds"), 0);
  EXPECT_EQ(plan.at("errors").at(0).at("code"), "NOT_FOUND");
  const std::map<std::string, std::string> notes = {
      {"middle", "middle waits for base, which is not as declared"},
      {"top", "top waits for middle, which is not as declared"}};
  for (const Json& change : plan.at("changes")) {
    const auto note = notes.find(change.at("resources").at(0));
    if (note == notes.end()) continue;
    EXPECT_EQ(change.at("action"), "none");
    EXPECT_EQ(change.at("standing"), "stalled");
    EXPECT_EQ(change.at("note"), note->second);
    // What is needed failed, so the drift is told; what only waits is not read yet.
    EXPECT_EQ(change.contains("reported"), note->first == "middle");
  }

  world_.cloud->AddTarget(EngineWorld::TargetName("gone"));
  EXPECT_EQ(Plan().at("summary").at("adds"), 3) << "each has its turn within one pass";
}

TEST_F(Planner, SaysWhatTheGuardWouldHoldAndWhatAnOperatorDenied) {
  world_.settings.guard.max_removed_grants = 0;
  world_.Configure();
  Tamper();
  world_.Declare("m", "t", kViewer, {});
  world_.Scan();
  const Json plan = Plan();
  const Json& held = plan.at("changes").at(0);
  EXPECT_EQ(held.at("action"), "held");
  EXPECT_EQ(held.at("note"), "the guard would hold its removals until they are approved");
  EXPECT_EQ(plan.at("summary").at("held"), 1);
  EXPECT_EQ(plan.at("guard").at("held"), true);
  EXPECT_FALSE(plan.at("guard").at("reason").get<std::string>().empty());

  world_.Work();
  ASSERT_TRUE(world_.engine->commands().Deny(world_.HoldDigest(), "ops", world_.now).has_value());
  const Json denied = Plan();
  EXPECT_EQ(denied.at("changes").at(0).at("note"), "1 of its removals was denied by an operator");
  EXPECT_FALSE(denied.contains("guard"));
}

TEST_F(Planner, SaysThatATargetIsNotWrittenNowAsItIsChangedBackAndForth) {
  world_.settings.guard.max_removed_fraction = 1;
  world_.Configure();
  for (int i = 0; i < 7; ++i) {
    Tamper();
    world_.NextInterval();
  }
  Tamper();
  const Json plan = Plan();
  const Json& change = plan.at("changes").at(0);
  EXPECT_EQ(change.at("action"), "none");
  EXPECT_EQ(change.at("standing"), "stalled");
  EXPECT_THAT(change.at("note").get<std::string>(), ::testing::HasSubstr("another writer"));
}

TEST_F(Planner, SaysWhatStaysUntilThoseThatDependOnItAreGone) {
  world_.cloud->AddTarget(EngineWorld::TargetName("u"));
  auto rare = std::make_shared<manifests::ExtraOptions>();
  rare->depends_on = {"m"};
  rare->depends_on_at = {{1, 1}};
  world_.Declare("n", "u", kViewer, {kAna}).options.rare = rare;
  world_.Pass();
  world_.Remove("m");
  if (world_.Scan().confirm) world_.Scan();
  const Json plan = Plan();
  EXPECT_EQ(plan.at("summary").at("removes"), 0);
  EXPECT_THAT(plan.at("changes").at(0).at("note").get<std::string>(),
              ::testing::StartsWith("m: what it granted is removed once "));
}

TEST_F(Planner, SaysThatAWriteWouldFail) {
  world_.settings.catalog.keep_undeclared = false;
  world_.Configure();
  world_.Remove("m");
  world_.Put("bucket", {"cloudnative:storage/v1", "BucketIamBinding"},
             {{"name", "b/files"}, {"role", "roles/storage.admin"}, {"members", Json::array()}});
  controller::DryRun run(world_.kinds, world_.settings, world_.now);
  run.engine().SetConnections(world_.Connections());
  run.engine().Start({}, world_.now);
  run.Scan(world_.Look());
  controller::DryRun::Reads reads;
  reads.fetch = [](const controller::CheckJob&) -> Expected<std::string> {
    return R"({"etag": "a", "bindings": [{"role": "roles/storage.admin", "members": ["user:a@b.c"]}]})";
  };
  const Expected<report::PassPlan> plan = MakePlan(run, {}, reads);
  ASSERT_TRUE(plan.has_value());
  const report::PlanLine& change = plan->changes.at(0);
  EXPECT_EQ(change.action, report::PlanAction::kNone);
  EXPECT_EQ(change.standing, report::PlanStanding::kStalled);
  EXPECT_THAT(change.note, ::testing::StartsWith("its write would fail: FAILED_PRECONDITION: "));
}

/// Two manifests on two targets; what is deleted waits.
class PlannerRemoval : public Planner {
 protected:
  PlannerRemoval() {
    world_.settings.settle = std::chrono::seconds(10);
    world_.Configure();
    world_.cloud->AddTarget(EngineWorld::TargetName("u"));
    world_.Declare("n", "u", kViewer, {kAna});
    world_.facts.ground = manifests::Ground{"/m", "/m", 1, 2, 3, false, false, {}};
    world_.facts.newest = world_.now.wall;
    world_.Pass();
    Rest();
  }
  void Rest() {
    world_.Advance(std::chrono::seconds(10));
    world_.Pass();
  }
  void Delete(const std::string& name) {
    world_.Remove(name);
    world_.facts.newest = world_.now.wall;
    world_.Pass();
  }
  /// The notes, by target.
  std::map<std::string, std::string> Notes() {
    std::map<std::string, std::string> notes;
    const Json plan = Plan();
    for (const Json& change : plan.at("changes")) notes[change.at("target")] = change.at("note");
    return notes;
  }
};

TEST_F(PlannerRemoval, SaysThatARemovalWaitsForTheDirectoryToSettle) {
  Delete("n");
  const Json plan = Plan();
  EXPECT_EQ(plan.at("summary").at("waits"), 1);
  const std::string why = "the manifests directory must stay unchanged for 10s (manifests.settle)";
  for (const Json& change : plan.at("changes")) {
    const bool concerned = change.at("target") == EngineWorld::TargetName("u");
    EXPECT_EQ(change.at("note"), concerned ? "its removal waits: " + why : "");
    if (!concerned) continue;
    EXPECT_EQ(change.at("removes").at(0).at("waits"), why);
  }
}

TEST_F(PlannerRemoval, SaysOnlyWhereThereIsARemovalThatItIsBlocked) {
  world_.Declare("n", "u", kViewer, {kAna, kEve});
  world_.Pass();
  Rest();
  world_.Declare("n", "u", kViewer, {kAna});
  world_.broken_files = {"b.yaml"};
  world_.facts.newest = world_.now.wall;
  world_.Pass();
  const std::string t = EngineWorld::TargetName("t");
  const std::string u = EngineWorld::TargetName("u");
  EXPECT_EQ(Notes().at(t), "");
  EXPECT_THAT(Notes().at(u), ::testing::StartsWith("its removal waits: \"b.yaml\" "));
}

TEST_F(PlannerRemoval, CountsWhatWaitsAmongWhatDoesNot) {
  world_.cloud->AddTarget(
      EngineWorld::TargetName("u"),
      R"([{"role":"roles/viewer","members":["user:ana@example.com","user:eve@example.com"]}])");
  world_.Declare("e", "u", kEditor, {kAna});
  world_.facts.newest = world_.now.wall;
  world_.Scan();
  world_.Work();
  Rest();
  world_.cloud->AddTarget(EngineWorld::TargetName("u"),
                          R"([{"role":"roles/viewer","members":["user:ana@example.com"]},
                              {"role":"roles/editor","members":["user:ana@example.com",
                                                                "user:eve@example.com"]}])");
  world_.Remove("n");
  world_.facts.newest = world_.now.wall;
  if (world_.Scan().confirm) world_.Scan();
  const Json plan = Plan();
  EXPECT_EQ(plan.at("summary").at("removes"), 2);
  EXPECT_EQ(plan.at("summary").at("waits"), 1);
  EXPECT_THAT(Notes().at(EngineWorld::TargetName("u")),
              ::testing::StartsWith("1 of its removals waits: "));
}

}  // namespace
}  // namespace bindery::app
