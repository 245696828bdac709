// A service that stores grants without their conditions: what it gave too much goes, whatever
// happens in between.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_world.h"

namespace bindery::testing {
namespace {

using std::chrono::seconds;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kDropped = "Stalled ConditionDropped";

class EngineDropped : public ::testing::Test {
 protected:
  EngineDropped() {
    world.settings.catalog.keep_undeclared = true;
    world.settings.settle = seconds(10);
    world.Configure();
    world.cloud->AddTarget(EngineWorld::TargetName("t"));
    world.cloud->DropConditions(true);
  }
  /// Declares that Ana views, until that year.
  void Declare(const std::string& until) {
    Json spec = {{"name", EngineWorld::TargetName("t")},
                 {"role", kViewer},
                 {"members", {kAna}},
                 {"condition",
                  {{"title", until},
                   {"expression", "request.time < timestamp(\"" + until + "-01-01T00:00:00Z\")"}}}};
    world.Put("m", {"cloudnative:networksecurity/v1", "AuthorizationPolicyIamBinding"}, spec);
  }
  /// Declares the same of Ana alone.
  void DeclareMember() {
    const char* const until = "request.time < timestamp(\"2030-01-01T00:00:00Z\")";
    Json spec = {{"name", EngineWorld::TargetName("t")},
                 {"role", kViewer},
                 {"member", kAna},
                 {"condition", {{"title", "2030"}, {"expression", until}}}};
    world.Put("m", {"cloudnative:networksecurity/v1", "AuthorizationPolicyIamMember"}, spec);
  }
  /// Writes what is declared, and ends before it is taken back.
  void EndBeforeTakingBack() {
    world.Scan();
    for (const auto& check : world.Step().checks) world.Check(check);
    for (const auto& write : world.Step().writes) world.Write(write);
    ASSERT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
    world.Step();
    world.Restart();
  }
  /// The directory stays as it is for long enough.
  void Settle() {
    world.facts.ground = manifests::Ground{"/m", "/m", 1, 2, 3, false, false, {}};
    for (int i = 0; i < 3; ++i) {
      world.Advance(seconds(15));
      world.Scan();
      world.Work();
    }
  }

  EngineWorld world;
};

TEST_F(EngineDropped, WhatWasGivenTooMuchIsTakenBackAtOnce) {
  world.broken_files = {"other.yaml"};
  Declare("2030");
  world.Scan();
  world.Work();
  EXPECT_THAT(world.Grants("t"), IsEmpty()) << "no removal waits less, and this one does not wait";
  EXPECT_EQ(world.Writes(), 2);
  EXPECT_EQ(world.Reads(), 2) << "before the write, and after all";
  EXPECT_EQ(world.Status("m"), kDropped);
  EXPECT_THAT(world.store.state.intents, IsEmpty());
  world.NextInterval();
  EXPECT_EQ(world.Writes(), 2);
  EXPECT_EQ(world.Status("m"), kDropped);
}

TEST_F(EngineDropped, EachPolicyInBetweenIsKept) {
  Declare("2030");
  world.Pass();
  EXPECT_EQ(world.store.state.revisions.size(), 3U);
}

TEST_F(EngineDropped, ItIsTakenBackAfterACrash) {
  Declare("2030");
  EndBeforeTakingBack();
  world.Pass();
  EXPECT_THAT(world.Grants("t"), IsEmpty());
  EXPECT_EQ(world.Status("m"), kDropped);
  EXPECT_EQ(world.Writes(), 2) << "and not tried again";
}

TEST_F(EngineDropped, ItIsTakenBackThoughItsManifestIsGone) {
  Declare("2030");
  EndBeforeTakingBack();
  world.broken_files = {"other.yaml"};
  world.Remove("m");
  world.Pass();
  EXPECT_THAT(world.Grants("t"), IsEmpty());
}

TEST_F(EngineDropped, ItIsTakenBackThoughAnotherConditionIsDeclared) {
  Declare("2030");
  EndBeforeTakingBack();
  Declare("2031");
  world.Pass();
  EXPECT_THAT(world.Grants("t"), IsEmpty());
  EXPECT_EQ(world.Status("m"), kDropped);
}

TEST_F(EngineDropped, ItIsTakenBackThoughTheFirstAttemptFails) {
  for (const bool lost : {false, true}) {
    world.cloud->Fail({.operation = "setIamPolicy",
                       .status = lost ? 0 : 412,
                       .code = "FAILED_PRECONDITION",
                       .unsent = lost,
                       .after = 1});
    Declare(lost ? "2031" : "2030");
    world.Scan();
    for (const auto& check : world.Step().checks) world.Check(check);
    for (const auto& write : world.Step().writes) world.Write(write);
    for (const auto& write : world.Step().writes) world.Write(write);
    ASSERT_THAT(world.Grants("t"), ElementsAre(kAnaViews)) << lost;
    world.Step();
    world.Restart();
    world.Pass();
    EXPECT_THAT(world.Grants("t"), IsEmpty()) << lost;
  }
}

TEST_F(EngineDropped, AMembersIsTakenBackThoughItsManifestIsGone) {
  DeclareMember();
  EndBeforeTakingBack();
  world.Remove("m");
  world.Pass();
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), IsEmpty());
}

TEST_F(EngineDropped, ItIsTakenBackOnceItsManifestIsEnforcedAgain) {
  Declare("2030");
  EndBeforeTakingBack();
  world.manifests["m"].options.mode = Mode::kObserve;
  world.Pass();
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
  world.Restart();
  world.manifests["m"].options.mode.reset();
  world.Pass();
  EXPECT_THAT(world.Grants("t"), IsEmpty());
  EXPECT_EQ(world.Status("m"), kDropped);
  EXPECT_THAT(world.store.state.intents, IsEmpty());
  EXPECT_EQ(world.Events("WriteNotLanded"), 0);
}

TEST_F(EngineDropped, ATakeBackThatStaysWithoutEffectIsTriedLaterEachTime) {
  Declare("2030");
  const std::string unchanged = R"({"version":1,"etag":"BwXother=","bindings":)";
  world.cloud->Fail(
      {.operation = "setIamPolicy", .after = 1, .body = unchanged + testing::kAnaOnT + "}"});
  world.Scan();
  world.Work();
  EXPECT_EQ(world.Writes(), 2);
  world.Advance(seconds(60));
  EXPECT_THAT(world.Grants("t"), IsEmpty());
  EXPECT_EQ(world.Status("m"), kDropped);
}

TEST_F(EngineDropped, WhatAnUnrelatedWriteMadeTooWideIsTakenBackToo) {
  world.cloud->DropConditions(false);
  Declare("2030");
  world.Pass();
  ASSERT_EQ(world.Status("m"), testing::kReady);
  world.cloud->DropConditions(true);
  world.Declare("other", "t", testing::kEditor, {testing::kEve});
  world.Pass();
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/editor user:eve@example.com"));
  EXPECT_EQ(world.Status("m"), kDropped);
}

TEST_F(EngineDropped, WhatAnotherOneGrantsInsteadOfALostWriteIsJudgedAsAnyWiderGrant) {
  world.cloud->DropConditions(false);
  world.cloud->Fail({.operation = "setIamPolicy", .unsent = true});
  DeclareMember();
  world.Scan();
  for (const auto& check : world.Step().checks) world.Check(check);
  for (const auto& write : world.Step().writes) world.Write(write);
  world.cloud->Grant(EngineWorld::TargetName("t"), kViewer, kAna);
  world.cloud->Grant(EngineWorld::TargetName("t"), kViewer, testing::kEve);
  world.Advance(seconds(60));
  EXPECT_THAT(world.Grants("t"), Contains(kAnaViews)) << "it is not taken back at once";
  EXPECT_EQ(world.Status("m"), "Reconciling RemovalPending");
  Settle();
  EXPECT_THAT(world.Grants("t"), ::testing::Not(Contains(kAnaViews)));
  EXPECT_EQ(world.Status("m"), testing::kReady);
}

TEST_F(EngineDropped, WhatAnotherOneGrantsAfterwardsIsJudgedAsAnyWiderGrant) {
  DeclareMember();
  world.Pass();
  ASSERT_EQ(world.Status("m"), kDropped);
  ASSERT_THAT(world.Grants("t"), IsEmpty());
  world.cloud->Grant(EngineWorld::TargetName("t"), kViewer, kAna);
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews)) << "it is not taken back at once";
  EXPECT_EQ(world.Writes(), 2);
  Settle();
  EXPECT_THAT(world.Grants("t"), IsEmpty());
  EXPECT_EQ(world.Writes(), 3);
  EXPECT_EQ(world.Status("m"), kDropped);
}

TEST_F(EngineDropped, WhoHeldItWithoutAConditionBeforeKeepsIt) {
  world.cloud->Grant(EngineWorld::TargetName("t"), kViewer, kAna);
  Declare("2030");
  world.Pass();
  EXPECT_THAT(world.Grants("t"), Contains(kAnaViews));
  EXPECT_EQ(world.Writes(), 0) << "a condition takes access away";
  Settle();
  EXPECT_THAT(world.Grants("t"), Contains(kAnaViews));
  EXPECT_EQ(world.Status("m"), kDropped);
  EXPECT_EQ(world.Writes(), 1);
  world.NextInterval();
  EXPECT_EQ(world.Writes(), 1);
  world.Restart();
  world.Pass();
  Settle();
  EXPECT_THAT(world.Grants("t"), Contains(kAnaViews));
  EXPECT_EQ(world.Status("m"), kDropped);
  EXPECT_EQ(world.Writes(), 2) << "tried once again after a restart";
  EXPECT_EQ(world.Message("m"),
            "the service stored roles/viewer for user:ana@example.com without its condition: it "
            "stays as it was before, without a condition, and is not written again; declare it "
            "without a condition, or grant the role where conditions are accepted");
}

}  // namespace
}  // namespace bindery::testing
