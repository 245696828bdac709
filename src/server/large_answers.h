#pragma once

#include <atomic>
#include <functional>

#include "core/mutex.h"
#include "httpd/message.h"

namespace bindery::server {

/// Answers that may hold much in memory: whole lists. One is made at a time, and what it needed is
/// given back to the system before the next one. Threads: any.
class LargeAnswers {
 public:
  /// `waiting`: how many threads may wait for the one that is at work.
  explicit LargeAnswers(int waiting) : most_(waiting + 1) {}

  /// A list without a limit, or with a large one.
  [[nodiscard]] static bool IsLarge(const httpd::Request& request);

  /// Runs `answer` when it is its turn; false, without running it, when too many wait.
  [[nodiscard]] bool Run(const std::function<void()>& answer);

 private:
  const int most_;
  std::atomic<int> inside_ = 0;  ///< Threads in Run().
  Mutex turn_;
};

}  // namespace bindery::server
