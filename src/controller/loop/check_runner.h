#pragma once

#include <memory>

#include "controller/calls/call_sender.h"
#include "controller/gates/target_work.h"
#include "controller/loop/mailbox.h"

namespace bindery::controller {

/// Carries out checks without a thread for each: an answer equal to the known answer is reported
/// directly, a different answer is compared on a thread of its own.
class CheckRunner {
 public:
  struct Finished {
    TargetKey key;
    CheckResult result;
    /// The inputs of the check: freed with the result, on the thread of their creation.
    std::shared_ptr<const void> remains = {};
  };
  using Results = std::shared_ptr<Mailbox<Finished>>;

  /// `stored` as for FinishCheck.
  CheckRunner(WorkThreads threads, Results results, PolicyReader stored = {});

  /// Begins a check; never blocks, and never fails: what goes wrong is in the result. The result of
  /// each is put into the mailbox, once.
  void Start(TargetKey key, std::shared_ptr<const CheckJob> job);

 private:
  struct Check;

  const WorkThreads threads_;
  const CallSender sender_;
  const Results results_;
  const std::shared_ptr<const PolicyReader> stored_;
};

}  // namespace bindery::controller
