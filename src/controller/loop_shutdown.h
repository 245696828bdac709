#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <utility>

namespace bindery {

/// How far the end of the loop has come: running, then stopping while calls under way end or the
/// deadline cancels them, then finished. There is no way back. Belongs to the thread of its
/// io_context.
class LoopShutdown {
 public:
  explicit LoopShutdown(boost::asio::io_context& io) : deadline_(io) {}

  /// False when it has begun before. `overdue` is called after `timeout` unless it is finished.
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

}  // namespace bindery
