// A grant that a service refuses holds up no other: it alone is left out of writes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controller/engine/dry_run.h"
#include "fakes/engine_world.h"

namespace bindery::testing {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

using Names = std::vector<std::string>;

constexpr const char* kRefused = "Stalled INVALID_ARGUMENT";
constexpr const char* kGone = "user:gone@example.com";
constexpr const char* kMallory = "user:mallory@example.org";

std::string Member(int i) { return "user:u" + std::to_string(i) + "@example.com"; }

/// Refuses policies with one of these members, in the service's words.
FakeCloud::ContentRule Unknown(const Names& members, bool named = true) {
  return [members, named](const Names& grants) -> std::optional<FakeCloud::ContentRefusal> {
    for (const std::string& member : members) {
      for (const std::string& grant : grants) {
        if (grant.find(member) == std::string::npos) continue;
        if (!named) return FakeCloud::ContentRefusal{"Request contains an invalid argument."};
        return FakeCloud::ContentRefusal{"User " + member.substr(member.find(':') + 1) +
                                         " does not exist."};
      }
    }
    return std::nullopt;
  };
}

class EngineRefused : public ::testing::Test {
 protected:
  EngineRefused() {
    world.cloud->AddTarget(EngineWorld::TargetName("t"));
    world.Configure();
  }
  void DeclareOne(int i) {
    world.Declare("m" + std::to_string(i), "t", "roles/r" + std::to_string(i), {Member(i)});
  }
  [[nodiscard]] std::string ObservedOf(const std::string& member) const {
    const auto open = *world.store.Drift({true, std::nullopt, 1000});
    for (const store::DriftRecord& record : open) {
      if (record.item.grant.principal == member) return record.item.observed;
    }
    return "no difference";
  }
  EngineWorld world;
};

struct WhichCase {
  const char* name;
  std::vector<int> bad;  ///< Of eight.
  bool named;
  bool removes;
  int writes;
};

class EngineRefusedOfEight : public EngineRefused,
                             public ::testing::WithParamInterface<WhichCase> {};

TEST_P(EngineRefusedOfEight, OnlyThatIsLeftOut) {
  const WhichCase& param = GetParam();
  constexpr int kAll = 8;
  Names refused;
  for (const int i : param.bad) refused.push_back(Member(i));
  world.cloud->JudgeContent(Unknown(refused, param.named));
  if (param.removes) {
    world.cloud->Grant(EngineWorld::TargetName("t"), "roles/r0", kMallory);
    world.cloud->Grant(EngineWorld::TargetName("t"), "roles/foreign", kMallory);
  }
  for (int i = 0; i < kAll; ++i) DeclareOne(i);
  world.Pass();
  EXPECT_EQ(world.Writes(), param.writes);
  for (int pass = 0; pass < 3; ++pass) world.Advance(minutes(2));
  Names expected;
  for (int i = 0; i < kAll; ++i) {
    const bool bad = std::ranges::count(param.bad, i) > 0;
    const std::string name = "m" + std::to_string(i);
    EXPECT_EQ(world.Status(name), bad ? kRefused : kReady) << name;
    if (!bad) expected.push_back("roles/r" + std::to_string(i) + " " + Member(i));
  }
  EXPECT_EQ(world.Grants("t"), expected);
  EXPECT_EQ(world.Events("INVALID_ARGUMENT"), static_cast<int>(param.bad.size()));
  EXPECT_THAT(world.store.state.intents, IsEmpty());
  world.cloud->ResetCounts();
  world.Advance(minutes(3));
  EXPECT_EQ(world.Writes(), 0) << "it is known by now";
}

INSTANTIATE_TEST_SUITE_P(
    Members, EngineRefusedOfEight,
    ::testing::Values(
        WhichCase{"First", {0}, false, false, 5}, WhichCase{"Middle", {4}, false, false, 5},
        WhichCase{"Last", {7}, false, false, 5}, WhichCase{"Two", {1, 6}, false, false, 9},
        WhichCase{"FirstNamed", {0}, true, false, 2}, WhichCase{"TwoNamed", {1, 6}, true, false, 3},
        WhichCase{"AllNamed", {0, 1, 2, 3, 4, 5, 6, 7}, true, false, 8},
        WhichCase{"WithRemovals", {4}, false, true, 6},
        WhichCase{"NamedWithRemovals", {4}, true, true, 2}),
    [](const auto& param) { return std::string(param.param.name); });

TEST_F(EngineRefused, OfAManifestTheOtherMembersAreGranted) {
  world.cloud->JudgeContent(Unknown({kGone}));
  world.Declare("m", "t", kViewer, {kAna, kGone, kBob});
  world.Pass();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews, kBobViews));
  EXPECT_EQ(world.Status("m"), kRefused);
  const std::string words =
      "INVALID_ARGUMENT: write: networksecurity.setIamPolicy: User gone@example.com does not "
      "exist. (HTTP 400)";
  EXPECT_EQ(world.Message("m"),
            words +
                "; refused: roles/viewer for user:gone@example.com; this alone is left out of "
                "writes: correct the manifest, or create what is missing; it is tried again "
                "when the manifest changes, at growing intervals, or now: bindery reconcile "
                "--now \"m\"");
  EXPECT_EQ(ObservedOf(kGone), "absent; the service refuses it: " + words);
  const std::string message = world.Message("m");
  for (int i = 0; i < 5; ++i) world.NextInterval();
  EXPECT_EQ(world.Message("m"), message);
  EXPECT_EQ(world.Events("INVALID_ARGUMENT"), 1);
  EXPECT_EQ(world.Events("DriftFound"), 1);
  world.cloud->JudgeContent(Unknown({kGone, kMallory}));
  world.Declare("m", "t", kViewer, {kAna, kGone, kMallory});
  world.Pass();
  EXPECT_THAT(world.Message("m"), HasSubstr("with 1 more grant of the manifest for other reasons"));
}

TEST_F(EngineRefused, ForeignMembersAndLeaversGoAllTheSame) {
  world.Declare("m", "t", kViewer, {kAna, kBob});
  world.Pass();
  world.cloud->Grant(EngineWorld::TargetName("t"), kViewer, kMallory);
  world.cloud->JudgeContent(Unknown({kGone}, /*named=*/false));
  world.Declare("m", "t", kViewer, {kAna});
  world.Declare("new-hire", "t", kEditor, {kGone});
  world.Pass();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
  EXPECT_EQ(world.Status("m"), kReady);
  EXPECT_EQ(world.Status("new-hire"), kRefused);
}

TEST_F(EngineRefused, RemovalsOfAReducedWriteCountOnce) {
  for (const bool named : {false, true}) {
    world.cloud->JudgeContent(nullptr);
    world.Declare("m", "t", kViewer, {kAna, kBob});
    world.Remove("new-hire");
    world.Pass();
    const std::int64_t before = world.engine->removals().guard().recent().declared().Total();
    world.cloud->JudgeContent(Unknown({kGone}, named));
    world.Declare("m", "t", kViewer, {kAna});
    world.Declare("new-hire", "t", kEditor, {kGone, kEve});
    world.Pass();
    EXPECT_THAT(world.Grants("t"), ElementsAre("roles/editor user:eve@example.com", kAnaViews));
    EXPECT_EQ(world.engine->removals().guard().recent().declared().Total(), before + 1) << named;
    world.Remove("new-hire");
    world.Pass();
  }
}

TEST_F(EngineRefused, WhatTheGuardHoldsStaysHeldAndHoldsUpNoAddition) {
  world.settings.guard.max_removed_grants = 1;
  world.settings.guard.max_removed_fraction = 1;
  world.Configure();
  world.Declare("m", "t", kViewer, {kAna, kBob, kEve});
  world.Pass();
  world.cloud->JudgeContent(Unknown({kGone}, /*named=*/false));
  world.Declare("m", "t", kViewer, {kAna});
  world.Declare("new-hire", "t", kEditor, {kGone, kBob});
  world.Pass();
  EXPECT_THAT(world.Grants("t"), AllOf(SizeIs(4), Contains("roles/editor user:bob@example.com")));
  EXPECT_EQ(world.Status("m"), "Stalled GuardHeld");
  EXPECT_EQ(world.Status("new-hire"), kRefused);
  ASSERT_TRUE(world.engine->commands().Approve(world.HoldDigest(), "ops", world.now).has_value());
  world.Work();
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/editor user:bob@example.com", kAnaViews));
  EXPECT_EQ(world.Status("m"), kReady);
  EXPECT_EQ(world.Status("new-hire"), kRefused);
}

TEST_F(EngineRefused, AWriteWithoutAnAnswerIsNoRefusal) {
  world.cloud->Fail({.operation = "setIamPolicy", .lost = true});
  world.cloud->JudgeContent(Unknown({kGone}));
  world.Declare("m", "t", kViewer, {kGone});
  world.Pass();
  EXPECT_EQ(world.Status("m"), "Reconciling ProgressingWithRetry");
  world.Advance(seconds(5));
  EXPECT_EQ(world.Status("m"), kRefused) << "by the answer to the next write";
}

struct NoSearchCase {
  const char* name;
  int status;
  const char* code;
  const char* state;
};

class EngineNoSearch : public EngineRefused, public ::testing::WithParamInterface<NoSearchCase> {};

TEST_P(EngineNoSearch, IsMadeForWhatIsNoRefusalOfContent) {
  world.cloud->Fail({.operation = "setIamPolicy",
                     .status = GetParam().status,
                     .code = GetParam().code,
                     .message = "user:u0@example.com"});
  for (int i = 0; i < 4; ++i) DeclareOne(i);
  world.Pass();
  EXPECT_EQ(world.Writes(), 1);
  for (int i = 0; i < 4; ++i) {
    EXPECT_THAT(world.Status("m" + std::to_string(i)), StartsWith(GetParam().state));
  }
  world.NextInterval();
  EXPECT_EQ(world.Grants("t").size(), 4U);
}

INSTANTIATE_TEST_SUITE_P(
    Answers, EngineNoSearch,
    ::testing::Values(NoSearchCase{"Permission", 403, "PERMISSION_DENIED", "Stalled"},
                      NoSearchCase{"AnotherWriter", 409, "ABORTED", "Reconciling"},
                      NoSearchCase{"Quota", 429, "RESOURCE_EXHAUSTED", "Reconciling"},
                      NoSearchCase{"Away", 503, "UNAVAILABLE", "Reconciling"}),
    [](const auto& param) { return std::string(param.param.name); });

TEST_F(EngineRefused, WhatThePolicyHeldBeforeIsNoManifestsFault) {
  world.settings.catalog.keep_undeclared = true;
  world.Configure();
  world.cloud->Grant(EngineWorld::TargetName("t"), "roles/old", "user:old@example.com");
  world.cloud->JudgeContent(Unknown({"user:old@example.com"}));
  for (int i = 0; i < 4; ++i) DeclareOne(i);
  world.Pass();
  EXPECT_EQ(world.Writes(), 1);
  EXPECT_EQ(world.Status("m0"), kRefused);
  EXPECT_THAT(world.Message("m0"),
              AllOf(EndsWith("; no manifest is the cause: the policy has roles/old for "
                             "user:old@example.com already, and the service refuses to store that "
                             "again: take it out of the policy, or restore the principal"),
                    Not(HasSubstr("declared by"))));
}

TEST_F(EngineRefused, APolicyThatIsRefusedWithoutAnyAdditionIsNoManifestsFault) {
  world.cloud->Grant(EngineWorld::TargetName("t"), "roles/r0", kMallory);
  world.cloud->JudgeContent([](const Names& /*grants*/) {
    return std::optional(FakeCloud::ContentRefusal{"Request contains an invalid argument."});
  });
  for (int i = 0; i < 4; ++i) DeclareOne(i);
  world.Pass();
  EXPECT_EQ(world.Writes(), 2);
  EXPECT_THAT(world.Message("m1"), HasSubstr("no manifest is the cause"));
}

TEST_F(EngineRefused, ItIsTriedAgainWithAnotherManifestByAnOperatorsWordAndAsTimePasses) {
  world.cloud->JudgeContent(Unknown({kGone}));
  world.Declare("m", "t", kViewer, {kAna, kGone});
  world.Pass();
  world.cloud->ResetCounts();
  world.Declare("m", "t", kViewer, {kAna, kGone, kBob});
  world.Scan();
  world.Work();
  EXPECT_EQ(world.Writes(), 2) << "with it, and without";
  world.Reconcile("m");
  EXPECT_EQ(world.Writes(), 2) << "a check alone is no new try";
  ASSERT_TRUE(world.engine->commands().MakeUrgent({"m"}, "ops", world.now).has_value());
  world.Reconcile("m");
  EXPECT_EQ(world.Writes(), 3);
  world.cloud->JudgeContent(nullptr);
  world.Advance(minutes(41));
  EXPECT_EQ(world.Writes(), 4);
  EXPECT_EQ(world.Status("m"), kReady);
  EXPECT_EQ(world.Grants("t").size(), 3U);
}

TEST_F(EngineRefused, ACheckThatWasAskedForTellsOfIt) {
  world.cloud->JudgeContent(Unknown({kGone}));
  world.Declare("m", "t", kViewer, {kAna, kGone});
  world.Scan();
  std::vector<controller::WorkAnswer> answers;
  ASSERT_TRUE(world.engine->commands()
                  .Reconcile({"m"}, world.now,
                             [&answers](const controller::WorkAnswer& answer) {
                               answers.push_back(answer);
                             })
                  .has_value());
  world.Work();
  ASSERT_THAT(answers, SizeIs(1)) << "when all that can be done is done";
  EXPECT_FALSE(answers[0].done);
  EXPECT_EQ(answers[0].message,
            "1 added, 0 removed; 1 of the declared grants is left out of the write: bindery get");
}

TEST_F(EngineRefused, AfterARestartItIsFoundAgainWithAFewWrites) {
  world.cloud->JudgeContent(Unknown({kGone}));
  world.Declare("m", "t", kViewer, {kAna, kGone});
  world.Pass();
  world.cloud->ResetCounts();
  world.Restart();
  world.Pass();
  EXPECT_EQ(world.Writes(), 1);
  EXPECT_EQ(world.Status("m"), kRefused);
  EXPECT_EQ(world.Events("INVALID_ARGUMENT"), 1) << "it is no news";
}

TEST_F(EngineRefused, WhatItWouldReplaceStays) {
  const auto declare = [this](const std::string& title) {
    Json spec = {{"name", EngineWorld::TargetName("t")},
                 {"role", kViewer},
                 {"members", {kAna}},
                 {"condition", {{"title", title}, {"expression", "resource.name == 'x'"}}}};
    world.Put("m", {"cloudnative:networksecurity/v1", "AuthorizationPolicyIamBinding"}, spec);
  };
  declare("one");
  world.Pass();
  world.cloud->JudgeContent([](const Names& grants) {
    const bool bad = std::ranges::any_of(
        grants, [](const std::string& grant) { return grant.ends_with(" if two"); });
    return bad ? std::optional(FakeCloud::ContentRefusal{"Conditions are not supported."})
               : std::nullopt;
  });
  declare("two");
  world.Pass();
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/viewer user:ana@example.com if one"));
  EXPECT_EQ(world.Status("m"), kRefused);
}

TEST_F(EngineRefused, APlanKnowsIt) {
  world.cloud->JudgeContent(Unknown({kGone}));
  world.Declare("m", "t", kViewer, {kAna, kGone});
  world.Pass();
  world.MoveOn(std::chrono::hours(1));
  controller::DryRun run(*world.engine, world.now);
  run.Work({}, {});
  const controller::ForeseenTarget& foreseen = run.foreseen().begin()->second;
  EXPECT_THAT(foreseen.written.adds(), IsEmpty()) << "also when it is due to be tried again";
  ASSERT_THAT(foreseen.refused, SizeIs(1));
  EXPECT_EQ(foreseen.refused[0].first, "m");
  EXPECT_THAT(foreseen.refused[0].second.message, HasSubstr("User gone@example.com"));
}

TEST_F(EngineRefused, ARollbackIsRefusedAsAWhole) {
  world.cloud->AddTarget(EngineWorld::TargetName("t"), R"([{"role":"roles/viewer",
      "members":["user:gone@example.com","user:bob@example.com"]}])");
  world.Declare("m", "t", kViewer, {kAna});
  world.Pass();
  ASSERT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
  world.cloud->JudgeContent(Unknown({kGone}));
  ASSERT_TRUE(world.engine->commands()
                  .Rollback("m", world.store.state.revisions.front(), "ops", world.now, nullptr)
                  .has_value());
  world.Work();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
  EXPECT_EQ(world.Status("m"), kReady);
}

class EngineRefusedRestriction : public EngineRefused {
 protected:
  [[nodiscard]] Names Principals() const {
    Names principals;
    for (const Json& binding : world.cloud->Restriction("dashboard:d")) {
      for (const Json& principal : binding["principals"]) principals.push_back(principal);
    }
    return principals;
  }
};

TEST_F(EngineRefusedRestriction, TheOtherPrincipalsAreWrittenInOneWrite) {
  world.cloud->JudgeContent(Unknown({"team:gone"}, /*named=*/false));
  world.DeclareRestriction("m", "dashboard:d", "editor", {"org:1", "team:gone", "team:sre"});
  world.Pass();
  EXPECT_THAT(Principals(), ElementsAre("org:1", "team:sre"));
  EXPECT_EQ(world.Status("m"), kRefused);
  EXPECT_THAT(world.Message("m"), HasSubstr("editor for team:gone"));
  EXPECT_EQ(world.cloud->Calls("post"), 3) << "all, without the first, without the second";
}

TEST_F(EngineRefusedRestriction, ItIsNotLeftOpenToEverybody) {
  world.DeclareRestriction("m", "dashboard:d", "editor", {"team:sre"});
  world.Pass();
  world.cloud->JudgeContent(Unknown({"team:gone"}, /*named=*/false));
  world.DeclareRestriction("m", "dashboard:d", "editor", {"team:gone"});
  world.Pass();
  world.NextInterval();
  EXPECT_THAT(Principals(), ElementsAre("team:sre"));
  EXPECT_EQ(world.Status("m"), kRefused);
}

}  // namespace
}  // namespace bindery::testing
