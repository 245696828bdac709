// The configuration and the store over their lives: checked, reloaded, backed up, restored.

#include <fstream>

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// The configuration ------------------------------------------------------------------------------

TEST(ConfigCommands, CheckSaysAllThatIsWrongAtOnceAndWhere) {
  World world(kSeed);
  const Outcome good = world.Run({"config", "check"});
  EXPECT_EQ(good.exit_code, 0) << good.err;
  EXPECT_THAT(good.out, HasSubstr("bindery.yaml: ok, "));

  const std::string file = world.dir() / "bad.yaml";
  world.dir().Write("bad.yaml", "sever: {}\nreconcile:\n  intervall: 5m\n  mode: enforced\n");
  const Outcome bad = world.Run({"config", "check", "-c", file});
  EXPECT_EQ(bad.exit_code, 1);
  EXPECT_EQ(bad.out, file + ":1:1: sever: unknown key: did you mean \"server\"?\n" + file +
                         ":3:3: reconcile.intervall: unknown key: did you mean \"interval\"?\n" +
                         file +
                         ":4:9: reconcile.mode: \"enforced\" is not accepted: did you mean "
                         "\"enforce\"?\n3 problems\n");
  EXPECT_THAT(bad.err, IsEmpty());
  const Json json = world.RunJson({"config", "check", "-c", file});
  EXPECT_EQ(json.at("valid"), false);
  EXPECT_EQ(json.at("problems").at(1).at("line"), 3);
  EXPECT_EQ(json.at("problems").at(1).at("column"), 3);

  const Outcome none = world.Run({"config", "check", "-c", world.dir() / "none.yaml"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("no such file"));
  world.dir().Write("web.yaml", "server: {webConfigFile: nosuch.yml}\n");
  const Outcome web = world.Run({"config", "check", "-c", world.dir() / "web.yaml"});
  EXPECT_EQ(web.exit_code, 1);
  EXPECT_THAT(web.out, HasSubstr("web.yaml:1:25: server.webConfigFile: "));
  EXPECT_THAT(web.err, IsEmpty()) << "it is not the file to name another one for";
}

TEST(ConfigCommands, ShowSaysWhereEachValueIsFromAndNoSecret) {
  World world(kSeed, "transport: {proxy: \"${env:PROXY}\", noProxy: \"*\"}\n");
  world.SetEnvironment("PROXY", "http://user:SECRET-proxy@127.0.0.1:1");
  world.SetEnvironment("BINDERY_RECONCILE_INTERVAL", "90s");
  const Json report = world.RunJson({"config", "show"});
  EXPECT_EQ(report.at("config").at("reconcile").at("interval"), "90s");
  EXPECT_EQ(report.at("config").at("transport").at("proxy"), "********");
  EXPECT_EQ(report.at("sources").at("reconcile.interval").at("from"), "environment");
  EXPECT_EQ(report.at("sources").at("transport.proxy").at("variable"), "PROXY");
  EXPECT_EQ(report.at("sources").at("guard.maxRemovedGrants").at("from"), "default");
  const Outcome text = world.Run({"config", "show"});
  EXPECT_THAT(text.out, AllOf(HasSubstr("$BINDERY_RECONCILE_INTERVAL"),
                              HasSubstr("bindery.yaml:2\n"), Not(HasSubstr("SECRET"))));

  world.SetEnvironment("BINDERY_RECONCILE_INTERVAL", "soon");
  const Outcome wrong = world.Run({"config", "check"});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_THAT(wrong.out, HasSubstr("$BINDERY_RECONCILE_INTERVAL: reconcile.interval: "));
}

TEST(ConfigCommands, TheSchemaIsThePublishedOneAndAnIndependentValidatorAgreesWithIt) {
  World world(kSeed);
  const std::string schema = world.Run({"config", "schema"}).out;
  std::ifstream published(BINDERY_SOURCE "/config/bindery.schema.json");
  std::ostringstream text;
  text << published.rdbuf();
  EXPECT_TRUE(schema == text.str()) << "bindery config schema > config/bindery.schema.json";

  world.dir().Write("schema.json", schema);
  fs::create_directories(world.dir() / "good");
  for (const char* file :
       {"config/bindery.yaml", "config/examples/bindery.yaml", "deploy/debian/bindery.yaml",
        "deploy/container/bindery.yaml", "deploy/kubernetes/base/bindery.yaml",
        "deploy/kubernetes/overlays/git-sync/bindery.yaml",
        "deploy/kubernetes/overlays/real-clouds/bindery.yaml",
        "deploy/kubernetes/overlays/replicas/bindery.yaml",
        "deploy/compose/replicas/bindery.yaml"}) {
    std::string name = file;
    std::ranges::replace(name, '/', '-');
    const fs::path source = fs::path(BINDERY_SOURCE) / file;
    fs::copy_file(source, fs::path(world.dir() / "good") / name);
    // Offline: files and folders that it names need not be here.
    const Outcome checked = world.Run({"config", "check", "-c", source.string()});
    EXPECT_EQ(checked.exit_code, 0) << file << ": " << checked.out << checked.err;
  }
  world.dir().Write("good/variables.yaml",
                    "reconcile: {interval: \"${env:A}\", concurrency: \"${env:B}\", mode: \n}\n"
                    "guard:\nlogging: {level: \"${env:C}\"}\n");
  const auto validate = [&world](const char* folder) {
    const std::string command = "python3 " BINDERY_SOURCE "/tests/support/validate_by_schema.py " +
                                (world.dir() / "schema.json") + " " + (world.dir() / folder) +
                                " > " + (world.dir() / "validated.txt") + " 2>&1";
    return std::system(command.c_str()) == 0;
  };
  EXPECT_TRUE(validate("good")) << world.dir().Read("validated.txt");
  const char* const wrong[] = {
      "sever: {}\n",
      "reconcile: {interval: 5}\n",
      "reconcile: {concurrency: 0}\n",
      "reconcile: {mode: sometimes}\n",
      "reports: {formats: [json, json]}\n",
      "store: {url: \"postgres:x\"}\n",
      "server: {insecure: \"yes\"}\n",
      "providers: {a: {project: p}}\n",
      "providers: {a: {type: cloudnative, site: datadoghq.eu}}\n",
  };
  int count = 0;
  for (const char* content : wrong) {
    const std::string name = "bad/" + std::to_string(count++) + ".yaml";
    world.dir().Write(name, content);
    EXPECT_EQ(world.Run({"config", "check", "-c", world.dir() / name}).exit_code, 1) << content;
  }
  EXPECT_FALSE(validate("bad"));
  const std::string refused = world.dir().Read("validated.txt");
  for (int i = 0; i < count; ++i) {
    EXPECT_THAT(refused, HasSubstr("bad/" + std::to_string(i) + ".yaml: ")) << wrong[i];
  }
}

class Reload : public ::testing::Test {
 protected:
  Reload() : world_(kSeed, "reconcile: {mode: observe, interval: 1s}\n") {
    world_.dir().Write("manifests/a.yaml",
                       Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
    world_.StartDaemon();
    world_.Eventually("observed", [&] { return world_.Reason("viewers") == "DriftObserved"; });
  }

  /// Reloads, and waits until the log says `told` once more.
  void ReloadUntil(const std::string& told) {
    const auto count = [&] {
      const std::string log = world_.DaemonLog();
      int times = 0;
      for (auto at = log.find(told); at != std::string::npos; at = log.find(told, at + 1)) ++times;
      return times;
    };
    const int before = count();
    world_.Signal(SIGHUP);
    world_.Eventually(told, [&] { return count() > before; });
  }

  void ExpectStillObserving(const char* why) {
    EXPECT_THAT(world_.Ask("GET", "/metrics").body,
                HasSubstr("bindery_config_last_reload_successful 0"))
        << why;
    // Two checks later still nothing was written: the mode is what it was.
    const auto reads = world_.Count("networksecurity.getIamPolicy");
    world_.Eventually("checked twice",
                      [&] { return world_.Count("networksecurity.getIamPolicy") >= reads + 2; });
    EXPECT_EQ(world_.Count("networksecurity.setIamPolicy"), 0) << why;
    EXPECT_EQ(world_.Ask("GET", "/readyz").status, 200) << why;
  }

  World world_;
};

TEST_F(Reload, AFileWithOneFaultChangesNothingAndTheLogSaysWhere) {
  // The fault comes last: all that stands before it is good, and is not taken either.
  world_.Configure("reconcile: {mode: enforce, interval: 1s}\nguard: {maxRemovedGrant: 5}\n");
  ReloadUntil("the one before stays in force");
  EXPECT_THAT(world_.DaemonLog(),
              HasSubstr("bindery.yaml:16:9: guard.maxRemovedGrant: unknown key: did you mean"));
  ExpectStillObserving("an unknown key");

  world_.dir().Write("bindery.yaml", "reconcile: {mode: enforce\n");
  ReloadUntil("the one before stays in force");
  ExpectStillObserving("no YAML");

  world_.Configure("reconcile: {mode: enforce, interval: 1s}\n");
  ReloadUntil("configuration reloaded");
  EXPECT_THAT(world_.Ask("GET", "/metrics").body,
              HasSubstr("bindery_config_last_reload_successful 1"));
  world_.Eventually("enforced",
                    [&] { return world_.Members(kPayments, "roles/viewer").size() == 1; });
}

TEST_F(Reload, WhatCannotSignInChangesNothingEither) {
  world_.SignInWith("{type: file, file: nowhere.json}");
  world_.Configure("reconcile: {mode: enforce, interval: 1s}\n");
  ReloadUntil("the one before stays in force");
  EXPECT_THAT(world_.DaemonLog(), HasSubstr("nowhere.json"));
  ExpectStillObserving("credentials that are not there");
}

// The store --------------------------------------------------------------------------------------

class StoreCommands : public ::testing::Test {
 protected:
  StoreCommands() : world_(kSeed, "reconcile: {interval: 1s}\n") { Declare("ana"); }

  void Declare(const std::string& who) {
    world_.dir().Write("manifests/a.yaml",
                       Binding("viewers", "roles/viewer", "[user:" + who + "@example.com]"));
  }
  void StartAndSettle(const std::string& who) {
    world_.StartDaemon();
    Settle(who);
  }
  void Settle(const std::string& who) {
    world_.Eventually("ready", [&] {
      const auto members = world_.Members(kPayments, "roles/viewer");
      return world_.IsReady("viewers") && members.size() == 1 &&
             members[0] == "user:" + who + "@example.com";
    });
  }
  [[nodiscard]] std::size_t Revisions() const {
    return world_.RunJson({"history", "viewers"}).at("revisions").size();
  }
  [[nodiscard]] std::vector<std::string> Leftovers() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(world_.dir().path())) {
      const std::string name = entry.path().filename().string();
      const bool left = name.find(".partial") != std::string::npos ||
                        name.find(".restoring") != std::string::npos;
      if (left) names.push_back(name);
    }
    return names;
  }

  World world_;
};

TEST_F(StoreCommands, ABackupTakenWhileTheDaemonWritesIsSoundAndCanBeRestored) {
  StartAndSettle("ana");
  const std::string file = world_.dir() / "first.db";
  const Json backup = world_.RunJson({"store", "backup", file});
  EXPECT_EQ(backup.at("bytes"), fs::file_size(file));
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  const std::size_t revisions = Revisions();
  // The daemon goes on, and so do backups beside its writes.
  for (const char* who : {"bob", "cid", "dee"}) {
    Declare(who);
    const std::string beside = world_.dir() / (std::string(who) + ".db");
    EXPECT_EQ(world_.Run({"store", "backup", beside}).exit_code, 0);
    const Outcome check = world_.Run({"store", "check", beside});
    EXPECT_EQ(check.exit_code, 0) << check.out << check.err;
    Settle(who);
  }
  EXPECT_GT(Revisions(), revisions);
  EXPECT_THAT(world_.DaemonLog(), Not(HasSubstr("error")));

  const Outcome refused = world_.Run({"store", "restore", file});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("is in use by process"), HasSubstr("stop the daemon")));
  const Outcome again = world_.Run({"store", "backup", file});
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_THAT(again.err, HasSubstr("is not overwritten"));

  EXPECT_EQ(world_.Kill(SIGTERM), 0);
  const Json restored = world_.RunJson({"store", "restore", file});
  EXPECT_TRUE(fs::exists(restored.at("setAside").get<std::string>()));
  EXPECT_EQ(Revisions(), revisions) << "as it was then";
  StartAndSettle("dee");
  world_.Eventually("on from there", [&] { return Revisions() > revisions; });
  EXPECT_EQ(world_.Run({"store", "check"}).exit_code, 0);
  EXPECT_THAT(Leftovers(), IsEmpty());
}

TEST_F(StoreCommands, AfterACrashABackupHasAllAndARestoreIsNotMixedWithWhatWaited) {
  StartAndSettle("ana");
  const std::string file = world_.dir() / "backup.db";
  ASSERT_EQ(world_.Run({"store", "backup", file}).exit_code, 0);
  const std::size_t revisions = Revisions();
  Declare("bob");
  Settle("bob");
  world_.Kill(SIGKILL);
  EXPECT_EQ(world_.Run({"store", "backup", world_.dir() / "after.db"}).exit_code, 0);
  const Json restored = world_.RunJson({"store", "restore", file});
  EXPECT_EQ(world_.Run({"store", "check"}).exit_code, 0);
  EXPECT_EQ(Revisions(), revisions);
  const Outcome before = world_.Run({"store", "check", restored.at("setAside").get<std::string>()});
  EXPECT_EQ(before.exit_code, 0) << before.out << before.err;
  StartAndSettle("bob");
}

TEST_F(StoreCommands, CheckTellsByItsExitCode) {
  EXPECT_EQ(world_.Run({"store", "check"}).exit_code, 2) << "there is none yet";
  EXPECT_EQ(world_.Run({"run", "--once"}).exit_code, 0);
  const Json sound = world_.RunJson({"store", "check"});
  EXPECT_EQ(sound.at("sound"), true);
  EXPECT_GT(sound.at("policies"), 0);
  EXPECT_FALSE(sound.at("events").at("newest").is_null());
  {
    std::fstream store(world_.dir() / "state/bindery.db",
                       std::ios::binary | std::ios::in | std::ios::out);
    store.seekp(2 * 4096);
    store << std::string(2 * 4096, 'x');
  }
  const Outcome damaged = world_.Run({"store", "check"});
  EXPECT_EQ(damaged.exit_code, 1);
  EXPECT_THAT(damaged.out, AllOf(HasSubstr("integrity: "), HasSubstr("not sound")));
  const Outcome backup = world_.Run({"store", "backup", world_.dir() / "damaged.db"});
  EXPECT_EQ(backup.exit_code, 2);
  EXPECT_FALSE(fs::exists(world_.dir() / "damaged.db"));
  EXPECT_THAT(Leftovers(), IsEmpty());
}

TEST_F(StoreCommands, CompactNeedsTheDaemonToBeStopped) {
  StartAndSettle("ana");
  const Outcome refused = world_.Run({"store", "compact"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("stop the daemon first"));
  EXPECT_EQ(world_.Kill(SIGTERM), 0);
  const Json done = world_.RunJson({"store", "compact"});
  EXPECT_LE(done.at("bytesAfter"), done.at("bytesBefore"));
  EXPECT_EQ(world_.Run({"store", "check"}).exit_code, 0);
  StartAndSettle("ana");
}

TEST_F(StoreCommands, AStoreOfADevelopmentVersionIsRefusedWithWhatToDo) {
  ASSERT_EQ(world_.Run({"run", "--once"}).exit_code, 0);
  const std::string store = world_.dir() / "state/bindery.db";
  ASSERT_EQ(std::system(("sqlite3 " + store + " 'PRAGMA user_version = 8'").c_str()), 0);
  const std::string old = world_.dir() / "old.db";
  fs::copy_file(store, old);
  const auto says = AllOf(HasSubstr("has schema version 8, this program reads version 100"),
                          HasSubstr("the version of bindery that made it"));
  const Outcome run = world_.Run({"run", "--once"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, says);
  EXPECT_THAT(world_.Run({"events"}).err, says);
  const Outcome restored = world_.Run({"store", "restore", old});
  EXPECT_EQ(restored.exit_code, 2);
  EXPECT_THAT(restored.err, says);
  const Outcome check = world_.Run({"store", "check"});
  EXPECT_EQ(check.exit_code, 1);
  EXPECT_THAT(check.out, HasSubstr("only the pages could be checked"));
}

/// Overwrites the first page of an index.
void DamageIndex(const std::string& store, const std::string& index) {
  const std::string said = store + ".page";
  const std::string ask = "sqlite3 '" + store +
                          "' \"SELECT rootpage FROM sqlite_schema WHERE name = '" + index +
                          "'\" > '" + said + "'";
  ASSERT_EQ(std::system(ask.c_str()), 0);
  int page = 0;
  ASSERT_TRUE(std::ifstream(said) >> page);
  fs::remove(said);
  constexpr int kPageSize = 4096;
  std::fstream file(store, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(page - 1) * kPageSize);
  file << std::string(kPageSize, 'x');
}

/// The commands that the page of the store prints for a damaged file.
TEST_F(StoreCommands, WhatIsRecoveredAsThePageSaysCanBeRestored) {
  ASSERT_EQ(world_.Run({"run", "--once"}).exit_code, 0);
  const std::size_t events = world_.RunJson({"events"}).at("events").size();
  const std::string store = world_.dir() / "state/bindery.db";
  DamageIndex(store, "revisions_target");
  ASSERT_EQ(world_.Run({"run", "--once"}).exit_code, 0);
  for (const auto& entry : fs::directory_iterator(world_.dir() / "state")) {
    const std::string name = entry.path().filename();
    constexpr std::string_view kSetAside = "bindery.db.damaged-";
    constexpr std::string_view kTime = "20261121T102030Z";
    if (!name.starts_with(kSetAside)) continue;
    // The files that belong to it have a suffix.
    const std::string suffix = name.substr(kSetAside.size() + kTime.size());
    fs::rename(entry.path(), world_.dir() / (std::string(kSetAside).append(kTime) + suffix));
  }
  std::ifstream in(BINDERY_SOURCE "/docs/store.md");
  std::ostringstream page;
  page << in.rdbuf();
  const std::string text = page.str();
  constexpr std::string_view kBegin = "To recover data from the damaged file:\n\n```sh\n";
  const std::size_t begin = text.find(kBegin) + kBegin.size();
  const std::size_t end = text.find("bindery store check recovered.db", begin);
  ASSERT_NE(end, std::string::npos);
  world_.dir().Write("recover.sh", "set -e\n" + text.substr(begin, end - begin));
  ASSERT_EQ(std::system(("cd " + world_.dir().path().string() + " && sh recover.sh").c_str()), 0);
  const std::string recovered = world_.dir() / "recovered.db";
  const Outcome check = world_.Run({"store", "check", recovered});
  EXPECT_EQ(check.exit_code, 0) << check.out << check.err;
  const Outcome restored = world_.Run({"store", "restore", recovered});
  EXPECT_EQ(restored.exit_code, 0) << restored.err;
  EXPECT_GE(world_.RunJson({"events"}).at("events").size(), events);
  StartAndSettle("ana");
}

}  // namespace
}  // namespace bindery::testing
