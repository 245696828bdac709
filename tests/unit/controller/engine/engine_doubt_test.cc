// Answers that are not taken at their word: what is no policy, a policy without most of what it
// held, and another id under a known name.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_world.h"

namespace bindery::testing {
namespace {

using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::IsEmpty;
using ::testing::Le;

constexpr const char* kBossOwns = "roles/owner user:boss@example.com";

/// Grants of others stand beside the one that is declared; roles nobody declares are kept.
class EngineDoubt : public ::testing::Test {
 protected:
  EngineDoubt() {
    world.settings.confirm_emptied = seconds(10);
    world.settings.catalog.keep_undeclared = true;
    world.Configure();
    world.cloud->AddTarget(
        EngineWorld::TargetName("t"),
        R"([{"role":"roles/owner","members":["user:boss@example.com","user:eve@example.com"]}])");
    world.Declare("m", "t", kViewer, {kAna});
    world.Pass();
    world.cloud->ResetCounts();
  }
  /// Every reading is answered with that for so long, and then as things are.
  void AnswerFor(seconds time, const std::string& body) {
    world.cloud->Fail({.operation = "getIamPolicy", .times = 1'000'000, .body = body});
    world.Reconcile("m");
    world.Advance(time);
    world.cloud->EndFaults();
  }
  [[nodiscard]] std::string Etag() const {
    return StringMember(world.cloud->Policy(EngineWorld::TargetName("t")), "etag");
  }
  void ExpectAllAsItWas() {
    EXPECT_EQ(world.Writes(), 0);
    world.NextInterval();
    world.NextInterval();
    EXPECT_EQ(world.Writes(), 0);
    EXPECT_THAT(world.Grants("t"), ElementsAre(kBossOwns, kEveOwns, kAnaViews));
    EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
  }
  EngineWorld world;
};

class EngineNoPolicy : public EngineDoubt, public ::testing::WithParamInterface<const char*> {};

TEST_P(EngineNoPolicy, HoweverLongItIsAnsweredNothingIsWrittenAfterIt) {
  AnswerFor(seconds(600), GetParam());
  EXPECT_THAT(world.Message("m"), ::testing::HasSubstr("INTERNAL: networksecurity.getIamPolicy "));
  ExpectAllAsItWas();
}

INSTANTIATE_TEST_SUITE_P(
    Answers, EngineNoPolicy,
    ::testing::Values(
        "{}", R"({"version":1})", R"({"bindings":[]})", R"({"etag":"","bindings":[]})",
        R"({"etag":null,"version":1})",
        R"({"bindings":[{"role":"roles/viewer","members":["user:ana@example.com"]}]})",
        R"({"etag":"BwX","bind)", "<html></html>", "[]",
        R"({"error":{"code":404,"message":"m","status":"NOT_FOUND"}})"));

TEST_F(EngineDoubt, APolicyThatIsEmptyForSecondsIsNotWrittenOver) {
  AnswerFor(seconds(8), R"({"etag":")" + Etag() + R"("})");
  EXPECT_EQ(world.Status("m"), "Reconciling ProgressingWithRetry");
  EXPECT_EQ(world.Message("m"),
            "ABORTED: the policy is answered with 0 of the 3 grants it held: nothing is done about "
            "it before that was answered for 10s");
  EXPECT_EQ(world.Events("AnswerDoubted"), 1);
  ExpectAllAsItWas();
}

TEST_F(EngineDoubt, NorIsOneThatLacksMostOfItsGrantsForSeconds) {
  AnswerFor(seconds(8), R"({"etag":")" + Etag() +
                            R"(","bindings":[{"role":"roles/owner","members":["user:eve@x"]}]})");
  EXPECT_EQ(world.Events("AnswerDoubted"), 1);
  ExpectAllAsItWas();
}

TEST_F(EngineDoubt, WhatIsSaidSeveralTimesAndThenOnceIsNoLoss) {
  const std::string once = R"({"role":"roles/owner","members":["user:boss@example.com",)"
                           R"("user:eve@example.com"]},{"role":"roles/viewer","members":["user:)";
  AnswerFor(seconds(2), R"({"etag":")" + Etag() + R"(","bindings":[)" + once +
                            R"(ana@example.com"]},)" + once + R"(Ana@Example.com"]},)" + once +
                            R"(ana@example.com"]}]})");
  EXPECT_EQ(world.store.state.targets.begin()->second.grants, 3);
  ExpectAllAsItWas();
  EXPECT_EQ(world.Events("AnswerDoubted"), 0);
}

TEST_F(EngineDoubt, AnswersThatDifferEachTimeAreNeverConfirmed) {
  for (int i = 0; i < 20; ++i) {
    AnswerFor(seconds(3), R"({"etag":")" + Etag() + R"(","note":)" + std::to_string(i) + "}");
  }
  ExpectAllAsItWas();
}

TEST_F(EngineDoubt, WhatIsReallyEmptyIsFilledAfterSeveralReadingsSaidSo) {
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  world.Reconcile("m");
  world.Advance(seconds(9));
  EXPECT_EQ(world.Writes(), 0);
  EXPECT_FALSE(world.engine->Settled(3)) << "run --once waits for it";
  world.Advance(seconds(2));
  EXPECT_EQ(world.Writes(), 1);
  EXPECT_THAT(world.Reads(), AllOf(Ge(4), Le(6)));
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
}

TEST_F(EngineDoubt, ARestartForgetsNothingOfWhatAPolicyHeld) {
  world.Restart();
  AnswerFor(seconds(8), R"({"etag":")" + Etag() + R"("})");
  ExpectAllAsItWas();
}

TEST_F(EngineDoubt, APolicyThatNeverHeldAnythingIsFilledAtOnce) {
  world.cloud->AddTarget(EngineWorld::TargetName("u"));
  world.Declare("of-u", "u", kViewer, {kAna});
  world.Pass();
  EXPECT_EQ(world.Reads(), 1);
  EXPECT_EQ(world.Writes(), 1);
  EXPECT_EQ(world.Status("of-u"), "Ready ReconciliationSucceeded");
}

TEST_F(EngineDoubt, WhatOurOwnWriteEmptiedIsNoSurprise) {
  world.cloud->AddTarget(EngineWorld::TargetName("u"));
  world.Declare("of-u", "u", kViewer, {kAna});
  world.Pass();
  world.cloud->Fail({.operation = "setIamPolicy", .lost = true});
  world.Remove("of-u");
  world.Pass();
  world.Advance(seconds(2));
  EXPECT_THAT(world.Grants("u"), IsEmpty());
  EXPECT_EQ(world.Status("of-u"), "gone");
  EXPECT_EQ(world.Events("AnswerDoubted"), 0);
}

TEST_F(EngineDoubt, ARestrictionThatIsLiftedForSecondsIsNotWrittenOver) {
  constexpr const char* kRestrictedBoard = "dashboard:abc";
  world.DeclareRestriction("r", kRestrictedBoard, "editor", {"role:1", "role:2"});
  world.Pass();
  world.cloud->ResetCounts();
  world.cloud->Fail(
      {.operation = "get",
       .times = 1'000'000,
       .body =
           R"({"data":{"type":"restriction_policy","id":"dashboard:abc","attributes":{"bindings":[]}}})"});
  world.Reconcile("r");
  world.Advance(seconds(8));
  world.cloud->EndFaults();
  world.NextInterval();
  EXPECT_EQ(world.cloud->Calls("post"), 0);
  EXPECT_EQ(world.Status("r"), "Ready ReconciliationSucceeded");
}

/// A policy names a team whose id a lookup tells.
class EngineOtherId : public ::testing::Test {
 protected:
  EngineOtherId() {
    world.settings.confirm_emptied = seconds(10);
    world.Configure();
    world.DeclareYaml(
        "apiVersion: monitoring\nkind: getTeam\nmetadata: {name: sre}\nspec: {handle: sre}\n---\n"
        "apiVersion: monitoring\nkind: RestrictionPolicy\nmetadata: {name: board}\nspec:\n"
        "  resourceId: dashboard:abc-def-ghi\n"
        "  bindings: [{relation: editor, principals: [\"team:${sre.id}\"]}]\n");
    AnswerWith("t-1");
    world.Pass();
    world.Pass();
    world.cloud->ResetCounts();
  }
  void AnswerWith(const std::string& id, const std::string& handle = "sre") {
    world.cloud->EndFaults();
    world.cloud->Fail({.operation = "list",
                       .times = 1'000'000,
                       .body = R"({"data":[{"type":"team","id":")" + id +
                               R"(","attributes":{"name":"Us","handle":")" + handle + R"("}}]})"});
  }
  [[nodiscard]] std::string Editor() const {
    const Json bindings = world.cloud->Restriction("dashboard:abc-def-ghi");
    return bindings.empty() ? "nobody" : bindings.at(0).at("principals").at(0).get<std::string>();
  }
  EngineWorld world;
};

TEST_F(EngineOtherId, ForSecondsRewritesNoPolicy) {
  ASSERT_EQ(Editor(), "team:t-1");
  AnswerWith("t-2");
  world.Reconcile("sre");
  world.Advance(seconds(8));
  EXPECT_EQ(world.Status("sre"), "Reconciling ProgressingWithRetry");
  EXPECT_EQ(world.Message("sre"),
            "ABORTED: the lookup is answered with id t-2, and gave id t-1 before: nothing is done "
            "about it before that was answered for 10s");
  EXPECT_EQ(world.Events("AnswerDoubted"), 1);
  world.Reconcile("board");
  AnswerWith("t-1");
  world.Advance(seconds(3));
  EXPECT_EQ(world.Status("sre"), "Ready ReconciliationSucceeded");
  EXPECT_EQ(world.Status("board"), "Ready ReconciliationSucceeded");
  EXPECT_EQ(world.cloud->Calls("post"), 0);
  EXPECT_EQ(world.Events("LookupChanged"), 0);
}

TEST_F(EngineOtherId, IsBelievedAfterSeveralReadingsSaidSo) {
  AnswerWith("t-2");
  world.Reconcile("sre");
  world.Advance(seconds(9));
  EXPECT_EQ(Editor(), "team:t-1");
  world.Advance(seconds(2));
  EXPECT_EQ(Editor(), "team:t-2");
  EXPECT_THAT(world.cloud->Calls("list"), AllOf(Ge(4), Le(7)));
  EXPECT_EQ(world.Events("LookupChanged"), 1);
  EXPECT_EQ(world.Status("board"), "Ready ReconciliationSucceeded");
}

TEST_F(EngineOtherId, ThatDiffersEachTimeIsNeverBelieved) {
  for (int i = 2; i < 12; ++i) {
    AnswerWith("t-" + std::to_string(i));
    world.Advance(seconds(3));
  }
  EXPECT_EQ(Editor(), "team:t-1");
}

TEST_F(EngineOtherId, IsDoubtedAnewByAnotherRun) {
  AnswerWith("t-2");
  world.Reconcile("sre");
  world.Advance(seconds(8));
  world.Restart();
  world.Configure();
  world.Pass();
  world.Advance(seconds(8));
  EXPECT_EQ(Editor(), "team:t-1");
  world.Advance(seconds(3));
  EXPECT_EQ(Editor(), "team:t-2");
}

TEST_F(EngineOtherId, IsNoSurpriseOfAnotherLookup) {
  AnswerWith("t-2", "ops");
  world.DeclareYaml(
      "apiVersion: monitoring\nkind: getTeam\nmetadata: {name: sre}\nspec: {handle: ops}\n");
  world.Pass();
  world.Pass();
  EXPECT_EQ(Editor(), "team:t-2");
  EXPECT_EQ(world.Events("AnswerDoubted"), 0);
}

}  // namespace
}  // namespace bindery::testing
