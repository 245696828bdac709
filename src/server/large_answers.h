#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <thread>

#include "core/mutex.h"
#include "httpd/message.h"

namespace bindery::server {

/// Answers that go through everything, and may hold much in memory. A thread of its own makes them,
/// one at a time, so that nobody waits behind them who asks for little; what one needed is given
/// back to the system before the next. Threads: any.
class LargeAnswers {
 public:
  /// `waiting`: how many may wait for the one that is being made.
  explicit LargeAnswers(std::size_t waiting);
  /// Waits for the one that is being made; the others are dropped.
  ~LargeAnswers();
  LargeAnswers(const LargeAnswers&) = delete;
  LargeAnswers& operator=(const LargeAnswers&) = delete;

  /// A list of more than its first thousand things.
  [[nodiscard]] static bool IsLarge(const httpd::Request& request);

  /// Has `answer` made when it is its turn; false where too many wait.
  [[nodiscard]] bool Run(std::function<void()> answer);

 private:
  void Loop();

  const std::size_t most_;
  Mutex mutex_;
  CondVar changed_;
  std::deque<std::function<void()>> waiting_ GUARDED_BY(mutex_);
  bool ending_ GUARDED_BY(mutex_) = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace bindery::server
