// What monitoring sees: a real Prometheus scrapes it, and promtool has nothing to say.

#include <fstream>
#include <regex>
#include <sstream>

#include "integration/manifests.h"
#include "integration/prometheus.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Observed : public ::testing::Test {
 protected:
  Observed() : world_(kSeed) {
    world_.dir().Write("manifests/a.yaml",
                       Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
    world_.StartDaemon();
    world_.Eventually("ready", [&] { return world_.Ask("GET", "/readyz").status == 200; });
  }

  static std::string Page() {
    const std::ifstream in(BINDERY_SOURCE "/docs/metrics.md");
    std::ostringstream page;
    page << in.rdbuf();
    return page.str();
  }
  static int Shell(const std::string& command) { return std::system(command.c_str()); }

  World world_;
};

TEST_F(Observed, PromtoolHasNothingToSay) {
  world_.dir().Write("metrics.txt", world_.Ask("GET", "/metrics").body);
  EXPECT_EQ(Shell("promtool check metrics < " + (world_.dir() / "metrics.txt") + " > " +
                  (world_.dir() / "lint.txt") + " 2>&1"),
            0);
  EXPECT_THAT(world_.dir().Read("lint.txt"), IsEmpty());
}

TEST_F(Observed, EveryFamilyIsDocumented) {
  const std::string page = Page();
  std::istringstream metrics(world_.Ask("GET", "/metrics").body);
  std::size_t families = 0;
  for (std::string line; std::getline(metrics, line);) {
    if (!line.starts_with("# HELP ")) continue;
    ++families;
    const std::string name = line.substr(7, line.find(' ', 7) - 7);
    const std::string help = line.substr(line.find(' ', 7) + 1);
    EXPECT_THAT(page, HasSubstr("| `" + name + "` |"));
    EXPECT_THAT(page, HasSubstr("| " + help + " |"));
  }
  EXPECT_GT(families, 30U);
}

// That every row names a family is for tests/deploy/check_monitoring.py: those without series are
// not shown.
TEST_F(Observed, EverySeriesIsOfTheTypeAndHasTheLabelsThatThePageSays) {
  const std::string page = Page();
  std::istringstream metrics(world_.Ask("GET", "/metrics").body);
  const std::regex label(R"re((\w+)="(?:[^"\\]|\\.)*")re");
  std::string name;
  std::string type;
  for (std::string line; std::getline(metrics, line);) {
    if (line.starts_with("# TYPE ")) std::istringstream(line.substr(7)) >> name >> type;
    if (line.empty() || line.starts_with("#")) continue;
    std::string labels;
    for (std::sregex_iterator at(line.begin(), line.end(), label); at != std::sregex_iterator();
         ++at) {
      // A histogram's buckets have this one.
      if ((*at)[1] == "le") continue;
      labels += (labels.empty() ? "`" : ", `") + (*at)[1].str() + "`";
    }
    EXPECT_THAT(page, HasSubstr("| `" + name + "` | " + type + " | " + labels + " |")) << line;
  }
}

TEST_F(Observed, OpenDriftIsAGauge) {
  world_.Configure("reconcile: {mode: observe}\n");
  world_.Signal(SIGHUP);
  world_.Eventually("reloaded", [&] {
    return world_.DaemonLog().find("configuration reloaded") != std::string::npos;
  });
  world_.SetPolicy(kPayments, Holders("roles/owner", {"allUsers"}));
  EXPECT_EQ(world_.Run({"reconcile", "viewers"}).exit_code, 0);
  EXPECT_THAT(world_.Ask("GET", "/metrics").body,
              HasSubstr(R"(bindery_drift_items{cause="foreign",class="undeclared",)"
                        R"(kind="AuthorizationPolicyIamBinding",severity="critical"} 1)"));
}

TEST_F(Observed, TheFamiliesPeopleGraphAreThere) {
  const std::string metrics = world_.Ask("GET", "/metrics").body;
  for (const char* line :
       {"controller_runtime_reconcile_total{controller=\"authorizationpolicyiambinding\"",
        "controller_runtime_active_workers{", "workqueue_depth{", "workqueue_adds_total{",
        "bindery_resources{", "bindery_drift_found_total{", "bindery_api_requests_total{",
        "bindery_guard_holds", "bindery_watcher_mode{mode=\"inotify\"} 1", "bindery_build_info{"}) {
    EXPECT_THAT(metrics, HasSubstr(line));
  }
}

TEST_F(Observed, ARealPrometheusScrapesIt) {
  world_.dir().Write("prometheus.yml",
                     "global: {scrape_interval: 1s}\nscrape_configs:\n  - job_name: bindery\n"
                     "    static_configs: [{targets: ['" +
                         world_.Address() + "']}]\n");
  const Prometheus prometheus(world_);
  world_.Eventually("the scrape is up",
                    [&] { return prometheus.Says("up%7Bjob%3D%22bindery%22%7D", "1"); });
  world_.Eventually("the ready resource is counted", [&] {
    return prometheus.Says("sum(bindery_resources%7Bstate%3D%22ready%22%7D)", "1") ||
           prometheus.Says("sum(bindery_resources%7Bstate%3D%22Ready%22%7D)", "1");
  });
}

TEST_F(Observed, ChangingCallsAreRefusedOverTcp) {
  const HttpResult refused =
      Fetch("POST", "http://" + world_.Address() + "/api/v1/reconcile",
            {{"Content-Type", "application/json"}}, R"({"names": ["viewers"]})");
  EXPECT_EQ(refused.status, 403);
  EXPECT_THAT(refused.body, HasSubstr("PERMISSION_DENIED"));
}

TEST_F(Observed, SecretsReachNeitherLogNorStore) {
  world_.Kill(SIGTERM);
  const std::string secret = "s3cr3t-token-of-the-test";
  world_.Configure("logging: {level: debug}\n");
  std::string text = world_.dir().Read("bindery.yaml");
  const std::string none = "credentials: {type: none}";
  text.replace(text.find(none), none.size(),
               "credentials: {type: accessToken, token: " + secret + "}");
  world_.dir().Write("bindery.yaml", text);
  world_.SetFaults(
      {{{"operation", "networksecurity.getIamPolicy"}, {"times", 1}, {"status", 401}}});
  const Outcome once = world_.Run({"run", "--once"});
  EXPECT_EQ(once.err.find(secret), std::string::npos);
  EXPECT_EQ(world_.dir().Read("state/bindery.db").find(secret), std::string::npos);
  EXPECT_EQ(world_.dir().Read("state/bindery.db-wal").find(secret), std::string::npos);
}

}  // namespace
}  // namespace bindery::testing
