// What `plan` reads: the directory it is pointed at, as it is at that moment, and what it knows of
// the time before: from the store, from another directory, or from a daemon.

#include "integration/manifests.h"
#include "integration/world.h"
#include "support/bcrypt.h"
#include "support/certificates.h"

namespace bindery::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kOnlyAna = "[user:ana@example.com]";
constexpr const char* kBoth = "[user:ana@example.com, user:bob@example.com]";

TEST(Plan, ShowsAnEditThatTheDaemonHasNotTakenUp) {
  World world(kSeed);
  world.dir().Write("manifests/a.yaml", Binding("viewers", "roles/viewer", kOnlyAna));
  ::setenv("BINDERY_MANIFESTS_DEBOUNCE", "1m", 1);
  ::setenv("BINDERY_MANIFESTS_RESCAN_INTERVAL", "1h", 1);
  world.StartDaemon();
  ::unsetenv("BINDERY_MANIFESTS_DEBOUNCE");
  ::unsetenv("BINDERY_MANIFESTS_RESCAN_INTERVAL");
  world.Eventually("ready", [&] { return world.IsReady("viewers"); });
  EXPECT_EQ(world.Run({"plan"}).exit_code, 0);
  world.dir().Write("manifests/a.yaml", Binding("viewers", "roles/viewer", kBoth));
  EXPECT_THAT(world.Run({"plan"}).out, HasSubstr("user:bob@example.com gains roles/viewer"));
}

TEST(Plan, OfOneResourceSaysWhatThePlanOfAllSaysOfIt) {
  World world(kSeed);
  world.dir().Write("manifests/a.yaml", Binding("viewers", "roles/viewer", kOnlyAna));
  world.dir().Write("manifests/b.yaml", Binding("editors", "roles/editor", kBoth));
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("viewers") && world.IsReady("editors"); });
  world.Kill(SIGTERM);
  world.SetPolicy(kPayments, Holders("roles/editor", {kAna}));
  const auto compare = [&world](const char* step) {
    SCOPED_TRACE(step);
    const Json all = world.RunJson({"plan"});
    for (const char* name : {"viewers", "editors"}) {
      const Json one = world.RunJson({"plan", name});
      EXPECT_EQ(one.at("changes"), all.at("changes")) << name;
      EXPECT_EQ(one.value("errors", Json()), all.value("errors", Json())) << name;
    }
    EXPECT_FALSE(all.at("changes").empty());
  };
  compare("what somebody took away comes back");
  world.dir().Write("manifests/a.yaml", Binding("viewers", "roles/viewer", kBoth));
  compare("an edit that no daemon took up");
  world.dir().Write("manifests/c.yaml", Binding("others", "roles/editor", kOnlyAna));
  compare("a new manifest of the same role");
  world.SetPolicy(kPayments, Holders("roles/viewer", {kAna, "user:eve@example.com"}));
  compare("somebody else has access");
}

TEST(Plan, ReadsAnotherDirectoryWhenItIsTold) {
  World world(kSeed);
  world.dir().Write("manifests/a.yaml", Binding("viewers", "roles/viewer", kOnlyAna));
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("viewers"); });
  world.dir().Write("branch/a.yaml", Binding("viewers", "roles/viewer", kBoth));
  const std::string branch = world.dir() / "branch";
  const Outcome preview = world.Run({"plan", "--manifests", branch});
  EXPECT_EQ(preview.exit_code, 1);
  EXPECT_THAT(preview.out, HasSubstr("user:bob@example.com gains roles/viewer"));
  EXPECT_EQ(world.Run({"plan"}).exit_code, 0) << "the configured directory is as it was";

  world.dir().Write("branch/broken.yaml", "{");
  const Outcome broken = world.Run({"plan", "--manifests", branch});
  EXPECT_EQ(broken.exit_code, 1);
  EXPECT_THAT(broken.err, HasSubstr("broken.yaml:1:"));
  EXPECT_THAT(broken.err, Not(HasSubstr("branch/broken.yaml"))) << "relative to the branch";
  EXPECT_EQ(world.Run({"plan", "--manifests", branch + "-nowhere"}).exit_code, 2);
}

TEST(Plan, ReadsTheConfigurationsDirectoryWhateverDaemonAnswersOnItsSocket) {
  World world(kSeed);
  world.dir().Write("manifests/a.yaml", Binding("viewers", "roles/viewer", kOnlyAna));
  world.StartDaemon();
  world.Eventually("ready", [&] { return world.IsReady("viewers"); });
  world.dir().Write("branch/a.yaml", Binding("viewers", "roles/viewer", kBoth));
  ::setenv("BINDERY_MANIFESTS_DIRECTORY", (world.dir() / "branch").c_str(), 1);
  const Outcome plan = world.Run({"plan"});
  ::unsetenv("BINDERY_MANIFESTS_DIRECTORY");
  EXPECT_THAT(plan.out, HasSubstr("user:bob@example.com gains roles/viewer"));
}

constexpr const char* kUnknown = "what deleted manifests granted cannot be known";

TEST(Plan, WithoutARecordOfWhatWasInForceItSaysThatDeletionsAreNotKnown) {
  World world(kSeed);
  world.SetPolicy(kPayments, Holders("roles/viewer", {kAna}));
  world.dir().Write("manifests/a.yaml", Binding("viewers", "roles/viewer", kOnlyAna));
  const Outcome none = world.Run({"plan"});
  EXPECT_EQ(none.exit_code, 1) << "nothing else changes";
  EXPECT_THAT(none.err, HasSubstr(kUnknown));
  EXPECT_THAT(none.err, HasSubstr("there is no store"));
  EXPECT_THAT(none.err, HasSubstr("--base DIR --manifests DIR"));
  EXPECT_THAT(none.err, HasSubstr("--server URL or --socket PATH"));
  EXPECT_THAT(none.out, HasSubstr("No changes where all is known: 1 target is as declared."));
  EXPECT_EQ(world.Run({"plan", "--detailed-exitcode"}).exit_code, 2);
  EXPECT_EQ(world.Run({"plan", "viewers"}).exit_code, 1);
  EXPECT_EQ(world.Run({"plan", "--severity", "critical"}).exit_code, 1);
  EXPECT_THAT(StringMember(world.RunJson({"plan"}), "deletionsUnknown"),
              HasSubstr("there is no store"));

  // A store in which a scan found nothing that it could bring into force.
  world.dir().Write("manifests/a.yaml", "kind: Nothing\n");
  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 2);
  world.dir().Write("manifests/a.yaml", Binding("viewers", "roles/viewer", kOnlyAna));
  const Outcome empty = world.Run({"plan"});
  EXPECT_EQ(empty.exit_code, 1);
  EXPECT_THAT(empty.err, HasSubstr("no manifest is in force by the store"));

  EXPECT_EQ(world.Run({"run", "--once"}).exit_code, 0);
  const Outcome known = world.Run({"plan"});
  EXPECT_EQ(known.exit_code, 0) << known.out << known.err;
  EXPECT_EQ(known.err, "");
  EXPECT_FALSE(world.RunJson({"plan"}).contains("deletionsUnknown"));
}

/// Two directories: in `branch`, viewers lose bob, browsers are deleted, and owners are new.
class PlanOfABranch : public ::testing::Test {
 protected:
  PlanOfABranch() {
    world_.dir().Write("manifests/a.yaml", Binding("viewers", "roles/viewer", kBoth));
    world_.dir().Write("manifests/b.yaml", Binding("browsers", "roles/browser", kOnlyAna));
    world_.dir().Write("branch/a.yaml", Binding("viewers", "roles/viewer", kOnlyAna));
    world_.dir().Write("branch/c.yaml", Binding("owners", "roles/owner", kOnlyAna));
  }
  Json Holding() const {
    return Json::array({Json{{"role", "roles/viewer"}, {"members", {kAna, "user:bob@example.com"}}},
                        Json{{"role", "roles/browser"}, {"members", {kAna}}}});
  }
  [[nodiscard]] std::vector<std::string> With(std::vector<std::string> more) const {
    std::vector<std::string> arguments = {"plan", "--manifests", world_.dir() / "branch"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  /// Passed over by its name in both: it holds nothing that is missing.
  void HideAFile() const {
    for (const char* folder : {"manifests", "branch"}) {
      world_.dir().Write(std::string(folder) + "/.hidden.yaml", "# settings of an editor\n");
    }
  }
  void ExpectTheMerge(const Outcome& plan) const {
    EXPECT_EQ(plan.exit_code, 1) << plan.out << plan.err;
    EXPECT_EQ(plan.err, "");
    EXPECT_THAT(plan.out, HasSubstr("user:bob@example.com loses roles/viewer"));
    EXPECT_THAT(plan.out, HasSubstr("user:ana@example.com loses roles/browser"));
    EXPECT_THAT(plan.out, HasSubstr("user:ana@example.com gains roles/owner"));
    EXPECT_THAT(plan.out, HasSubstr("Plan: 1 grant to add, 2 to remove, on 1 target.\n"));
  }

  World world_{kSeed};
};

TEST_F(PlanOfABranch, WithABaseNeedsNoStore) {
  HideAFile();
  world_.SetPolicy(kPayments, Holding());
  const std::string base = world_.dir() / "manifests";
  ExpectTheMerge(world_.Run(With({"--base", base})));
  EXPECT_FALSE(std::filesystem::exists(world_.dir() / "state/bindery.db"));

  const Outcome same = world_.Run({"plan", "--base", base, "--manifests", base});
  EXPECT_EQ(same.exit_code, 0) << same.out << same.err;
  EXPECT_EQ(world_.Run(With({"--base", base, "--detailed-exitcode"})).exit_code, 2);
  EXPECT_EQ(world_.Run(With({"--base", base + "-nowhere"})).exit_code, 2);
  for (const auto& wrong :
       std::vector<std::vector<std::string>>{{"--base", base, "--socket", "s"},
                                             {"--base", base, "--server", "https://a.example"},
                                             {"--socket", "s", "--server", "https://a.example"},
                                             {"--base", ""},
                                             {"--socket", ""},
                                             {"--server", ""},
                                             {"--base", base, "--password-file", "f"}}) {
    const Outcome refused = world_.Run(With(wrong));
    EXPECT_EQ(refused.exit_code, 2) << ::testing::PrintToString(wrong);
    EXPECT_THAT(refused.out, ::testing::IsEmpty());
  }
  const Json named = world_.RunJson(With({"--base", base, "owners"}));
  EXPECT_EQ(named.at("changes").size(), 1U);

  world_.dir().Write("manifests/broken.yaml", "{");
  EXPECT_THAT(world_.Run(With({"--base", base})).err,
              HasSubstr("1 manifest of the base with errors"));
  world_.dir().Write("branch/broken.yaml", "kind: [");
  const Outcome broken = world_.Run(With({"--base", base}));
  EXPECT_EQ(broken.exit_code, 1);
  EXPECT_THAT(broken.err, HasSubstr("broken.yaml:1:"));
}

TEST_F(PlanOfABranch, ADeletedManifestWithReferencesIsPlannedToo) {
  world_.SetPolicy(kPayments, Holding());
  const std::string linked =
      "apiVersion: cloudnative:backupdr/v1\n"
      "kind: ManagementServerIamBinding\nmetadata: {name: linked}\n"
      "spec: {name: \"" +
      std::string(kBackup) + "\", role: roles/viewer, members: \"${viewers.members}\"}\n";
  world_.SetPolicy(kBackup, Holders("roles/viewer", {kAna, "user:bob@example.com"}));
  world_.dir().Write("manifests/linked.yaml", linked);
  const Outcome plan = world_.Run(With({"--base", world_.dir() / "manifests"}));
  EXPECT_THAT(plan.out, HasSubstr("Plan: 1 grant to add, 4 to remove, on 2 targets.\n"));
}

TEST_F(PlanOfABranch, ADaemonPlansWhatItIsSent) {
  world_.StartDaemon();
  world_.Eventually("ready",
                    [&] { return world_.IsReady("viewers") && world_.IsReady("browsers"); });
  const std::string socket = world_.dir() / "bindery.sock";
  const Json before = world_.Policy(kPayments);
  ExpectTheMerge(world_.Run(With({"--socket", socket})));
  ExpectTheMerge(world_.Run(With({})));
  EXPECT_EQ(world_.RunJson(With({"--socket", socket})), world_.RunJson(With({})))
      << "the same form as from the store";
  EXPECT_EQ(world_.Policy(kPayments), before) << "nothing is written";
  EXPECT_TRUE(world_.IsReady("browsers"));

  HideAFile();
  world_.Eventually("the daemon knows the hidden file", [&] {
    return world_.Run(With({"--socket", socket})).out.find("waits") == std::string::npos;
  });
  ExpectTheMerge(world_.Run(With({"--socket", socket})));
  const Outcome same =
      world_.Run({"plan", "--socket", socket, "--manifests", world_.dir() / "manifests"});
  EXPECT_EQ(same.exit_code, 0) << same.out << same.err;
  EXPECT_EQ(world_.Run(With({"--socket", socket, "--detailed-exitcode"})).exit_code, 2);
  EXPECT_EQ(world_.Run(With({"--socket", socket, "nobody"})).exit_code, 2);

  // Two files of the directory that declare the same role.
  world_.dir().Write("branch/d.yaml", Binding("owners-too", "roles/owner", kBoth));
  const Outcome conflict = world_.Run(With({"--socket", socket}));
  EXPECT_EQ(conflict.exit_code, 1);
  EXPECT_THAT(conflict.err, HasSubstr("c.yaml:"));
  EXPECT_THAT(conflict.err, HasSubstr("d.yaml:"));
  EXPECT_THAT(conflict.out, Not(HasSubstr("gains roles/owner"))) << "neither is taken up";

  // A file that cannot be read as YAML: what is missing may be in it.
  world_.dir().Write("branch/d.yaml", "kind: [");
  const Outcome broken = world_.Run(With({"--socket", socket}));
  EXPECT_EQ(broken.exit_code, 1);
  EXPECT_THAT(broken.err, HasSubstr("d.yaml:1:"));
  EXPECT_THAT(broken.err, HasSubstr("kind: [")) << "with the line";
  EXPECT_THAT(broken.out, Not(HasSubstr("loses roles/browser")));
  world_.dir().Write("branch/d.yaml", "kind: \xff\xfe\n");
  const Outcome no_text = world_.Run(With({"--socket", socket}));
  EXPECT_EQ(no_text.exit_code, 1);
  EXPECT_THAT(no_text.err, HasSubstr("d.yaml: "));

  world_.dir().Write("branch/d.yaml", "# " + std::string(17U << 20U, 'x') + "\n");
  const Outcome large = world_.Run(With({"--socket", socket}));
  EXPECT_EQ(large.exit_code, 1) << "larger than a file may be: it is as one that cannot be read";
  EXPECT_THAT(large.err, HasSubstr("d.yaml: "));
  EXPECT_THAT(large.out, Not(HasSubstr("loses roles/browser")));
  world_.dir().Write("branch/d.yaml", "# " + std::string(9U << 20U, 'x') + "\n");
  world_.dir().Write("branch/e.yaml", "# " + std::string(9U << 20U, 'x') + "\n");
  const Outcome larger = world_.Run(With({"--socket", socket}));
  EXPECT_EQ(larger.exit_code, 2);
  EXPECT_THAT(larger.err, HasSubstr("18.0 MiB, and a daemon takes 16 MiB"));

  for (const char* file : {"branch/d.yaml", "branch/e.yaml"}) {
    std::filesystem::remove(world_.dir() / file);
  }
  world_.Kill(SIGTERM);
  const Outcome away = world_.Run(With({"--socket", socket}));
  EXPECT_EQ(away.exit_code, 2);
  EXPECT_THAT(away.err, HasSubstr("no daemon answers"));
}

TEST_F(PlanOfABranch, OverTheNetworkADaemonPlansForItsUsers) {
  const TempDir keys;
  const TestAuthority authority(keys, "root");
  const CertificateFiles files = authority.Issue("server");
  world_.WriteSecret("web.yml", "tls_server_config: {cert_file: " + files.certificate +
                                    ", key_file: " + files.key + "}\nbasic_auth_users: {ana: " +
                                    Bcrypt("SECRET-sesame") + "}\n");
  world_.WriteSecret("password", "SECRET-sesame\n");
  std::string text = world_.dir().Read("bindery.yaml");
  const std::string plain = R"(server: {listen: "127.0.0.1:0")";
  text.replace(text.find(plain), plain.size(), plain + ", webConfigFile: web.yml");
  world_.dir().Write("bindery.yaml", text);
  world_.StartDaemon();
  world_.Eventually("ready",
                    [&] { return world_.IsReady("viewers") && world_.IsReady("browsers"); });
  const std::string host = world_.Address();
  const std::vector<std::string> trusted = {"--ca-file", authority.file()};
  const auto at = [&](const std::string& url, std::vector<std::string> more) {
    more.insert(more.end(), {"--server", url});
    more.insert(more.end(), trusted.begin(), trusted.end());
    return world_.Run(With(std::move(more)));
  };
  const std::string password = world_.dir() / "password";
  ExpectTheMerge(at("https://ana@" + host, {"--password-file", password}));
  struct Case {
    std::string url;
    std::vector<std::string> more;
    std::string message;
  };
  const Case cases[] = {
      {"https://" + host, {}, "UNAUTHENTICATED"},
      {"https://eve@" + host, {"--password-file", password}, "UNAUTHENTICATED"},
      {"https://ana@" + host, {}, "a user and a password go together"},
      {"https://ana:pw@" + host, {}, "must hold no password"},
      {"http://bindery.example", {}, "http"},
  };
  for (const Case& one : cases) {
    const Outcome refused = at(one.url, one.more);
    EXPECT_EQ(refused.exit_code, 2) << one.url;
    EXPECT_THAT(refused.err, HasSubstr(one.message)) << one.url;
  }
}

}  // namespace
}  // namespace bindery::testing
