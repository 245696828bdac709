#include "controller/removals/pass_barrier.h"

#include <gtest/gtest.h>

#include "fakes/engine_world.h"
#include "unit/controller/plain_values.h"

namespace bindery::controller {
namespace {

using testing::EngineWorld;
using testing::kA;
using testing::kB;
using testing::kViewer;
using namespace std::chrono_literals;

class PassBarrierTest : public ::testing::Test {
 protected:
  PassBarrier pass;
  EngineWorld world;
  Now now = world.now;
};

TEST_F(PassBarrierTest, IsJudgedOnceAllOfItWasRead) {
  pass.Add(kA);
  pass.Add(kB);
  EXPECT_FALSE(pass.IsDue(now)) << "it was not begun";
  pass.Begin(2, now.mono, now);
  EXPECT_TRUE(pass.open());
  pass.Leave(kA);
  EXPECT_FALSE(pass.IsDue(now));
  EXPECT_TRUE(pass.IsPending(kB));
  pass.Leave(kB);
  EXPECT_TRUE(pass.IsDue(now));
  const PassReport report = pass.Close(world.engine->catalog());
  EXPECT_EQ(report.targets, 2U);
  EXPECT_EQ(report.unread, 0U);
  EXPECT_FALSE(pass.open());
}

TEST_F(PassBarrierTest, WaitsTenSecondsForItsSlowestReads) {
  pass.Add(kA);
  pass.Begin(1, now.mono, now);
  EXPECT_FALSE(pass.IsDue({now.mono + 9999ms, now.wall}));
  EXPECT_TRUE(pass.IsDue({now.mono + 10s, now.wall}));
  EXPECT_EQ(pass.deadline(), now.mono + 10s);
  EXPECT_EQ(pass.Close(world.engine->catalog()).unread, 1U);
}

TEST_F(PassBarrierTest, TargetsThatBecomeDueMeanwhileJoinIt) {
  pass.Add(kA);
  pass.Begin(1, now.mono, now);
  const telemetry::TraceContext trace = pass.trace();
  pass.Add(kB);
  pass.Begin(1, now.mono + 5s, now);
  EXPECT_EQ(pass.trace(), trace) << "it is the same pass";
  EXPECT_EQ(pass.deadline(), now.mono + 15s);
  EXPECT_EQ(pass.Close(world.engine->catalog()).targets, 2U);
}

TEST_F(PassBarrierTest, IsNoSmallerForBeingJudgedBeforeAllWasRead) {
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  world.Declare("m", "t", kViewer, {"user:ana@example.com", "user:bob@example.com"});
  world.Pass();
  world.Remove("m");
  world.Scan();
  world.Scan();
  Catalog& catalog = world.engine->catalog();
  const TargetKey target = catalog.claims().FindResource("m")->place.target;
  pass.Add(target);
  pass.Begin(1, now.mono, now);
  (void)pass.Close(catalog);
  EXPECT_EQ(pass.ContextFor(catalog).expected, 2) << "what the manifest granted will be asked for";
  pass.Leave(target);
  EXPECT_EQ(pass.ContextFor(catalog).expected, 0);
}

}  // namespace
}  // namespace bindery::controller
