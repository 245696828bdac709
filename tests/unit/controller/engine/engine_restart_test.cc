// The process may end at any moment: what the store holds must be enough to go on.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
using testing::kOwnerByHand;
using testing::kViewer;
using ::testing::SizeIs;

TEST(EngineRestart, AfterEveryStepTheRestIsDoneAndNothingTwice) {
  // The world is stopped after 0, 1, 2, … tasks of its first pass.
  for (int stop = 0; stop < 8; ++stop) {
    SCOPED_TRACE(stop);
    EngineWorld world;
    for (const char* id : {"a", "b"}) {
      world.cloud->AddTarget(EngineWorld::TargetName(id), kOwnerByHand);
      world.Declare(id, id, kViewer, {kAna});
    }
    world.Scan();
    int done = 0;
    bool stopped = false;
    while (!stopped) {
      Engine::Actions actions = world.Step();
      if (actions.empty() || done >= stop) break;
      for (const auto& task : actions.checks) {
        if (done++ < stop) world.Check(task);
      }
      for (const auto& task : actions.writes) {
        if (done++ < stop) {
          world.Write(task);
        } else {
          // Sent, journaled and landed, but the process ends before it hears of it.
          static_cast<void>(world.RunWrite(task.job));
          stopped = true;
        }
      }
    }
    world.Restart();
    world.Pass();
    world.Advance(seconds(5));
    EXPECT_EQ(world.Writes(), 2) << "each target is written once, before or after";
    for (const char* id : {"a", "b"}) {
      EXPECT_THAT(world.Grants(id), ElementsAre("roles/viewer user:ana@example.com"));
      EXPECT_EQ(world.Status(id), "Ready ReconciliationSucceeded");
    }
    EXPECT_THAT(world.store.state.intents, IsEmpty());
    int foreign = 0;
    for (const store::RevisionRecord& revision : world.store.state.revisions) {
      foreign += revision.origin == Origin::kForeign ? 1 : 0;
    }
    EXPECT_EQ(foreign, 2) << "what was there first can be brought back";
    for (const store::DriftRecord& record : world.store.state.drift) {
      EXPECT_TRUE(record.resolved_at.has_value());
    }
  }
}

TEST(EngineRestart, NothingIsTakenUpBeforeTheDirectoryWasRead) {
  EngineWorld world;
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  world.Declare("m", "t", kViewer, {kAna});
  world.Pass();
  world.Restart();
  world.cloud->ResetCounts();
  world.Work();
  EXPECT_EQ(world.Reads(), 0);
  world.Pass();
  EXPECT_EQ(world.Reads(), 1) << "once, with what the directory says today";
}

TEST(EngineRestart, WhatDidNotChangeIsNotCheckedAsAChange) {
  EngineWorld world;
  for (const std::string target : {"edited", "same"}) {
    world.cloud->AddTarget(EngineWorld::TargetName(target));
    world.Declare("of-" + target, target, kViewer, {kAna});
  }
  world.Pass();
  world.Restart();
  world.cloud->ResetCounts();
  world.Declare("of-edited", "edited", kViewer, {kBob});
  EXPECT_EQ(world.Scan().changed_targets, 1U);
  EXPECT_EQ(world.engine->schedule().queue().Waiting(Priority::kChange), 1U);
  EXPECT_EQ(world.engine->schedule().queue().Waiting(Priority::kRetry), 1U);
  world.Work();
  EXPECT_EQ(world.Reads(), 2) << "all the same each is looked at once";
}

TEST(EngineRestart, WithoutADirectoryTheLastGoodManifestsAreEnforcedAndNothingElseIsRemoved) {
  EngineWorld world;
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  world.Declare("m", "t", kViewer, {kAna});
  world.Pass();
  world.Restart();
  world.cloud->AddTarget(EngineWorld::TargetName("t"), kOwnerByHand);
  world.Advance(seconds(30));
  EXPECT_THAT(world.Grants("t"),
              ElementsAre("roles/owner user:eve@example.com", "roles/viewer user:ana@example.com"));
  world.Pass();
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/viewer user:ana@example.com"));
}

TEST(EngineRestart, ADeletionThatWasUnderWayWaitsForTheDirectory) {
  EngineWorld world;
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  const manifests::Manifest kept = world.Declare("m", "t", kViewer, {kAna});
  world.Pass();
  world.Remove("m");
  world.Scan();
  world.Scan();
  world.Step();  // stored: its manifest is gone
  world.Restart();
  world.Advance(seconds(30));
  EXPECT_THAT(world.Grants("t"), SizeIs(1));
  world.manifests["m"] = kept;  // it came back while nobody looked
  world.Pass();
  EXPECT_THAT(world.Grants("t"), SizeIs(1));
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
}

TEST(EngineRestart, OneMissingScanBeforeAndOneAfterMakeTwo) {
  EngineWorld world;
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  world.Declare("m", "t", kViewer, {kAna});
  world.Pass();
  world.Remove("m");
  EXPECT_TRUE(world.Scan().confirm);
  world.Work();
  world.Restart();
  EXPECT_FALSE(world.Scan().confirm);
  world.Work();
  EXPECT_EQ(world.Status("m"), "gone");
}

TEST(EngineRestart, WhatWasTakenAwayTogetherWithItsManifestIsNotGivenOnceMore) {
  EngineWorld world;
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  world.Declare("m", "t", kViewer, {kAna});
  world.Pass();
  world.cloud->AddTarget(EngineWorld::TargetName("t"), "[]");
  world.cloud->ResetCounts();
  world.Remove("m");
  world.Restart();
  EXPECT_TRUE(world.Scan().confirm);
  world.Work();
  EXPECT_FALSE(world.Scan().confirm);
  world.Work();
  EXPECT_EQ(world.Writes(), 0);
  EXPECT_EQ(world.Status("m"), "gone");
}

TEST(EngineRestart, AConflictIsStillExplained) {
  EngineWorld world;
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  world.Declare("m", "t", kViewer, {kAna});
  world.Pass();
  world.Declare("rival", "t", kViewer, {kAna});
  world.Pass();
  ASSERT_EQ(world.Status("m"), "Stalled RoleConflict");
  world.NextInterval();
  const store::ResourceRecord before = world.Record("m");
  const int events = world.Events("RoleConflict");
  world.Restart();
  world.Advance(seconds(30));  // before the first scan
  EXPECT_EQ(world.Record("m"), before);
  world.Pass();
  EXPECT_EQ(world.Record("m"), before);
  EXPECT_EQ(world.Events("RoleConflict"), events) << "it is no news";
  world.Remove("rival");
  world.Pass();
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
}

TEST(EngineRestart, AnUnusableStoredManifestTakesNothingAway) {
  EngineWorld world;
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  world.Declare("m", "t", kViewer, {kAna});
  world.Declare("e", "t", kEditor, {kAna});
  world.Pass();
  world.store.state.resources.at("m").spec = "{damaged";
  world.Restart();
  world.Advance(seconds(30));
  EXPECT_THAT(world.Grants("t"), SizeIs(2));
  EXPECT_EQ(world.Status("m"), "Stalled ManifestInvalid");
  EXPECT_EQ(world.Status("e"), "Ready ReconciliationSucceeded");
  world.Pass();
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
  EXPECT_THAT(world.Grants("t"), SizeIs(2));
}

TEST(EngineRestart, SuspensionByAnOperatorSurvivesRestartsAndEdits) {
  EngineWorld world;
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  world.Declare("m", "t", kViewer, {kAna});
  world.Pass();
  ASSERT_TRUE(world.engine->commands().Suspend({"m"}, true, "ops", world.now).has_value());
  world.Work();
  world.Restart();
  world.Declare("m", "t", kViewer, {"user:bob@example.com"});
  world.Pass();
  world.Declare("m", "t", kEditor, {"user:bob@example.com"});
  world.Pass();
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/viewer user:ana@example.com"));
  EXPECT_EQ(world.Status("m"), "Suspended Suspended");
  ASSERT_TRUE(world.engine->commands().Suspend({"m"}, false, "ops", world.now).has_value());
  world.Work();
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/editor user:bob@example.com"));
  EXPECT_THAT(world.Names(), ElementsAre("m"));
}

TEST(EngineRestart, AWriteToATargetNobodyDeclaresAnyMoreIsClosed) {
  EngineWorld world;
  store::IntentRecord intent;
  intent.target = {"AuthorizationPolicyIamBinding", "", EngineWorld::TargetName("gone")};
  ASSERT_TRUE(testing::BeginWrite(world.store, intent).has_value());
  world.Restart();
  world.Work();
  EXPECT_THAT(world.store.state.intents, IsEmpty());
  EXPECT_EQ(world.store.state.outcomes.begin()->second, "unknown");
}

}  // namespace
}  // namespace bindery::controller
