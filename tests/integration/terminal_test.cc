// What a shell gets of the program: completion in each of them, and manual pages.

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Terminal : public ::testing::Test {
 protected:
  Terminal() : world_(kSeed) {
    world_.dir().Write("manifests/a.yaml",
                       Binding("payments-viewers", "roles/viewer", "[user:ana@example.com]") +
                           "---\n" +
                           Binding("payments-editors", "roles/editor", "[user:bob@example.com]"));
    EXPECT_EQ(world_.Run({"run", "--once"}).exit_code, 0);
    std::filesystem::create_symlink(BINDERY_PROGRAM, path_ / "bindery");
  }

  /// What a shell's program prints, with `bindery` on its path and the world's configuration.
  [[nodiscard]] std::string Shell(const std::string& shell, const std::string& script) const {
    world_.dir().Write("script", script);
    const std::string command =
        "cd " + world_.dir().path().string() + " && PATH=" + path_.path().string() +
        ":$PATH BINDERY_CONFIG=bindery.yaml HOME=. " + shell + " ./script > said 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << world_.dir().Read("said");
    return world_.dir().Read("said");
  }

  [[nodiscard]] std::string Offered(const std::vector<std::string>& words) const {
    std::string script = "bindery __complete";
    for (const std::string& word : words) script += " '" + word + "'";
    return Shell("sh", script + "\n");
  }
  /// The pages, in a folder of the world.
  [[nodiscard]] std::filesystem::path ManualPages() const {
    const std::filesystem::path folder = world_.dir() / "man";
    std::filesystem::create_directory(folder);
    EXPECT_THAT(Shell("sh", "bindery __man " + folder.string() + "\n"), IsEmpty());
    return folder;
  }

  TempDir path_;
  World world_;
};

TEST_F(Terminal, TheLastWordBecomesWhatTheCommandLineTakes) {
  struct Case {
    std::vector<std::string> words;
    std::string offered;
  };
  const std::vector<Case> cases = {
      {{"gua"}, "guard\tShow removals held by the guard\n"},
      {{"guard", "a"}, "approve\tApprove removals\n"},
      {{"explain", ""}, "payments-editors\npayments-viewers\n"},
      {{"explain", "payments-v"}, "payments-viewers\n"},
      {{"suspend", "payments-viewers", "payments-e"}, "payments-editors\n"},
      {{"get", "payments-e"}, "payments-editors\n"},
      {{"get", "Auth"}, "AuthorizationPolicyIamBinding\n"},
      {{"access", "who-can", ""}, "roles/editor\nroles/viewer\n"},
      {{"access", "who-can", "roles/viewer", "projects/"}, std::string(kPayments) + "\n"},
      {{"access", "of", "user:a"}, "user:ana@example.com\n"},
      {{"plan", "-o", ""}, "text\njson\nyaml\n"},
      {{"plan", "-o", "j"}, "json\n"},
      {{"plan", "--output=y"}, "--output=yaml\n"},
      {{"rollback", "--", "payments-v"}, "payments-viewers\n"},
      {{"health", "--live"}, "--liveness\tCheck liveness only: /livez, not /readyz\n"},
      {{"get", "--conf"}, "--config\tConfiguration file; also $BINDERY_CONFIG\n"},
      {{"run", "--config", ""}, ":files\n"},
      {{"schema", "monitoring:"},
       "monitoring:RestrictionPolicy\nmonitoring:Dataset\nmonitoring:"
       "LogsRestrictionQuery\nmonitoring:getCurrentUser\nmonitoring:getRole\n"
       "monitoring:getTeam\nmonitoring:getUser\n"},
      {{"completion", ""}, "bash\nzsh\nfish\n"},
      {{"help", "rollb"}, "rollback\tWrite a recorded policy back, through the guard\n"},
      {{"help", "guard", "a"}, "approve\tApprove removals\n"},
      {{"unknown", ""}, Offered({""})},
      {{"__"}, ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.words.empty() ? "" : c.words.front() + " " + c.words.back());
    EXPECT_EQ(Offered(c.words), c.offered);
  }
}

TEST_F(Terminal, NumbersAndDigestsAreThoseOnRecord) {
  const auto first_line = [](const std::string& text) { return text.substr(0, text.find('\n')); };
  const std::string revision = first_line(Offered({"rollback", "payments-viewers", ""}));
  EXPECT_EQ(world_.Run({"history", "payments-viewers", revision}).exit_code, 0) << revision;
  EXPECT_THAT(Offered({"history", "nobody", ""}), IsEmpty());

  // The manifest of the editors is gone, which the guard holds; nothing is accepted.
  world_.SetEnvironment("BINDERY_GUARD_MAX_REMOVED_GRANTS", "0");
  world_.dir().Write("manifests/a.yaml",
                     Binding("payments-viewers", "roles/viewer", "[user:ana@example.com]"));
  // A removal takes two looks at the directory, at least.
  for (int i = 0; i < 2; ++i) {
    const Outcome run = world_.Run({"run", "--once"});
    ASSERT_THAT(run.exit_code, ::testing::Le(1)) << run.err;
  }
  const std::string digest = first_line(Offered({"guard", "approve", ""}));
  EXPECT_THAT(world_.Run({"guard"}).out, HasSubstr(digest));
  EXPECT_GE(digest.size(), 12U) << digest;
  EXPECT_FALSE(Offered({"drift", "accept", ""}).empty() && Offered({"accept", ""}).empty());
}

TEST_F(Terminal, ZshTakesTheLinesOfTheReadme) {
  std::ifstream readme(std::string(BINDERY_SOURCE) + "/README.md");
  const std::string page((std::istreambuf_iterator<char>(readme)), {});
  std::string lines;
  for (std::size_t at = page.find("\n```sh\n"); at != std::string::npos;) {
    const std::size_t begin = at + std::string_view("\n```sh\n").size();
    const std::size_t end = page.find("\n```\n", begin);
    lines += page.substr(begin, end - begin) + "\n";
    at = page.find("\n```sh\n", end);
  }
  ASSERT_THAT(lines, HasSubstr("setIamPolicy"));
  world_.dir().Write("lines", "setopt prompt_subst; PROMPT= PS2=\nsource ./stubs\n" + lines);
  // As they are typed: in such a shell "#" begins no comment.
  const std::string said = Shell(
      "sh",
      "mkdir -p stubbed/dev\n"
      "printf '%s\\n' 'bindery() { print -r -- \"ran bindery $*\" }'"
      " 'curl() { print -r -- \"ran curl $*\" }' 'function ./dev() { print -r -- \"ran dev $*\" }'"
      " > stubs\nzsh -f -i < lines 2>&1 | cat\n");
  EXPECT_THAT(said, HasSubstr("ran bindery get\n"));
  EXPECT_THAT(said, HasSubstr("authorizationPolicies/payments:setIamPolicy"));
  EXPECT_THAT(said, Not(ContainsRegex("ran [^\n]*#"))) << "a comment that became an argument";
  EXPECT_THAT(said, Not(HasSubstr("bad substitution")));
}

TEST_F(Terminal, NoHelpTextCountsWordsInBrackets) {
  std::size_t texts = 0;
  for (const auto& page : std::filesystem::directory_iterator(ManualPages())) {
    std::string command = page.path().stem().string();
    if (command == "bindery") continue;
    command = command.substr(std::string_view("bindery-").size());
    ++texts;
    // "store-backup" is "store backup", and "who-can" is one word: what is no command says so.
    const std::string tried = "bindery help " + command + " || bindery help $(echo " + command +
                              " | sed 's/-/ /') || true\n";
    EXPECT_THAT(Shell("sh", tried), Not(ContainsRegex("[0-9]x[)]|[{][}]|%[sd]"))) << command;
  }
  EXPECT_GT(texts, 30U);
  EXPECT_THAT(Shell("sh", "bindery help get\n"), HasSubstr("get [OPTIONS] [what...]\n"));
}

TEST_F(Terminal, WithoutAStoreThereIsNothingToOfferAndNothingIsSaid) {
  std::filesystem::remove_all(world_.dir() / "state");
  EXPECT_THAT(Offered({"explain", ""}), IsEmpty());
  std::filesystem::remove(world_.dir() / "bindery.yaml");
  EXPECT_THAT(Offered({"explain", ""}), IsEmpty());
}

TEST_F(Terminal, BashCompletes) {
  const auto complete = [this](const std::string& line) {
    return Shell("bash", "source <(bindery completion bash)\nCOMP_LINE='" + line +
                             "'; COMP_POINT=${#COMP_LINE}\n_bindery 2>/dev/null\n"
                             "printf '%s\\n' \"${COMPREPLY[@]}\"\n");
  };
  EXPECT_EQ(complete("bindery suspend payments-e"), "payments-editors\n");
  EXPECT_EQ(complete("bindery plan --output=j"), "json\n") << "the shell breaks words at =";
  EXPECT_EQ(complete("bindery schema monitoring:getC"), "getCurrentUser\n") << "and at :";
  EXPECT_THAT(complete("bindery guard "), HasSubstr("approve\n"));
}

TEST_F(Terminal, ZshCompletes) {
  const auto complete = [this](const std::string& words) {
    return Shell("zsh -f",
                 "compdef() { : }\n_files() { print files }\n"
                 "_describe() { print -rl -- \"${(@P)3}\" }\n"
                 "source <(bindery completion zsh)\nwords=(" +
                     words + ")\nCURRENT=$#words\n_bindery\n");
  };
  EXPECT_EQ(complete("bindery suspend payments-e"), "payments-editors\n");
  EXPECT_EQ(complete("bindery schema monitoring:getC"), "monitoring\\:getCurrentUser\n");
  EXPECT_EQ(complete("bindery guard a"), "approve:Approve removals\n");
  EXPECT_EQ(complete("bindery run -c ''"), "files\n");
}

TEST_F(Terminal, FishCompletes) {
  const auto complete = [this](const std::string& line) {
    return Shell("fish", "bindery completion fish | source\ncomplete -C '" + line + "'\n");
  };
  EXPECT_EQ(complete("bindery suspend payments-e"), "payments-editors\n");
  EXPECT_EQ(complete("bindery guard a"), "approve\tApprove removals\n");
  EXPECT_THAT(complete("bindery run -c "), HasSubstr("bindery.yaml"));
}

/// No daemon runs here, which is said as well.
std::string WithoutNote(const std::string& said) {
  return said.starts_with("note: no daemon answers") ? said.substr(said.find('\n') + 1) : said;
}

TEST_F(Terminal, OutputThatCannotBeWrittenIsAnError) {
  struct Case {
    const char* command;
    const char* said;
  };
  const std::string full = "bindery: the output could not be written: No space left on device\n";
  const std::vector<Case> cases = {
      {"drift -o html", "2"}, {"drift --detailed-exitcode", "1"},
      {"get", "2"},           {"get --watch", "2"},
      {"events -f", "2"},     {"plan", "2"},
      {"schema", "2"},        {"--help", "2"},
      {"--version", "2"},     {"completion bash", "2"},
      {"config show", "2"},
  };
  for (const Case& one : cases) {
    const std::string said =
        Shell("sh", std::string("bindery ") + one.command + " > /dev/full; echo $?\n");
    EXPECT_EQ(WithoutNote(said), full + one.said + "\n") << one.command;
  }
}

TEST_F(Terminal, AReaderThatHasEnoughIsNoError) {
  // Whether a signal ends the program, or it is told that nobody reads.
  for (const std::string before : {"", "trap '' PIPE; "}) {
    for (const std::string command : {"get", "drift -o html"}) {
      const std::string said = Shell("sh", "(" + before + "sleep 0.1; bindery " + command +
                                               "; [ $? -ne 2 ] || echo failed >&2) | true\n");
      EXPECT_THAT(WithoutNote(said), IsEmpty()) << before << command;
    }
  }
}

TEST_F(Terminal, EventsAreFollowedAsTheyHappen) {
  world_.StartDaemon();
  world_.Eventually("ready", [&] { return world_.IsReady("payments-viewers"); });
  const std::string followed = world_.dir() / "followed";
  const ::pid_t follower = ::fork();
  if (follower == 0) {
    const int out = ::open(followed.c_str(), O_WRONLY | O_CREAT, 0600);
    ::dup2(out, STDOUT_FILENO);
    ::execl(BINDERY_PROGRAM, "bindery", "events", "--follow", "-o", "json", "-c",
            (world_.dir() / "bindery.yaml").c_str(), nullptr);
    ::_exit(127);
  }
  world_.Eventually("what was is shown", [&] {
    return world_.dir().Read("followed").find("payments-viewers") != std::string::npos;
  });
  EXPECT_EQ(world_.Run({"suspend", "payments-editors"}).exit_code, 0);
  world_.Eventually("what happens is shown", [&] {
    return world_.dir().Read("followed").find("\"Suspended\"") != std::string::npos;
  });
  ::kill(follower, SIGINT);
  ::waitpid(follower, nullptr, 0);
  std::istringstream lines(world_.dir().Read("followed"));
  std::int64_t last = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto event = ParseJson(line);
    ASSERT_TRUE(event.has_value()) << line;
    EXPECT_GT(event->at("id"), last) << "each once, in order";
    last = event->at("id");
  }
}

TEST_F(Terminal, ALongPassSaysHowFarItIs) {
  for (int i = 0; i < 9; ++i) {
    const std::string number = std::to_string(i);
    std::string manifest = Binding("more-" + number, "roles/viewer", "[user:a@example.com]");
    manifest.replace(manifest.find("/payments"), 9, "/more-" + number);
    world_.dir().Write("manifests/" + number + ".yaml", manifest);
  }
  world_.Configure("reconcile: {concurrency: 1}\n");
  world_.SetFaults({{{"operation", "*"}, {"delay", "200ms"}}});
  for (const std::string command : {"plan", "run --once"}) {
    // A terminal of its own, which is what `script` gives a program.
    const std::string said =
        Shell("sh", "script -qec 'stty cols 100; bindery " + command + "' /dev/null; true\n");
    EXPECT_THAT(said, ContainsRegex("\r\x1b\\[K[a-z]+ \\[#*-+\\] [0-9]+ of 1[0-9] targets"))
        << command;
    EXPECT_THAT(said, ContainsRegex("/s, [0-9]+s left\r")) << "it is taken away again";
  }
  EXPECT_THAT(world_.Run({"plan"}).err, Not(HasSubstr("targets"))) << "only on a terminal";
}

TEST_F(Terminal, EveryCommandHasAManualPageThatGroffReadsWithoutAWarning) {
  std::size_t pages = 0;
  for (const auto& page : std::filesystem::directory_iterator(ManualPages())) {
    ++pages;
    const std::string said = Shell("sh", "groff -ww -z -man -Tutf8 " + page.path().string());
    EXPECT_THAT(said, IsEmpty()) << page.path();
  }
  EXPECT_GT(pages, 30U);
  const std::string text =
      Shell("sh", "groff -man -Tascii -P-cbou " + (world_.dir() / "man/bindery-plan.1"));
  EXPECT_THAT(text, AllOf(HasSubstr("bindery plan [OPTION]... [NAME...]"),
                          HasSubstr("--detailed-exitcode"), HasSubstr("EXAMPLES")));
  const std::string program = world_.dir().Read("man/bindery.1");
  EXPECT_THAT(program, AllOf(HasSubstr("bindery\\-drift"), Not(HasSubstr("__complete"))));
}

TEST_F(Terminal, CommandsThatMayTakeLongCanBeQuiet) {
  for (const std::string command :
       {"store backup x", "store restore x", "store check", "store compact", "store migrate x y",
        "import", "adopt 1", "history x", "lookup x", "invoke x", "explain x", "get", "plan",
        "drift", "scan", "check", "coverage", "validate"}) {
    EXPECT_THAT(Shell("sh", "bindery " + command + " --help\n"), HasSubstr("-q,--quiet"))
        << command;
  }
}

TEST_F(Terminal, EveryHelpTextHasAnExample) {
  for (const auto& page : std::filesystem::directory_iterator(ManualPages())) {
    EXPECT_THAT(world_.dir().Read("man/" + page.path().filename().string()),
                HasSubstr(".SH EXAMPLES"))
        << page.path().filename();
  }
}

}  // namespace
}  // namespace bindery::testing
