// Writes are looked at: before, where a policy has no etag, and after, where the answer alone does
// not tell what became of it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_world.h"

namespace bindery::testing {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kBoard = "dashboard:abc";
constexpr const char* kOthers = R"([{"principals":["role:9"],"relation":"editor"}])";
constexpr const char* kDeclared = R"([{"principals":["role:1"],"relation":"editor"}])";

class EngineContest : public ::testing::Test {
 protected:
  [[nodiscard]] std::string Restriction() const {
    return CanonicalJson(world.cloud->Restriction(kBoard));
  }
  EngineWorld world;
};

TEST_F(EngineContest, WithoutAnEtagThePolicyIsReadBeforeAndAfterTheWrite) {
  world.DeclareRestriction("r", kBoard, "editor", {"role:1"});
  world.Pass();
  EXPECT_EQ(world.cloud->Calls("get"), 3);
  EXPECT_EQ(world.cloud->Calls("post"), 1);
  EXPECT_EQ(world.Status("r"), "Ready ReconciliationSucceeded");
  world.cloud->ResetCounts();
  world.NextInterval();
  EXPECT_EQ(world.cloud->Calls("get"), 1) << "an idle pass is one reading";
}

TEST_F(EngineContest, WhatChangedSinceItWasReadIsNotWrittenOver) {
  world.DeclareRestriction("r", kBoard, "editor", {"role:1"});
  world.Scan();
  for (const auto& check : world.Step().checks) world.Check(check);
  const controller::Engine::Actions actions = world.Step();
  ASSERT_EQ(actions.writes.size(), 1U);
  world.cloud->SetRestriction(kBoard, kOthers);
  world.Write(actions.writes[0]);
  world.Step();
  EXPECT_EQ(world.cloud->Calls("post"), 0);
  EXPECT_THAT(world.Message("r"), HasSubstr("the policy has changed since it was read"));
  EXPECT_THAT(world.store.state.intents, IsEmpty());
  world.Advance(seconds(1));
  EXPECT_EQ(Restriction(), kDeclared) << "compared anew, and judged as what it is now";
}

TEST_F(EngineContest, ARaceThatWasLostIsToldAndRepaired) {
  world.DeclareRestriction("r", kBoard, "editor", {"role:1"});
  world.cloud->Fail({.operation = "post", .overwritten = kOthers});
  world.Pass();
  EXPECT_EQ(world.Events("WriteContested"), 1);
  EXPECT_EQ(world.observer.contested, 1);
  EXPECT_EQ(world.Status("r"), "Reconciling ProgressingWithRetry");
  EXPECT_EQ(world.Message("r"),
            "ABORTED: what was read right after the write is not what was written: another writer "
            "changed the policy at the same time, or the service does not show the write yet; as "
            "the policy has no etag, what another one wrote may be lost; it is compared again");
  EXPECT_EQ(world.store.state.revisions.back().origin, Origin::kObserved);
  int open = 0;
  for (const store::DriftRecord& record : world.store.state.drift)
    open += record.resolved_at ? 0 : 1;
  EXPECT_EQ(open, 2) << "the one that is missing, and the one that is there instead";
  world.Advance(seconds(2));
  EXPECT_EQ(Restriction(), kDeclared);
  EXPECT_EQ(world.Status("r"), "Ready ReconciliationSucceeded");
  EXPECT_EQ(world.Events("WriteContested"), 1);
}

TEST_F(EngineContest, WhoAlwaysWinsIsFoughtEverMoreSlowly) {
  world.DeclareRestriction("r", kBoard, "editor", {"role:1"});
  world.cloud->Fail({.operation = "post", .times = 1'000'000, .overwritten = kOthers});
  world.Pass();
  world.Advance(minutes(30));
  EXPECT_LE(world.cloud->Calls("post"), 20);
}

TEST_F(EngineContest, AReadingThatFailsLeavesTheOutcomeToTheNext) {
  world.DeclareRestriction("r", kBoard, "editor", {"role:1"});
  world.Scan();
  for (const auto& check : world.Step().checks) world.Check(check);
  const controller::Engine::Actions actions = world.Step();
  ASSERT_EQ(actions.writes.size(), 1U);
  world.cloud->Fail({.operation = "get", .status = 503, .after = 1});
  world.Write(actions.writes[0]);
  world.Step();
  EXPECT_EQ(world.cloud->Calls("post"), 1);
  EXPECT_EQ(world.Status("r"), "Reconciling ProgressingWithRetry");
  world.Advance(seconds(2));
  EXPECT_EQ(world.cloud->Calls("post"), 1);
  EXPECT_EQ(world.Events("WriteConfirmed"), 1);
  EXPECT_EQ(world.Status("r"), "Ready ReconciliationSucceeded");
}

TEST_F(EngineContest, AnAnswerThatTellsAnotherPolicyIsNotTakenForTheWrite) {
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  world.Declare("m", "t", kViewer, {kAna});
  // It says that it was done, and nothing was.
  world.cloud->Fail({.operation = "setIamPolicy", .body = R"({"etag":"BwNew","bindings":[]})"});
  world.Pass();
  EXPECT_EQ(world.Events("WriteContested"), 1);
  world.Advance(seconds(2));
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
}

TEST_F(EngineContest, AnAnswerWithoutAnEtagLeavesTheOutcomeToTheNextReading) {
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  world.Declare("m", "t", kViewer, {kAna});
  world.cloud->Fail({.operation = "setIamPolicy", .body = "{}"});
  world.Pass();
  EXPECT_THAT(world.store.state.intents, ::testing::SizeIs(1));
  world.Advance(seconds(2));
  EXPECT_EQ(world.Events("WriteNotLanded"), 1);
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
}

TEST_F(EngineContest, WhatIsToGoIsGoneWhenAReadingShowsItNotWhenAWriteSaysSo) {
  world.settings.catalog.keep_undeclared = true;
  world.Configure();
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  world.Declare("m", "t", kViewer, {kAna});
  world.Declare("e", "t", kEditor, {kBob});
  world.Pass();
  world.cloud->Fail({.operation = "setIamPolicy",
                     .body = R"({"etag":"BwNew","bindings":[{"role":"roles/editor",)"
                             R"("members":["user:bob@example.com"]}]})"});
  world.Remove("m");
  world.Pass();
  EXPECT_EQ(world.Events("Deleted"), 0);
  EXPECT_NE(world.Status("m"), "gone");
  world.Advance(seconds(2));
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/editor user:bob@example.com"));
  EXPECT_EQ(world.Status("m"), "gone");
}

}  // namespace
}  // namespace bindery::testing
