#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

#include "core/base/clock.h"
#include "core/base/mutex.h"

namespace bindery::app {

/// "reading [########--------] 420 of 1000 targets, 83/s, 7s left", in at most `width` characters:
/// what does not fit goes, the bar first, then the rate. `elapsed` is the time that `done` took.
[[nodiscard]] std::string ProgressLine(const std::string& what, std::size_t done, std::size_t total,
                                       std::chrono::milliseconds elapsed, std::size_t width);

/// Says on a terminal how far a long piece of work is, on a separate line drawn again and again.
/// What is done within half a second is not worth a line. Thread-safe.
class ProgressBar {
 public:
  /// Where it is drawn, and how many characters fit into a line; 0: nothing is ever drawn.
  struct Terminal {
    std::function<void(const std::string&)> put;
    std::function<std::size_t()> width;
  };
  /// Standard error, if it is a terminal; with `quiet` nothing is ever drawn.
  [[nodiscard]] static Terminal StandardError(bool quiet = false);

  /// `what`: "reading", the action on the targets.
  ProgressBar(std::string what, const Clock& clock, Terminal terminal);
  ~ProgressBar() { Clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// That many of all are done. The time runs from the first call on, and again when all were done.
  void Show(std::size_t done, std::size_t total);

  /// Removes the line, to make room for further text.
  void Clear();

 private:
  void Remove() REQUIRES(mutex_);

  const std::string what_;
  const Clock& clock_;
  const Terminal terminal_;

  Mutex mutex_;
  MonoTime started_ GUARDED_BY(mutex_){};
  MonoTime drawn_ GUARDED_BY(mutex_){};
  bool running_ GUARDED_BY(mutex_) = false;
  bool shown_ GUARDED_BY(mutex_) = false;
};

}  // namespace bindery::app
