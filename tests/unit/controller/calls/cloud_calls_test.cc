#include "controller/calls/cloud_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "fakes/engine_world.h"

namespace bindery::controller {
namespace {

using testing::EngineWorld;
using testing::kViewer;
using ::testing::SizeIs;
using What = CloudCalls::Turn::What;
using namespace std::chrono_literals;

class CloudCallsTest : public ::testing::Test {
 protected:
  CloudCallsTest() {
    for (const char* name : {"a", "b", "c", "d", "e", "f"}) {
      world.cloud->AddTarget(EngineWorld::TargetName(name));
      world.Declare(name, name, kViewer, {"user:ana@example.com"});
    }
    world.Pass();
    calls.SetLimits(/*workers=*/4, {});
    calls.SetConnections(world.Connections());
  }
  TargetEntry& Entry(const std::string& name) const {
    Catalog& catalog = world.engine->catalog();
    return *catalog.claims().FindTarget(catalog.claims().FindResource(name)->place.target);
  }
  What Read(const std::string& name) {
    const TargetEntry& target = Entry(name);
    return calls.MayRead({target.target, Priority::kPeriodic, now.mono}, target, now).what;
  }
  auto End(const std::string& name, const Error* error = nullptr) {
    return calls.End(Entry(name).target, error, /*readings=*/0, now);
  }

  EngineWorld world;
  CloudCalls calls;
  Now now = world.now;
};

TEST_F(CloudCallsTest, KeepACallUntilItIsEnded) {
  EXPECT_EQ(Read("a"), What::kGo);
  EXPECT_TRUE(calls.IsUnderWay(Entry("a").target));
  EXPECT_EQ(End("a").provider, "cloudnative");
  EXPECT_FALSE(calls.IsUnderWay(Entry("a").target));
  EXPECT_EQ(End("a").provider, "") << "none was under way";
}

TEST_F(CloudCallsTest, SlowTargetsKeepToAQuarterOfTheWorkers) {
  Entry("a").calls.slow = Entry("b").calls.slow = true;
  EXPECT_EQ(Read("a"), What::kGo);
  calls.BeginSlow();
  EXPECT_EQ(Read("b"), What::kAside);
  EXPECT_THAT(calls.aside(), SizeIs(1));
  EXPECT_THAT(calls.EndSlow(), SizeIs(1));
  EXPECT_THAT(calls.aside(), SizeIs(0));
  EXPECT_EQ(Read("b"), What::kGo);
}

TEST_F(CloudCallsTest, AWriteWaitsForItsQuota) {
  calls.SetLimits(4, {{"cloudnative", {.rate = 1, .burst = 1}}});
  calls.BeginRound(now);
  EXPECT_TRUE(calls.MayWrite(Entry("a"), /*in_pace=*/true, now));
  EXPECT_FALSE(calls.write_wake());
  EXPECT_FALSE(calls.MayWrite(Entry("b"), /*in_pace=*/true, now));
  ASSERT_TRUE(calls.write_wake());
  EXPECT_GT(*calls.write_wake(), now.mono);
  calls.BeginRound(now);
  EXPECT_FALSE(calls.write_wake());
}

TEST_F(CloudCallsTest, WhatMustNotWaitGoesBeforeItsTurn) {
  auto connections = world.Connections();
  auto paced = std::make_shared<cloud::Connection>(*connections.at("cloudnative"));
  paced->write_rates = {{"networksecurity", 1}};
  connections["cloudnative"] = paced;
  calls.SetConnections(connections);
  calls.BeginRound(now);
  EXPECT_TRUE(calls.MayWrite(Entry("a"), /*in_pace=*/true, now));
  EXPECT_FALSE(calls.MayWrite(Entry("b"), /*in_pace=*/true, now));
  EXPECT_EQ(calls.write_wake(), now.mono + std::chrono::seconds(1) + std::chrono::microseconds(1));
  EXPECT_TRUE(calls.MayWrite(Entry("a"), /*in_pace=*/false, now));
}

TEST_F(CloudCallsTest, AHostThatDoesNotAnswerIsToldOnceAndCallsToItWait) {
  const Error away{Code::kUnavailable, "connection refused"};
  std::vector<Event> told;
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    ASSERT_EQ(Read(name), What::kGo);
    if (const auto ended = End(name, &away); ended.event) told.push_back(*ended.event);
  }
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_EQ(told[0].reason, "HostAway");
  EXPECT_GT(calls.ConsecutiveFailures(Entry("f")), 0);
  const TargetEntry& target = Entry("f");
  const auto turn = calls.MayRead({target.target, Priority::kPeriodic, now.mono}, target, now);
  EXPECT_EQ(turn.what, What::kLater);
  EXPECT_EQ(turn.away, "http://cloud");
  EXPECT_GT(turn.ask_again, now.mono);
}

TEST_F(CloudCallsTest, OneThatIsHandedOverStaysCountedAndIsNotEndedHere) {
  EXPECT_FALSE(calls.HandOver(Entry("a").target)) << "none is under way";
  calls.SetLimits(4, {{"cloudnative", {.rate = 1, .burst = 1}}});
  ASSERT_EQ(Read("a"), What::kGo);
  EXPECT_TRUE(calls.HandOver(Entry("a").target));
  EXPECT_FALSE(calls.IsUnderWay(Entry("a").target));
  EXPECT_EQ(Read("b"), What::kLater);
}

TEST_F(CloudCallsTest, OneThatTriesWhetherAHostIsBackIsNotHandedOver) {
  const Error away{Code::kUnavailable, "connection refused"};
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    ASSERT_EQ(Read(name), What::kGo);
    End(name, &away);
  }
  now.mono += 1min;
  ASSERT_EQ(Read("f"), What::kGo);
  EXPECT_FALSE(calls.HandOver(Entry("f").target));
  EXPECT_TRUE(calls.IsUnderWay(Entry("f").target));
}

TEST_F(CloudCallsTest, KnowTheConnectionsOfTheConfiguration) {
  EXPECT_NE(calls.ConnectionTo("cloudnative"), nullptr);
  EXPECT_EQ(calls.ConnectionTo("other"), nullptr);
}

}  // namespace
}  // namespace bindery::controller
