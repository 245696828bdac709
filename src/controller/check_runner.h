#pragma once

#include <boost/asio/thread_pool.hpp>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "controller/target_work.h"

namespace bindery {

/// What was finished on other threads, for one that takes it all at once. Thread-safe.
template <typename Item>
class Mailbox {
 public:
  /// `wake` is called when something lies in the box that was empty: on the thread that put it
  /// there, so it must only tell the other one, and not throw.
  explicit Mailbox(std::function<void()> wake) : wake_(std::move(wake)) {}

  void Put(Item item) {
    const std::scoped_lock lock(mutex_);
    items_.push_back(std::move(item));
    // Told under the lock: whoever takes the last item may be done with everything the wake needs.
    if (items_.size() == 1) wake_();
  }
  [[nodiscard]] std::vector<Item> TakeAll() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(items_, {});
  }

 private:
  std::mutex mutex_;  ///< Guards items_.
  std::vector<Item> items_;
  const std::function<void()> wake_;
};

/// Carries out checks without a thread for each. The request is sent from the caller's thread and
/// waited for by nobody; an answer that is the known one is told at once, any other is compared on
/// a thread made for that. Where credentials have to be fetched first, or were refused, the check
/// runs on a thread that may block.
class CheckRunner {
 public:
  struct Finished {
    TargetKey key;
    CheckResult result;
    /// What the check was made of: it goes with its result, on the thread where it was made.
    std::shared_ptr<const void> remains = {};
  };
  using Results = std::shared_ptr<Mailbox<Finished>>;

  /// `blocking`: where calls may wait.
  CheckRunner(std::shared_ptr<boost::asio::thread_pool> blocking, Results results);

  /// Begins a check; never blocks, and never fails: what goes wrong is in the result. The result of
  /// each is put into the mailbox, once.
  void Start(TargetKey key, std::shared_ptr<const CheckJob> job);

  /// Waits for what is being compared.
  void Join() { pools_.comparing->join(); }

 private:
  struct Check;
  /// Held by every answer on its way here as well: a pool must not go while something is posted to
  /// it.
  struct Pools {
    std::shared_ptr<boost::asio::thread_pool> blocking;
    std::shared_ptr<boost::asio::thread_pool> comparing;  ///< Only computes: nothing holds it up.
  };

  void Send(const std::shared_ptr<Check>& check);
  static void Answered(const Pools& pools, const std::shared_ptr<Check>& check,
                       Expected<HttpResponse> response);

  const Pools pools_;
  const Results results_;
};

}  // namespace bindery
