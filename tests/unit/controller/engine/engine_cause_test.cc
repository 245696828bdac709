// What made a difference: the directory, somebody in the cloud, or time.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_world.h"

namespace bindery::controller {
namespace {

using ::testing::ElementsAre;
using testing::EngineWorld;
using testing::kAna;
using testing::kBob;
using testing::kViewer;
using ::testing::UnorderedElementsAre;

class EngineCause : public ::testing::Test {
 protected:
  void SetPolicy(const std::string& members) {
    world_.cloud->AddTarget(
        EngineWorld::TargetName("t"),
        members.empty() ? "[]" : R"([{"role":"roles/viewer","members":[)" + members + "]}]");
  }
  /// "undeclared bob@example.com foreign", of the differences found since this was last asked.
  std::vector<std::string> Found() {
    std::vector<std::string> texts;
    const auto& drift = world_.store.state.drift;
    for (; seen_ < drift.size(); ++seen_) {
      const DriftItem& item = drift[seen_].item;
      texts.push_back(std::string(ToString(item.drift_class)) + " " +
                      item.grant.principal.substr(item.grant.principal.find(':') + 1) + " " +
                      std::string(ToString(item.cause)));
    }
    return texts;
  }
  void Recheck() { world_.NextInterval(); }

  EngineWorld world_;
  std::size_t seen_ = 0;
};

TEST_F(EngineCause, EditsAreTheManifestsAndChangesByOthersAreForeign) {
  SetPolicy("");
  world_.Declare("m", "t", kViewer, {kAna});
  world_.Pass();
  EXPECT_THAT(Found(), ElementsAre("missing ana@example.com manifest"));

  world_.Declare("m", "t", kViewer, {kAna, kBob});
  world_.Pass();
  EXPECT_THAT(Found(), ElementsAre("missing bob@example.com manifest"));

  world_.Declare("m", "t", kViewer, {kAna});
  world_.Pass();
  EXPECT_THAT(Found(), ElementsAre("undeclared bob@example.com manifest"));

  SetPolicy(R"("user:ana@example.com","user:eve@example.com")");
  Recheck();
  EXPECT_THAT(Found(), ElementsAre("undeclared eve@example.com foreign"));

  SetPolicy("");
  Recheck();
  EXPECT_THAT(Found(), ElementsAre("missing ana@example.com foreign"));
  EXPECT_THAT(world_.Grants("t"), ElementsAre("roles/viewer user:ana@example.com"));
}

TEST_F(EngineCause, ChangesOfBothBetweenTwoChecksAreToldApart) {
  SetPolicy("");
  world_.Declare("m", "t", kViewer, {kAna});
  world_.Pass();
  Found();
  SetPolicy(R"("user:ana@example.com","user:eve@example.com")");
  world_.Declare("m", "t", kViewer, {kBob});
  world_.Pass();
  EXPECT_THAT(Found(), UnorderedElementsAre("missing bob@example.com manifest",
                                            "undeclared ana@example.com manifest",
                                            "undeclared eve@example.com foreign"));
}

TEST_F(EngineCause, WhatWasThereAtFirstContactIsUnknown) {
  SetPolicy(R"("user:eve@example.com")");
  world_.Declare("m", "t", kViewer, {kAna});
  world_.Pass();
  EXPECT_THAT(Found(), UnorderedElementsAre("missing ana@example.com manifest",
                                            "undeclared eve@example.com unknown"));
}

TEST_F(EngineCause, AForeignChangeStaysForeignOverACrashDuringItsRepair) {
  SetPolicy("");
  world_.Declare("m", "t", kViewer, {kAna});
  world_.Pass();
  Found();
  SetPolicy(R"("user:ana@example.com","user:eve@example.com")");
  ASSERT_TRUE(world_.engine->commands().Reconcile({"m"}, world_.now, nullptr).has_value());
  Engine::Actions actions = world_.Step();
  ASSERT_EQ(actions.checks.size(), 1U);
  world_.Check(actions.checks[0]);
  // The policy that was read is on record; the process dies before it is written over.
  ASSERT_EQ(world_.Step().writes.size(), 1U);
  world_.Restart();
  world_.Pass();
  EXPECT_THAT(Found(), ElementsAre("undeclared eve@example.com foreign"));
  EXPECT_THAT(world_.Grants("t"), ElementsAre("roles/viewer user:ana@example.com"));
}

TEST_F(EngineCause, AForeignChangeStaysForeignWhenTheDirectoryChangesDuringTheRead) {
  SetPolicy("");
  world_.Declare("m", "t", kViewer, {kAna});
  world_.Pass();
  Found();
  SetPolicy(R"("user:ana@example.com","user:eve@example.com")");
  ASSERT_TRUE(world_.engine->commands().Reconcile({"m"}, world_.now, nullptr).has_value());
  Engine::Actions actions = world_.Step();
  ASSERT_EQ(actions.checks.size(), 1U);
  world_.Declare("m", "t", kViewer, {kAna, kBob});
  world_.Scan();
  world_.Check(actions.checks[0]);
  world_.Work();
  EXPECT_THAT(Found(), UnorderedElementsAre("missing bob@example.com manifest",
                                            "undeclared eve@example.com foreign"));
}

TEST_F(EngineCause, AnOpenDifferenceKeepsItsCause) {
  world_.settings.catalog.mode = Mode::kObserve;
  world_.Configure();
  SetPolicy(R"("user:ana@example.com")");
  world_.Declare("m", "t", kViewer, {kAna});
  world_.Pass();
  SetPolicy(R"("user:ana@example.com","user:eve@example.com")");
  Recheck();
  world_.Restart();
  world_.Declare("m", "t", kViewer, {kAna, kBob});
  world_.Pass();
  EXPECT_THAT(Found(), UnorderedElementsAre("undeclared eve@example.com foreign",
                                            "missing bob@example.com manifest"));
}

TEST_F(EngineCause, ATargetThatWentIsForeignAndOneThatNeverWasIsTheManifests) {
  world_.Declare("m", "t", kViewer, {kAna});
  world_.Pass();
  EXPECT_THAT(Found(), ElementsAre("target-missing  manifest"));
  SetPolicy("");
  Recheck();
  Found();
  world_.cloud->RemoveTarget(EngineWorld::TargetName("t"));
  Recheck();
  EXPECT_THAT(Found(), ElementsAre("target-missing  foreign"));
}

TEST_F(EngineCause, WithoutTheLastPolicyTheCauseIsUnknown) {
  SetPolicy("");
  world_.Declare("m", "t", kViewer, {kAna});
  world_.Pass();
  Found();
  world_.store.state.policies.clear();
  SetPolicy("");
  Recheck();
  EXPECT_THAT(Found(), ElementsAre("missing ana@example.com unknown"));
}

}  // namespace
}  // namespace bindery::controller
