// What the commands of everyday life say and take: rollback that asks, labels, times, help.

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string Labelled(const std::string& name, const std::string& role, const std::string& labels) {
  std::string text = Binding(name, role, "[user:ana@example.com]");
  const std::string plain = "{name: " + name + "}";
  return text.replace(text.find(plain), plain.size(),
                      "{name: " + name + ", labels: " + labels + "}");
}

class Verbs : public ::testing::Test {
 protected:
  Verbs() : world_(kSeed) {
    world_.dir().Write("manifests/a.yaml",
                       Labelled("viewers", "roles/viewer", "{team: a, tier: gold}") + "---\n" +
                           Labelled("editors", "roles/editor", "{team: b}") + "---\n" +
                           Labelled("browsers", "roles/browser", "{team: c, test: \"yes\"}"));
  }

  void Start() {
    world_.SetPolicy(kPayments, Holders("roles/owner", {"user:old@example.com"}));
    world_.StartDaemon();
    for (const char* name : {"viewers", "editors", "browsers"}) {
      world_.Eventually("ready", [&] { return world_.IsReady(name); });
    }
  }

  /// With what is typed as its standard input, at a terminal where that is wanted.
  [[nodiscard]] std::string Typed(const std::string& typed, const std::string& command,
                                  bool at_terminal) const {
    const std::string whole = std::string(BINDERY_PROGRAM) + " " + command;
    const std::string run = at_terminal ? "script -qec '" + whole + "' /dev/null" : whole;
    const std::string line = "cd " + world_.dir().path().string() + " && printf '" + typed +
                             "' | BINDERY_CONFIG=bindery.yaml " + run +
                             " > said 2>&1; echo exit $? >> said";
    EXPECT_EQ(std::system(line.c_str()), 0);
    return world_.dir().Read("said");
  }

  [[nodiscard]] std::string FirstRevision() const {
    return world_.RunJson({"history", "viewers"}).at("revisions").at(0).at("id").dump();
  }
  [[nodiscard]] std::vector<std::string> Owners() const {
    return world_.Members(kPayments, "roles/owner");
  }

  World world_;
};

TEST_F(Verbs, ARollbackIsShownAndAskedForBeforeItIsDone) {
  Start();
  const std::string rollback = "rollback viewers " + FirstRevision();
  const std::string seen = Typed("", rollback + " --dry-run", false);
  EXPECT_THAT(seen,
              AllOf(HasSubstr("+ user:old@example.com  roles/owner\n"),
                    HasSubstr("- user:ana@example.com  roles/viewer\n"),
                    HasSubstr("It suspends browsers, editors, viewers"), HasSubstr("exit 0")));
  EXPECT_THAT(Typed("y\\n", rollback, false), AllOf(HasSubstr("standard input is no terminal"),
                                                    HasSubstr("--yes"), HasSubstr("exit 2")));
  for (const char* no : {"n\\n", "\\n", ""}) {
    EXPECT_THAT(Typed(no, rollback, true),
                AllOf(HasSubstr("back? [y/N]"), HasSubstr("+ user:old"),
                      HasSubstr("nothing was changed"), HasSubstr("exit 2")));
  }
  EXPECT_THAT(Owners(), IsEmpty()) << "nobody agreed so far";
  EXPECT_TRUE(world_.IsReady("viewers"));
  EXPECT_THAT(Typed("y\\n", rollback, true),
              AllOf(HasSubstr("bindery resume browsers editors viewers"), HasSubstr("exit 0")));
  EXPECT_THAT(Owners(), ElementsAre("user:old@example.com"));
}

TEST_F(Verbs, ARollbackOfAProgramSaysYesAndLearnsWhoWasSuspended) {
  Start();
  const Json result = world_.RunJson({"rollback", "viewers", FirstRevision(), "--yes"});
  EXPECT_EQ(result.at("suspended").dump(), R"(["browsers","editors","viewers"])");
  EXPECT_THAT(Owners(), ElementsAre("user:old@example.com"));
  EXPECT_EQ(world_.Status("editors").at("state"), "Suspended");
  const Outcome unknown = world_.Run({"rollback", "viewers", "99999", "--dry-run"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("has no revision 99999"));
}

TEST_F(Verbs, HistoryShowsWhatCameAndWent) {
  Start();
  const Outcome list = world_.Run({"history", "viewers"});
  EXPECT_THAT(list.out, AllOf(HasSubstr("CHANGE"), HasSubstr(" +3 -1 ")));
  const Json revisions = world_.RunJson({"history", "viewers"}).at("revisions");
  const std::string last = revisions.at(revisions.size() - 1).at("id").dump();
  EXPECT_THAT(world_.Run({"history", "viewers", last}).out,
              AllOf(HasSubstr("+ user:ana@example.com  roles/viewer\n"),
                    HasSubstr("- user:old@example.com  roles/owner\n")));
  EXPECT_EQ(world_.RunJson({"history", "viewers", last}).at("revision").at("id").dump(), last);
}

TEST_F(Verbs, LabelsChooseAsKubectlDoes) {
  Start();
  struct Case {
    std::vector<std::string> options;
    const char* names;
  };
  const std::vector<Case> cases = {
      {{}, "browsers\neditors\nviewers\n"},
      {{"-l", "team in (a,b)"}, "editors\nviewers\n"},
      {{"-l", "team in (a,b),!tier"}, "editors\n"},
      {{"-l", "team!=a", "-l", "!test"}, "editors\n"},
      {{"-l", "team notin (a)", "--not-ready"}, ""},
  };
  for (const Case& one : cases) {
    std::vector<std::string> words = {"get", "-o", "name"};
    words.insert(words.end(), one.options.begin(), one.options.end());
    EXPECT_EQ(world_.Run(words).out, one.names);
  }
  EXPECT_EQ(world_.Run({"suspend", "-l", "team in (a,b)"}).out,
            "editors: suspended\nviewers: suspended\n");
  for (const char* name : {"editors", "viewers"}) {
    world_.Eventually("suspended", [&] { return world_.Reason(name) == "Suspended"; });
  }
  EXPECT_EQ(world_.Run({"get", "--not-ready", "-o", "name"}).out, "editors\nviewers\n");
  EXPECT_THAT(world_.Run({"get", "viewers", "-o", "wide", "--no-headers"}).out,
              AllOf(HasSubstr("Suspended"), HasSubstr("a.yaml:1"), HasSubstr("team=a,tier=gold"),
                    Not(HasSubstr("NAME"))));
  EXPECT_EQ(world_.Run({"resume", "--all"}).out, "editors: resumed\nviewers: resumed\n");
  EXPECT_EQ(world_.Run({"resume", "--all"}).out, "Nothing is suspended by an operator.\n");
  EXPECT_THAT(world_.Run({"reconcile", "--all"}).out, HasSubstr("editors: as declared\n"));
  EXPECT_EQ(world_.Run({"reconcile", "-l", "team=a"}).out, "viewers: as declared\n");
}

TEST_F(Verbs, AChoiceThatCannotBeMeantChangesNothing) {
  Start();
  const std::vector<std::pair<std::vector<std::string>, const char*>> cases = {
      {{"suspend"}, "which resources?"},
      {{"suspend", "viewers", "--all"}, "use one"},
      {{"suspend", "-l", "team=nobody"}, "no resource has labels as in -l team=nobody"},
      {{"suspend", "-l", "team in"}, "is no label selector"},
      {{"reconcile"}, "which resources?"},
      {{"reconcile", "--all", "-l", "team=a"}, "use one"},
      {{"get", "-l", "=a"}, "is no label selector"},
  };
  for (const auto& [words, said] : cases) {
    const Outcome outcome = world_.Run(words);
    EXPECT_EQ(outcome.exit_code, 2) << said;
    EXPECT_THAT(outcome.err, HasSubstr(said));
  }
  EXPECT_TRUE(world_.IsReady("viewers"));
}

TEST_F(Verbs, TimesAreDaysMomentsAndAges) {
  EXPECT_EQ(world_.Run({"run", "--once"}).exit_code, 0);
  for (const char* time : {"yesterday", "24h", "2020-01-01", "2020-01-01 10:20"}) {
    EXPECT_THAT(world_.Run({"events", "--since", time, "--no-headers"}).out,
                HasSubstr("PolicyWritten"))
        << time;
    EXPECT_EQ(world_.Run({"drift", "--since", time}).exit_code, 0) << time;
    EXPECT_NE(world_.Run({"access", "diff", "--since", time}).exit_code, 2) << time;
    EXPECT_EQ(world_.Run({"access", "at", time}).exit_code, 0) << time;
  }
  EXPECT_EQ(world_.Run({"events", "--since", "now", "--no-headers"}).out, "");
  for (const char* command : {"events", "drift"}) {
    const Outcome outcome = world_.Run({command, "--since", "soon"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("--since: \"soon\" is no time"));
  }
}

TEST_F(Verbs, AccessIsAnsweredForANameWithoutPrefix) {
  EXPECT_EQ(world_.Run({"run", "--once"}).exit_code, 0);
  EXPECT_THAT(world_.Run({"access", "of", "ana@example.com", "--direct"}).out,
              AllOf(HasSubstr("Note: \"ana@example.com\" is user:ana@example.com"),
                    HasSubstr("3 answers on 1 target")));
  EXPECT_THAT(world_.Run({"access", "who-can", "viewer", "*"}).out,
              HasSubstr("user:ana@example.com"));
}

TEST_F(Verbs, ExplainOfAConflictNamesWhoDeclaresWhatIsThere) {
  Start();
  world_.dir().Write("manifests/b.yaml",
                     Binding("rival", "roles/viewer", "[user:ana@example.com, user:bob@x.org]"));
  world_.Eventually("contested", [&] { return world_.Reason("rival") == "RoleConflict"; });
  const Json report = world_.RunJson({"explain", "rival", "--no-plan"});
  ASSERT_EQ(report.at("grants").size(), 2U) << report.dump(2);
  for (const Json& row : report.at("grants")) EXPECT_EQ(row.at("state"), "not in force");
  EXPECT_THAT(report.at("grants").dump(), HasSubstr("in the policy, by viewers (a.yaml:1)"));
  world_.dir().Write("manifests/b.yaml", Binding("rival", "roles/viewer", "[user:bob@x.org]"));
  world_.Eventually("read again", [&] {
    return world_.RunJson({"explain", "rival", "--no-plan"})
               .at("grants")
               .dump()
               .find("declared by viewers (a.yaml:1)") != std::string::npos;
  });
  const std::string told = world_.Run({"explain", "rival", "--no-plan"}).out;
  EXPECT_THAT(told.substr(0, told.find("Last events:")), Not(HasSubstr("undeclared")));
}

TEST_F(Verbs, HelpIsThereForEveryCommandAndNamesTheConfiguration) {
  EXPECT_EQ(Typed("", "help rollback", false), Typed("", "rollback --help", false));
  EXPECT_EQ(Typed("", "help store backup", false), Typed("", "store backup --help", false));
  EXPECT_EQ(Typed("", "help", false), Typed("", "--help", false));
  EXPECT_THAT(Typed("", "help rolback", false),
              AllOf(HasSubstr("did you mean rollback?"), HasSubstr("exit 2")));
  for (const char* command : {"get", "run", "plan", "invoke", "store backup", "access of", "health",
                              "guard approve", "config show", "validate"}) {
    EXPECT_THAT(Typed("", std::string("help ") + command, false), HasSubstr("-c,--config FILE"))
        << command;
  }
  EXPECT_THAT(Typed("", "-c nowhere.yaml get -c bindery.yaml", false),
              HasSubstr("there is no store"))
      << "the last one counts";
}

TEST_F(Verbs, StandardInputIsValidated) {
  world_.dir().Write("bad.yaml", "kind: AuthorizationPolicyIamBinding\n");
  const std::string validate = std::string(BINDERY_PROGRAM) + " validate - ";
  const auto run = [&](const std::string& file, const std::string& rest) {
    const std::string line = "cd " + world_.dir().path().string() +
                             " && BINDERY_CONFIG=bindery.yaml " + validate + rest + " < " + file +
                             " > said 2>&1; echo exit $? >> said";
    EXPECT_EQ(std::system(line.c_str()), 0);
    return world_.dir().Read("said");
  };
  EXPECT_THAT(run("manifests/a.yaml", ""), AllOf(HasSubstr("3 manifests"), HasSubstr("exit 0")));
  EXPECT_THAT(run("bad.yaml", ""), AllOf(HasSubstr("<stdin>:1"), HasSubstr("exit 1")));
  EXPECT_THAT(run("bad.yaml", "-o json"), HasSubstr("\"file\": \"<stdin>\""));
}

TEST_F(Verbs, TheSchemasThatEditorsTakeArePublished) {
  for (const auto& [command, file] : {std::pair("schema", "/config/manifest.schema.json"),
                                      std::pair("config schema", "/config/bindery.schema.json")}) {
    std::ifstream published(std::string(BINDERY_SOURCE) + file);
    std::ostringstream text;
    text << published.rdbuf();
    EXPECT_TRUE(Typed("", command, false) == text.str() + "exit 0\n")
        << "bindery " << command << " > " << file;
  }
}

TEST_F(Verbs, TheVersionCarriesTheCommit) {
  const Json version = world_.RunJson({"version"});
  const Json& commit = version.at("commit");
  if (commit.is_null()) GTEST_SKIP() << "built without git, and not told";
  EXPECT_THAT(world_.Run({"version"}).out,
              HasSubstr("(commit " + commit.get<std::string>().substr(0, 12)));
  Start();
  EXPECT_THAT(world_.Ask("GET", "/metrics").body,
              HasSubstr("revision=\"" + commit.get<std::string>() + "\""));
}

}  // namespace
}  // namespace bindery::testing
