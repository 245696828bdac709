#include "controller/work/target_recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_world.h"

namespace bindery::controller {
namespace {

using testing::EngineWorld;
using ::testing::IsEmpty;
using testing::kViewer;
using testing::RecordingObserver;
using ::testing::SizeIs;

class TargetRecorderTest : public ::testing::Test {
 protected:
  TargetRecorderTest() {
    world.cloud->AddTarget(EngineWorld::TargetName("t"));
    world.Declare("m", "t", kViewer, {"user:ana@example.com"});
    world.Pass();
    target = catalog.claims().FindTarget(catalog.claims().FindResource("m")->place.target);
    work.job = std::make_shared<CheckJob>(catalog.treatments().MakeJob(*target));
    work.reading.seen.exists = target->reading.exists;
    work.reading.seen.etag = target->reading.etag;
    work.reading.policy = {"{}", target->reading.policy_digest.Hex()};
  }
  reconcilers::GrantChange Difference() {
    reconcilers::GrantChange difference;
    difference.resource = "m";
    difference.grant = {kViewer, "user:eve@example.com"};
    return difference;
  }

  EngineWorld world;
  Catalog& catalog = world.engine->catalog();
  RecordingObserver observer;
  Outbox outbox{observer};
  TargetRecorder recorder{catalog, observer, outbox};
  TargetEntry* target = nullptr;
  TargetUnderWork work;
  store::StoreChange change;
};

TEST_F(TargetRecorderTest, OfTheSamePolicyOnlyTheTimeIsKept) {
  EXPECT_FALSE(recorder.RecordObservation(*target, work, change, world.now));
  EXPECT_TRUE(change.empty());
  EXPECT_TRUE(outbox.TouchesDue());
}

TEST_F(TargetRecorderTest, AnotherPolicyIsARevision) {
  work.reading.policy.digest = Sha256Digest::Of("other").Hex();
  recorder.RecordObservation(*target, work, change, world.now);
  ASSERT_THAT(change.revisions, SizeIs(1));
  EXPECT_EQ(change.revisions[0].origin, Origin::kObserved);
  EXPECT_THAT(change.upsert_targets, SizeIs(1));
}

TEST_F(TargetRecorderTest, AReadingTellsWhatAWriteWithoutAnAnswerCameTo) {
  for (const bool landed : {true, false}) {
    store::IntentRecord intent;
    intent.digest_desired = "wanted";
    target->unresolved = std::make_shared<const store::IntentRecord>(intent);
    work.reading.grants_digest = landed ? "wanted" : "other";
    store::StoreChange told;
    EXPECT_EQ(recorder.RecordObservation(*target, work, told, world.now), landed);
    ASSERT_THAT(told.finished_intents, SizeIs(1));
    EXPECT_EQ(told.finished_intents[0].outcome, landed ? "found-landed" : "found-not-landed");
    EXPECT_EQ(told.events.at(0).reason, landed ? "WriteConfirmed" : "WriteNotLanded");
    EXPECT_EQ(target->unresolved, nullptr);
  }
}

TEST_F(TargetRecorderTest, ADifferenceIsToldWhenItComesUp) {
  work.plan.changes = {Difference()};
  recorder.RecordSeen(*target, work, /*corrected=*/false, change, world.now);
  EXPECT_THAT(observer.found, SizeIs(1));
  EXPECT_EQ(change.events.at(0).reason, "DriftFound");
  EXPECT_THAT(change.drift, SizeIs(1));
  store::StoreChange again;
  recorder.RecordSeen(*target, work, /*corrected=*/false, again, world.now);
  EXPECT_THAT(observer.found, SizeIs(1));
  EXPECT_THAT(again.events, IsEmpty());
}

TEST_F(TargetRecorderTest, AWriteThatMayHaveLandedIsLookedUpLater) {
  WriteResult result;
  result.intent = 7;
  result.digest_desired = "wanted";
  Error lost{Code::kUnavailable, "lost"};
  lost.outcome_unknown = true;
  result.written = Fail(lost);
  recorder.RecordFailedWrite(*target, work, result, change, world.now);
  ASSERT_NE(target->unresolved, nullptr);
  EXPECT_EQ(target->unresolved->id, 7);
  EXPECT_THAT(change.finished_intents, IsEmpty());
  target->unresolved.reset();
  result.written = Fail(Code::kPermissionDenied, "no");
  recorder.RecordFailedWrite(*target, work, result, change, world.now);
  EXPECT_EQ(target->unresolved, nullptr);
  EXPECT_EQ(change.finished_intents.at(0).outcome, "refused");
}

}  // namespace
}  // namespace bindery::controller
