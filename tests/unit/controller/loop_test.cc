// The shell around the engine: when those who look on are told.

#include "controller/loop.h"

#include <gtest/gtest.h>

#include "fakes/engine_world.h"

namespace bindery {
namespace {

/// A directory without manifests that does not change.
class EmptySource final : public ManifestSource {
 public:
  Expected<Scanned> Scan(Look /*how*/) override {
    Scanned scanned;
    scanned.input.digest = scanned.scan.digest = "empty";
    scanned.scan.complete = true;
    return scanned;
  }
  [[nodiscard]] int WatchDescriptor() const override { return -1; }
  bool TakeHints() override { return false; }
};

/// Ends the loop when it has been told of a state that was reached after the first scan.
class UntilLoaded final : public LoopObserver {
 public:
  void Loaded(const ScanInput& /*scan*/, const Engine::Scanned* /*changes*/) override {
    loaded_ = true;
  }
  void LoadFailed(const Error& error) override { ADD_FAILURE() << error.message; }
  void StoreFailed(const Error& error) override { ADD_FAILURE() << error.message; }
  void Progress(const Engine& /*engine*/) override {
    if (loaded_ && !told_) {
      told_ = true;
      loop->Stop();
    }
  }

  Loop* loop = nullptr;

 private:
  bool loaded_ = false;
  bool told_ = false;
};

TEST(Loop, TellsTheLastOfABurstWithoutWaitingForTheHeartbeat) {
  testing::EngineWorld world;
  const SystemClock clock;
  EmptySource source;
  UntilLoaded observer;
  LoopOptions options;
  options.heartbeat = options.rescan_interval = std::chrono::minutes(1);
  bool waited_for_heartbeat = false;
  Loop::Hooks hooks;
  hooks.tick = [&] { waited_for_heartbeat = true; };
  Loop loop(*world.engine, world.store, source, clock, observer, options, 1, hooks);
  observer.loop = &loop;
  EXPECT_TRUE(loop.Run());
  EXPECT_FALSE(waited_for_heartbeat);
}

}  // namespace
}  // namespace bindery
