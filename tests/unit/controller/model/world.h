#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fakes/engine_world.h"
#include "model/cloud.h"
#include "model/directory.h"
#include "model/moves.h"
#include "model/observer.h"

namespace bindery::model {

/// The engine with a directory, clouds, a store and clocks that go wrong, driven as the loop drives
/// it: it looks when something may have settled, carries out what the engine asks for, and may die
/// at any commit and request.
class World {
 public:
  World();

  void Do(const Move& move);
  /// All faults end: the daemon looks, time passes, an operator agrees.
  void ComeToRest();
  /// What went wrong; empty: nothing did.
  [[nodiscard]] const std::string& breach() const { return observer_.breach(); }
  /// What the daemon told, a line an event.
  [[nodiscard]] std::string EventsText() const;

 private:
  struct Crash {};
  /// What comes back later.
  struct Delivery {
    MonoTime due;
    std::function<void()> run;
  };
  struct Slowness {
    std::chrono::seconds delay;
    MonoTime until;
  };

  [[nodiscard]] WallTime TrueTime() const { return world_.now.wall - skew_; }
  [[nodiscard]] MonoTime Mono() const { return world_.now.mono; }

  // world_moves.cc
  void ChangeDirectory(const Move& move);
  void DriveDaemon(const Move& move);
  void ChangeStore(const Move& move);
  void TroubleClouds(const Move& move);
  void Approve();
  void Deny();
  void SetClock(int amount);
  void SetClocks(std::chrono::seconds local, std::chrono::seconds services);
  [[nodiscard]] Doc DocOf(const Move& move) const;

  // world.cc
  void Look(bool hinted);
  void LookOnce(bool hinted);
  void Wait(MonoTime::duration time);
  void Stop(std::chrono::milliseconds time);
  [[nodiscard]] std::optional<MonoTime> NextMoment() const;
  void MeetMoment();
  void Turn();
  void Step(controller::Engine::Actions actions);
  void StartCheck(const controller::Engine::CheckTask& task);
  void StartLent(const controller::LentCheck& check);
  void StartWrite(const controller::Engine::WriteTask& task);
  [[nodiscard]] controller::WriteResult RunWrite(const controller::WriteJob& job);
  void Deliver(const std::string& target, std::function<void()> run);
  void CrashPoint();
  void Start();
  [[nodiscard]] bool ReadsStandby(bool knows_comments) const;
  void Configure();

  testing::EngineWorld world_;
  Directory directory_{world_.kinds};
  std::shared_ptr<Cloud> cloud_;
  Observer observer_;
  std::chrono::milliseconds skew_{0};  ///< The local clock is so far ahead.

  // Of the loop.
  bool loaded_ = false;
  bool edits_ = true;
  std::string digest_;
  std::optional<MonoTime> confirm_at_;
  MonoTime rescan_at_;
  std::vector<Delivery> deliveries_;

  int bad_scans_ = 0;
  bool bad_scans_fail_ = false;  ///< Or find the directory changing.
  std::map<std::string, Slowness> slow_;
  std::optional<int> crash_in_;
  const controller::WriteJob* writing_ = nullptr;
  std::optional<testing::FakeStore::State> snapshot_;
  std::optional<testing::FakeStore::State> behind_;  ///< What a standby holds.
};

}  // namespace bindery::model
