// Who has access, and why: answered from the store, while the daemon is down or up.

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kLong =
    "  condition: {title: long, expression: 'request.time < "
    "timestamp(\"2100-01-01T00:00:00Z\")'}\n";
constexpr const char* kOver =
    "  condition: {title: over, expression: 'request.time < "
    "timestamp(\"2020-01-01T00:00:00Z\")'}\n";

TEST(Access, IsAnsweredFromTheStoreWhileTheDaemonIsDown) {
  World world(kSeed);
  world.dir().Write("manifests/a.yaml",
                    Binding("viewers", "roles/viewer", "[user:ana@example.com]", kLong));
  const Outcome before = world.Run({"access", "who-can", "viewer", "payments"});
  EXPECT_EQ(before.exit_code, 2);
  EXPECT_THAT(before.err, HasSubstr("there is no store"));

  ASSERT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  const Json report = world.RunJson({"access", "who-can", "viewer", "payments"});
  ASSERT_EQ(report.at("answers").size(), 1U) << report.dump();
  const Json& answer = report.at("answers").at(0);
  EXPECT_EQ(answer.at("verdict"), "granted");
  EXPECT_EQ(answer.at("source").at("file"), "a.yaml");
  EXPECT_EQ(answer.at("timeBounds").at("endsAt"), "2100-01-01T00:00:00Z");
  const Outcome text = world.Run({"access", "of", "user:ana@example.com"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("granted"));
  EXPECT_THAT(text.out, HasSubstr("viewers (a.yaml:1)"));
  EXPECT_THAT(world.Run({"access", "of", "user:ana@example.com", "-o", "csv"}).out,
              HasSubstr("user:ana@example.com"));
}

TEST(Access, AQuestionThatIsIncompleteIsRefused) {
  World world(kSeed);
  world.dir().Write("manifests/a.yaml",
                    Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
  ASSERT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  struct Case {
    std::vector<std::string> arguments;
    const char* says;
  };
  const std::vector<Case> cases = {
      {{"access", "of", ""}, "name a principal"},
      {{"access", "of", "USER:ana@example.com"}, "did you mean \"user:ana@example.com\"?"},
      {{"access", "who-can"}, "name a role and a target"},
      {{"access", "who-can", "viewer"}, "name a target"},
      {{"access", "who-can", "--permission", "a.b.c"}, "name a target"},
      {{"access", "who-can", "viewer", "payments", "--permission", "a.b.c"}, "no role is named"},
  };
  for (const Case& one : cases) {
    const Outcome outcome = world.Run(one.arguments);
    EXPECT_EQ(outcome.exit_code, 2) << outcome.out;
    EXPECT_THAT(outcome.err, HasSubstr(one.says));
  }
}

TEST(Access, ADiffTellsWhatChangedSince) {
  World world(kSeed);
  world.dir().Write("manifests/a.yaml",
                    Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
  ASSERT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  const Outcome none = world.Run({"access", "diff", "--since", "now"});
  EXPECT_EQ(none.exit_code, 0) << none.err;
  EXPECT_THAT(none.out, HasSubstr("nobody gained or lost anything"));
  const Outcome some = world.Run({"access", "diff", "--since", "1h"});
  EXPECT_EQ(some.exit_code, 1) << some.err;
  EXPECT_THAT(some.out, HasSubstr("+ gained"));
  EXPECT_EQ(world.Run({"access", "diff", "--since", "never"}).exit_code, 2);
}

TEST(Access, ATextShowsTheFirstThousandAnswersAndALimitShowsFewerOrAll) {
  std::string members;
  for (int i = 0; i < 1'003; ++i) {
    members += (members.empty() ? "" : ", ") + ("\"user:u" + std::to_string(i)) + "@example.com\"";
  }
  World world(std::string(kSeed) +
              "iamPolicies:\n  //pubsub.googleapis.com/projects/acme/topics/t:\n" +
              "    bindings: [{role: roles/viewer, members: [" + members + "]}]\n");
  ASSERT_EQ(world.Run({"scan", "--scope", "projects/acme"}).exit_code, 0);
  const auto count = [](const std::string& text) {
    std::size_t lines = 0;
    for (auto at = text.find("@example.com"); at != std::string::npos;
         at = text.find("@example.com", at + 1)) {
      ++lines;
    }
    return lines;
  };
  const std::vector<std::string> question = {"access", "who-can", "viewer", "*"};
  const auto ask = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = question;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return world.Run(arguments);
  };
  const Outcome first = ask({});
  EXPECT_EQ(count(first.out), 1'000U) << first.err;
  EXPECT_THAT(first.out, HasSubstr("1003 answers on 1 target"));
  EXPECT_THAT(first.out, HasSubstr("\n3 more answers are not shown: --limit all shows every "));
  EXPECT_EQ(count(ask({"--limit", "all"}).out), 1'003U);
  EXPECT_EQ(count(ask({"--limit", "2"}).out), 2U);
  EXPECT_EQ(count(ask({"--limit", "2", "-o", "csv"}).out), 2U);
  EXPECT_EQ(count(ask({"-o", "csv"}).out), 1'003U);
  const Json whole = world.RunJson(question);
  EXPECT_EQ(whole.at("answers").size(), 1'003U);
  EXPECT_FALSE(whole.contains("total"));
  const Json part = world.RunJson({"access", "who-can", "viewer", "*", "--limit", "2"});
  EXPECT_EQ(part.at("answers").size(), 2U);
  EXPECT_EQ(part.at("total"), 1'003);
  EXPECT_EQ(part.at("limit"), 2);
  for (const char* wrong : {"0", "-1", "2x", "many", "99999999999999999999"}) {
    const Outcome refused = ask({std::string("--limit=") + wrong});
    EXPECT_EQ(refused.exit_code, 2) << wrong;
    EXPECT_THAT(refused.err, HasSubstr("--limit must be a number from 1 on, or \"all\"")) << wrong;
  }
}

TEST(Access, TheDaemonAnswersTheSame) {
  World world(kSeed);
  world.dir().Write("manifests/a.yaml",
                    Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("viewers"); });
  const HttpResult result =
      world.Ask("GET", "/api/v1/access?role=viewer&target=payments&set=resource.name%3Dx");
  ASSERT_EQ(result.status, 200) << result.body;
  EXPECT_EQ(ParseJson(result.body)->at("answers").size(), 1U);
  EXPECT_EQ(world.RunJson({"access", "who-can", "viewer", "payments"}).at("answers").size(), 1U);
  EXPECT_EQ(world.Ask("GET", "/api/v1/access?target=nothing").status, 404);
}

/// An organization with a folder, a project, and a bucket whose name tells no project.
constexpr const char* kOrganizationSeed = R"(
authorizationPolicies: [projects/acme/locations/global/authorizationPolicies/payments]
folders:
  - {name: folders/20}
projects:
  - {id: acme, number: "415104041262", parent: folders/20}
iamPolicies:
  //cloudresourcemanager.googleapis.com/organizations/100000000001:
    bindings: [{role: roles/viewer, members: ["user:olga@example.com"]}]
  //cloudresourcemanager.googleapis.com/folders/20:
    bindings: [{role: roles/editor, members: ["group:eng@example.com"]}]
  //cloudresourcemanager.googleapis.com/projects/acme:
    bindings:
      - role: roles/owner
        members: ["user:ana@example.com"]
        condition: {title: topics, expression: 'resource.type == "storage.googleapis.com/Bucket"'}
  //pubsub.googleapis.com/projects/acme/topics/orders:
    bindings: [{role: roles/pubsub.viewer, members: ["user:bob@example.com"]}]
)";

TEST(Access, FollowsTheHierarchyOfTheLastScan) {
  World world(kOrganizationSeed);
  ASSERT_EQ(world.Run({"scan", "--scope", "organizations/100000000001"}).exit_code, 0);
  world.ResetRequests();
  const Json report = world.RunJson({"access", "who-can", "*", "projects/acme/topics/orders"});
  std::vector<std::string> lines;
  for (const Json& answer : report.at("answers")) {
    lines.push_back(StringMember(answer, "verdict") + " " + StringMember(answer, "principal") +
                    " " + StringMember(answer, "inheritedFrom"));
  }
  EXPECT_THAT(lines, ElementsAre("granted user:bob@example.com ",
                                 "granted group:eng@example.com folders/20",
                                 "granted user:olga@example.com organizations/100000000001",
                                 "depends user:ana@example.com projects/acme"))
      << report.dump();
  EXPECT_EQ(report.at("answers").at(0).at("evidence"), "scan");

  const Outcome never_read =
      world.Run({"access", "of", "olga@example.com", "projects/acme/topics/new"});
  EXPECT_EQ(never_read.exit_code, 0) << never_read.err;
  EXPECT_THAT(never_read.out, HasSubstr("the answer is what it inherits"));
  EXPECT_THAT(never_read.out, HasSubstr("inherited from organizations/100000000001"));
  EXPECT_EQ(world.Requests().at("operations"), Json::object()) << "answers ask no cloud";

  world.StartDaemon();
  const HttpResult answer =
      world.Ask("GET", "/api/v1/access?role=*&target=projects/acme/topics/orders");
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(ParseJson(answer.body)->at("answers"), report.at("answers"));
  EXPECT_THAT(world.Ask("GET", "/access?target=projects/acme/topics/orders").body,
              HasSubstr("Inherited from: <code>folders/<wbr>20</code>"));
  EXPECT_EQ(world.Kill(SIGTERM), 0);
}

TEST(Explain, SaysWhyAResourceIsAsItIs) {
  World world(kSeed, "reconcile: {mode: observe}\n");
  world.dir().Write("manifests/a.yaml",
                    Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
  std::ignore = world.Run({"run", "--once"});
  const Outcome text = world.Run({"explain", "viewers"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("missing"));
  EXPECT_THAT(text.out, HasSubstr("Next pass: nothing: mode observe"));
  EXPECT_EQ(world.Run({"explain", "nobody"}).exit_code, 2);

  world.Configure("");
  const Json next = world.RunJson({"explain", "viewers"}).at("next");
  EXPECT_EQ(next.at("text"), "adds 1 grant");
  EXPECT_FALSE(world.RunJson({"explain", "viewers", "--no-plan"}).contains("next"));
}

TEST(Expiry, AnExpiredGrantStaysUnlessItIsToGo) {
  World world(kSeed);
  const std::string binding = Binding("viewers", "roles/viewer", "[user:ana@example.com]", kOver);
  world.dir().Write("manifests/a.yaml", binding);
  ASSERT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  EXPECT_THAT(world.Members(kPayments, "roles/viewer"), ElementsAre("user:ana@example.com"));
  EXPECT_THAT(world.Run({"get"}).out, HasSubstr("expired"));
  EXPECT_THAT(world.Run({"events"}).out, HasSubstr("GrantExpired"));

  world.dir().Write("manifests/a.yaml", binding + "options: {expired: remove}\n");
  EXPECT_THAT(world.Run({"plan"}).out, HasSubstr("loses roles/viewer"));
  ASSERT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  EXPECT_THAT(world.Members(kPayments, "roles/viewer"), IsEmpty());
  EXPECT_EQ(world.Run({"plan"}).exit_code, 0);
}

TEST(AccessDiff, ALimitShowsTheFirstChangesAndCountsAll) {
  World world(std::string(kSeed) +
              "iamPolicies:\n  //cloudresourcemanager.googleapis.com/projects/acme:\n"
              "    bindings: [{role: roles/viewer, members: [\"user:old@example.com\"]}]\n");
  world.Configure("reconcile: {mode: observe}\n");
  world.dir().Write("manifests/viewers.yaml", R"(apiVersion: cloudnative:cloudresourcemanager/v3
kind: ProjectIamBinding
metadata: {name: viewers}
spec: {name: projects/acme, role: roles/viewer, members: ["user:old@example.com"]}
)");
  ASSERT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  world.SetPolicy("projects/acme",
                  Json::array({{{"role", "roles/viewer"},
                                {"members", {"user:a@example.com", "user:b@example.com"}}}}));
  ASSERT_EQ(world.Run({"run", "--once"}).exit_code, 1);
  const std::vector<std::string> question = {"access", "diff", "--since", "1h"};
  const auto ask = [&](std::vector<std::string> more) {
    more.insert(more.begin(), question.begin(), question.end());
    return world.Run(more);
  };
  const Outcome whole = ask({"-o", "json"});
  EXPECT_EQ(ParseJson(whole.out)->at("changes").size(), 3U) << whole.out;
  const Outcome first = ask({"--limit", "1"});
  EXPECT_THAT(first.out, HasSubstr("2 gained, 1 lost"));
  EXPECT_THAT(first.out, HasSubstr("\n2 more changes are not shown: --limit all shows every "));
  EXPECT_EQ(first.exit_code, whole.exit_code);
  const auto part = ParseJson(ask({"--limit", "1", "-o", "json"}).out);
  EXPECT_EQ(part->at("changes").size(), 1U);
  EXPECT_EQ(part->at("total"), 3);
  EXPECT_EQ(ask({"--limit", "0"}).exit_code, 2);
}

}  // namespace
}  // namespace bindery::testing
