#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <utility>

namespace bindery::controller {

/// Calls back periodically, a period after each call has returned. Belongs to the thread of its
/// io_context.
class Ticker {
 public:
  Ticker(boost::asio::io_context& io, std::function<void()> tick)
      : timer_(io), tick_(std::move(tick)) {}

  void Start(std::chrono::milliseconds period) {
    period_ = period;
    Arm();
  }
  /// From the next call on.
  void SetPeriod(std::chrono::milliseconds period) { period_ = period; }
  void Stop() {
    stopped_ = true;
    timer_.cancel();
  }

 private:
  void Arm() {
    timer_.expires_after(period_);
    timer_.async_wait([this](const boost::system::error_code& cancelled) {
      if (cancelled) return;
      tick_();
      if (!stopped_) Arm();
    });
  }

  boost::asio::steady_timer timer_;
  std::function<void()> tick_;
  std::chrono::milliseconds period_{0};
  bool stopped_ = false;
};

}  // namespace bindery::controller
