// Between the program and its cloud stands a proxy that somebody else wrote: Debian's nginx, first
// a good one, then one that misbehaves.

#include <memory>

#include "integration/manifests.h"
#include "integration/world.h"
#include "support/certificates.h"
#include "support/nginx.h"

namespace bindery::testing {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kTargets[] = {"good", "slow", "html", "cut", "gateway"};

std::string RecordPolicy(const std::string& target) {
  return "projects/acme/locations/global/authorizationPolicies/" + target;
}

std::string FiveTargets() {
  std::string seed = kSeed;
  seed.erase(0, seed.find("managementServers"));
  seed += "authorizationPolicies:\n";
  for (const char* target : kTargets) seed += "  - " + RecordPolicy(target) + "\n";
  return seed;
}

class BehindNginx : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!Nginx::Installed()) GTEST_SKIP() << "nginx is not installed: ./dev setup";
    world_ = std::make_unique<World>(FiveTargets());
    authority_ = std::make_unique<TestAuthority>(certificates_, "ca");
    server_ = authority_->Issue("server");
    for (const char* target : kTargets) {
      std::string binding = Binding(target, "roles/viewer", "[user:ana@example.com]");
      binding.replace(binding.find(kPayments), std::string(kPayments).size(), RecordPolicy(target));
      world_->dir().Write("manifests/" + std::string(target) + ".yaml", binding);
    }
    world_->dir().Write("manifests/board.yaml", R"(
apiVersion: monitoring
kind: RestrictionPolicy
metadata: {name: board}
spec:
  resourceId: "dashboard:abc-def-ghi"
  bindings: [{relation: editor, principals: ["role:r1"]}]
)");
  }

  /// An nginx before the cloud that treats some targets in its own way.
  [[nodiscard]] std::string Proxy(const std::string& locations) const {
    return "server { listen 127.0.0.1:@PORT@ ssl http2; ssl_certificate " + server_.certificate +
           "; ssl_certificate_key " + server_.key + ";\n location / { proxy_pass http://" +
           world_->CloudAddress() + "; }\n" + locations + "}\n";
  }

  /// Sends the program to the proxy instead of to the cloud.
  void ConfigureFor(const Nginx& nginx, const std::string& settings) const {
    world_->Configure(settings);
    std::string text = world_->dir().Read("bindery.yaml");
    const std::string cloud = "http://" + world_->CloudAddress();
    for (auto at = text.find(cloud); at != std::string::npos; at = text.find(cloud)) {
      text.replace(at, cloud.size(), "https://127.0.0.1:" + std::to_string(nginx.port()));
    }
    world_->dir().Write("bindery.yaml", text);
  }

  [[nodiscard]] std::string Message(const std::string& name) const {
    return StringMember(world_->Status(name), "message");
  }

  void AwaitMessage(const std::string& name) const {
    world_->Eventually(name + " is reported", [&] {
      return Message(name).find("networksecurity.getIamPolicy") != std::string::npos;
    });
  }

  TempDir certificates_;  ///< Not the world's: there no key may lie about.
  std::unique_ptr<World> world_;
  std::unique_ptr<TestAuthority> authority_;
  CertificateFiles server_;
};

TEST_F(BehindNginx, TheMainJobConvergesOverTlsAndOneHttp2Connection) {
  const Nginx nginx(Proxy(""));
  ConfigureFor(nginx, "transport: {caFile: " + authority_->file() + "}\n");
  const Outcome once = world_->Run({"run", "--once"});
  EXPECT_EQ(once.exit_code, 0) << once.err;
  for (const char* target : kTargets) {
    EXPECT_THAT(world_->Members(RecordPolicy(target), "roles/viewer"),
                ElementsAre("user:ana@example.com"));
  }
  std::vector<std::string> connections;
  std::istringstream log(nginx.AccessLog());
  for (std::string line; std::getline(log, line);) {
    EXPECT_THAT(line, StartsWith("HTTP/2.0 "));
    connections.push_back(line.substr(9, line.find(' ', 9) - 9));
  }
  ASSERT_GE(connections.size(), 12U) << "a read and a write of each target";
  EXPECT_THAT(connections, Each(connections.front()));
}

TEST_F(BehindNginx, AnAuthorityNobodyConfiguredIsAnErrorWithARemedyAndNothingIsSent) {
  const Nginx nginx(Proxy(""));
  ConfigureFor(nginx, "");
  world_->StartDaemon();
  AwaitMessage("good");
  EXPECT_FALSE(world_->IsReady("good"));
  EXPECT_EQ(Message("good"),
            "UNAVAILABLE: networksecurity.getIamPolicy: no answer from https://127.0.0.1:" +
                std::to_string(nginx.port()) +
                ": SSL certificate problem: unable to get local issuer certificate; set "
                "transport.caFile if a company proxy re-signs TLS");
  EXPECT_EQ(nginx.AccessLog(), "");
}

TEST_F(BehindNginx, ABadCaFileIsAnErrorAtTheStart) {
  world_->Configure("transport: {caFile: none.pem}\n");
  const Outcome absent = world_->Run({"run", "--once"});
  EXPECT_EQ(absent.exit_code, 2);
  EXPECT_THAT(absent.err, HasSubstr("transport.caFile: \"" + world_->dir() / "none.pem" +
                                    "\" cannot be read: No such file or directory"));
  world_->Configure("transport: {caFile: seed.yaml}\n");
  EXPECT_THAT(world_->Run({"run", "--once"}).err, HasSubstr("holds no PEM certificate"));
}

TEST_F(BehindNginx, AProxyThatIsNotThereIsNamedAndItsPasswordIsNot) {
  const Nginx nginx(Proxy(""));
  ConfigureFor(nginx, "transport: {proxy: \"http://ana:SECRET@127.0.0.1:" +
                          std::to_string(nginx.port2()) + "\"}\n");
  // Loopback is never proxied, so the cloud gets a name.
  std::string text = world_->dir().Read("bindery.yaml");
  const std::string host = "https://127.0.0.1";
  for (auto at = text.find(host); at != std::string::npos; at = text.find(host)) {
    text.replace(at, host.size(), "https://cloud.invalid");
  }
  world_->dir().Write("bindery.yaml", text);
  world_->StartDaemon();
  AwaitMessage("good");
  EXPECT_THAT(Message("good"), HasSubstr("proxy http://127.0.0.1:" + std::to_string(nginx.port2()) +
                                         " cannot be used: "));
  EXPECT_THAT(world_->DaemonLog(), Not(HasSubstr("SECRET")));
  EXPECT_THAT(world_->Run({"events"}).out, Not(HasSubstr("SECRET")));
  EXPECT_THAT(world_->RunJson({"get"}).dump(), Not(HasSubstr("SECRET")));

  // Another proxy needs another start, and the log says so.
  const auto at = text.find("SECRET");
  world_->dir().Write("bindery.yaml", text.replace(at, 6, "SECRET-2"));
  world_->Signal(SIGHUP);
  world_->Eventually("the reload is reported", [&] {
    return world_->DaemonLog().find("takes effect at the next start key=transport") !=
           std::string::npos;
  });
  EXPECT_THAT(world_->DaemonLog(), Not(HasSubstr("SECRET")));
}

TEST_F(BehindNginx, SickTargetsAreReportedAsTheyAreAndHoldNobodyUpAndMendByThemselves) {
  Nginx nginx(Proxy(R"(
    location ~ /slow:  { limit_rate 1; return 200 '{"etag":"ACAB","bindings":[]}'; }
    location ~ /html:  { return 404 '<html>no such page</html>'; default_type text/html; }
    location ~ /cut:   { return 444; }
    location ~ /gateway: { proxy_pass http://127.0.0.1:@PORT2@; }
)"));
  ConfigureFor(nginx, "transport: {caFile: " + authority_->file() +
                          ", timeout: 1s}\nreconcile: {interval: 1s, jitter: 0}\n");
  world_->StartDaemon();
  world_->Eventually("the healthy targets are ready",
                     [&] { return world_->IsReady("good") && world_->IsReady("board"); });
  const std::string where = "https://127.0.0.1:" + std::to_string(nginx.port());
  const std::string call = ": networksecurity.getIamPolicy: ";
  const std::string html = " with text/html instead of the service's JSON: check the endpoint ";
  const std::pair<const char*, std::string> expected[] = {
      {"slow", "DEADLINE_EXCEEDED" + call + "no answer from " + where +
                   ": timed out after 1s without a complete answer"},
      {"html", "INTERNAL" + call + "answered HTTP 404" + html + where + " (HTTP 404)"},
      {"cut", "UNAVAILABLE" + call + "no answer from " + where +
                  ": HTTP/2 stream was not closed cleanly: PROTOCOL_ERROR (err 1)"},
      {"gateway", "UNAVAILABLE" + call + "answered HTTP 502" + html + where + " (HTTP 502)"}};
  for (const auto& [name, message] : expected) {
    const std::string target = name;
    // On a busy machine other timeouts come first.
    world_->Eventually(target + ": " + message, [&, &expected_message = message] {
      return Message(target) == expected_message && !world_->IsReady(target);
    });
  }

  // While they are sick the healthy ones are still looked after.
  world_->SetPolicy(RecordPolicy("good"), Holders("roles/owner", {"allUsers"}));
  world_->Eventually("the drift of a healthy target is repaired",
                     [&] { return world_->Members(RecordPolicy("good"), "roles/owner").empty(); });
  EXPECT_THAT(world_->Run({"events"}).out, Not(HasSubstr("NOT_FOUND")));
  const Json drift = world_->RunJson({"drift"});
  for (const Json& item : drift.at("items")) EXPECT_NE(item.at("class"), "target-missing");
  for (const char* target : {"slow", "html", "cut", "gateway"}) {
    EXPECT_THAT(world_->Members(RecordPolicy(target), "roles/viewer"), ::testing::IsEmpty());
  }

  nginx.Reload(Proxy(""));
  for (const char* target : kTargets) {
    world_->Eventually(std::string(target) + " is mended", [&] { return world_->IsReady(target); });
    EXPECT_THAT(world_->Members(RecordPolicy(target), "roles/viewer"),
                ElementsAre("user:ana@example.com"));
  }
  EXPECT_EQ(world_->Kill(SIGTERM), 0);
}

}  // namespace
}  // namespace bindery::testing
