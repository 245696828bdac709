#pragma once

#include <chrono>
#include <string>
#include <thread>

#include "app/process/progress_bar.h"
#include "core/base/mutex.h"

namespace bindery::app {

/// Says on a terminal that a command is at work, and for how long, where nothing else is shown:
/// a line that is drawn each second, "drift: 3s". At most one exists. Ends with EndWaiting().
class WaitingLine {
 public:
  /// `silence`: how long nothing is drawn at first.
  WaitingLine(std::string what, ProgressBar::Terminal terminal,
              std::chrono::milliseconds silence = std::chrono::seconds(1));
  ~WaitingLine();
  WaitingLine(const WaitingLine&) = delete;
  WaitingLine& operator=(const WaitingLine&) = delete;

 private:
  friend void EndWaiting();
  void Draw(std::chrono::milliseconds silence);
  void End();

  const std::string what_;
  const ProgressBar::Terminal terminal_;

  Mutex mutex_;
  CondVar ended_;
  bool over_ GUARDED_BY(mutex_) = false;
  bool shown_ GUARDED_BY(mutex_) = false;
  std::thread drawing_;
};

/// Removes the line for good. Called before everything that a command writes; does nothing without
/// a line. Thread-safe.
void EndWaiting();

}  // namespace bindery::app
