#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <set>
#include <string>
#include <thread>

#include "fixture.h"
#include "support/begin_write.h"

namespace bindery::store {
namespace {

using testing::EventNamed;
using testing::FixedClock;
using testing::IsOk;
using testing::PolicyTarget;
using testing::RevisionOf;
using testing::StoreTest;

constexpr int kWriters = 4;

StoreChange NumberedChange(int number) {
  const std::string text = std::to_string(number);
  StoreChange change;
  change.events.push_back(EventNamed(text));
  change.revisions.push_back(RevisionOf(PolicyTarget(text), "{\"number\":" + text + "}"));
  return change;
}

/// Writes changes for ever and reports each one that was answered through `report`.
[[noreturn]] void WriteUntilKilled(const std::string& path, int first, int report) {
  const FixedClock clock;
  auto opened = OpenStore(path, StoreAccess::kReadWrite, clock);
  if (!opened) ::_exit(1);
  Store& store = **opened;
  const auto write = [&store, first, report](int writer) {
    for (int number = first + writer;; number += kWriters) {
      if (!store.Apply(NumberedChange(number))) ::_exit(2);
      if (::write(report, &number, sizeof number) != sizeof number) ::_exit(3);
    }
  };
  std::vector<std::thread> writers;
  for (int writer = 1; writer < kWriters; ++writer) writers.emplace_back(write, writer);
  write(0);
  ::_exit(4);
}

/// Starts a writer, kills it once `wanted` changes were answered; gives all that were answered.
std::set<int> AnsweredBeforeTheKill(const std::string& path, int first, std::size_t wanted) {
  int ends[2] = {-1, -1};
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) WriteUntilKilled(path, first, ends[1]);
  ::close(ends[1]);
  std::set<int> answered;
  int number = 0;
  while (::read(ends[0], &number, sizeof number) == sizeof number) {
    answered.insert(number);
    if (answered.size() == wanted) ::kill(child, SIGKILL);
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status)) << "the writer ended by itself: " << status;
  return answered;
}

class KilledStore : public StoreTest {};

TEST_F(KilledStore, HoldsEveryChangeThatWasAnsweredAndEachChangeWhole) {
  store_.reset();
  std::set<int> answered;
  for (int round = 0; round < 5; ++round) {
    answered.merge(AnsweredBeforeTheKill(path(), round * 1'000'000, 40));
  }
  Reopen();
  EXPECT_EQ(store().recovered_from(), "");

  EventFilter all;
  all.limit = 1'000'000;
  std::set<int> found;
  for (const auto& [id, event] : Value(store().Events(all))) found.insert(std::stoi(event.reason));
  for (const int number : answered) EXPECT_EQ(found.count(number), 1U) << number;
  EXPECT_GE(answered.size(), 200U);

  const StoreCounts counts = Value(store().Counts());
  EXPECT_EQ(counts.revisions, counts.events) << "half a change was kept";
  EXPECT_EQ(counts.policies, counts.events);
}

TEST_F(KilledStore, AnIntentBegunBeforeTheKillIsOpenAfterIt) {
  store_.reset();
  const pid_t child = ::fork();
  if (child == 0) {
    auto opened = OpenStore(path(), StoreAccess::kReadWrite, clock_);
    if (!opened) ::_exit(1);
    IntentRecord intent;
    intent.target = PolicyTarget("a");
    intent.digest_desired = "d";
    if (!testing::BeginWrite(**opened, intent)) ::_exit(2);
    ::raise(SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status)) << status;
  Reopen();
  const auto intents = Value(store().OpenIntents());
  ASSERT_EQ(intents.size(), 1U);
  EXPECT_EQ(intents[0].target, PolicyTarget("a"));
  EXPECT_EQ(intents[0].digest_desired, "d");
}

}  // namespace
}  // namespace bindery::store
