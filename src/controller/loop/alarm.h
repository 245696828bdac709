#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <optional>
#include <utility>

#include "core/base/clock.h"

namespace bindery::controller {

/// Calls back at a time that may move. A later time does not reset the alarm: the alarm then fires
/// too early, and has to be set again. Belongs to the thread of the io_context.
class Alarm {
 public:
  Alarm(boost::asio::io_context& io, std::function<void()> ring)
      : timer_(io), ring_(std::move(ring)) {}

  /// Rings no later than `time`; nothing: as it is set.
  void SetBy(std::optional<MonoTime> time) {
    if (!time || (set_to_ && *set_to_ <= *time)) return;
    set_to_ = time;
    timer_.expires_at(*time);
    timer_.async_wait([this](const boost::system::error_code& cancelled) {
      if (cancelled) return;
      set_to_.reset();
      ring_();
    });
  }
  void Cancel() { timer_.cancel(); }

 private:
  boost::asio::steady_timer timer_;
  std::function<void()> ring_;
  std::optional<MonoTime> set_to_;
};

}  // namespace bindery::controller
