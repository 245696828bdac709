#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <utility>

#include "core/base/clock.h"

namespace bindery::controller {

/// Calls `tell` at most once a second, however often there is news, and never leaves the last of it
/// untold. Belongs to the loop thread.
class Throttle {
 public:
  Throttle(boost::asio::io_context& io, const Clock& clock, std::function<void()> tell)
      : clock_(clock), tell_(std::move(tell)), timer_(io) {}

  /// News: reports now, or at the end of the second.
  void News() {
    const MonoTime due = told_ + std::chrono::seconds(1);
    if (clock_.Mono() >= due) return Tell();
    if (std::exchange(armed_, true)) return;
    timer_.expires_at(due);
    timer_.async_wait([this](const boost::system::error_code& cancelled) {
      armed_ = false;
      if (!cancelled) Tell();
    });
  }

  void Tell() {
    told_ = clock_.Mono();
    tell_();
  }

  void Cancel() { timer_.cancel(); }

 private:
  const Clock& clock_;
  std::function<void()> tell_;
  boost::asio::steady_timer timer_;
  bool armed_ = false;
  MonoTime told_{};
};

}  // namespace bindery::controller
