// Grants that no manifest declares, by `undeclaredRoles`, as every view of the program tells of
// them; and counts that all views agree on.

#include <string>
#include <vector>

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kUndeclaredSeed = R"(
projects: [{id: acme, number: "123456789012"}]
iamPolicies:
  //cloudresourcemanager.googleapis.com/projects/acme:
    bindings:
      - {role: roles/owner, members: ["user:ceo@example.com"]}
      - role: roles/compute.serviceAgent
        members: [serviceAccount:service-123456789012@compute-system.iam.gserviceaccount.com]
      - {role: roles/browser, members: ["user:ana@example.com", "user:bob@example.com"]}
      - {role: roles/viewer, members: ["user:auditor@example.com"]}
  //networksecurity.googleapis.com/projects/acme/locations/global/authorizationPolicies/pay:
    bindings:
      - {role: roles/viewer, members: ["user:ana@example.com"]}
)";
constexpr const char* kBrowser = R"(
apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamMember
metadata: {name: browser}
spec: {name: projects/acme, role: roles/browser, member: "user:ana@example.com"}
)";

class Undeclared : public ::testing::Test {
 protected:
  void Configure(const std::string& settings) const {
    world.Configure("reconcile: {interval: 1s}\n" + settings);
  }
  [[nodiscard]] Json Project() const {
    const Json seed = *ParseJson(world.Cloud("GET", "/_emulator/seed").body);
    return seed.at("iamPolicies").at("//cloudresourcemanager.googleapis.com/projects/acme");
  }
  [[nodiscard]] Json Answer(const std::string& path) const {
    return *ParseJson(world.Ask("GET", "/api/v1" + path).body);
  }
  /// The sum of a metric over all label sets that have `label`.
  [[nodiscard]] std::int64_t Metric(const std::string& name, const std::string& label = "") const {
    std::istringstream lines(world.Ask("GET", "/metrics").body);
    double sum = 0;
    for (std::string line; std::getline(lines, line);) {
      const bool wanted = line.starts_with(name + "{") && line.find(label) != std::string::npos;
      if (wanted) sum += std::stod(line.substr(line.rfind(' ')));
    }
    return static_cast<std::int64_t>(sum);
  }

  World world{kUndeclaredSeed};
};

TEST_F(Undeclared, GrantsThatAreReportedAreOpenDriftInEveryViewAndStay) {
  world.dir().Write("manifests/a.yaml", kBrowser);
  Configure("targets: [{match: projects/acme, undeclaredRoles: report}]\n");
  const Json before = Project();
  const Outcome plan = world.Run({"plan"});
  EXPECT_EQ(plan.exit_code, 1) << plan.out << plan.err;
  EXPECT_THAT(plan.out, AllOf(HasSubstr("user:auditor@example.com holds roles/viewer"),
                              HasSubstr("3 differences are open drift that no pass changes"),
                              HasSubstr("undeclaredRoles: report"), Not(HasSubstr("No changes")),
                              Not(HasSubstr("lose"))));
  const Json planned = *ParseJson(world.Run({"plan", "-o", "json"}).out);
  EXPECT_EQ(planned.at("summary").at("reported"), 3);
  EXPECT_EQ(planned.at("changes").at(0).at("standing"), "reported");
  for (const Json& stopped : planned.at("changes").at(0).at("stopped")) {
    EXPECT_EQ(stopped.at("gate"), "undeclared roles");
  }
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 1);
  EXPECT_EQ(Project(), before);

  world.StartDaemon();
  world.Eventually("metrics", [&] { return Metric("bindery_undeclared_grants") == 3; });
  EXPECT_EQ(Metric("bindery_drift_items", "class=\"undeclared\""), 3);
  const Json drift = Answer("/drift");
  EXPECT_EQ(drift.at("summary").at("open"), 3);
  EXPECT_EQ(drift.at("summary").at("undeclared"), 3);
  for (const Json& item : drift.at("items")) {
    EXPECT_EQ(item.at("class"), "undeclared");
    EXPECT_EQ(item.at("state"), "open");
    EXPECT_EQ(item.at("action"), "none: only reported (undeclaredRoles: report)");
  }
  EXPECT_TRUE(world.IsReady("browser"));
  EXPECT_THAT(StringMember(world.Status("browser"), "message"),
              HasSubstr("3 grants on its target that no manifest declares are only reported"));
  EXPECT_THAT(world.Run({"events"}).out, HasSubstr("DriftFound"));
  EXPECT_EQ(world.Run({"drift"}).exit_code, 1);
  EXPECT_EQ(Project(), before) << "nothing was written";
}

TEST_F(Undeclared, GrantsThatAreKeptAreCountedAndAreNoDrift) {
  world.dir().Write("manifests/a.yaml", kBrowser);
  Configure("");
  world.StartDaemon();
  world.Eventually("metrics", [&] { return Metric("bindery_undeclared_grants") == 3; });
  const Outcome plan = world.Run({"plan"});
  EXPECT_EQ(plan.exit_code, 0) << plan.out << plan.err;
  EXPECT_EQ(Answer("/drift").at("summary").at("undeclared"), 3);
  EXPECT_EQ(Answer("/drift").at("summary").at("open"), 0);
  EXPECT_EQ(Answer("").at("drift").at("undeclared"), 3);
  EXPECT_THAT(world.Ask("GET", "/").body, ContainsRegex("Undeclared grants[^0-9]*3<"));
  EXPECT_THAT(world.Run({"drift"}).out, HasSubstr("3 grants are declared by no manifest"));
  // The count follows the manifests although the policy stays.
  world.dir().Write("manifests/b.yaml", R"(
apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamMember
metadata: {name: viewer}
spec: {name: projects/acme, role: roles/viewer, member: "user:auditor@example.com"}
)");
  world.Eventually("declared", [&] { return Metric("bindery_undeclared_grants") == 2; });
  EXPECT_EQ(Answer("/drift").at("summary").at("undeclared"), 2);
}

TEST_F(Undeclared, TheSettingOfAllReportsOnEveryKind) {
  world.dir().Write("manifests/a.yaml", kBrowser);
  world.Configure("reconcile: {interval: 1s, undeclaredRoles: report}\n");
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 1);
  const Json drift = *ParseJson(world.Run({"drift", "-o", "json"}).out);
  EXPECT_EQ(drift.at("summary").at("open"), 3);
}

/// One world with all that has been counted in more than one way: a rule that accepts drift, a
/// target that is not there, a condition that has ended, a warning, and a held removal.
TEST_F(Undeclared, EveryViewCountsAlike) {
  world.dir().Write("manifests/a.yaml", kBrowser);
  world.dir().Write("manifests/rule.yaml", R"(
apiVersion: bindery
kind: AcceptedDrift
metadata: {name: incident}
spec:
  match: {target: projects/acme, role: roles/viewer, class: undeclared}
  reason: break-glass
  owner: ana@example.com
)");
  const auto policy = [](const std::string& name, const std::string& of, const char* condition) {
    return "apiVersion: cloudnative:networksecurity/v1\nkind: AuthorizationPolicyIamBinding\n"
           "metadata: {name: " +
           name +
           "}\nspec:\n  name: "
           "projects/acme/locations/global/authorizationPolicies/" +
           of + "\n  role: roles/viewer\n  members: [\"user:ana@example.com\"]\n" + condition;
  };
  constexpr const char* kEnded =
      "  condition: {title: old, expression: 'request.time < "
      "timestamp(\"2020-01-01T00:00:00Z\")'}\n";
  world.dir().Write("manifests/pay.yaml", policy("pay", "pay", kEnded));
  world.dir().Write("manifests/absent.yaml", policy("absent", "absent", ""));
  Configure("targets: [{match: projects/acme, undeclaredRoles: report}]\n");

  world.StartDaemon();
  world.Eventually("looked for", [&] { return world.Reason("absent") == "NOT_FOUND"; });
  world.Eventually("read", [&] { return world.IsReady("browser") && world.IsReady("pay"); });
  world.Eventually("measured", [&] { return Metric("bindery_undeclared_grants") == 3; });
  const Json overview = Answer("");
  const Json drift = Answer("/drift").at("summary");

  // Targets: three, not the name that the rule stands on.
  EXPECT_EQ(drift.at("targets"), 3);
  EXPECT_EQ(overview.at("drift").at("targets"), 3);
  EXPECT_EQ(Answer("/targets").at("total"), 3);
  EXPECT_EQ(Metric("bindery_targets"), 3);
  world.Eventually("a first pass", [&] {
    return world.DaemonLog().find("first pass done targets=3") != std::string::npos;
  });

  // Accepted differences.
  EXPECT_EQ(drift.at("accepted"), 1);
  EXPECT_EQ(overview.at("drift").at("accepted"), 1);
  EXPECT_EQ(Metric("bindery_drift_accepted_items"), 1);
  EXPECT_EQ(drift.at("undeclared"), 3) << "an accepted one is declared by nobody either";

  // Resources by state.
  EXPECT_EQ(overview.at("resources").at("total"), 4);
  EXPECT_EQ(overview.at("resources").at("stalled"), 1);
  EXPECT_EQ(overview.at("resources").at("failing"), 1);
  EXPECT_EQ(drift.at("failing"), 1);
  EXPECT_EQ(Metric("bindery_resources", "state=\"stalled\""), 1);
  EXPECT_EQ(Metric("bindery_resources"), 4);
  EXPECT_EQ(Answer("/resources?state=Stalled&limit=5").at("total"), 1);

  // Warnings: what time did to a condition is told apart, and once.
  const Json validated = *ParseJson(world.Run({"validate", "-o", "json"}).out);
  EXPECT_EQ(validated.at("summary"), overview.at("problems"));
  EXPECT_EQ(validated.at("summary"), Answer("/problems").at("summary"));
  EXPECT_EQ(validated.at("expired").size(), 1U);
  EXPECT_EQ(validated.at("expired").at(0).at("resource"), "pay");
  const auto warnings = validated.at("summary").at("warnings").get<std::int64_t>();
  EXPECT_GT(warnings, 0);
  EXPECT_THAT(world.Ask("GET", "/metrics").body,
              HasSubstr("bindery_manifest_warnings " + std::to_string(warnings) + "\n"));
}

TEST_F(Undeclared, ConditionsThatHaveEndedAreToldOnceBesideAPlan) {
  std::string all;
  for (int i = 0; i < 30; ++i) {
    all +=
        "apiVersion: cloudnative:networksecurity/v1\nkind: AuthorizationPolicyIamMember\n"
        "metadata: {name: old-" +
        std::to_string(i) +
        "}\nspec:\n  name: "
        "projects/acme/locations/global/authorizationPolicies/pay\n  role: roles/viewer\n"
        "  member: \"user:u" +
        std::to_string(i) +
        "@example.com\"\n"
        "  condition: {title: old, expression: 'request.time < "
        "timestamp(\"2020-01-01T00:00:00Z\")'}\n---\n";
  }
  world.dir().Write("manifests/old.yaml", all);
  Configure("");
  for (const char* command : {"plan", "validate"}) {
    const Outcome told = world.Run({command});
    const std::string text = told.out + told.err;
    const std::string note = "30 manifests grant nothing any more";
    const auto at = text.find(note);
    EXPECT_NE(at, std::string::npos) << command << ": " << text;
    EXPECT_EQ(text.find(note, at + 1), std::string::npos) << command;
    EXPECT_THAT(text, Not(HasSubstr("the condition is expired"))) << command;
    EXPECT_THAT(text, HasSubstr("and 27 more")) << command;
  }
}

}  // namespace
}  // namespace bindery::testing
