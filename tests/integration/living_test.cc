// The daemon keeps living, or says that it does not: its store goes, signals come early, threads
// and memory run out, and what it gave up stays forbidden.

#include <sys/file.h>
#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <system_error>

#include "integration/manifests.h"
#include "integration/world.h"

namespace bindery::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

constexpr const char* kTarget = "projects/acme/locations/global/authorizationPolicies/payments";

std::string OneTarget() { return std::string("authorizationPolicies:\n  - ") + kTarget + "\n"; }

/// What is preloaded, or limits memory, does not go with the sanitizers' library.
#ifdef BINDERY_SANITIZED
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

class Living : public ::testing::Test {
 protected:
  void Declare(const std::string& member) const {
    world.dir().Write("manifests/payments.yaml",
                      "apiVersion: cloudnative:networksecurity/v1\n"
                      "kind: AuthorizationPolicyIamBinding\n"
                      "metadata: {name: payments}\n"
                      "spec: {name: " +
                          std::string(kTarget) +
                          ", role: roles/viewer, members: [\"user:ana@example.com\", \"user:" +
                          member + "@example.com\"]}\n");
  }
  void Begin() {
    Declare("bob");
    world.StartDaemon();
    world.Eventually("the first manifest is applied", [this] { return world.IsReady("payments"); });
    world.Eventually("the first pass is over", [this] { return Readiness() == 200; });
  }
  [[nodiscard]] bool Holds(const std::string& member) const {
    const auto members = world.Members(kTarget, "roles/viewer");
    return std::find(members.begin(), members.end(), "user:" + member + "@example.com") !=
           members.end();
  }
  [[nodiscard]] int Readiness() const { return world.Ask("GET", "/readyz").status; }
  [[nodiscard]] std::string Store() const { return world.dir() / "state/bindery.db"; }
  [[nodiscard]] Json Events() const {
    return ParseJson(world.Ask("GET", "/api/v1/events").body).value_or(Json::object());
  }
  /// Waits until the store was opened again and all is well again, then changes something more.
  void ExpectRecovery() {
    world.Eventually("the store is opened again",
                     [this] { return Events().dump().find("StoreReopened") != std::string::npos; });
    world.Eventually("it is ready again", [this] { return Readiness() == 200; });
    Declare("dan");
    world.Eventually("it writes again", [this] { return Holds("dan"); });
    EXPECT_THAT(world.Ask("GET", "/metrics").body, HasSubstr("bindery_store_reopenings_total 1"));
    EXPECT_EQ(world.Kill(SIGTERM), 0) << world.DaemonLog();
  }

  World world{OneTarget()};
};

TEST_F(Living, ADeletedStoreStopsWritesAndIsPutBack) {
  Begin();
  for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(Store() + suffix);
  world.ResetRequests();
  Declare("eve");
  world.Eventually("it is not ready", [this] { return Readiness() == 500; });
  EXPECT_EQ(world.Count("networksecurity.setIamPolicy"), 0)
      << "no write without its intent on disk";
  world.Eventually("the change is made by the next one", [this] { return Holds("eve"); });
  // What was on record before is still there.
  EXPECT_GE(world.RunJson({"history", "payments"}).at("revisions").size(), 2U);
  ExpectRecovery();
}

TEST_F(Living, ARenamedStateFolderIsPutBack) {
  Begin();
  fs::rename(world.dir() / "state", world.dir() / "elsewhere");
  ExpectRecovery();
}

TEST_F(Living, AStoreInItsPlaceIsOpened) {
  Begin();
  const Outcome backup = world.Run({"store", "backup", world.dir() / "copy.db"});
  ASSERT_EQ(backup.exit_code, 0) << backup.err;
  fs::rename(world.dir() / "copy.db", Store());
  ExpectRecovery();
}

TEST_F(Living, AnOlderStoreInItsPlaceRemovesNothingUnasked) {
  Begin();
  ASSERT_EQ(world.Run({"store", "backup", world.dir() / "copy.db"}).exit_code, 0);
  fs::rename(world.dir() / "copy.db", Store());
  world.Eventually("the store is opened again",
                   [this] { return Events().dump().find("StoreReopened") != std::string::npos; });
  world.dir().Write("manifests/stays.yaml",
                    Binding("stays", "roles/editor", "[\"user:ana@example.com\"]"));
  fs::remove(world.dir() / "manifests/payments.yaml");
  world.Eventually("its removal waits for an operator",
                   [this] { return world.Reason("payments") == "RemovalBlocked"; });
  EXPECT_TRUE(Holds("bob"));
}

TEST_F(Living, AnOlderStoreThatIsCopiedInItsPlaceAfterTheEndRemovesNothingUnasked) {
  Begin();
  ASSERT_EQ(world.Run({"store", "backup", world.dir() / "copy.db"}).exit_code, 0);
  Declare("dan");
  world.Eventually("an edit is applied", [this] { return Holds("dan"); });
  ASSERT_EQ(world.Kill(SIGTERM), 0) << world.DaemonLog();
  fs::copy_file(world.dir() / "copy.db", Store(), fs::copy_options::overwrite_existing);
  world.dir().Write("manifests/stays.yaml",
                    Binding("stays", "roles/editor", "[\"user:ana@example.com\"]"));
  fs::remove(world.dir() / "manifests/payments.yaml");
  world.StartDaemon();
  world.Eventually("its removal waits for an operator",
                   [this] { return world.Reason("payments") == "RemovalBlocked"; });
  EXPECT_TRUE(Holds("dan"));
  EXPECT_THAT(Events().dump(), HasSubstr("StoreReplaced"));
}

TEST_F(Living, AnEmptiedStoreIsSetAsideOrBegunAnew) {
  Begin();
  fs::resize_file(Store(), 0);
  ExpectRecovery();
}

TEST_F(Living, AFolderThatComesBackInTimeChangesNothing) {
  Begin();
  const auto reopenings = [this] {
    constexpr std::string_view kSeries = "\nbindery_store_reopenings_total ";
    const std::string body = world.Ask("GET", "/metrics").body;
    return std::stoi(body.substr(body.find(kSeries) + kSeries.size()));
  };
  // The daemon waits for half a second: on a busy machine it may be faster than this test.
  constexpr int kAttempts = 20;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const int before = reopenings();
    fs::rename(world.dir() / "state", world.dir() / "elsewhere");
    world.Eventually("it is not ready", [this] { return Readiness() == 500; });
    const std::string away = world.Ask("GET", "/metrics").body;
    std::error_code late;
    fs::rename(world.dir() / "elsewhere", world.dir() / "state", late);
    if (late) fs::remove_all(world.dir() / "elsewhere");
    world.Eventually("it is ready again", [this] { return Readiness() == 200; });
    if (late || reopenings() != before) continue;
    EXPECT_THAT(away, HasSubstr("bindery_store_usable 0"));
    EXPECT_THAT(world.DaemonLog(), HasSubstr("the store can be used again"));
    return;
  }
  FAIL() << "the store was opened anew each time";
}

TEST_F(Living, ADiskThatTakesNoWritesStopsWritesUntilItDoes) {
  Begin();
  const auto limit = [this](rlim_t bytes) {
    const rlimit wanted = {bytes, RLIM_INFINITY};
    ASSERT_EQ(::prlimit(world.DaemonId(), RLIMIT_FSIZE, &wanted, nullptr), 0);
  };
  world.ResetRequests();
  limit(0);
  Declare("eve");
  world.Eventually("it is not ready", [this] { return Readiness() == 500; });
  EXPECT_EQ(world.Count("networksecurity.setIamPolicy"), 0);
  limit(RLIM_INFINITY);
  world.Eventually("it is ready again", [this] { return Readiness() == 200; });
  world.Eventually("it writes again", [this] { return Holds("eve"); });
  EXPECT_EQ(world.Kill(SIGTERM), 0);
}

/// SQLite calls a file damaged that the disk does not give: such a store would be set aside.
TEST_F(Living, AStoreThatCannotBeReadStaysInItsPlace) {
  if (kSanitized) GTEST_SKIP() << "not for sanitizers";
  const std::string mark = world.dir() / "failing";
  world.SetEnvironment("LD_PRELOAD", FAILING_READS);
  world.SetEnvironment("FAIL_WHILE", mark);
  for (const auto& [file, said] : std::map<std::string, std::string>{
           {"bindery.db", "disk I/O error"},
           {"bindery.db-wal", "check the disk; the store stays in its place"}}) {
    world.SetEnvironment("FAIL_READS", "state/" + file);
    Begin();
    world.Kill(SIGKILL);
    std::ofstream(mark) << "";
    world.LaunchDaemon();
    EXPECT_EQ(world.WaitForEnd(), 2) << file;
    EXPECT_THAT(world.DaemonLog(), HasSubstr(said));
    fs::remove(mark);
    Begin();
    EXPECT_GE(world.RunJson({"history", "payments"}).at("revisions").size(), 2U) << file;
    EXPECT_THAT(world.DaemonLog(), Not(HasSubstr("set aside")));
    EXPECT_EQ(world.Kill(SIGTERM), 0) << world.DaemonLog();
  }
}

TEST_F(Living, AWitnessThatIsNotWrittenIsTold) {
  Begin();
  const fs::path witness = fs::directory_iterator(world.dir() / "home/bindery/witness")->path();
  fs::remove(witness);
  fs::create_directory(witness);
  Declare("eve");
  world.Eventually("it is told", [this] {
    return world.DaemonLog().find("set store.witness") != std::string::npos;
  });
  fs::remove(witness);
  world.Eventually("so is the end", [this] {
    return world.DaemonLog().find("the witness of the store is written again") != std::string::npos;
  });
}

TEST_F(Living, OfTwoDaemonsOnOneStoreTheFirstEnds) {
  Begin();
  fs::remove(world.dir() / "state/bindery.db.lock");
  // Another daemon, as far as the first can tell.
  std::ofstream(world.dir() / "state/bindery.db.lock") << "1\n";
  const int lock = ::open((world.dir() / "state/bindery.db.lock").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(lock, 0);
  ASSERT_EQ(::flock(lock, LOCK_EX | LOCK_NB), 0);
  EXPECT_EQ(world.WaitForEnd(), 2) << world.DaemonLog();
  EXPECT_THAT(world.DaemonLog(), HasSubstr("is in use by"));
  ::close(lock);
}

TEST_F(Living, SignalsThatComeBeforeTheLoopDoNotEndIt) {
  Declare("bob");
  for (const int pause : {0, 5, 10, 20, 40}) {
    world.LaunchDaemon();
    // The last of what is done about signals before anything else.
    world.Eventually("the program has begun", [this] {
      const std::string ignored = world.StatusField("SigIgn");
      return !ignored.empty() && (std::stoull(ignored, nullptr, 16) & (1ULL << (SIGXFSZ - 1))) != 0;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(pause));
    world.Signal(SIGHUP);
    world.Signal(SIGPIPE);
    world.AwaitDaemon();
    world.Eventually("the reload is made up for", [this] {
      return world.DaemonLog().find("configuration reloaded") != std::string::npos;
    });
    world.Signal(SIGPIPE);
    EXPECT_EQ(world.Kill(SIGTERM), 0) << world.DaemonLog();
  }
}

TEST_F(Living, WhatTheDaemonGaveUpIsForbidden) {
  Begin();
  EXPECT_EQ(world.StatusField("NoNewPrivs"), "1");
  const std::string log = world.DaemonLog();
  EXPECT_THAT(log, HasSubstr("noNewPrivileges"));
  if (kSanitized) GTEST_SKIP() << "the rest is not for sanitizers";
  EXPECT_EQ(world.StatusField("Seccomp"), "2");
  EXPECT_THAT(log, HasSubstr("noCoreDumps"));
}

TEST_F(Living, EachPartOfTheHardeningHasItsSwitch) {
  world.Configure(
      "hardening: {noNewPrivileges: false, seccomp: false, landlock: false, "
      "coreDumps: true}\n");
  Begin();
  EXPECT_EQ(world.StatusField("NoNewPrivs"), "0");
  EXPECT_EQ(world.StatusField("Seccomp"), "0");
  EXPECT_THAT(world.DaemonLog(), HasSubstr("hardening=none"));
}

TEST_F(Living, AScanThatHangsIsToldAndHoldsUpNoEnd) {
  if (kSanitized) GTEST_SKIP() << "not for sanitizers";
  const std::string mark = world.dir() / "state/hang";
  world.SetEnvironment("LD_PRELOAD", HANGING_FILES);
  world.SetEnvironment("HANG_PATH", "payments.yaml");
  world.SetEnvironment("HANG_WHILE", mark);
  Begin();
  std::ofstream(mark) << "";
  Declare("eve");
  world.Eventually("it is not ready", [this] { return Readiness() == 500; });
  EXPECT_THAT(world.Ask("GET", "/readyz?verbose").body, HasSubstr("does not answer"));
  fs::remove(mark);
  world.Eventually("it is ready again", [this] { return Readiness() == 200; });
  world.Eventually("what was declared meanwhile is applied", [this] { return Holds("eve"); });
  fs::remove(mark + ".met");
  std::ofstream(mark) << "";
  Declare("fay");
  world.Eventually("a scan hangs", [&] { return fs::exists(mark + ".met"); });
  const auto asked = std::chrono::steady_clock::now();
  EXPECT_EQ(world.Kill(SIGTERM), 0) << world.DaemonLog();
  EXPECT_LT(std::chrono::steady_clock::now() - asked, std::chrono::seconds(15));
  EXPECT_THAT(world.DaemonLog(), HasSubstr("the process ends without it"));
}

/// Each of the first threads in turn cannot be made.
TEST_F(Living, AThreadThatCannotBeMadeIsAnErrorAndNoHang) {
  if (kSanitized) GTEST_SKIP() << "not for sanitizers";
  Declare("bob");
  int failed = 0;
  for (int nth = 1; nth <= 64; ++nth) {
    world.SetEnvironment("LD_PRELOAD", FAILING_THREADS);
    world.SetEnvironment("FAIL_THREAD", std::to_string(nth));
    world.LaunchDaemon();
    const int code = world.WaitForEnd(std::chrono::seconds(20), SIGTERM);
    ASSERT_TRUE(code == 0 || code == 2) << nth << ": " << code << "\n" << world.DaemonLog();
    if (code == 2) {
      ++failed;
      EXPECT_THAT(world.DaemonLog(), HasSubstr("thread")) << nth;
    }
  }
  EXPECT_GE(failed, 30) << "the library was not loaded";
}

TEST_F(Living, MemoryThatRunsOutEndsItWithAMessageOrChangesNothing) {
  if (kSanitized) GTEST_SKIP() << "not for sanitizers";
  Begin();
  const std::string size = world.StatusField("VmSize");
  const rlim_t now = std::stoull(size) * 1024;
  const rlimit wanted = {now + (2U << 20U), now + (2U << 20U)};
  ASSERT_EQ(::prlimit(world.DaemonId(), RLIMIT_AS, &wanted, nullptr), 0);
  std::string many;
  for (int i = 0; i < 20'000; ++i) {
    many +=
        "---\napiVersion: cloudnative:networksecurity/v1\nkind: AuthorizationPolicyIamBinding\n"
        "metadata: {name: b" +
        std::to_string(i) +
        "}\nspec: {name: projects/acme/locations/"
        "global/authorizationPolicies/p" +
        std::to_string(i) + ", role: roles/viewer, members: [\"user:ana@example.com\"]}\n";
  }
  world.dir().Write("manifests/many.yaml", many);
  const int code = world.WaitForEnd(std::chrono::seconds(10), SIGTERM);
  EXPECT_TRUE(code == 0 || code == 2) << code << "\n" << world.DaemonLog();
  if (code == 2) {
    EXPECT_THAT(world.DaemonLog(), HasSubstr("bindery: ended: "));
  }
  EXPECT_EQ(world.Run({"store", "check"}).exit_code, 0);
}

}  // namespace
}  // namespace bindery::testing
