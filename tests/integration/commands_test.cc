// The command line: results on standard output, the rest on standard error, exit codes as promised.

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Commands, PlanSaysWhoGainsAndWhoLosesAndWritesNothing) {
  World world(kSeed);
  world.SetPolicy(kPayments, Holders("roles/editor", {"user:old@example.com"}));
  world.dir().Write("manifests/a.yaml",
                    Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
  const Outcome plan = world.Run({"plan"});
  EXPECT_EQ(plan.exit_code, 1) << plan.err;
  EXPECT_THAT(plan.out, HasSubstr("user:ana@example.com gains roles/viewer"));
  EXPECT_THAT(plan.out, HasSubstr("user:old@example.com loses roles/editor"));
  EXPECT_EQ(world.Run({"plan", "--detailed-exitcode"}).exit_code, 2);
  const Json json = world.RunJson({"plan"});
  EXPECT_EQ(json.at("summary").at("adds"), 1);
  EXPECT_EQ(json.at("summary").at("removes"), 1);
  EXPECT_EQ(json.at("summary").at("targets"), 1);
  EXPECT_EQ(json.at("changes").at(0).at("action"), "update");
  EXPECT_EQ(world.Count("networksecurity.setIamPolicy"), 1) << "only the test's own";
  EXPECT_FALSE(std::filesystem::exists(world.dir() / "state/bindery.db"));

  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  EXPECT_EQ(world.Run({"plan"}).exit_code, 0);
}

TEST(Commands, PlanIsTheSameWhileADaemonRuns) {
  World world(kSeed, "reconcile: {mode: observe}\n");
  world.dir().Write("manifests/b.yaml",
                    "{apiVersion: monitoring, kind: RestrictionPolicy, metadata: {name: open}, "
                    "spec: {resourceId: \"dashboard:aaa-bbb-ccc\", bindings: []}}\n");
  world.dir().Write("manifests/a.yaml",
                    Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
  world.StartDaemon();
  world.Eventually("loaded", [&] { return world.Reason("viewers") == "DriftObserved"; });
  const Outcome plan = world.Run({"plan"});
  EXPECT_EQ(plan.exit_code, 1) << "nothing is done about it, but it differs";
  EXPECT_EQ(world.Run({"plan", "--detailed-exitcode"}).exit_code, 2);
  EXPECT_THAT(plan.out, HasSubstr("user:ana@example.com would gain roles/viewer"));
  EXPECT_THAT(plan.out, HasSubstr("1 target is as declared, 1 differs but is only observed."));
  EXPECT_THAT(plan.err, AllOf(HasSubstr("b.yaml:1:"), HasSubstr("no bindings")));
  EXPECT_THAT(world.Run({"plan", "viewers"}).err, IsEmpty()) << "nothing is wrong with that one";
  EXPECT_EQ(world.Run({"plan", "nobody"}).exit_code, 2);
}

TEST(Commands, APlanWithoutAllManifestsDoesNotEndAsIfAllWereWell) {
  World world(kSeed);
  const std::string sound = Binding("viewers", "roles/viewer", "[user:ana@example.com]");
  world.dir().Write("manifests/a.yaml", sound);
  ASSERT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  struct Case {
    const char* why;
    std::string text;
    const char* told;
  };
  const std::vector<Case> cases = {
      {"no YAML", "{", "b.yaml"},
      {"without a name", "apiVersion: monitoring\nkind: RestrictionPolicy\n", "metadata"},
      {"an unknown field", Binding("b", "roles/editor", "[user:ana@example.com]", "  rule: 1\n"),
       "rule"},
      {"in conflict", Binding("b", "roles/viewer", "[user:eve@example.com]"),
       "one binding per role"},
  };
  const auto expect_refused = [&world](const Case& one) {
    const Outcome plan = world.Run({"plan"});
    EXPECT_EQ(plan.exit_code, 1) << one.why;
    EXPECT_THAT(plan.out, HasSubstr("not taken up: see bindery validate.")) << one.why;
    EXPECT_THAT(plan.err, HasSubstr(one.told)) << one.why;
    EXPECT_EQ(world.Run({"plan", "--detailed-exitcode"}).exit_code, 1) << one.why << ": an error";
  };
  for (const Case& one : cases) {
    world.dir().Write("manifests/b.yaml", one.text);
    expect_refused(one);
  }
  std::filesystem::remove(world.dir() / "manifests/b.yaml");
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("viewers"); });
  EXPECT_EQ(world.Run({"plan"}).exit_code, 0);
  for (const Case& one : cases) {
    world.dir().Write("manifests/b.yaml", one.text);
    world.Eventually("the daemon knows", [&] {
      return world.Ask("GET", "/api/v1/problems").body.find(one.told) != std::string::npos;
    });
    expect_refused(one);
  }
}

TEST(Commands, APassThatLeftSomethingOutEndsWithAnError) {
  struct Case {
    const char* why;
    std::string text;
    int exit_code;
  };
  const std::vector<Case> cases = {
      {"no YAML", "{", 2},
      {"no text", "\xff\xfe\x01", 2},
      {"without a name", "apiVersion: monitoring\nkind: RestrictionPolicy\n", 2},
      {"with a name", "apiVersion: monitoring\nkind: RestrictionPolicy\nmetadata: {name: b}\n", 2},
      {"only a warning",
       "{apiVersion: monitoring, kind: RestrictionPolicy, metadata: {name: b}, "
       "spec: {resourceId: \"dashboard:aaa-bbb-ccc\", bindings: []}}\n",
       0},
  };
  World world(kSeed);
  world.dir().Write("manifests/a.yaml",
                    Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
  for (const Case& one : cases) {
    world.dir().Write("manifests/b.yaml", one.text);
    const Outcome once = world.Run({"run", "--once"});
    EXPECT_EQ(once.exit_code, one.exit_code) << one.why << "\n" << once.err;
    EXPECT_THAT(once.err, HasSubstr("b.yaml")) << one.why;
  }
}

TEST(Commands, APassWhoseReportCannotBeWrittenEndsWithAnError) {
  World world(kSeed, "reports: {directory: reports, formats: [json]}\n");
  world.dir().Write("manifests/a.yaml",
                    Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
  world.dir().Write("reports", "a file, and no folder");
  const Outcome once = world.Run({"run", "--once"});
  EXPECT_EQ(once.exit_code, 2);
  EXPECT_THAT(once.err, HasSubstr("a drift report cannot be written"));
  std::filesystem::remove(world.dir() / "reports");
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 0);
}

TEST(Commands, APlanWithoutADirectoryIsAnError) {
  World world(kSeed);
  world.dir().Write("manifests/a.yaml",
                    Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("viewers"); });
  std::filesystem::rename(world.dir() / "manifests", world.dir() / "away");
  world.Eventually("noticed", [&] {
    return world.Ask("GET", "/readyz?verbose").body.find("[-]manifests") != std::string::npos;
  });
  const Outcome online = world.Run({"plan"});
  EXPECT_EQ(online.exit_code, 2);
  EXPECT_THAT(online.err, HasSubstr("manifests"));
  EXPECT_EQ(world.Run({"plan", "--detailed-exitcode"}).exit_code, 1);
  EXPECT_EQ(world.Kill(SIGTERM), 0);
  EXPECT_EQ(world.Run({"plan"}).exit_code, 2);
}

TEST(Commands, SuspendedResourcesAreLeftAloneUntilResumed) {
  World world(kSeed, "reconcile: {interval: 1s}\n");
  world.dir().Write("manifests/a.yaml",
                    Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("viewers"); });
  EXPECT_EQ(world.Run({"suspend", "viewers"}).exit_code, 0);
  world.Eventually("suspended", [&] { return world.Reason("viewers") == "Suspended"; });
  world.SetPolicy(kPayments, Json::array());
  EXPECT_EQ(world.Run({"reconcile", "viewers"}).exit_code, 0);
  EXPECT_THAT(world.Members(kPayments, "roles/viewer"), IsEmpty());
  const Outcome plan = world.Run({"plan"});
  EXPECT_EQ(plan.exit_code, 0) << "somebody wanted it left alone";
  EXPECT_THAT(plan.out, HasSubstr("0 targets are as declared, 1 has suspended resources."));
  EXPECT_EQ(world.Run({"resume", "viewers"}).exit_code, 0);
  EXPECT_EQ(world.Run({"reconcile", "viewers"}).exit_code, 0);
  EXPECT_THAT(world.Members(kPayments, "roles/viewer"), ElementsAre("user:ana@example.com"));
  const Outcome events = world.Run({"events", "viewers"});
  for (const char* happened : {"Suspended", "DriftFound", "PolicyWritten"}) {
    EXPECT_THAT(events.out, HasSubstr(happened)) << "to it, or to its policy";
  }
  EXPECT_EQ(world.Run({"events", "viewer"}).exit_code, 2);
}

TEST(Commands, WhatItsManifestSuspendsIsNotResumed) {
  World world(kSeed);
  world.dir().Write(
      "manifests/a.yaml",
      Binding("viewers", "roles/viewer", "[user:ana@example.com]") + "options: {suspend: true}\n");
  world.StartDaemon();
  world.Eventually("suspended", [&] { return world.Reason("viewers") == "Suspended"; });
  const Outcome resumed = world.Run({"resume", "viewers"});
  EXPECT_EQ(resumed.exit_code, 2);
  EXPECT_EQ(resumed.out,
            "viewers: still suspended, by its manifest (options.suspend in a.yaml:1)\n");
}

TEST(Commands, ADaemonIsFoundThoughItsConfigurationHasAFaultByNow) {
  World world(kSeed);
  world.dir().Write("manifests/a.yaml",
                    Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("viewers"); });
  world.dir().Write("bindery.yaml",
                    world.dir().Read("bindery.yaml") + "guard: {maxRemovedGrant: 1}\n");
  EXPECT_EQ(world.Run({"health", "--liveness"}).exit_code, 0);
  EXPECT_EQ(world.Run({"reconcile", "viewers"}).exit_code, 0);
  EXPECT_EQ(world.Run({"plan"}).exit_code, 2) << "what it would do is another question";
}

TEST(Commands, AStoreThatCannotBeReadIsNoFaultOfTheManifests) {
  const World world(kSeed);
  world.dir().Write("manifests/a.yaml",
                    Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
  world.dir().Write("state/bindery.db", "no database at all, whatever its name may say");
  const Json report = world.RunJson({"check"});
  EXPECT_EQ(report.at("summary").at("failed"), 1) << report.dump(2);
  for (const Json& check : report.at("checks")) {
    if (check.at("check") == "store") {
      EXPECT_EQ(check.at("state"), "failed");
    }
    if (check.at("check") == "manifests") {
      EXPECT_EQ(check.at("message"), "1 resource on 1 target");
    }
  }
}

TEST(Commands, WrongWordsAreAnErrorInTheStyleThatIsAskedFor) {
  const World world(kSeed);
  for (const std::string command : {"plan", "drift"}) {
    EXPECT_EQ(world.Run({command, "--nosuch"}).exit_code, 2) << command;
    EXPECT_EQ(world.Run({command, "--detailed-exitcode", "--nosuch"}).exit_code, 1) << command;
    EXPECT_EQ(world.Run({command, "--severity", "dreadful", "--detailed-exitcode"}).exit_code, 1)
        << command;
    EXPECT_EQ(world.Run({command, "--detailed-exitcode", "--help"}).exit_code, 0) << command;
  }
}

TEST(Commands, AWordThatMeansNothingIsNamedWithTheNearestThatDoes) {
  struct Case {
    std::vector<std::string> words;
    std::string said;
  };
  const std::vector<Case> cases = {
      {{"pln"}, "bindery: unknown command \"pln\": did you mean plan?\n"},
      {{"pln", "-o", "json"}, "bindery: unknown command \"pln\": did you mean plan?\n"},
      {{"frobnicate"},
       "bindery: unknown command \"frobnicate\": bindery --help lists all commands\n"},
      {{"config", "chk"}, "bindery: unknown command \"config chk\": "},
      {{"config", "chck"},
       "bindery: unknown command \"config chck\": did you mean config check?\n"},
      {{"guard", "aprove", "x"}, "did you mean guard approve?\n"},
      {{"--nosuch"}, "bindery: unknown option \"--nosuch\": "},
      {{"plan", "--detailed-exit-code"}, "did you mean --detailed-exitcode?\n"},
      {{"drift", "--severty", "high"}, "unknown option \"--severty\": did you mean --severity?\n"},
      {{"plan", "--confg=x"}, "bindery: unknown option \"--confg\": did you mean --config?\n"},
  };
  const World world(kSeed);
  for (const Case& one : cases) {
    const Outcome outcome = world.Run(one.words);
    EXPECT_EQ(outcome.exit_code, 2) << one.words.front();
    EXPECT_THAT(outcome.err, HasSubstr(one.said));
    EXPECT_THAT(outcome.out, IsEmpty());
  }
  EXPECT_THAT(world.Run({}).err, HasSubstr("A subcommand is required")) << "no word is wrong";
}

TEST(Commands, ANameThatIsNoneIsAnsweredWithTheNearest) {
  World world(kSeed);
  world.dir().Write("manifests/a.yaml",
                    Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
  const auto expect_nearest = [&world](const std::vector<std::string>& words) {
    const Outcome outcome = world.Run(words);
    EXPECT_EQ(outcome.exit_code, 2) << words.front();
    EXPECT_THAT(outcome.err, HasSubstr("no resource \"viewer\"; did you mean \"viewers\"?"))
        << words.front();
  };
  expect_nearest({"plan", "viewer"});
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("viewers"); });
  for (const char* command : {"get", "plan", "reconcile", "suspend", "forget", "history"}) {
    expect_nearest({command, "viewer"});
  }
  EXPECT_THAT(world.Run({"get", "RestrictionPolicy", "viewers"}).err,
              HasSubstr("not of that kind"));
}

TEST(Commands, NumbersOfEventsAreThoseOfTheApi) {
  World world(kSeed);
  world.dir().Write("manifests/a.yaml",
                    Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
  ASSERT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  for (const char* wrong : {"-1", "0", "10001", "99999999999999999999", "some"}) {
    EXPECT_EQ(world.Run({"events", "--limit", wrong}).exit_code, 2) << wrong;
  }
  EXPECT_EQ(world.RunJson({"events", "--limit", "1"}).at("events").size(), 1U);
  EXPECT_EQ(world.Run({"events", "--limit", "10000"}).exit_code, 0);
}

TEST(Commands, WithoutADaemonTheChangingOnesSayWhatToDo) {
  World world(kSeed);
  const Outcome asked = world.Run({"reconcile", "viewers"});
  EXPECT_EQ(asked.exit_code, 2);
  EXPECT_THAT(asked.out, IsEmpty());
  EXPECT_THAT(asked.err, HasSubstr("start it with bindery run"));
}

TEST(Commands, ASecondDaemonOnTheSameStoreIsRefused) {
  World world(kSeed);
  world.dir().Write("manifests/a.yaml",
                    Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
  world.StartDaemon();
  const Outcome second = world.Run({"run", "--once"});
  EXPECT_EQ(second.exit_code, 2);
  EXPECT_THAT(second.err, HasSubstr("in use"));
}

TEST(Commands, ValidateReportsEveryProblemOfEveryFileAtOnce) {
  World world(kSeed);
  world.dir().Write("manifests/a.yaml",
                    Binding("viewers", "roles/viewer", "[ana@example.com]", "  extra: 1\n"));
  world.dir().Write("manifests/b.json", R"({"apiVersion": "monitoring", "kind": "RestrictionPolicy",
 "metadata": {"name": "board"}, "spec": {"resource_id": "dashboard:x"}})");
  const Outcome validated = world.Run({"validate"});
  EXPECT_EQ(validated.exit_code, 1);
  EXPECT_THAT(validated.out, HasSubstr("a.yaml:7:13: spec.members[0]: "));
  EXPECT_THAT(validated.out, HasSubstr("a.yaml:8:3: spec.extra: "));
  EXPECT_THAT(validated.out, HasSubstr("did you mean \"resourceId\"?"));
  const Json sarif = *ParseJson(world.Run({"validate", "-o", "sarif"}).out);
  EXPECT_EQ(sarif.at("version"), "2.1.0");
  EXPECT_EQ(world.Run({"validate", "nowhere.yaml"}).exit_code, 2);
}

TEST(Commands, ABadConfigurationIsRefusedWithItsPlace) {
  World world(kSeed);
  world.dir().Write("bindery.yaml", "manifest: {directory: x}\nreconcile: {interval: soon}\n");
  const Outcome run = world.Run({"run", "--once"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("bindery.yaml:1:1: manifest: "));
  EXPECT_THAT(run.err, HasSubstr("bindery.yaml:2:23: reconcile.interval: "));
}

TEST(Commands, SchemaAcceptsAllSpellingsOfAToken) {
  World world(kSeed);
  const std::string expected = world.Run({"schema", "monitoring:RestrictionPolicy"}).out;
  EXPECT_THAT(expected, HasSubstr("https://json-schema.org/draft/2020-12/schema"));
  for (const char* token : {"monitoring:index:RestrictionPolicy",
                            "monitoring:index/restrictionPolicy:RestrictionPolicy"}) {
    EXPECT_EQ(world.Run({"schema", token}).out, expected) << token;
  }
  EXPECT_EQ(world.Run({"schema", "monitoring:Nothing"}).exit_code, 2);
}

TEST(Commands, WithoutADaemonWhatIsShownIsCalledAsOldAsItIs) {
  World world(kSeed);
  world.dir().Write("manifests/a.yaml", Binding("viewers", "roles/viewer", "[user:ana@x.com]"));
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("viewers"); });
  const std::vector<std::vector<std::string>> commands = {
      {"get"}, {"explain", "viewers"}, {"drift"}, {"guard"}, {"access", "of", "ana@x.com"}};
  for (const auto& command : commands) {
    EXPECT_THAT(world.Run(command).err, IsEmpty()) << command.front();
  }
  EXPECT_FALSE(world.RunJson({"get"}).contains("stale"));
  world.Kill(SIGKILL);
  for (const auto& command : commands) {
    EXPECT_THAT(world.Run(command).err, AllOf(HasSubstr("note: no daemon answers on"),
                                              HasSubstr("as old as the last reading")))
        << command.front();
  }
  EXPECT_THAT(world.Run({"access", "of", "ana@x.com", "--at", "1s"}).err, IsEmpty());
  for (const auto& command : {commands[0], commands[1], commands[3], commands[4]}) {
    const Json stale = world.RunJson(command).at("stale");
    EXPECT_THAT(StringMember(stale, "reason"), HasSubstr("bindery.sock"));
    EXPECT_TRUE(stale.at("lastObservedAt").is_string());
  }
}

}  // namespace
}  // namespace bindery::testing
