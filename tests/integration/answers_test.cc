// A cloud that answers wrongly for seconds, and what the program makes of it.

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kKeeping =
    "reconcile: {interval: 1s, jitter: 0, undeclaredRoles: keep, fullReadEvery: 1}\n";

/// One role is declared; another one is held by somebody of whom no manifest speaks.
class Answers : public ::testing::Test {
 protected:
  Answers() {
    world.SetPolicy(kPayments, Holders("roles/editor", {"user:boss@example.com"}));
    world.dir().Write("manifests/a.yaml",
                      Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
    world.StartDaemon();
    world.Eventually("ready", [&] { return world.IsReady("viewers"); });
    world.ResetRequests();
  }
  void AwaitReadings(int count) {
    const std::int64_t before = world.Count("networksecurity.getIamPolicy");
    world.Eventually("readings",
                     [&] { return world.Count("networksecurity.getIamPolicy") >= before + count; });
  }
  World world{kSeed, kKeeping};
};

TEST_F(Answers, WhatIsNoPolicyIsNeverWrittenOver) {
  for (const Json& answer :
       {Json::object(), Json{{"version", 1}}, Json{{"bindings", Json::array()}}, Json{{"etag", ""}},
        Json("<html></html>"), Json(R"({"etag":"BwX=","bindings":[],"etag":"BwX="})")}) {
    SCOPED_TRACE(answer.dump());
    world.SetFaults({{{"operation", "*.getIamPolicy"}, {"answer", answer}}});
    AwaitReadings(2);
    world.SetFaults(Json::array());
    world.Eventually("ready", [&] { return world.IsReady("viewers"); });
  }
  EXPECT_EQ(world.Count("networksecurity.setIamPolicy"), 0);
  EXPECT_THAT(world.Members(kPayments, "roles/editor"), ElementsAre("user:boss@example.com"));
}

TEST_F(Answers, AnEmptyPolicyWithTheRightEtagIsNotBelievedForSeconds) {
  const std::string etag = StringMember(world.Policy(kPayments), "etag");
  world.SetFaults({{{"operation", "*.getIamPolicy"}, {"answer", {{"etag", etag}}}}});
  AwaitReadings(2);
  world.SetFaults(Json::array());
  world.Eventually("ready", [&] { return world.IsReady("viewers"); });
  EXPECT_EQ(world.Count("networksecurity.setIamPolicy"), 0);
  EXPECT_THAT(world.Run({"events"}).out, HasSubstr("AnswerDoubted"));
}

TEST_F(Answers, AManifestThatGoesWhileItsTargetIsNotFoundIsStillCarriedOut) {
  world.SetFaults({{{"operation", "*.getIamPolicy"}, {"status", 404}}});
  world.dir().Write("manifests/b.yaml",
                    Binding("others", "roles/browser", "[user:bob@example.com]"));
  world.dir().Remove("manifests/a.yaml");
  world.Eventually("looked for", [&] { return world.Reason("viewers") == "TargetNotFound"; });
  AwaitReadings(3);
  EXPECT_THAT(world.Run({"events"}).out, Not(HasSubstr("so is what it granted")));
  world.SetFaults(Json::array());
  world.Eventually("taken away", [&] { return world.Members(kPayments, "roles/viewer").empty(); });
  world.Eventually("told", [&] {
    return world.Run({"events"}).out.find("so is what it granted") != std::string::npos;
  });
  EXPECT_THAT(world.Members(kPayments, "roles/editor"), ElementsAre("user:boss@example.com"));
}

TEST_F(Answers, ARetryAfterOfDaysIsToldAndBounded) {
  world.SetFaults(
      {{{"operation", "*.getIamPolicy"}, {"times", 1}, {"status", 503}, {"retryAfter", "4d"}}});
  world.Eventually("told", [&] {
    return StringMember(world.Status("viewers"), "message")
               .find("it asks to wait for 4d, and is asked again after 5m") != std::string::npos;
  });
}

}  // namespace
}  // namespace bindery::testing
