#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <optional>
#include <utility>

#include "controller/loop/alarm.h"
#include "controller/loop/throttle.h"
#include "controller/loop/ticker.h"

namespace bindery::controller {

/// Everything that turns the loop by time: what the engine waits for, the heartbeat, and periodic
/// tasks. After Stop() nothing is called but the last progress. Belongs to the thread of its
/// io_context.
class LoopTimers {
 public:
  struct Calls {
    std::function<void()> turn;      ///< At the time that the engine wants to be woken.
    std::function<void()> settled;   ///< The directory may have settled.
    std::function<void()> beat;      ///< At every heartbeat.
    std::function<void()> retain;    ///< Once an hour.
    std::function<void()> progress;  ///< After turns, at most once a second.
  };

  LoopTimers(boost::asio::io_context& io, const Clock& clock, Calls calls)
      : wake_(io, std::move(calls.turn)),
        settling_(io, std::move(calls.settled)),
        heartbeat_(io, std::move(calls.beat)),
        retention_(io, std::move(calls.retain)),
        progress_(io, clock, std::move(calls.progress)) {}

  void Start(std::chrono::milliseconds heartbeat) {
    heartbeat_.Start(heartbeat);
    retention_.Start(std::chrono::hours(1));
  }
  void SetHeartbeat(std::chrono::milliseconds period) { heartbeat_.SetPeriod(period); }

  // As Alarm::SetBy.
  void WakeBy(std::optional<MonoTime> time) { wake_.SetBy(time); }
  void SettleBy(std::optional<MonoTime> time) { settling_.SetBy(time); }

  void NoteProgress() { progress_.News(); }
  void TellLastProgress() { progress_.Tell(); }

  void Stop() {
    wake_.Cancel();
    settling_.Cancel();
    heartbeat_.Stop();
    retention_.Stop();
    progress_.Cancel();
  }

 private:
  Alarm wake_;
  Alarm settling_;
  Ticker heartbeat_;
  Ticker retention_;
  Throttle progress_;
};

}  // namespace bindery::controller
