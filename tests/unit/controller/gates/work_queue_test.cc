#include "controller/gates/work_queue.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <vector>

namespace bindery::controller {
namespace {

using std::chrono::seconds;

constexpr MonoTime kNow{std::chrono::hours(1)};

TargetKey Key(const std::string& name) { return TargetKey(Target{"Kind", "", name}); }

std::string TakeKey(WorkQueue& queue, MonoTime now = kNow) {
  const auto taken = queue.Take(now);
  return taken ? taken->key->name : "nothing";
}

TEST(WorkQueue, ChangesGoBeforeRetriesAndThoseBeforeReChecks) {
  WorkQueue queue;
  queue.Add(Key("periodic"), Priority::kPeriodic, kNow - seconds(30));
  queue.Add(Key("retry"), Priority::kRetry, kNow - seconds(20));
  queue.Add(Key("change"), Priority::kChange, kNow - seconds(10));
  EXPECT_EQ(TakeKey(queue), "change");
  EXPECT_EQ(TakeKey(queue), "retry");
  EXPECT_EQ(TakeKey(queue), "periodic");
  EXPECT_EQ(TakeKey(queue), "nothing");
}

TEST(WorkQueue, OfOnePriorityTheLongestDueGoesFirst) {
  WorkQueue queue;
  queue.Add(Key("a"), Priority::kPeriodic, kNow - seconds(1));
  queue.Add(Key("b"), Priority::kPeriodic, kNow - seconds(3));
  queue.Add(Key("c"), Priority::kPeriodic, kNow - seconds(2));
  EXPECT_EQ(TakeKey(queue), "b");
  EXPECT_EQ(TakeKey(queue), "c");
  EXPECT_EQ(TakeKey(queue), "a");
}

TEST(WorkQueue, NothingIsHandedOutBeforeItIsDue) {
  WorkQueue queue;
  queue.Add(Key("later"), Priority::kChange, kNow + seconds(5));
  queue.Add(Key("now"), Priority::kPeriodic, kNow);
  EXPECT_EQ(queue.NextDue(), kNow);
  EXPECT_EQ(TakeKey(queue), "now");
  EXPECT_EQ(TakeKey(queue), "nothing");
  EXPECT_EQ(queue.NextDue(), kNow + seconds(5));
  EXPECT_EQ(TakeKey(queue, kNow + seconds(5)), "later");
  EXPECT_EQ(queue.NextDue(), std::nullopt);
}

TEST(WorkQueue, AKeyAddedTwiceWaitsOnceAtTheEarlierTimeAndHigherPriority) {
  WorkQueue queue;
  queue.Add(Key("a"), Priority::kPeriodic, kNow + seconds(300));
  queue.Add(Key("a"), Priority::kChange, kNow);
  queue.Add(Key("a"), Priority::kRetry, kNow + seconds(60));
  EXPECT_EQ(queue.Waiting(Priority::kChange), 1U);
  EXPECT_EQ(queue.Waiting(Priority::kPeriodic), 0U);
  const auto taken = queue.Take(kNow);
  ASSERT_TRUE(taken.has_value());
  EXPECT_EQ(taken->priority, Priority::kChange);
  EXPECT_EQ(taken->due, kNow);
  EXPECT_EQ(TakeKey(queue, kNow + seconds(1000)), "nothing");
}

TEST(WorkQueue, AKeyAddedWhileTakenWaitsForDone) {
  WorkQueue queue;
  queue.Add(Key("a"), Priority::kPeriodic, kNow);
  EXPECT_EQ(TakeKey(queue), "a");
  EXPECT_TRUE(queue.IsTaken(Key("a")));
  EXPECT_FALSE(queue.AddedWhileTaken(Key("a")));
  queue.Add(Key("a"), Priority::kChange, kNow);
  EXPECT_TRUE(queue.AddedWhileTaken(Key("a")));
  EXPECT_EQ(TakeKey(queue), "nothing");
  queue.Done(Key("a"));
  EXPECT_FALSE(queue.IsTaken(Key("a")));
  EXPECT_EQ(TakeKey(queue), "a");
}

TEST(WorkQueue, ARemovedKeyIsForgotten) {
  WorkQueue queue;
  queue.Add(Key("waiting"), Priority::kChange, kNow);
  queue.Remove(Key("waiting"));
  queue.Remove(Key("unknown"));
  EXPECT_EQ(TakeKey(queue), "nothing");
  EXPECT_EQ(queue.Waiting(Priority::kChange), 0U);

  queue.Add(Key("taken"), Priority::kChange, kNow);
  EXPECT_EQ(TakeKey(queue), "taken");
  queue.Add(Key("taken"), Priority::kChange, kNow);
  queue.Remove(Key("taken"));
  EXPECT_EQ(queue.TakenCount(), 1U);
  queue.Done(Key("taken"));
  EXPECT_EQ(queue.TakenCount(), 0U);
  EXPECT_EQ(TakeKey(queue), "nothing");
}

TEST(WorkQueue, DoneOfAKeyThatIsNotTakenChangesNothing) {
  WorkQueue queue;
  queue.Add(Key("a"), Priority::kChange, kNow);
  queue.Done(Key("a"));
  queue.Done(Key("b"));
  EXPECT_EQ(TakeKey(queue), "a");
}

TEST(WorkQueue, ForEachDueVisitsOnlyWhatIsDue) {
  WorkQueue queue;
  queue.Add(Key("a"), Priority::kRetry, kNow);
  queue.Add(Key("b"), Priority::kRetry, kNow + seconds(1));
  queue.Add(Key("c"), Priority::kChange, kNow);
  std::vector<std::string> seen;
  queue.ForEachDue(Priority::kRetry, kNow,
                   [&](const TargetKey& key) { seen.push_back(key->name); });
  EXPECT_EQ(seen, std::vector<std::string>{"a"});
}

TEST(WorkQueueProperty, NeverHandsOutATakenKeyAndLosesNone) {
  std::mt19937 random(99);
  const auto pick = [&](int below) {
    return std::uniform_int_distribution<int>(0, below - 1)(random);
  };
  WorkQueue queue;
  std::set<std::string> taken;
  std::set<std::string> waiting;
  MonoTime now = kNow;
  for (int i = 0; i < 20'000; ++i) {
    const std::string name = "k" + std::to_string(pick(20));
    const TargetKey key = Key(name);
    switch (pick(5)) {
      case 0:
      case 1:
        queue.Add(key, static_cast<Priority>(pick(3)), now + seconds(pick(10)));
        waiting.insert(name);
        break;
      case 2:
        if (const auto next = queue.Take(now)) {
          ASSERT_TRUE(taken.insert(next->key->name).second) << "twice at once: " << next->key->name;
          ASSERT_EQ(waiting.erase(next->key->name), 1U);
          ASSERT_LE(next->due, now);
        }
        break;
      case 3:
        queue.Done(key);
        taken.erase(name);
        break;
      default:
        now += seconds(pick(3));
    }
    ASSERT_EQ(queue.TakenCount(), taken.size());
  }
  for (const std::string& name : taken) queue.Done(Key(name));
  std::set<std::string> rest;
  while (const auto next = queue.Take(now + seconds(1000))) rest.insert(next->key->name);
  EXPECT_EQ(rest, waiting);
}

TEST(WorkQueue, WhatIsPutOffIsAsLongDueAsItWas) {
  WorkQueue queue;
  const MonoTime start = MonoTime(std::chrono::hours(1));
  queue.Add(Key("a"), Priority::kPeriodic, start);
  const auto taken = queue.Take(start);
  ASSERT_TRUE(taken.has_value());
  queue.PutOff(*taken, start + std::chrono::seconds(5));
  EXPECT_FALSE(queue.Take(start + std::chrono::seconds(4)).has_value());
  EXPECT_EQ(queue.NextDue(), start + std::chrono::seconds(5));
  int due = 0;
  queue.ForEachDue(Priority::kPeriodic, start, [&due](const TargetKey&) { ++due; });
  EXPECT_EQ(due, 1);
  const auto again = queue.Take(start + std::chrono::seconds(5));
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->due, start);
}

TEST(WorkQueue, WhatIsAddedToWhatWasPutOffGoesAtOnce) {
  WorkQueue queue;
  const MonoTime start = MonoTime(std::chrono::hours(1));
  queue.Add(Key("a"), Priority::kPeriodic, start);
  queue.PutOff(*queue.Take(start), start + std::chrono::seconds(5));
  queue.Add(Key("a"), Priority::kChange, start + std::chrono::seconds(1));
  const auto taken = queue.Take(start + std::chrono::seconds(1));
  ASSERT_TRUE(taken.has_value());
  EXPECT_EQ(taken->priority, Priority::kChange);
}

}  // namespace
}  // namespace bindery::controller
