#pragma once

#include <chrono>
#include <string>
#include <thread>

#include "app/process/progress_bar.h"
#include "core/base/mutex.h"

namespace bindery::app {

/// Says on a terminal that a command is at work, and for how long, where nothing else is shown:
/// a line that is drawn each second, "drift: 3s". At most one exists. Ends with EndWaiting(), and
/// makes room for further text with PauseWaiting(). Its thread takes no signals.
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
  friend void PauseWaiting();
  friend void HoldWaiting(bool hold);
  void Draw();
  void End();
  void Pause();
  void Hold(bool hold);
  void Clear() REQUIRES(mutex_);

  const std::string what_;
  const ProgressBar::Terminal terminal_;
  const std::chrono::milliseconds silence_;
  const std::chrono::steady_clock::time_point begun_;

  Mutex mutex_;
  CondVar ended_;
  std::chrono::steady_clock::time_point next_ GUARDED_BY(mutex_);  ///< Of the drawings.
  bool held_ GUARDED_BY(mutex_) = false;
  bool over_ GUARDED_BY(mutex_) = false;
  bool shown_ GUARDED_BY(mutex_) = false;
  std::thread drawing_;
};

/// Removes the line for good. Called before a command writes its output; does nothing without a
/// line. Thread-safe.
void EndWaiting();

/// Removes the line, which comes back when the command is silent for as long as at first. Called
/// before a command writes a note or an error. Thread-safe.
void PauseWaiting();

/// The same until it is called with false: something else shows progress. Thread-safe.
void HoldWaiting(bool hold);

}  // namespace bindery::app
