// The daemon behind a web configuration: scraped by a real Prometheus over HTTPS, and told by a
// user who has signed in.

#include "integration/manifests.h"
#include "integration/prometheus.h"
#include "integration/world.h"
#include "support/bcrypt.h"
#include "support/certificates.h"
#include "support/https_client.h"

namespace bindery::testing {
namespace {

using ::testing::HasSubstr;

class SignedIn : public ::testing::Test {
 protected:
  SignedIn() : world_(kSeed) {
    const CertificateFiles files = authority_.Issue("server");
    world_.WriteSecret("web.yml", "tls_server_config: {cert_file: " + files.certificate +
                                      ", key_file: " + files.key +
                                      "}\nbasic_auth_users: {ana: " + Bcrypt("sesame") + "}\n");
    world_.dir().Write("manifests/a.yaml",
                       Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
    SetServer(R"(listen: "127.0.0.1:0", webConfigFile: web.yml)");
  }

  void SetServer(const std::string& settings) const {
    const std::string plain = R"(server: {listen: "127.0.0.1:0")";
    world_.Configure("");
    std::string text = world_.dir().Read("bindery.yaml");
    text.replace(text.find(plain), plain.size(), "server: {" + settings);
    world_.dir().Write("bindery.yaml", text);
  }

  /// Of the latest event of that reason; empty when there is none.
  std::string NameActor(const std::string& reason) {
    const Json journal = world_.RunJson({"events", "viewers"});
    for (const Json& event : journal.at("events")) {
      if (event["reason"] == reason) return event["actor"].get<std::string>();
    }
    return "";
  }

  TempDir keys_;  // Not the world's: what is there may hold no key.
  TestAuthority authority_{keys_, "root"};
  World world_;
};

TEST_F(SignedIn, WhoSignsInChangesThingsInTheirOwnName) {
  world_.StartDaemon();
  world_.Eventually("ready", [&] { return world_.IsReady("viewers"); });
  HttpsRequest request;
  request.authority = authority_.file();
  request.method = "POST";
  request.body = R"({"names": ["viewers"]})";
  const std::string url = "https://" + world_.Address() + "/api/v1/";
  EXPECT_EQ(FetchSecurely(url + "suspend", request).status, 401);
  request.user = "ana:sesame";
  for (const auto& [change, reason] :
       {std::pair("reconcile", "CheckRequested"), std::pair("suspend", "Suspended"),
        std::pair("resume", "Resumed")}) {
    const HttpsResult result = FetchSecurely(url + change, request);
    EXPECT_EQ(result.status, 200) << change << ": " << result.body;
    EXPECT_EQ(NameActor(reason).rfind("user ana (from 127.0.0.1:", 0), 0) << NameActor(reason);
  }
}

TEST_F(SignedIn, PrometheusScrapesOverHttpsWithItsPassword) {
  world_.StartDaemon();
  const std::string prometheus = R"(
scrape_configs:
  - job_name: bindery
    scrape_interval: 1s
    scheme: https
    tls_config: {ca_file: )" + authority_.file() +
                                 R"(}
    basic_auth: {username: ana, password: sesame}
    static_configs: [{targets: [")" +
                                 world_.Address() + R"("]}]
)";
  world_.WriteSecret("prometheus.yml", prometheus);
  const Prometheus server(world_);
  world_.Eventually("the scrape is up",
                    [&] { return server.Says("up%7Bjob%3D%22bindery%22%7D", "1"); });
}

TEST_F(SignedIn, AWebConfigurationThatCannotBeUsedStopsTheStart) {
  struct Case {
    std::string server;
    std::string web;
    std::string said;
  };
  const std::vector<Case> cases = {
      {R"(listen: "127.0.0.1:0", webConfigFile: none.yml)", "",
       "none.yml\" cannot be read: no such file"},
      {R"(listen: "127.0.0.1:0", webConfigFile: web.yml)", "basic_auth_user: {}\n",
       "web.yml:1:1: basic_auth_user: unknown key: did you mean \"basic_auth_users\"?"},
      {R"(listen: "0.0.0.0:0", webConfigFile: web.yml)", "rate_limit: {}\n",
       "server.listen: \"0.0.0.0:0\" can be reached from other machines, and "
       "server.webConfigFile requires no authentication"},
  };
  for (const Case& c : cases) {
    SetServer(c.server);
    world_.WriteSecret("web.yml", c.web);
    const Outcome outcome = world_.Run({"run"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(outcome.err, HasSubstr(c.said));
  }
}

}  // namespace
}  // namespace bindery::testing
