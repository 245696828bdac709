#include "controller/outbox/outbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_world.h"
#include "unit/controller/plain_values.h"

namespace bindery::controller {
namespace {

using testing::kA;
using testing::RecordingObserver;
using ::testing::SizeIs;
using namespace std::chrono_literals;

Event Named(const std::string& reason) {
  return {WallTime{}, EventType::kNormal, reason, "", "", "", "bindery"};
}

class OutboxTest : public ::testing::Test {
 protected:
  RecordingObserver observer;
  Outbox outbox{observer};
  Now now{MonoTime(1h), WallTime(1h)};
};

TEST_F(OutboxTest, TellsEachEventOnceWhenItsChangeIsRecorded) {
  store::StoreChange change;
  change.events = {Named("One"), Named("Two")};
  EXPECT_THAT(observer.events, SizeIs(0));
  outbox.Record(std::move(change));
  outbox.Record(Named("Three"));
  ASSERT_THAT(observer.events, SizeIs(3));
  const EngineActions actions = outbox.Take();
  ASSERT_THAT(actions.changes, SizeIs(2));
  EXPECT_EQ(actions.changes[0].events[1].reason, "Two");
  EXPECT_EQ(actions.changes[1].events[0].reason, "Three");
  EXPECT_TRUE(outbox.Take().empty());
  EXPECT_THAT(observer.events, SizeIs(3));
}

TEST_F(OutboxTest, HandsOutNoEmptyChange) {
  outbox.Record(store::StoreChange{});
  EXPECT_TRUE(outbox.Take().empty());
}

TEST_F(OutboxTest, CollectsTouchesForASecond) {
  EXPECT_FALSE(outbox.TouchesDue());
  const WallTime first = now.wall;
  outbox.Touch(kA, now);
  EXPECT_EQ(outbox.TouchesDue(), now.mono + 1s);
  now.mono += 999ms;
  now.wall += 999ms;
  outbox.Touch(kA, now);
  outbox.FlushTouches(now);
  EXPECT_TRUE(outbox.Take().empty());
  now.mono += 1ms;
  outbox.FlushTouches(now);
  const EngineActions actions = outbox.Take();
  ASSERT_THAT(actions.changes, SizeIs(1));
  EXPECT_THAT(actions.changes[0].touch_targets, SizeIs(2));
  EXPECT_EQ(actions.changes[0].touched_at, first);
  EXPECT_FALSE(outbox.TouchesDue());
}

TEST_F(OutboxTest, CollectsThemForATwentiethOfTheInterval) {
  const std::pair<MonoTime::duration, MonoTime::duration> cases[] = {
      {1s, 1s}, {5min, 15s}, {24h, 30s}};
  for (const auto& [interval, wait] : cases) {
    outbox.SetInterval(interval);
    outbox.Touch(kA, now);
    EXPECT_EQ(outbox.TouchesDue(), now.mono + wait);
    outbox.RecordTouches();
  }
}

TEST_F(OutboxTest, RecordsManyTouchesWithoutWaiting) {
  for (int i = 0; i < 4096; ++i) outbox.Touch(kA, now);
  outbox.FlushTouches(now);
  EXPECT_THAT(outbox.Take().changes, SizeIs(1));
}

TEST_F(OutboxTest, AtTheEndKeepsWhatIsRecordedAndAnsweredAndDropsTasks) {
  outbox.Touch(kA, now);
  outbox.Reply([] {});
  outbox.Check({kA, nullptr});
  outbox.Write({kA, {}});
  const Outbox::Records records = outbox.TakeRecords();
  EXPECT_THAT(records.actions.changes, SizeIs(1));
  EXPECT_THAT(records.actions.replies, SizeIs(1));
  EXPECT_THAT(records.actions.checks, SizeIs(0));
  EXPECT_EQ(records.dropped_tasks, 2U);
  EXPECT_TRUE(outbox.Take().empty());
}

}  // namespace
}  // namespace bindery::controller
