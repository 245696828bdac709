// Quotas, hosts that are away, and targets that hang.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_world.h"

namespace bindery::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string Id(int number) { return "t" + std::to_string(number); }

/// `count` targets with one manifest each, as declared already.
void DeclareMany(EngineWorld& world, int count) {
  for (int i = 0; i < count; ++i) {
    world.cloud->AddTarget(EngineWorld::TargetName(Id(i)));
    world.Declare("m" + std::to_string(i), Id(i), kViewer, {kAna});
  }
}

FakeCloud::Fault Refusal(int times) {
  return {.operation = "getIamPolicy",
          .status = 429,
          .code = "RESOURCE_EXHAUSTED",
          .times = times,
          .headers = {{"retry-after", "20"}}};
}

TEST(EngineCalls, ARefusalForQuotaStopsAllCallsOfThatQuota) {
  EngineWorld world;
  world.settings.concurrency = 1;
  world.Configure();
  DeclareMany(world, 10);
  world.DeclareRestriction("r", "dashboard:abc", "editor", {"role:1"});
  world.cloud->Fail(Refusal(1));
  world.Scan();
  world.Work();
  EXPECT_EQ(world.Reads(), 1);
  EXPECT_EQ(world.Status("r"), "Ready ReconciliationSucceeded");  // Another quota.
  world.Advance(seconds(19));
  EXPECT_EQ(world.Reads(), 1);
  world.Advance(seconds(60));
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(world.Status("m" + std::to_string(i)), "Ready ReconciliationSucceeded");
  }
}

TEST(EngineCalls, WhoAsksForACheckIsNotKeptWaitingForAQuotaOfMinutes) {
  EngineWorld world;
  DeclareMany(world, 1);
  world.Pass();
  FakeCloud::Fault refusal = Refusal(1);
  refusal.headers = {{"retry-after", "300"}};
  world.cloud->Fail(refusal);
  std::vector<controller::WorkAnswer> answers;
  const auto ask = [&] {
    const auto note = [&answers](const controller::WorkAnswer& answer) {
      answers.push_back(answer);
    };
    ASSERT_TRUE(world.engine->commands().Reconcile({"m0"}, world.now, note).has_value());
    world.Work();
  };
  ask();
  ASSERT_THAT(answers, SizeIs(1));
  EXPECT_THAT(answers[0].message, HasSubstr("RESOURCE_EXHAUSTED"));
  ask();
  ASSERT_THAT(answers, SizeIs(2));
  EXPECT_FALSE(answers[1].done);
  EXPECT_EQ(answers[1].message,
            "not checked: calls to its service, through the provider \"cloudnative\", wait for 5m "
            "because of a quota; the check follows then by itself");
  world.Advance(seconds(250));
  ask();
  EXPECT_THAT(answers, SizeIs(2)) << "a turn within the minute is awaited";
  world.Advance(seconds(60));
  ASSERT_THAT(answers, SizeIs(3));
  EXPECT_TRUE(answers[2].done);
}

TEST(EngineCalls, QuotasOfTwoProjectsAreApart) {
  EngineWorld world;
  const std::string other = "projects/other/locations/global/authorizationPolicies/t";
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  world.cloud->AddTarget(other);
  world.Declare("a-acme", "t", kViewer, {kAna});
  manifests::Manifest& manifest = world.Declare("other", "t", kViewer, {kAna});
  manifest.spec =
      CanonicalJson(Json{{"name", other}, {"role", kViewer}, {"members", Json::array({kAna})}});
  FakeCloud::Fault refusal = Refusal(1);
  refusal.target = "projects/acme/";
  world.cloud->Fail(refusal);
  world.Scan();
  world.Work();
  EXPECT_EQ(world.Status("other"), "Ready ReconciliationSucceeded");
  EXPECT_EQ(world.Status("a-acme"), "Reconciling ProgressingWithRetry");
}

TEST(EngineCalls, ChangesGoBeforePeriodicReadsWhenCallsAreScarce) {
  EngineWorld world;
  DeclareMany(world, 20);
  world.Pass();
  world.Advance(world.settings.recheck.interval);
  world.settings.quotas["cloudnative"] = {.rate = 1, .burst = 1};
  world.Configure();
  world.Advance(world.settings.recheck.interval - seconds(1));
  world.Declare("m7", Id(7), kEditor, {kAna});
  world.Scan();
  // A read and a write, at one call a second, whatever else is due.
  world.Advance(seconds(3));
  EXPECT_THAT(world.Grants(Id(7)), ::testing::ElementsAre("roles/editor user:ana@example.com"));
}

TEST(EngineCalls, WhatTheServiceAnnouncesIsKeptTo) {
  EngineWorld world;
  auto log = std::make_shared<cloud::RateLimitLog>();
  auto connection = std::make_shared<cloud::Connection>();
  connection->endpoints = {{"networksecurity", "http://cloud"}};
  connection->transport = world.cloud;
  connection->authorizer = cloud::NoCredentials();
  connection->rate_limits = log;
  world.engine->SetConnections({{"cloudnative", connection}});
  log->Note({"bucket", 100, seconds(100), 99, seconds(100)});
  DeclareMany(world, 200);
  world.Scan();
  world.Work();
  const int at_once = world.Reads() + world.Writes();
  world.Advance(seconds(100));
  EXPECT_LE(world.Reads() + world.Writes() - at_once, 100);
  EXPECT_GE(world.Reads() + world.Writes() - at_once, 70);
}

TEST(EngineCalls, CallsToAHostThatIsAwayWaitAndPeopleSeeWhy) {
  EngineWorld world;
  world.settings.concurrency = 1;
  world.Configure();
  DeclareMany(world, 50);
  world.cloud->Fail({.operation = "getIamPolicy", .unsent = true, .times = 5});
  world.Scan();
  world.Work();
  EXPECT_EQ(world.Reads(), 5);
  EXPECT_EQ(world.Events("HostAway"), 1);
  EXPECT_EQ(world.Status("m49"), "Reconciling ProgressingWithRetry");
  EXPECT_THAT(world.Message("m49"),
              HasSubstr("UNAVAILABLE: calls to http://cloud wait until it answers"));
  EXPECT_THAT(world.Message("m49"), HasSubstr("connection reset"));
  world.Advance(seconds(10));
  EXPECT_EQ(world.Events("HostBack"), 1);
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(world.Status("m" + std::to_string(i)), "Ready ReconciliationSucceeded") << i;
  }
}

TEST(EngineCalls, AfterARestartPeopleSeeWhyNothingComesOfWhatWasAccepted) {
  EngineWorld world;
  world.settings.concurrency = 1;
  world.Configure();
  DeclareMany(world, 50);
  world.Scan();
  world.Step();  // Recorded, and the process ends.
  world.Restart();
  world.cloud->Fail({.operation = "getIamPolicy", .unsent = true, .times = 5});
  world.Scan();
  world.Work();
  for (int i = 0; i < 50; ++i) {
    EXPECT_THAT(world.Message("m" + std::to_string(i)), HasSubstr("UNAVAILABLE: ")) << i;
  }
}

TEST(EngineCalls, AHostThatStaysAwayIsAskedRarelyAndNotWaitedForByOnePass) {
  EngineWorld world;
  DeclareMany(world, 50);
  world.cloud->Fail({.operation = "getIamPolicy", .unsent = true, .times = 1'000'000});
  world.Scan();
  world.Work();
  EXPECT_FALSE(world.engine->Settled(3));
  world.cloud->ResetCounts();
  world.Advance(seconds(300));
  EXPECT_LE(world.Reads(), 330);  // Changes wait: once a second.
  EXPECT_TRUE(world.engine->Settled(3));
}

TEST(EngineCalls, ASuspendedTargetDoesNotUseUpTheTryForAHostThatIsAway) {
  EngineWorld world;
  world.settings.concurrency = 1;
  world.Configure();
  DeclareMany(world, 6);
  world.cloud->Fail({.operation = "getIamPolicy", .unsent = true, .times = 5});
  world.manifests.at("m5").options.suspend = true;
  world.Scan();
  world.Advance(seconds(30));
  EXPECT_EQ(world.Status("m0"), "Ready ReconciliationSucceeded");
}

/// Ends those checks as calls that were cut after that long.
void Cut(EngineWorld& world, const std::vector<controller::Engine::CheckTask>& checks,
         seconds after) {
  for (const controller::Engine::CheckTask& task : checks) {
    controller::CheckResult result;
    result.observed = Fail(Code::kInternal, "cut");
    result.duration = after;
    world.engine->flow().Checked(task.key, std::move(result), world.now);
  }
}

TEST(EngineCalls, TargetsThatHangLeaveWorkersForTheOthers) {
  EngineWorld world;
  world.settings.concurrency = 8;
  world.Configure();
  DeclareMany(world, 16);
  world.Scan();
  // Nobody knows yet that they hang: they get all the workers there are.
  for (int round = 0; round < 2; ++round) {
    const controller::Engine::Actions actions = world.Step();
    ASSERT_THAT(actions.checks, SizeIs(8));
    Cut(world, actions.checks, seconds(30));
  }
  world.now.mono += seconds(600);
  const controller::Engine::Actions hanging = world.Step();
  EXPECT_THAT(hanging.checks, SizeIs(2));  // A quarter.
  world.cloud->AddTarget(EngineWorld::TargetName("healthy"));
  world.Declare("healthy", "healthy", kViewer, {kAna});
  world.Scan();
  const controller::Engine::Actions healthy = world.Step();
  ASSERT_THAT(healthy.checks, SizeIs(1));
  EXPECT_EQ(healthy.checks[0].job->target.name, EngineWorld::TargetName("healthy"));
  // The next of those that hang take the places of the first.
  Cut(world, hanging.checks, seconds(30));
  EXPECT_THAT(world.Step().checks, SizeIs(2));
}

TEST(EngineCalls, OnePassEndsUnderALastingRefusal) {
  EngineWorld world;
  DeclareMany(world, 100);
  world.cloud->Fail({.operation = "getIamPolicy",
                     .status = 429,
                     .code = "RESOURCE_EXHAUSTED",
                     .times = 1'000'000});
  world.Scan();
  world.Work();
  EXPECT_FALSE(world.engine->Settled(3));
  world.Advance(seconds(60));
  EXPECT_TRUE(world.engine->Settled(3));
}

TEST(EngineCalls, WhatWasPutOffGoesOnWhenTheQuotaGrows) {
  EngineWorld world;
  world.settings.quotas["cloudnative"] = {.rate = 0.1, .burst = 1};
  world.Configure();
  DeclareMany(world, 100);
  world.Scan();
  world.Advance(seconds(60));
  EXPECT_LE(world.Reads(), 8);
  EXPECT_EQ(CountDue(world.engine->schedule(), Priority::kChange, world.now.mono)
                    .at("AuthorizationPolicyIamBinding") +
                static_cast<std::size_t>(world.Reads()),
            100U);
  world.settings.quotas["cloudnative"] = {.rate = 1000, .burst = 1000};
  world.Configure();
  world.Advance(seconds(11));
  EXPECT_EQ(world.Status("m99"), "Ready ReconciliationSucceeded");
}

TEST(EngineCalls, SickTargetsDoNotKeepHealthyOnesFromBeingLookedAt) {
  EngineWorld world;
  DeclareMany(world, 20);
  world.Pass();
  for (int i = 0; i < 12; ++i) {
    world.cloud->Fail({.operation = "getIamPolicy",
                       .target = "/" + Id(i) + ":",
                       .status = 503,
                       .code = "UNAVAILABLE",
                       .times = 1'000'000});
  }
  world.Advance(world.settings.recheck.interval);
  for (int i = 12; i < 20; ++i) {
    world.cloud->AddTarget(EngineWorld::TargetName(Id(i)),
                           R"([{"role":"roles/owner","members":["allUsers"]}])");
  }
  world.Advance(2 * world.settings.recheck.interval);
  for (int i = 12; i < 20; ++i) {
    EXPECT_THAT(world.Grants(Id(i)), ::testing::ElementsAre("roles/viewer user:ana@example.com"));
  }
}

TEST(EngineCalls, AWriteThatWaitedLongIsDecidedAnew) {
  EngineWorld world;
  DeclareMany(world, 2);
  world.Scan();
  controller::Engine::Actions actions = world.Step();
  ASSERT_THAT(actions.checks, SizeIs(2));
  for (const auto& task : actions.checks) world.Check(task);
  world.settings.concurrency = 1;
  world.Configure();
  actions = world.Step();
  ASSERT_THAT(actions.writes, SizeIs(1));
  world.cloud->Fail({.operation = "setIamPolicy",
                     .status = 429,
                     .code = "RESOURCE_EXHAUSTED",
                     .headers = {{"retry-after", "60"}}});
  world.Write(actions.writes[0]);
  ASSERT_TRUE(world.engine->commands().Suspend({"m0", "m1"}, true, "ana", world.now).has_value());
  world.Advance(seconds(200));
  EXPECT_EQ(world.Writes(), 1);  // The one that was refused.
  EXPECT_EQ(world.Status("m0"), "Suspended Suspended");
}

TEST(EngineCalls, SuspendedTargetsSayNothingOfAHostThatIsAway) {
  EngineWorld world;
  world.settings.recheck.interval = seconds(10);
  DeclareMany(world, 16);
  for (int i = 6; i < 16; ++i) {
    world.manifests.at("m" + std::to_string(i)).options.suspend = true;
  }
  world.cloud->Fail({.operation = "getIamPolicy", .unsent = true, .times = 1'000'000});
  world.Scan();
  world.Advance(seconds(600));
  EXPECT_EQ(world.Events("HostAway"), 1);
  EXPECT_EQ(world.Events("HostBack"), 0);
}

TEST(EngineCalls, AHostThatIsNobodysAnyMoreIsNotAway) {
  EngineWorld world;
  DeclareMany(world, 10);
  world.cloud->Fail({.operation = "getIamPolicy", .unsent = true, .times = 1'000'000});
  world.Scan();
  world.Advance(seconds(5));
  EXPECT_TRUE(world.engine->schedule().calls().gate().Hosts().at(0).away);
  world.engine->SetConnections({});
  EXPECT_FALSE(world.engine->schedule().calls().gate().Hosts().at(0).away);
}

TEST(EngineCalls, TargetsThatFailAtOnceAreNotHeldBack) {
  EngineWorld world;
  world.settings.concurrency = 8;
  world.Configure();
  DeclareMany(world, 8);
  world.Scan();
  Cut(world, world.Step().checks, seconds(0));
  world.now.mono += seconds(600);
  EXPECT_THAT(world.Step().checks, SizeIs(8));
}

}  // namespace
}  // namespace bindery::testing
