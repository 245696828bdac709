#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <utility>

namespace bindery::controller {

/// The progress of the loop's end: running, then stopping while running calls end or the
/// deadline cancels them, then finished. No way leads back. Belongs to the thread of the
/// io_context.
class LoopShutdown {
 public:
  explicit LoopShutdown(boost::asio::io_context& io) : deadline_(io) {}

  /// False when the end has begun before. `overdue` is called after `timeout` unless the end is
  /// finished.
  [[nodiscard]] bool Begin(std::chrono::milliseconds timeout, std::function<void()> overdue) {
    if (stage_ != Stage::kRunning) return false;
    stage_ = Stage::kStopping;
    deadline_.expires_after(timeout);
    deadline_.async_wait(
        [this, overdue = std::move(overdue)](const boost::system::error_code& cancelled) {
          if (cancelled) return;
          clean_ = false;
          overdue();
        });
    return true;
  }

  void Finish() {
    stage_ = Stage::kFinished;
    deadline_.cancel();
  }

  [[nodiscard]] bool begun() const { return stage_ != Stage::kRunning; }
  [[nodiscard]] bool finished() const { return stage_ == Stage::kFinished; }
  /// Everything under way ended before the deadline.
  [[nodiscard]] bool clean() const { return clean_; }

 private:
  enum class Stage { kRunning, kStopping, kFinished };

  boost::asio::steady_timer deadline_;
  Stage stage_ = Stage::kRunning;
  bool clean_ = true;
};

}  // namespace bindery::controller
