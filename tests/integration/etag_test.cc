// Idle checks that read the etags of policies alone, and services whose etags say nothing.

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kRead = "networksecurity.getIamPolicy";
constexpr const char* kReadEtag = "networksecurity.getIamPolicy?fields=etag";
constexpr const char* kOften = "reconcile: {interval: 1s, jitter: 0, fullReadEvery: 100}\n";

/// One role is declared, and held by 200 members.
class Etags : public ::testing::Test {
 protected:
  void Begin(const std::string& settings) {
    world.Configure(settings);
    std::string members;
    for (int i = 0; i < 200; ++i) {
      members += (i == 0 ? "user:" : ", user:") + std::to_string(i) + "@example.com";
    }
    world.dir().Write("manifests/a.yaml", Binding("viewers", "roles/viewer", "[" + members + "]"));
    world.StartDaemon();
    world.Eventually("ready", [&] { return world.IsReady("viewers"); });
    AwaitEtagReads(1);
  }
  [[nodiscard]] std::int64_t EtagReads() const {
    return world.Requests().at("partial").value(kReadEtag, std::int64_t{0});
  }
  void AwaitEtagReads(int count) const {
    world.ResetRequests();
    world.Eventually("reads of the etag", [&] { return EtagReads() >= count; });
  }
  [[nodiscard]] int Events(const std::string& reason) const {
    const std::string out = world.Run({"events", "--since", "1h"}).out;
    int count = 0;
    for (auto at = out.find(reason); at != std::string::npos; at = out.find(reason, at + 1)) {
      ++count;
    }
    return count;
  }
  void GrantToEve() const {
    Json bindings = world.Policy(kPayments).at("bindings");
    bindings.push_back({{"role", "roles/editor"}, {"members", {"user:eve@example.com"}}});
    world.SetPolicy(kPayments, bindings);
  }

  World world{kSeed};
};

TEST_F(Etags, AnIdleCheckAsksForTheEtagAndIsAnsweredWithIt) {
  Begin(kOften);
  AwaitEtagReads(3);
  const Json requests = world.Requests();
  const std::int64_t reads = requests.at("operations").at(kRead).get<std::int64_t>();
  EXPECT_EQ(requests.at("partial").at(kReadEtag), reads) << "all of them";
  EXPECT_LE(requests.at("answeredBytes").get<std::int64_t>(), reads * 64)
      << "a policy of 200 members has some 6,000 bytes";
  EXPECT_THAT(world.Ask("GET", "/metrics").body,
              HasSubstr("bindery_policy_reads_total{form=\"etag\","
                        "kind=\"AuthorizationPolicyIamBinding\"}"));
}

TEST_F(Etags, AForeignChangeIsReadInFullAndRepaired) {
  Begin(kOften);
  GrantToEve();
  world.Eventually("repaired", [&] { return world.Members(kPayments, "roles/editor").empty(); });
  EXPECT_EQ(Events("EtagStoodStill"), 0);
}

TEST_F(Etags, OneSwitchesItOff) {
  world.Configure("reconcile: {interval: 1s, jitter: 0, fullReadEvery: 1}\n");
  world.dir().Write("manifests/a.yaml",
                    Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("viewers"); });
  world.ResetRequests();
  world.Eventually("reads", [&] { return world.Count(kRead) >= 3; });
  EXPECT_EQ(EtagReads(), 0);
}

TEST_F(Etags, AServiceWithAConstantEtagIsNoticedAndReadInFullFromThenOn) {
  Begin("reconcile: {interval: 1s, jitter: 0, fullReadEvery: 3}\n");
  world.SetFaults({{{"operation", "*"}, {"etag", "BwWWja0YfJA="}}});
  AwaitEtagReads(3);
  GrantToEve();
  world.Eventually("repaired", [&] { return world.Members(kPayments, "roles/editor").empty(); });
  world.Eventually("told", [&] { return Events("EtagStoodStill") == 1; });
  EXPECT_THAT(world.DaemonLog(),
              HasSubstr("the policy changed, and its etag did not: all policies "
                        "of the kind AuthorizationPolicyIamBinding are read in full"));
  world.ResetRequests();
  world.Eventually("reads", [&] { return world.Count(kRead) >= 4; });
  EXPECT_EQ(EtagReads(), 0);
  GrantToEve();
  world.Eventually("repaired again",
                   [&] { return world.Members(kPayments, "roles/editor").empty(); });
  EXPECT_EQ(Events("EtagStoodStill"), 1);
}

TEST_F(Etags, AServiceThatRefusesFieldsIsReadInFull) {
  Begin(kOften);
  for (int i = 0; i < 3; ++i) {
    // An idle check begins with the request for the etag.
    world.SetFaults({{{"operation", "*.getIamPolicy"}, {"times", 1}, {"status", 400}}});
    world.ResetRequests();
    world.Eventually("a read of the policy", [&] { return world.Count(kRead) > EtagReads(); });
  }
  EXPECT_TRUE(world.IsReady("viewers"));
  EXPECT_THAT(world.DaemonLog(), Not(HasSubstr("target failed")));
}

}  // namespace
}  // namespace bindery::testing
