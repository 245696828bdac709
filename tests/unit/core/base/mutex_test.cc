#include "core/base/mutex.h"

#include <gtest/gtest.h>

#include <future>
#include <stdexcept>
#include <thread>

namespace bindery {
namespace {

/// Whether another thread could take it now.
bool IsFree(Mutex& mutex) {
  return std::async(std::launch::async,
                    [&mutex] {
                      if (!mutex.TryLock()) return false;
                      const MutexLock lock(mutex, std::adopt_lock);
                      return true;
                    })
      .get();
}

TEST(MutexLock, HoldsUntilItsScopeEnds) {
  Mutex mutex;
  {
    const MutexLock lock(mutex);
    EXPECT_FALSE(IsFree(mutex));
  }
  EXPECT_TRUE(IsFree(mutex));
}

TEST(MutexRelease, TakesTheMutexBackAlsoAfterAnException) {
  Mutex mutex;
  {
    const MutexLock lock(mutex);
    try {
      const MutexRelease released(mutex);
      EXPECT_TRUE(IsFree(mutex));
      throw std::runtime_error("while it is away");
    } catch (const std::runtime_error&) {
      EXPECT_FALSE(IsFree(mutex));
    }
  }
  EXPECT_TRUE(IsFree(mutex));
}

TEST(CondVar, WaitsWithoutTheMutexAndReturnsWithIt) {
  struct {
    Mutex mutex;
    CondVar changed;
    bool done GUARDED_BY(mutex) = false;
  } shared;
  std::thread other;
  {
    const MutexLock lock(shared.mutex);
    // It can go on only while this thread waits.
    other = std::thread([&shared] {
      const MutexLock held(shared.mutex);
      shared.done = true;
      shared.changed.NotifyAll();
    });
    shared.changed.Wait(shared.mutex, [&shared]() REQUIRES(shared.mutex) { return shared.done; });
    EXPECT_TRUE(shared.done);
    EXPECT_FALSE(IsFree(shared.mutex));
  }
  other.join();
  EXPECT_TRUE(IsFree(shared.mutex));
}

TEST(CondVar, AWaitThatTimesOutSaysSoAndHoldsTheMutex) {
  Mutex mutex;
  CondVar changed;
  const auto passed = std::chrono::steady_clock::now();
  const MutexLock lock(mutex);
  EXPECT_EQ(changed.WaitUntil(mutex, passed), std::cv_status::timeout);
  EXPECT_FALSE(changed.WaitUntil(mutex, passed, [] { return false; }));
  EXPECT_TRUE(changed.WaitFor(mutex, std::chrono::seconds(0), [] { return true; }));
  EXPECT_FALSE(IsFree(mutex));
}

TEST(SharedMutex, HasSeveralReadersAtOnce) {
  SharedMutex mutex;
  const ReaderLock lock(mutex);
  // Would not end if readers excluded each other.
  std::async(std::launch::async, [&mutex] { const ReaderLock other(mutex); }).get();
}

}  // namespace
}  // namespace bindery
