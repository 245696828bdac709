#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <thread>

#include "core/base/mutex.h"
#include "httpd/message.h"
#include "server/requests/list_reply.h"

namespace bindery::server {

/// Answers that read everything on record and may need much memory. A separate thread makes large
/// answers one at a time, so that no small request waits for a large answer; an answer's memory
/// goes back to the system before the next answer. Threads: any.
class LargeAnswers {
 public:
  /// `waiting`: the number of answers that may wait for the answer in work.
  explicit LargeAnswers(std::size_t waiting);
  /// Waits for the answer in work; waiting answers are dropped.
  ~LargeAnswers();
  LargeAnswers(const LargeAnswers&) = delete;
  LargeAnswers& operator=(const LargeAnswers&) = delete;

  /// More elements of a list than `most`, or some beyond the first thousand. `without`: the number
  /// of elements of an answer to a request that names none; 0: all.
  [[nodiscard]] static bool IsLarge(const httpd::Request& request, std::int64_t without = 0,
                                    std::int64_t most = kFirst);

  /// What all answers on their way to readers may hold.
  [[nodiscard]] const ListBudget& budget() const { return budget_; }

  /// Makes `answer` in turn; false if too many answers wait.
  [[nodiscard]] bool Run(std::function<void()> answer);

 private:
  static constexpr std::int64_t kFirst = 1'000;

  void Loop();

  const std::size_t most_;
  const ListBudget budget_;
  Mutex mutex_;
  CondVar changed_;
  std::deque<std::function<void()>> waiting_ GUARDED_BY(mutex_);
  bool ending_ GUARDED_BY(mutex_) = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace bindery::server
