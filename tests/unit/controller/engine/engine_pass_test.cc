// What a pass reads and writes, in which order, and what it leaves on record.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "controller/outbox/recheck_schedule.h"
#include "fakes/engine_world.h"

namespace bindery::controller {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using testing::EngineWorld;
using ::testing::IsEmpty;
using testing::kAna;
using testing::kBob;
using testing::kEditor;
using testing::kViewer;
using ::testing::SizeIs;

TEST(EnginePass, TheFirstPassReadsAndWritesEachTargetOnce) {
  EngineWorld world;
  for (int i = 0; i < 50; ++i) {
    const std::string id = "t" + std::to_string(i);
    world.cloud->AddTarget(EngineWorld::TargetName(id));
    world.Declare("v" + std::to_string(i), id, kViewer, {kAna});
    world.Declare("e" + std::to_string(i), id, kEditor, {kBob});
  }
  world.Pass();
  EXPECT_EQ(world.Reads(), 50);
  EXPECT_EQ(world.Writes(), 50);
  EXPECT_THAT(world.Grants("t7"), ElementsAre("roles/editor user:bob@example.com",
                                              "roles/viewer user:ana@example.com"));
  EXPECT_EQ(world.Status("v7"), "Ready ReconciliationSucceeded");
  EXPECT_EQ(world.Message("v7"), "the policy is as declared");
  EXPECT_EQ(world.Record("v7").observed_generation, 1);
  EXPECT_TRUE(world.engine->Settled(3));
}

TEST(EnginePass, AnIdlePassReadsAndWritesNothingButTouches) {
  EngineWorld world;
  for (int i = 0; i < 5; ++i) {
    world.cloud->AddTarget(EngineWorld::TargetName("t" + std::to_string(i)));
    world.Declare("m" + std::to_string(i), "t" + std::to_string(i), kViewer, {kAna});
  }
  world.Pass();
  world.NextInterval();
  world.cloud->ResetCounts();
  world.changes_with_content = 0;
  const WallTime before = world.store.state.targets.begin()->second.observed_at;
  world.NextInterval();
  EXPECT_EQ(world.Reads(), 5);
  EXPECT_EQ(world.Writes(), 0);
  EXPECT_EQ(world.changes_with_content, 0);
  EXPECT_GT(world.store.state.targets.begin()->second.observed_at, before);
}

TEST(EnginePass, WhoeverAskedForAnIdleCheckFindsItsTimeOnRecord) {
  EngineWorld world;
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  world.Declare("m", "t", kViewer, {kAna});
  world.Pass();
  const auto observed_at = [&] { return world.store.state.targets.begin()->second.observed_at; };
  const WallTime before = observed_at();
  world.MoveOn(seconds(5));
  ASSERT_TRUE(world.engine->commands().Reconcile({"m"}, world.now, nullptr).has_value());
  world.Work();
  EXPECT_EQ(observed_at(), before) << "recorded with others, within a second";
  world.engine->RecordTouches();
  world.Step();
  EXPECT_GT(observed_at(), before);
}

TEST(EnginePass, WhatWasFoundIsOnRecordBeforeItIsWrittenOver) {
  EngineWorld world;
  world.cloud->AddTarget(EngineWorld::TargetName("t"),
                         R"([{"role":"roles/owner","members":["user:eve@example.com"]}])");
  world.Declare("m", "t", kViewer, {kAna});
  world.Scan();
  Engine::Actions actions = world.Step();
  ASSERT_THAT(actions.checks, SizeIs(1));
  world.Check(actions.checks[0]);
  actions = world.Step();
  ASSERT_THAT(actions.writes, SizeIs(1));
  // The process may die right here, with the write on its way.
  ASSERT_THAT(world.store.state.revisions, SizeIs(1));
  EXPECT_EQ(world.store.state.revisions[0].origin, Origin::kForeign);
  EXPECT_THAT(world.store.state.revisions[0].policy, ::testing::HasSubstr("eve@example.com"));
  EXPECT_EQ(actions.writes[0].job.digest_before, world.store.state.revisions[0].digest);
  world.Write(actions.writes[0]);
  world.Work();
  ASSERT_THAT(world.store.state.revisions, SizeIs(2));
  EXPECT_EQ(world.store.state.revisions[1].origin, Origin::kWritten);
  EXPECT_THAT(world.store.state.intents, IsEmpty());
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/viewer user:ana@example.com"));
}

TEST(EnginePass, AManifestChangeGoesBeforeARetryAndThatBeforeAReCheck) {
  EngineWorld world;
  world.settings.concurrency = 1;
  world.settings.recheck.interval = seconds(60);
  world.Configure();
  for (const char* id : {"change", "periodic", "retry"}) {
    world.cloud->AddTarget(EngineWorld::TargetName(id));
    world.Declare(id, id, kViewer, {kAna});
  }
  world.Pass();
  world.cloud->Fail({"getIamPolicy", "retry", 503, "UNAVAILABLE"});
  ASSERT_TRUE(world.engine->commands().Reconcile({"retry"}, world.now, nullptr).has_value());
  world.Work();
  ASSERT_EQ(world.Status("retry"), "Reconciling ProgressingWithRetry");
  // All three become due while nothing is taken.
  world.now.mono += seconds(120);
  world.now.wall += seconds(120);
  world.Declare("change", "change", kViewer, {kAna, kBob});
  world.Scan();
  std::vector<std::string> order;
  for (Engine::Actions actions = world.Step(); !actions.empty(); actions = world.Step()) {
    for (const auto& task : actions.checks) {
      order.push_back(task.job->declared.at(0).manifest->name);
      world.Check(task);
    }
    for (const auto& task : actions.writes) world.Write(task);
  }
  EXPECT_THAT(order, ElementsAre("change", "retry", "periodic"));
}

TEST(EnginePass, ADifferenceRemembersTheReadingBeforeIt) {
  EngineWorld world;
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  world.Declare("m", "t", kViewer, {kAna});
  world.Pass();
  const WallTime read = world.store.state.targets.begin()->second.observed_at;
  world.MoveOn(seconds(20));
  world.cloud->AddTarget(EngineWorld::TargetName("t"),
                         R"([{"role":"roles/viewer","members":["user:eve@example.com"]}])");
  world.Reconcile("m");
  ASSERT_THAT(world.store.state.drift, SizeIs(3));
  EXPECT_EQ(world.store.state.drift[0].read_before, std::nullopt) << "it was never read before";
  for (const std::size_t found : {1U, 2U}) {
    EXPECT_EQ(world.store.state.drift[found].read_before, read) << "not the one that found it";
  }
}

TEST(EnginePass, NeverTwoAtOnceOnOneTarget) {
  EngineWorld world;
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  world.Declare("m", "t", kViewer, {kAna});
  world.Scan();
  Engine::Actions first = world.Step();
  ASSERT_THAT(first.checks, SizeIs(1));
  // The manifest changes while its target is being read.
  world.Declare("m", "t", kViewer, {kAna, kBob});
  world.Scan();
  EXPECT_THAT(world.Step().checks, IsEmpty());
  world.Check(first.checks[0]);
  Engine::Actions second = world.Step();
  EXPECT_THAT(second.writes, IsEmpty()) << "the plan was for a declaration that is no more";
  ASSERT_THAT(second.checks, SizeIs(1));
  world.Check(second.checks[0]);
  world.Work();
  EXPECT_EQ(world.Writes(), 1);
  EXPECT_THAT(world.Grants("t"), SizeIs(2));
}

TEST(EnginePass, APlanThatWaitsIsDroppedWhenTheDirectoryChanges) {
  EngineWorld world;
  world.cloud->AddTarget(EngineWorld::TargetName("slow"));
  world.cloud->AddTarget(EngineWorld::TargetName("t"),
                         R"([{"role":"roles/owner","members":["user:eve@example.com"]}])");
  world.Declare("m", "t", kViewer, {kAna});
  world.Declare("slow", "slow", kViewer, {kAna});
  world.Scan();
  Engine::Actions first = world.Step();
  ASSERT_THAT(first.checks, SizeIs(2));
  world.Check(first.checks[1]);  // parked: its removal waits for the pass
  ASSERT_THAT(world.Step().writes, IsEmpty());
  world.Declare("owner", "t", "roles/owner", {"user:eve@example.com"});
  world.Scan();
  world.Check(first.checks[0]);
  world.Work();
  EXPECT_THAT(world.Grants("t"),
              ElementsAre("roles/owner user:eve@example.com", "roles/viewer user:ana@example.com"));
}

TEST(EnginePass, CallsInFlightStayWithinTheConcurrency) {
  EngineWorld world;
  world.settings.concurrency = 2;
  world.Configure();
  for (int i = 0; i < 5; ++i) {
    world.cloud->AddTarget(EngineWorld::TargetName("t" + std::to_string(i)));
    world.Declare("m" + std::to_string(i), "t" + std::to_string(i), kViewer, {kAna});
  }
  world.Scan();
  EXPECT_THAT(world.Step().checks, SizeIs(2));
  EXPECT_THAT(world.Step().checks, IsEmpty());
  EXPECT_EQ(world.engine->schedule().work().running(), 2U);
}

TEST(EnginePass, AQuotaSpreadsTheCallsAndNoneIsLost) {
  EngineWorld world;
  world.settings.quotas["cloudnative"] = {10, 2};
  world.Configure();
  for (int i = 0; i < 10; ++i) {
    world.cloud->AddTarget(EngineWorld::TargetName("t" + std::to_string(i)));
    world.Declare("m" + std::to_string(i), "t" + std::to_string(i), kViewer, {kAna});
  }
  world.Scan();
  world.Work();
  EXPECT_EQ(world.Reads() + world.Writes(), 2);
  world.Advance(seconds(1));
  EXPECT_LE(world.Reads() + world.Writes(), 13);
  EXPECT_GE(world.Reads() + world.Writes(), 10);
  world.Advance(seconds(2));
  EXPECT_EQ(world.Writes(), 10);
  EXPECT_TRUE(world.engine->Settled(3));
}

/// Of t, where "v" is as declared.
Engine::Actions BeginReCheck(EngineWorld& world) {
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  world.Declare("v", "t", kViewer, {kAna});
  world.Pass();
  world.MoveOn(world.settings.recheck.interval + seconds(60));
  return world.Step();
}

TEST(EnginePass, APassIsOverThoughReChecksOfWhatIsInOrderAreAlwaysUnderWay) {
  EngineWorld world;
  const Engine::Actions recheck = BeginReCheck(world);
  ASSERT_THAT(recheck.checks, SizeIs(1));
  EXPECT_TRUE(world.engine->Settled(3));
  world.cloud->AddTarget(EngineWorld::TargetName("t"),
                         R"([{"role":"roles/viewer","members":["user:eve@example.com"]}])");
  for (const auto& check : recheck.checks) world.Check(check);
  EXPECT_FALSE(world.engine->Settled(3)) << "what it found is to be repaired";
  world.Work();
  EXPECT_TRUE(world.engine->Settled(3));
}

TEST(EnginePass, APassIsNotOverWhileAChangeWaitsForTheEndOfAReCheck) {
  struct Case {
    const char* what;
    std::function<void(EngineWorld&)> change;
  };
  const Case cases[] = {
      {"another manifest",
       [](EngineWorld& world) {
         world.Declare("e", "t", kEditor, {kBob});
         world.Scan();
       }},
      {"a rollback",
       [](EngineWorld& world) {
         const store::RevisionRecord first = world.store.state.revisions.at(0);
         EXPECT_TRUE(world.engine->commands().Rollback("v", first, "ops", world.now, nullptr));
       }},
      {"somebody who asks",
       [](EngineWorld& world) {
         EXPECT_TRUE(world.engine->commands().Reconcile({"v"}, world.now, nullptr));
       }},
  };
  for (const Case& one : cases) {
    EngineWorld world;
    ASSERT_THAT(BeginReCheck(world).checks, SizeIs(1)) << one.what;
    EXPECT_TRUE(world.engine->Settled(3)) << one.what;
    one.change(world);
    EXPECT_FALSE(world.engine->Settled(3)) << one.what;
  }
}

TEST(EnginePass, WithoutReChecksWhatIsInOrderIsNotReadAgain) {
  EngineWorld world;
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  world.Declare("v", "t", kViewer, {kAna}).options.interval = seconds(1);
  world.engine->schedule().recheck().EndRechecks();
  world.Pass();
  world.cloud->ResetCounts();
  world.NextInterval();
  world.NextInterval();
  EXPECT_EQ(world.Reads(), 0);
  EXPECT_TRUE(world.engine->Settled(3));
  world.Declare("v", "t", kViewer, {kBob});
  world.Scan();
  world.Work();
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/viewer user:bob@example.com"));
}

TEST(EnginePass, DriftIsFoundRecordedAndCorrected) {
  EngineWorld world;
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  world.Declare("m", "t", kViewer, {kAna});
  world.Pass();
  world.cloud->AddTarget(EngineWorld::TargetName("t"),
                         R"([{"role":"roles/viewer","members":["user:eve@example.com"]}])");
  world.NextInterval();
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/viewer user:ana@example.com"));
  ASSERT_THAT(world.store.state.drift, SizeIs(3));  // of the first pass, and these two
  for (const store::DriftRecord& record : world.store.state.drift) {
    EXPECT_EQ(record.item.state, DriftState::kCorrected);
    EXPECT_EQ(record.resolved_by, "bindery");
  }
  EXPECT_EQ(world.observer.found.size(), 3U);
  EXPECT_EQ(world.observer.corrected.size(), 3U);
}

TEST(EnginePass, InModeObserveDriftIsReportedAndNothingWritten) {
  EngineWorld world;
  world.settings.catalog.mode = Mode::kObserve;
  world.Configure();
  world.cloud->AddTarget(EngineWorld::TargetName("t"),
                         R"([{"role":"roles/owner","members":["user:eve@example.com"]}])");
  world.Declare("m", "t", kViewer, {kAna});
  world.Pass();
  world.NextInterval();
  EXPECT_EQ(world.Writes(), 0);
  EXPECT_EQ(world.Status("m"), "Stalled DriftObserved");
  EXPECT_EQ(world.Message("m"), "1 difference from what it declares; see bindery drift");
  ASSERT_THAT(world.store.state.drift, SizeIs(2));
  EXPECT_EQ(world.store.state.drift[0].item.state, DriftState::kOpen);

  world.settings.catalog.mode = Mode::kEnforce;
  world.Configure();
  world.NextInterval();
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/viewer user:ana@example.com"));
}

TEST(EnginePass, UndeclaredRolesAreKeptByteForByteWhereSoConfigured) {
  EngineWorld world;
  world.settings.catalog.keep_undeclared = true;
  world.Configure();
  const std::string foreign =
      R"([{"role":"roles/owner","members":["user:Eve@Example.com","user:Eve@Example.com"],"x":1}])";
  world.cloud->AddTarget(EngineWorld::TargetName("t"), foreign);
  world.Declare("m", "t", kViewer, {kAna});
  world.Pass();
  EXPECT_EQ(world.cloud->Policy(EngineWorld::TargetName("t"))["bindings"][0].dump(),
            (*ParseJson(foreign))[0].dump());
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
}

TEST(EnginePass, OutputsOnRecordMoveWithTheEtagAlsoAfterARestart) {
  EngineWorld world;
  const std::string name = EngineWorld::TargetName("t");
  world.cloud->AddTarget(name);
  world.Declare("m", "t", kViewer, {kAna});
  world.Pass();
  const auto etag_on_record = [&world] {
    return StringMember(*ParseJson(world.Record("m").outputs), "etag");
  };
  const std::string first = StringMember(world.cloud->Policy(name), "etag");
  ASSERT_FALSE(first.empty());
  EXPECT_EQ(etag_on_record(), first);
  // As a run leaves it that ended between the reading and the recording of what came of it.
  world.store.state.resources.at("m").outputs = R"({"id":"t","etag":"BwBefore","project":"acme"})";
  world.Restart();
  world.Pass();
  EXPECT_EQ(etag_on_record(), first);
  world.cloud->AddTarget(name, R"([{"role":"roles/viewer","members":["user:ana@example.com"]}])");
  world.NextInterval();
  EXPECT_EQ(etag_on_record(), StringMember(world.cloud->Policy(name), "etag"));
  EXPECT_NE(etag_on_record(), first);
}

TEST(EnginePass, OutputsAreKeptAndAnUnknownProviderIsExplained) {
  EngineWorld world;
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  world.Declare("m", "t", kViewer, {kAna});
  world.Declare("odd", "t", kEditor, {kAna}).options.provider = "nowhere";
  world.Pass();
  EXPECT_EQ(StringMember(*ParseJson(world.Record("m").outputs), "project"), "acme");
  EXPECT_EQ(world.Status("odd"), "Stalled ManifestInvalid");
  EXPECT_EQ(world.Message("odd"),
            "the configuration has no provider \"nowhere\" (providers.nowhere)");
}

TEST(EnginePass, WhatWasReadUnderOtherSettingsIsNotWritten) {
  EngineWorld world;
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  world.Declare("m", "t", kViewer, {kAna});
  world.Scan();
  const Engine::Actions begun = world.Step();
  ASSERT_THAT(begun.checks, SizeIs(1));
  world.settings.catalog.mode = Mode::kObserve;
  world.Configure();
  world.Check(begun.checks.front());
  world.Work();
  EXPECT_EQ(world.Writes(), 0);
  EXPECT_EQ(world.Status("m"), "Stalled DriftObserved");
}

}  // namespace
}  // namespace bindery::controller
