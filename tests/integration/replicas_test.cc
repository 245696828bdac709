// Several daemons on one database: one is at work, the others stand by, and whatever ends or stops
// the one, another goes on.

#include "integration/manifests.h"
#include "integration/world.h"
#include "support/postgres_pooler.h"
#include "support/postgres_server.h"

namespace bindery::testing {
namespace {

using ::testing::HasSubstr;

constexpr const char* kOneRole = "roles/viewer";

/// A daemon of its own socket and log; the rest of its configuration is that of the world.
class Replica {
 public:
  Replica(World& world, std::string name) : world_(world), name_(std::move(name)) {
    std::string config = world.dir().Read("bindery.yaml");
    const std::string socket = "socket: bindery.sock";
    config.replace(config.find(socket), socket.size(), "socket: " + name_ + ".sock");
    world.WriteSecret(name_ + ".yaml", config);
  }
  ~Replica() { End(SIGKILL); }
  Replica(const Replica&) = delete;
  Replica& operator=(const Replica&) = delete;

  void Reconfigure(const std::string& from, const std::string& to) {
    std::string config = world_.dir().Read(name_ + ".yaml");
    config.replace(config.find(from), from.size(), to);
    world_.WriteSecret(name_ + ".yaml", config);
  }
  void ReadManifestsOf(const std::string& folder) {
    Reconfigure("directory: manifests", "directory: " + folder);
  }

  void Start() {
    process_ = world_.Spawn({"run", "-c", world_.dir() / (name_ + ".yaml")},
                            world_.dir() / (name_ + ".out"), world_.dir() / (name_ + ".err"));
    world_.Eventually(name_ + " answers", [this] { return Ask("GET", "/livez").status == 200; });
  }

  int End(int signal) {
    if (process_ <= 0) return -1;
    ::kill(process_, signal);
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  void Signal(int signal) const { ::kill(process_, signal); }
  [[nodiscard]] bool HasEnded() {
    if (::waitpid(process_, nullptr, WNOHANG) == process_) process_ = 0;
    return process_ == 0;
  }

  [[nodiscard]] HttpResult Ask(const std::string& method, const std::string& path,
                               const std::string& body = "") const {
    return World::AskAt(world_.dir() / (name_ + ".sock"), method, path, body);
  }
  [[nodiscard]] bool AtWork() const {
    return Ask("GET", "/metrics").body.find("\nbindery_store_held 1\n") != std::string::npos;
  }
  [[nodiscard]] std::string Log() const { return world_.dir().Read(name_ + ".err"); }

 private:
  World& world_;
  const std::string name_;
  ::pid_t process_ = 0;
};

class Replicas : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!PostgresServer::Installed()) GTEST_SKIP() << "no PostgreSQL server here";
    server_ = std::make_unique<PostgresServer>();
    world_ = std::make_unique<World>(kSeed);
    world_->KeepStoreAt(StoreUrl());
    world_->Configure(Settings());
    world_->dir().Write("manifests/viewers.yaml",
                        Binding("viewers", kOneRole, "[\"user:ana@example.com\"]"));
    first_ = std::make_unique<Replica>(*world_, "first");
    second_ = std::make_unique<Replica>(*world_, "second");
    first_->Start();
    world_->Eventually("the first enforces", [this] { return Enforced(); });
    second_->Start();
    world_->Eventually("the second stands by", [this] {
      return second_->Ask("GET", "/readyz?verbose").body.find("stands by") != std::string::npos;
    });
  }

  [[nodiscard]] virtual std::string Settings() const { return "reconcile: {interval: 1s}\n"; }
  [[nodiscard]] virtual std::string StoreUrl() { return server_->MakeUrl("bindery"); }

  [[nodiscard]] bool Enforced() const {
    return world_->Members(kPayments, kOneRole) == std::vector<std::string>{"user:ana@example.com"};
  }
  void Drift() const { world_->SetPolicy(kPayments, Holders(kOneRole, {"user:eve@example.com"})); }
  [[nodiscard]] std::string Ask(const std::string& sql) const {
    return server_->Ask("bindery", sql);
  }

  std::unique_ptr<PostgresServer> server_;
  std::unique_ptr<World> world_;
  std::unique_ptr<Replica> first_;
  std::unique_ptr<Replica> second_;
};

/// Who stands by also reads targets for the one at work.
class ReplicasThatShareChecks : public Replicas {
 protected:
  [[nodiscard]] std::string Settings() const override {
    return "reconcile: {interval: 1s, shareChecks: true}\n";
  }

  /// How many checks the replica had made by another one, with that answer.
  [[nodiscard]] static int Shared(const Replica& at_work, const std::string& answer) {
    const std::string metrics = at_work.Ask("GET", "/metrics").body;
    const std::string series = R"(bindery_shared_checks_total{answer=")" + answer +
                               R"(",kind="AuthorizationPolicyIamBinding"} )";
    const auto at = metrics.find(series);
    return at == std::string::npos ? 0 : std::stoi(metrics.substr(at + series.size()));
  }
  void AwaitShared(const std::string& answer) const {
    world_->Eventually("checks are shared, with the answer " + answer,
                       [&] { return Shared(*first_, answer) > 0; });
  }
};

/// They share the sessions of the server among each other, transaction by transaction.
class ReplicasThroughAPooler : public Replicas {
 protected:
  void SetUp() override {
    if (!PostgresPooler::Installed()) GTEST_SKIP() << "no pgbouncer here";
    Replicas::SetUp();
  }
  [[nodiscard]] std::string StoreUrl() override {
    static_cast<void>(Replicas::StoreUrl());
    pooler_ = std::make_unique<PostgresPooler>(*server_);
    return pooler_->MakeUrl("bindery");
  }

 private:
  std::unique_ptr<PostgresPooler> pooler_;
};

TEST_F(ReplicasThroughAPooler, TheNextGoesOnAtOnceWhenOneEnds) {
  EXPECT_TRUE(first_->AtWork());
  EXPECT_EQ(world_->RunJson({"replicas"}).at("replicas").size(), 2U);
  EXPECT_THAT(world_->Run({"check"}).out, HasSubstr("through a pooler"));
  EXPECT_EQ(second_->Ask("POST", "/api/v1/reconcile", R"({"names":["viewers"]})").status, 200);
  EXPECT_EQ(first_->End(SIGTERM), 0);
  Drift();
  world_->Eventually("the second enforces", [this] { return Enforced(); });
  EXPECT_TRUE(second_->AtWork());
  EXPECT_EQ(Ask("SELECT string_agg(why, ' ' ORDER BY no) FROM lease_log"), "free free");
  EXPECT_THAT(second_->Ask("GET", "/api/v1/events").body, HasSubstr("DriftFound"));
}

TEST_F(Replicas, OneIsAtWorkAndTheOtherAnswersWhatIsRead) {
  EXPECT_TRUE(first_->AtWork());
  EXPECT_FALSE(second_->AtWork());
  EXPECT_EQ(second_->Ask("GET", "/readyz").status, 200);
  const HttpResult resources = second_->Ask("GET", "/api/v1/resources");
  EXPECT_EQ(resources.status, 200);
  EXPECT_THAT(resources.body, HasSubstr("\"viewers\""));
  const Json replicas = world_->RunJson({"replicas"}).at("replicas");
  ASSERT_EQ(replicas.size(), 2U);
  EXPECT_EQ(replicas.at(0).at("state"), "at work");
  EXPECT_EQ(replicas.at(1).at("state"), "stands by");
  EXPECT_EQ(ParseJson(second_->Ask("GET", "/api/v1/replicas").body)->at("replicas").size(), 2U);
  EXPECT_EQ(second_->End(SIGTERM), 0) << "who stands by ends in good order";
}

TEST_F(Replicas, WhatIsAskedOfOneThatStandsByIsDoneByTheOneAtWork) {
  const HttpResult checked = second_->Ask("POST", "/api/v1/reconcile", R"({"names":["viewers"]})");
  EXPECT_EQ(checked.status, 200) << checked.body;
  EXPECT_THAT(checked.body, HasSubstr(R"("name":"viewers")"));
  const HttpResult unknown = second_->Ask("POST", "/api/v1/reconcile", R"({"names":["nobody"]})");
  EXPECT_EQ(unknown.status, 404) << unknown.body;
  EXPECT_EQ(unknown.body, first_->Ask("POST", "/api/v1/reconcile", R"({"names":["nobody"]})").body);
  const HttpResult plan = second_->Ask("GET", "/api/v1/plan");
  EXPECT_EQ(plan.status, 200) << plan.body;

  EXPECT_EQ(second_->Ask("POST", "/api/v1/suspend", R"({"names":["viewers"]})").status, 200);
  Drift();
  EXPECT_EQ(first_->Ask("POST", "/api/v1/reconcile", R"({"names":["viewers"]})").status, 200);
  EXPECT_FALSE(Enforced()) << "the one at work keeps to what was asked of the other";
  EXPECT_EQ(second_->Ask("POST", "/api/v1/resume", R"({"names":["viewers"]})").status, 200);
  world_->Eventually("it is enforced again", [this] { return Enforced(); });
  EXPECT_EQ(Ask("SELECT count(*) FROM requests WHERE answer IS NULL"), "0");
}

TEST_F(Replicas, WhatIsAskedWhileNobodyIsAtWorkWaitsForTheNext) {
  first_->Signal(SIGSTOP);
  const HttpResult checked = second_->Ask("POST", "/api/v1/reconcile", R"({"names":["viewers"]})");
  // Either the one that stands by takes over first, and says that it does, or the other goes on.
  EXPECT_EQ(checked.status, 503) << checked.body;
  EXPECT_THAT(checked.body, HasSubstr("nothing was done, ask again"));
  world_->Eventually("the second is at work", [this] { return second_->AtWork(); });
  EXPECT_EQ(second_->Ask("POST", "/api/v1/reconcile", R"({"names":["viewers"]})").status, 200);
  first_->Signal(SIGCONT);
}

TEST_F(Replicas, TheNextGoesOnAtOnceWhenOneEnds) {
  EXPECT_EQ(first_->End(SIGTERM), 0);
  Drift();
  world_->Eventually("the second enforces", [this] { return Enforced(); });
  EXPECT_TRUE(second_->AtWork());
  EXPECT_EQ(Ask("SELECT string_agg(why, ' ' ORDER BY no) FROM lease_log"), "free free");
}

TEST_F(Replicas, TheNextGoesByTheConfigurationOfTheMoment) {
  second_->Reconfigure("reconcile: {interval: 1s}", "reconcile: {interval: 1s, mode: observe}");
  Drift();
  EXPECT_EQ(first_->End(SIGTERM), 0);
  Drift();
  world_->Eventually("the second is at work", [this] { return second_->AtWork(); });
  EXPECT_EQ(second_->Ask("POST", "/api/v1/reconcile", R"({"names":["viewers"]})").status, 200);
  EXPECT_FALSE(Enforced());
  EXPECT_THAT(second_->Log(), HasSubstr("changed while this replica stood by"));
}

TEST_F(Replicas, TheNextGoesOnWhenOneIsKilled) {
  first_->End(SIGKILL);
  Drift();
  world_->Eventually("the second enforces", [this] { return Enforced(); });
  EXPECT_EQ(Ask("SELECT string_agg(why, ' ' ORDER BY no) FROM lease_log"), "free stolen");
  first_->Start();
  EXPECT_FALSE(first_->AtWork());
}

TEST_F(Replicas, TheNextGoesByTheManifestsOfTheMoment) {
  // Then a start need not read it, as long as it looks as it did.
  world_->Eventually("the file is old enough to be known by its stamp", [this] {
    first_->Signal(SIGHUP);
    return Ask("SELECT count(*) FROM files") == "1";
  });
  first_->End(SIGKILL);
  world_->dir().Write("manifests/viewers.yaml",
                      Binding("viewers", kOneRole, "[\"user:ben@example.com\"]"));
  Drift();
  world_->Eventually("the second enforces what is declared now", [this] {
    return world_->Members(kPayments, kOneRole) == std::vector<std::string>{"user:ben@example.com"};
  });
  EXPECT_EQ(Ask("SELECT count(*) FROM intents"), "2") << second_->Log();
}

TEST_F(Replicas, OneThatWasStoppedWritesNothingWhenItWakesUp) {
  first_->Signal(SIGSTOP);
  Drift();
  world_->Eventually("the second enforces", [this] { return Enforced(); });
  EXPECT_TRUE(second_->AtWork());
  // So that only the second can be who does not repair.
  EXPECT_EQ(second_->Ask("POST", "/api/v1/suspend", R"({"names":["viewers"]})").status, 200);
  Drift();
  const std::int64_t writes = world_->Count("networksecurity.setIamPolicy");
  first_->Signal(SIGCONT);
  world_->Eventually("the first stands by", [this] {
    return first_->Ask("GET", "/readyz?verbose").body.find("stands by") != std::string::npos;
  });
  EXPECT_EQ(world_->Count("networksecurity.setIamPolicy"), writes);
  EXPECT_THAT(first_->Log(), HasSubstr("another replica has taken the lease of the store"));
  EXPECT_TRUE(second_->AtWork());
}

class ReplicasThatEnd : public Replicas {
 protected:
  [[nodiscard]] std::string Settings() const override {
    return "reconcile: {interval: 1s, shutdownTimeout: 5s}\n";
  }
};

TEST_F(ReplicasThatEnd, OneThatLosesItsLeaseMeanwhileDoesNotStandBy) {
  // A call that does not end in the time for a shutdown, in which the loss is noticed.
  world_->SetFaults({{{"operation", "*.getIamPolicy"}, {"delay", "100s"}}});
  const std::int64_t reads = world_->Count("networksecurity.getIamPolicy");
  world_->Eventually("a call waits",
                     [&] { return world_->Count("networksecurity.getIamPolicy") > reads; });
  first_->Signal(SIGSTOP);
  world_->Eventually("the second is at work", [this] { return second_->AtWork(); });
  first_->Signal(SIGTERM);
  first_->Signal(SIGCONT);
  world_->Eventually("the first ends", [this] { return first_->HasEnded(); });
  EXPECT_THAT(first_->Log(), HasSubstr("another replica has taken the lease of the store"));
}

TEST_F(Replicas, AnOlderDirectoryWaitsUntilItCatchesUp) {
  second_->End(SIGTERM);
  const std::string old = world_->dir().Read("manifests/viewers.yaml");
  const std::string now = Binding("viewers", kOneRole, "[\"user:ben@example.com\"]");
  const auto ben_holds = [this] {
    return world_->Members(kPayments, kOneRole) == std::vector<std::string>{"user:ben@example.com"};
  };
  world_->dir().Write("behind/viewers.yaml", old);
  world_->dir().Write("manifests/viewers.yaml", now);
  world_->Eventually("the newer content is in force", ben_holds);
  second_->ReadManifestsOf("behind");
  second_->Start();
  EXPECT_EQ(first_->End(SIGTERM), 0);
  world_->Eventually("the second says that it is behind", [this] {
    return second_->Ask("GET", "/readyz/manifests").body.find("DirectoryOlder") !=
           std::string::npos;
  });
  world_->SetPolicy(kPayments, Holders(kOneRole, {"user:eve@example.com"}));
  world_->Eventually("what is in force is enforced meanwhile", ben_holds);
  world_->dir().Write("behind/viewers.yaml", now);
  world_->Eventually("it has caught up",
                     [this] { return second_->Ask("GET", "/readyz").status == 200; });
  EXPECT_TRUE(ben_holds());
}

TEST_F(ReplicasThatShareChecks, TheOneThatStandsByReadsForTheOneAtWork) {
  AwaitShared("same");
  EXPECT_THAT(second_->Ask("GET", "/metrics").body,
              HasSubstr(R"(bindery_api_requests_total{code="200",method="getIamPolicy")"));
  Drift();
  world_->Eventually("the drift is repaired", [this] { return Enforced(); });
  EXPECT_TRUE(first_->AtWork());
  EXPECT_EQ(Ask("SELECT count(*) FROM intents"), "2") << "by one replica, once";
}

TEST_F(ReplicasThatShareChecks, OneThatStandsStillIsNotWaitedFor) {
  AwaitShared("same");
  second_->Signal(SIGSTOP);
  AwaitShared("failed");
  Drift();
  world_->Eventually("the drift is repaired", [this] { return Enforced(); });
  second_->Signal(SIGCONT);
  EXPECT_EQ(second_->End(SIGTERM), 0);
  EXPECT_EQ(Ask("SELECT count(*) FROM helpers"), "0") << "it says that it leaves";
}

TEST_F(ReplicasThatShareChecks, TheOneThatTakesOverHasTheOtherRead) {
  AwaitShared("same");
  EXPECT_EQ(first_->End(SIGTERM), 0);
  world_->Eventually("the second is at work", [this] { return second_->AtWork(); });
  first_->Start();
  world_->Eventually("the first reads for it", [this] { return Shared(*second_, "same") > 0; });
}

TEST_F(ReplicasThatShareChecks, OneThatDoesNotReachTheCloudIsNotWaitedFor) {
  EXPECT_EQ(second_->End(SIGTERM), 0);
  second_->Reconfigure(R"({networksecurity: ")",
                       R"({networksecurity: "http://127.0.0.1:1", iap: ")");
  second_->Start();
  AwaitShared("failed");
  Drift();
  world_->Eventually("the drift is repaired", [this] { return Enforced(); });
}

TEST_F(Replicas, TheStoreMovesIntoAFileAndADaemonGoesOnThere) {
  EXPECT_EQ(second_->End(SIGTERM), 0);
  EXPECT_EQ(first_->End(SIGTERM), 0);
  const Json before = world_->RunJson({"events"});
  const std::string file = "sqlite:" + (world_->dir() / "moved.db");
  const Json report = world_->RunJson({"store", "migrate", server_->MakeUrl("bindery"), file});
  EXPECT_EQ(report.at("to"), file);
  EXPECT_EQ(report.at("resumed"), false);
  EXPECT_GT(report.at("rows"), 10);
  const Outcome again = world_->Run({"store", "migrate", server_->MakeUrl("bindery"), file});
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_THAT(again.err, HasSubstr("moved.db\" exists and is not overwritten"));

  world_->KeepStoreAt(file);
  world_->Configure("reconcile: {interval: 1s}\n");
  EXPECT_EQ(world_->RunJson({"events"}), before);
  const std::int64_t writes = world_->Count("networksecurity.setIamPolicy");
  Replica third(*world_, "third");
  third.Start();
  Drift();
  world_->Eventually("the daemon on the file enforces", [this] { return Enforced(); });
  EXPECT_EQ(world_->Count("networksecurity.setIamPolicy"), writes + 2)
      << "the drift and its repair";
}

TEST_F(Replicas, WithoutTheDatabaseNothingIsWrittenAndAfterwardsAllGoesOn) {
  server_->StopAtOnce();
  Drift();
  world_->Eventually("the first says so",
                     [this] { return first_->Ask("GET", "/readyz").status == 500; });
  world_->Eventually("the second says so",
                     [this] { return second_->Ask("GET", "/readyz").status == 500; });
  EXPECT_FALSE(Enforced());
  EXPECT_EQ(first_->Ask("GET", "/livez").status, 200);
  EXPECT_EQ(second_->Ask("GET", "/livez").status, 200);
  server_->Start();
  world_->Eventually("somebody enforces", [this] { return Enforced(); });
  EXPECT_NE(first_->AtWork(), second_->AtWork());
}

}  // namespace
}  // namespace bindery::testing
