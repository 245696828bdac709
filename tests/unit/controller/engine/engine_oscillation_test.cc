// Targets that somebody else changes back and forth.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_world.h"

namespace bindery::controller {
namespace {

using testing::EngineWorld;
using ::testing::HasSubstr;
using testing::kAna;
using testing::kViewer;
using namespace std::chrono_literals;

constexpr const char* kForeign = R"([{"role":"roles/viewer","members":["user:eve@example.com"]}])";

class EngineOscillation : public ::testing::Test {
 protected:
  EngineOscillation() {
    world.settings.guard.max_removed_grants = 50;
    world.settings.guard.max_removed_fraction = 1;
    world.Configure();
    ChangeBack();
    world.Declare("m", "t", kViewer, {kAna});
    world.Pass();
  }
  /// Somebody else writes what was there before.
  void ChangeBack(const char* bindings = kForeign) {
    world.cloud->AddTarget(EngineWorld::TargetName("t"), bindings);
  }
  void Rounds(int rounds) {
    for (int i = 0; i < rounds; ++i) {
      ChangeBack();
      world.NextInterval();
    }
  }

  EngineWorld world;
};

TEST_F(EngineOscillation, AfterAFewRoundsItIsReportedAndNoMoreWritten) {
  Rounds(6);
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
  EXPECT_EQ(world.Events("Oscillating"), 1);
  const int writes = world.Writes();
  ChangeBack();
  const auto asked = world.engine->commands().Reconcile({"m"}, world.now, [](const WorkAnswer&) {});
  ASSERT_TRUE(asked.has_value());
  world.Work();
  EXPECT_EQ(world.Writes(), writes + 1) << "who asks for it has it tried";
  Rounds(1);
  EXPECT_EQ(world.Writes(), writes + 1);
  EXPECT_EQ(world.Status("m"), "Stalled Oscillating");
  EXPECT_THAT(world.Message("m"), HasSubstr("written 7 times since"));
  EXPECT_THAT(world.Message("m"), HasSubstr("another writer has it otherwise"));
  EXPECT_EQ(world.store.Drift({true, std::nullopt, 100})->size(), 2U) << "it is still reported";
  EXPECT_EQ(world.engine->oscillation().Tripped(), 1U);
}

TEST_F(EngineOscillation, ItIsTriedAgainEverMoreRarely) {
  Rounds(6);
  const int writes = world.Writes();
  for (int i = 0; i < 12; ++i) Rounds(1);
  EXPECT_LE(world.Writes(), writes + 4);
  EXPECT_GE(world.Writes(), writes + 2);
}

TEST_F(EngineOscillation, WhenTheOtherWriterStopsItIsWrittenAndWell) {
  Rounds(7);
  world.Advance(1h);
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
  world.Advance(3h);
  EXPECT_EQ(world.engine->oscillation().Tripped(), 0U);
  const int writes = world.Writes();
  Rounds(1);
  EXPECT_EQ(world.Writes(), writes + 1);
}

TEST_F(EngineOscillation, AnEditOfTheManifestBeginsAnew) {
  Rounds(7);
  world.Advance(10s);
  world.Declare("m", "t", kViewer, {kAna, "user:ben@example.com"});
  const int writes = world.Writes();
  world.Pass();
  EXPECT_EQ(world.Writes(), writes + 1);
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
}

TEST_F(EngineOscillation, OrdinaryDriftIsRepairedEachTime) {
  const int writes = world.Writes();
  for (int i = 0; i < 30; ++i) {
    const std::string member = "user:eve" + std::to_string(i) + "@example.com";
    const std::string bindings = R"([{"role":"roles/viewer","members":[")" + member + R"("]}])";
    ChangeBack(bindings.c_str());
    world.NextInterval();
  }
  EXPECT_EQ(world.Writes(), writes + 30);
  EXPECT_EQ(world.engine->oscillation().Tripped(), 0U);
}

TEST_F(EngineOscillation, EditsBackAndForthAreCarriedOut) {
  const int writes = world.Writes();
  for (int i = 0; i < 20; ++i) {
    world.Declare("m", "t", kViewer, {i % 2 == 0 ? "user:ben@example.com" : kAna});
    world.Pass();
  }
  EXPECT_EQ(world.Writes(), writes + 20);
  EXPECT_EQ(world.engine->oscillation().Tripped(), 0U);
}

}  // namespace
}  // namespace bindery::controller
