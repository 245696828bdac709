// Accepted drift: a break-glass grant outlives the passes until its time is over.

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "core/text/time_text.h"
#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using namespace std::chrono_literals;

constexpr const char* kStranger = "user:eve@example.com";

class Accepted : public ::testing::Test {
 protected:
  Accepted() {
    world_.dir().Write("manifests/m.yaml",
                       Binding("viewers", "roles/viewer", "[" + std::string(kAna) + "]"));
  }
  /// Everybody with a grant that nobody declares: the policy of an incident.
  void BreakGlass() const {
    world_.SetPolicy(kPayments,
                     Json::array({{{"role", "roles/viewer"}, {"members", {kAna, kStranger}}}}));
  }
  /// The settings of a short interval, and a rule for Eve.
  static std::string Rule(const std::string& until) {
    return kSettings + "drift:\n  accept:\n    - match: {target: \"" + std::string(kPayments) +
           "\", member: \"" + kStranger +
           "\"}\n      reason: incident 42\n      owner: ana\n      until: " + until + "\n";
  }
  [[nodiscard]] std::size_t Viewers() const {
    return world_.Members(kPayments, "roles/viewer").size();
  }
  [[nodiscard]] Json Drift() const { return world_.RunJson({"drift"}); }
  [[nodiscard]] std::int64_t Count(const char* name) const {
    return Drift().at("summary").at(name).get<std::int64_t>();
  }
  [[nodiscard]] bool WasAlarmed() const {
    const Json events = world_.RunJson({"events"}).at("events");
    return std::any_of(events.begin(), events.end(), [](const Json& event) {
      return event.at("reason") == "DriftFound" && event.at("type") == "Warning";
    });
  }

  inline static const std::string kSettings = "reconcile: {interval: 1s}\n";
  World world_{kSeed, kSettings};
};

TEST_F(Accepted, ABreakGlassGrantSurvivesAPassAndGoesWhenItsTimeIsOver) {
  world_.Configure(Rule("2100-01-01"));
  world_.StartDaemon();
  world_.Eventually("ready", [&] { return world_.IsReady("viewers"); });
  BreakGlass();
  world_.Eventually("accepted", [&] { return Count("accepted") == 1; });
  EXPECT_EQ(world_.Run({"reconcile", "viewers"}).exit_code, 0);
  EXPECT_EQ(Viewers(), 2U);
  EXPECT_TRUE(world_.IsReady("viewers"));
  EXPECT_FALSE(WasAlarmed());
  const Json report = Drift();
  EXPECT_EQ(report.at("summary").at("open"), 0);
  for (const Json& item : report.at("items")) EXPECT_EQ(item.at("state"), "corrected");
  const Json& item = report.at("accepted").at(0);
  EXPECT_EQ(item.at("state"), "accepted");
  EXPECT_EQ(item.at("acceptance").at("owner"), "ana");
  EXPECT_EQ(item.at("acceptance").at("until"), "2100-01-01T00:00:00.000Z");
  const Outcome shown = world_.Run({"drift", "--accepted"});
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_THAT(shown.out, HasSubstr("incident 42"));
  EXPECT_THAT(world_.Run({"drift"}).out, HasSubstr("bindery drift --accepted"));
  EXPECT_THAT(world_.Ask("GET", "/metrics").body,
              HasSubstr("bindery_drift_accepted_items{class=\"undeclared\""));
  const Outcome plan = world_.Run({"plan"});
  EXPECT_EQ(plan.exit_code, 0) << plan.out;

  const WallTime soon = std::chrono::system_clock::now() + 2s;
  world_.Configure(Rule(FormatRfc3339(soon)));
  world_.Eventually("removed", [&] { return Viewers() == 1; });
  EXPECT_GE(std::chrono::system_clock::now(), soon) << "it was removed before its time was over";
  world_.Eventually("alarmed", [&] { return WasAlarmed(); });
  EXPECT_EQ(Count("accepted"), 0);
}

std::string OwnUserName() {
  const passwd* own = ::getpwuid(::getuid());
  return own == nullptr ? "uid " + std::to_string(::getuid()) : own->pw_name;
}

TEST_F(Accepted, TheCommandWritesTheRule) {
  const std::string observing = "reconcile: {interval: 1s, mode: observe}\n";
  world_.Configure(observing + "drift:\n  severity: []   # none\n");
  world_.SetPolicy(kPayments,
                   Json::array({{{"role", "roles/viewer"}, {"members", {kAna, kStranger}}}}));
  world_.StartDaemon();
  world_.Eventually("drift", [&] { return Count("open") == 1; });
  const std::string id = std::to_string(Drift().at("items").at(0).at("id").get<std::int64_t>());
  EXPECT_THAT(world_.Run({"drift"}).out, HasSubstr(id));
  const std::string before = world_.dir().Read("bindery.yaml");

  const std::vector<std::string> accept = {
      "drift", "accept", id, "--reason", "incident 42", "--owner", "ana", "--until", "24h"};
  for (const char* option : {"--stdout", "--print"}) {
    std::vector<std::string> printing = accept;
    printing.emplace_back(option);
    const Outcome printed = world_.Run(printing);
    EXPECT_EQ(printed.exit_code, 0) << printed.err;
    EXPECT_THAT(printed.out, HasSubstr("incident 42"));
    EXPECT_EQ(world_.dir().Read("bindery.yaml"), before);
  }

  const Outcome own =
      world_.Run({"drift", "accept", id, "--reason", "incident 42", "--until", "24h", "--stdout"});
  EXPECT_EQ(own.exit_code, 0) << own.err;
  EXPECT_THAT(own.out, HasSubstr("owner: " + OwnUserName() + "\n"));
  const Outcome nobody =
      world_.Run({"drift", "accept", id, "--reason", "incident 42", "--owner", " "});
  EXPECT_EQ(nobody.exit_code, 2);
  EXPECT_THAT(nobody.err, HasSubstr("--owner is empty"));

  const Outcome written = world_.Run(accept);
  EXPECT_EQ(written.exit_code, 0) << written.err;
  EXPECT_THAT(written.out, HasSubstr("bindery.yaml: difference " + id + " is accepted until"));
  EXPECT_THAT(written.out, HasSubstr("reason: incident 42"));
  EXPECT_THAT(world_.dir().Read("bindery.yaml"), HasSubstr("  severity: []   # none\n"));
  world_.Eventually("accepted", [&] { return Count("accepted") == 1 && Count("open") == 0; });
  world_.Eventually("ready", [&] { return world_.IsReady("viewers"); });
  const Outcome again = world_.Run(accept);
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_THAT(again.err, HasSubstr("is accepted until"));

  for (const char* until : {"yesterday", "2020-01-01", "friday"}) {
    std::vector<std::string> wrong = accept;
    wrong.back() = until;
    EXPECT_EQ(world_.Run(wrong).exit_code, 2) << until;
  }
  EXPECT_EQ(world_.Run({"drift", "accept", "4711", "--reason", "r", "--owner", "o"}).exit_code, 2);
}

class AcceptedByManifest : public Accepted {
 protected:
  static std::string Manifest(const std::string& until = "2100-01-01") {
    return "apiVersion: bindery\nkind: AcceptedDrift\nmetadata: {name: break-glass}\n"
           "spec:\n  match: {target: \"" +
           std::string(kPayments) + "\", member: \"" + kStranger +
           "\"}\n  reason: incident 42\n  owner: ana\n  until: " + until + "\n";
  }
  /// Eve holds the role, and may.
  void Start(const std::string& settle = "0s") {
    world_.SetEnvironment("BINDERY_MANIFESTS_SETTLE", settle);
    world_.dir().Write("manifests/accepted.yaml", Manifest());
    BreakGlass();
    world_.StartDaemon();
    world_.Eventually("accepted", [&] { return Count("accepted") == 1; });
    world_.Eventually("in force", [&] { return world_.IsReady("break-glass"); });
  }
};

TEST_F(AcceptedByManifest, ItIsInForceFromTheFirstPassOnAndEndsWithItsFile) {
  EXPECT_EQ(world_.Run({"validate"}).exit_code, 0);
  Start();
  EXPECT_EQ(Viewers(), 2U);
  EXPECT_FALSE(WasAlarmed());
  EXPECT_EQ(Drift().at("accepted").at(0).at("acceptance").at("reason"), "incident 42");
  EXPECT_THAT(world_.Run({"get", "break-glass"}).out, HasSubstr("in force"));
  const Outcome plan = world_.Run({"plan"});
  EXPECT_EQ(plan.exit_code, 0) << plan.out;
  world_.dir().Remove("manifests/accepted.yaml");
  world_.Eventually("removed", [&] { return Viewers() == 1; });
  world_.Eventually("alarmed", [&] { return WasAlarmed(); });
  EXPECT_EQ(Count("accepted"), 0);
}

TEST_F(AcceptedByManifest, AFileThatCannotBeReadTakesNothingAway) {
  Start();
  const auto two_passes = [&] {
    for (int i = 0; i < 2; ++i) EXPECT_EQ(world_.Run({"reconcile", "viewers"}).exit_code, 0);
  };
  world_.dir().Write("manifests/accepted.yaml", "apiVersion: bindery\nkind: [");
  world_.Eventually("told", [&] { return !world_.IsReady("break-glass"); });
  two_passes();
  EXPECT_EQ(Viewers(), 2U);
  world_.Kill(SIGTERM);
  world_.StartDaemon();
  world_.Eventually("told again", [&] { return !world_.IsReady("break-glass"); });
  two_passes();
  EXPECT_EQ(Viewers(), 2U);
  EXPECT_EQ(Count("accepted"), 1);
  world_.dir().Write("manifests/accepted.yaml", Manifest("tomorrow"));
  world_.Eventually("refused", [&] {
    return world_.Run({"get", "break-glass", "-o", "json"}).out.find("tomorrow") !=
           std::string::npos;
  });
  two_passes();
  EXPECT_EQ(Viewers(), 2U) << "the one before stays in force";
}

TEST_F(AcceptedByManifest, AFileThatIsGoneEndsItAsSlowlyAsItWouldAnyGrant) {
  Start("1h");
  world_.dir().Remove("manifests/accepted.yaml");
  world_.Eventually("it waits", [&] { return world_.Reason("break-glass") == "RemovalPending"; });
  for (int i = 0; i < 2; ++i) EXPECT_EQ(world_.Run({"reconcile", "viewers"}).exit_code, 0);
  EXPECT_EQ(Viewers(), 2U);
  world_.dir().Write("manifests/accepted.yaml", Manifest());
  world_.Eventually("it is back", [&] { return world_.IsReady("break-glass"); });
  EXPECT_EQ(Viewers(), 2U);
}

TEST_F(AcceptedByManifest, ItWaitsForNoOtherManifestNotEvenInANewStore) {
  struct Case {
    std::string text;
    const char* said;
  };
  std::string refers = Manifest();
  refers.replace(refers.find("owner: ana"), 10, "owner: \"${viewers.role}\"");
  const Case cases[] = {
      {refers, "refers to no other"},
      {Manifest() + "options: {dependsOn: [viewers]}\n", "waits for no other manifest"},
  };
  BreakGlass();
  for (const Case& c : cases) {
    world_.dir().Write("manifests/accepted.yaml", c.text);
    const Outcome checked = world_.Run({"validate"});
    EXPECT_EQ(checked.exit_code, 1);
    EXPECT_THAT(checked.out, HasSubstr(c.said));
  }
  world_.StartDaemon();
  world_.Eventually("it is said", [&] { return world_.Reason("viewers") == "RemovalBlocked"; });
  std::ignore = world_.Run({"reconcile", "viewers"});
  EXPECT_EQ(Viewers(), 2U);
}

TEST_F(AcceptedByManifest, AProviderCannotHaveItsName) {
  world_.dir().Write("other.yaml", "providers: {bindery: {type: cloudnative}}\n");
  const Outcome checked = world_.Run({"validate", "-c", world_.dir() / "other.yaml"});
  EXPECT_EQ(checked.exit_code, 2);
  EXPECT_THAT(checked.err, HasSubstr("is the name of bindery's own kinds"));
}

}  // namespace
}  // namespace bindery::testing
