// A directory on a file system that does not answer any more.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>

#include "controller/loop/loop.h"
#include "fakes/engine_world.h"

namespace bindery::controller {
namespace {

using ::testing::HasSubstr;

/// A scan of it ends when it is let go.
class HangingSource final : public ManifestSource {
 public:
  Expected<Scanned> Scan(ScanMode /*how*/) override {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return let_go_; });
    return Fail(Code::kAborted, "let go");
  }
  void LetGo() {
    const std::lock_guard lock(mutex_);
    let_go_ = true;
    changed_.notify_all();
  }
  [[nodiscard]] int WatchDescriptor() const override { return -1; }
  bool TakeHints() override { return false; }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool let_go_ = false;
};

class NoteFailures final : public LoopObserver {
 public:
  void Loaded(const ScanInput& /*scan*/, const Engine::Scanned* /*changes*/) override {}
  void LoadFailed(const Error& error) override { failures.push_back(error.message); }
  void StoreFailed(const Error& error) override { ADD_FAILURE() << error.message; }
  void Progress(const Engine& /*engine*/) override {}

  std::vector<std::string> failures;
};

/// Time that jumps ahead when it is told to.
class FastClock final : public Clock {
 public:
  [[nodiscard]] WallTime Wall() const override { return system_.Wall(); }
  [[nodiscard]] MonoTime Mono() const override { return system_.Mono() + skipped.load(); }

  std::atomic<MonoTime::duration> skipped{MonoTime::duration(0)};

 private:
  SystemClock system_;
};

TEST(HangingScan, IsToldAndDoesNotHoldUpTheEnd) {
  testing::EngineWorld world;
  FastClock clock;
  HangingSource source;
  NoteFailures observer;
  LoopOptions options;
  options.heartbeat = std::chrono::milliseconds(5);
  options.shutdown_timeout = std::chrono::milliseconds(50);
  Loop::Hooks hooks;
  Loop* running = nullptr;
  int beats = 0;
  hooks.tick = [&] {
    clock.skipped = std::chrono::minutes(1);
    if (++beats == 3) running->Stop();
  };
  Loop loop(*world.engine, {world.store, world.Policies()}, source, clock, observer, options,
            hooks);
  running = &loop;
  loop.Run();
  EXPECT_TRUE(loop.ScanAbandoned());
  ASSERT_FALSE(observer.failures.empty());
  EXPECT_THAT(observer.failures.front(), HasSubstr("its file system does not answer"));
  source.LetGo();
}

TEST(HangingScan, EndsARunOfOnePass) {
  testing::EngineWorld world;
  FastClock clock;
  HangingSource source;
  NoteFailures observer;
  LoopOptions options;
  options.once = true;
  options.heartbeat = std::chrono::milliseconds(5);
  options.shutdown_timeout = std::chrono::milliseconds(50);
  Loop::Hooks hooks;
  hooks.tick = [&] { clock.skipped = std::chrono::minutes(1); };
  Loop loop(*world.engine, {world.store, world.Policies()}, source, clock, observer, options,
            hooks);
  loop.Run();
  EXPECT_TRUE(loop.ScanAbandoned());
  EXPECT_FALSE(observer.failures.empty());
  source.LetGo();
}

}  // namespace
}  // namespace bindery::controller
