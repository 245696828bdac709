#include "controller/calls/write_pace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "fakes/engine_world.h"

namespace bindery::controller {
namespace {

using testing::EngineWorld;
using testing::kAna;
using testing::kEve;
using testing::kViewer;
using namespace std::chrono_literals;

/// A world whose service of network security takes so many writes a second.
class WritePaceTest : public ::testing::Test {
 protected:
  WritePaceTest() { Pace(4); }

  void Pace(double rate) {
    auto connections = world.Connections();
    for (auto& [name, connection] : connections) {
      auto paced = std::make_shared<cloud::Connection>(*connection);
      paced->write_rates = {{"networksecurity", rate}};
      connection = paced;
    }
    world.engine->SetConnections(connections);
  }
  static std::string Id(int number) { return "t" + std::to_string(number); }
  void Declare(int targets) {
    for (int i = 0; i < targets; ++i) {
      world.cloud->AddTarget(EngineWorld::TargetName(Id(i)));
      world.Declare("m" + std::to_string(i), Id(i), kViewer, {kAna});
    }
  }

  EngineWorld world;
};

TEST_F(WritePaceTest, AServiceIsSentNoMoreWritesASecondThanItsRate) {
  Declare(50);
  world.Scan();
  world.Work();
  EXPECT_EQ(world.Writes(), 4);
  for (int second = 1; second <= 5; ++second) {
    world.Advance(1s);
    EXPECT_LE(world.Writes(), 4 + (4 * second));
    EXPECT_GE(world.Writes(), 4 * second);
  }
  world.Advance(20s);
  EXPECT_EQ(world.Writes(), 50);
  EXPECT_TRUE(world.engine->Settled(3));
}

TEST_F(WritePaceTest, TargetsAreNotReadAgainWhileTheirWritesWait) {
  world.settings.recheck.interval = 10'000h;
  world.engine->SetSettings(world.settings);
  Declare(400);
  world.Scan();
  world.Work();
  EXPECT_LE(world.Reads(), 80) << "of the others nothing that is read now would be true by then";
  world.Advance(130s);
  EXPECT_EQ(world.Writes(), 400);
  EXPECT_EQ(world.Reads(), 400);
}

TEST_F(WritePaceTest, WhatNeedsNoWriteIsReadWithoutWaiting) {
  Declare(100);
  world.Scan();
  world.Advance(60s);
  ASSERT_EQ(world.Writes(), 100);
  Declare(300);
  world.Scan();
  world.Work();
  const int reads = world.Reads();
  world.Advance(world.settings.recheck.interval - 61s);
  EXPECT_GE(world.Reads() - reads, 100) << "those in order are checked in their interval";
}

TEST_F(WritePaceTest, OnePolicyIsWrittenOnceASecond) {
  Declare(1);
  world.Pass();
  ASSERT_EQ(world.Writes(), 1);
  world.Declare("m0", Id(0), kViewer, {kAna, kEve});
  world.Scan();
  world.Work();
  EXPECT_EQ(world.Writes(), 1);
  world.Advance(1s);
  EXPECT_EQ(world.Writes(), 2);
}

TEST_F(WritePaceTest, OtherServicesAreNotSlowedDown) {
  Declare(50);
  for (int i = 0; i < 50; ++i) {
    world.DeclareRestriction("r" + std::to_string(i), "dashboard:" + Id(i), "editor", {"org:x"});
  }
  world.Scan();
  world.Work();
  EXPECT_EQ(world.Status("r49"), "Ready ReconciliationSucceeded");
  EXPECT_EQ(world.Writes(), 4);
}

TEST_F(WritePaceTest, AnotherRateOfTheConfigurationHoldsAtOnce) {
  Declare(50);
  world.Scan();
  world.Work();
  ASSERT_EQ(world.Writes(), 4);
  Pace(0);
  world.Advance(5s);
  EXPECT_EQ(world.Writes(), 50);
}

}  // namespace
}  // namespace bindery::controller
