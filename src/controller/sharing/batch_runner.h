#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <vector>

#include "controller/calls/cloud_calls.h"
#include "controller/loop/mailbox.h"
#include "core/base/work_pool.h"
#include "providers/registry/kinds.h"
#include "store/ports/check_help.h"

namespace bindery::controller {

/// Makes the checks that the replica at work asks of this replica. Only reads.
class BatchRunner {
 public:
  /// The replica at work does not wait long: checks that could not begin within this time are
  /// reported as late.
  static constexpr std::chrono::seconds kPatience{2};

  struct Settings {
    std::size_t concurrency = 1;  ///< Calls at once.
    std::chrono::milliseconds timeout{30'000};
  };
  using Answers = std::shared_ptr<Mailbox<store::CheckBatchAnswer>>;

  /// `kinds` must outlive the object. The answer to each batch is put into the mailbox, once.
  BatchRunner(const providers::Kinds& kinds, CloudCalls::Connections connections,
              const Settings& settings, Answers answers);
  /// The work under way is not waited for, and not answered.
  ~BatchRunner();
  BatchRunner(const BatchRunner&) = delete;
  BatchRunner& operator=(const BatchRunner&) = delete;

  /// Begins a batch; never blocks. Callable from any thread.
  void Start(store::CheckBatchRecord batch);

 private:
  class Work;

  // Owned elsewhere: running checks do not own the pool.
  const std::shared_ptr<WorkPool> blocking_;
  const std::shared_ptr<WorkPool> turns_;
  const std::shared_ptr<Work> work_;
};

}  // namespace bindery::controller
