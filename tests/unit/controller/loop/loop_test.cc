// The shell around the engine: when those who look on are told.

#include "controller/loop/loop.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fakes/engine_world.h"

namespace bindery::controller {
namespace {

/// A directory without manifests that does not change.
class EmptySource final : public ManifestSource {
 public:
  Expected<Scanned> Scan(ScanMode /*how*/) override {
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
  Loop loop(*world.engine, {world.store, world.Policies()}, source, clock, observer, options,
            hooks);
  observer.loop = &loop;
  EXPECT_TRUE(loop.Run());
  EXPECT_FALSE(waited_for_heartbeat);
}

/// One scan after the other; the last one again and again.
class ScriptedSource final : public ManifestSource {
 public:
  explicit ScriptedSource(std::vector<manifests::DirectoryScan> scans) : scans_(std::move(scans)) {}

  Expected<Scanned> Scan(ScanMode /*how*/) override {
    Scanned scanned;
    scanned.scan = scans_[std::min(next_++, scans_.size() - 1)];
    ListAll(scanned.scan, scanned.input);
    scanned.input.digest = scanned.scan.digest;
    return scanned;
  }
  [[nodiscard]] int WatchDescriptor() const override { return -1; }
  bool TakeHints() override { return false; }

 private:
  std::vector<manifests::DirectoryScan> scans_;
  std::size_t next_ = 0;
};

/// Notes what failed, and ends the loop at the first scan that did not, or at once.
class FailureNotes final : public LoopObserver {
 public:
  explicit FailureNotes(bool wait_for_success) : wait_(wait_for_success) {}

  void Loaded(const ScanInput& /*scan*/, const Engine::Scanned* /*changes*/) override {
    loop->Stop();
  }
  void LoadFailed(const Error& error) override {
    failures.push_back(error.message);
    if (!wait_) loop->Stop();
  }
  void StoreFailed(const Error& error) override { ADD_FAILURE() << error.message; }
  void Progress(const Engine& /*engine*/) override {}

  Loop* loop = nullptr;
  std::vector<std::string> failures;

 private:
  bool wait_;
};

/// "a" and "b" in files of their own are in force; then all is commented out.
class EmptiedDirectory : public ::testing::Test {
 protected:
  EmptiedDirectory() {
    for (const char* name : {"a", "b"}) {
      world.cloud->AddTarget(testing::EngineWorld::TargetName(name));
      world.Declare(name, name, testing::kViewer, {"user:ana@example.com"});
    }
    world.Pass();
    emptied.digest = "comments";
    emptied.changed = {File("a", false), File("b", false)};
    emptied.files = manifests::FileList(emptied.changed);
  }
  manifests::SharedFile File(const std::string& name, bool declares) {
    manifests::FileContent file;
    file.path = name + ".yaml";
    file.digest = declares ? "manifest" : "comment";
    if (declares) {
      file.manifests.push_back(
          std::make_shared<const manifests::Manifest>(world.manifests.at(name)));
    }
    return std::make_shared<const manifests::FileContent>(std::move(file));
  }
  std::vector<std::string> Run(std::vector<manifests::DirectoryScan> scans) {
    const SystemClock clock;
    ScriptedSource source(std::move(scans));
    FailureNotes notes(/*wait_for_success=*/source_recovers);
    LoopOptions options;
    options.rescan_interval = std::chrono::milliseconds(5);
    Loop loop(*world.engine, {world.store, world.Policies()}, source, clock, notes, options, {});
    notes.loop = &loop;
    EXPECT_TRUE(loop.Run());
    return notes.failures;
  }
  [[nodiscard]] int Missed(const std::string& name) const {
    return world.engine->catalog().claims().FindResource(name)->evidence.missing_scans;
  }

  testing::EngineWorld world;
  manifests::DirectoryScan emptied;
  bool source_recovers = false;
};

TEST_F(EmptiedDirectory, DeletesNothing) {
  EXPECT_EQ(Run({emptied}),
            std::vector<std::string>{
                "the manifests directory holds files, but no manifest any more: what was loaded "
                "before stays in force and nothing is deleted"});
  EXPECT_EQ(Missed("a"), 0);
  EXPECT_EQ(Missed("b"), 0);
}

TEST_F(EmptiedDirectory, WhatIsThereAgainIsComparedWithWhatIsInForce) {
  source_recovers = true;
  manifests::DirectoryScan half;
  half.digest = "a is back";
  half.changed = {File("a", true)};
  half.former = {File("a", false)};
  half.files = manifests::FileList({File("a", true), File("b", false)});
  half.manifests = 1;
  EXPECT_EQ(Run({emptied, half}).size(), 1U);
  EXPECT_EQ(Missed("a"), 0);
  EXPECT_EQ(Missed("b"), 1) << "not in what changed since the scan that was refused";
}

}  // namespace
}  // namespace bindery::controller
