#pragma once

#include <memory>

#include "controller/call_sender.h"
#include "controller/mailbox.h"
#include "controller/target_work.h"

namespace bindery {

/// Carries out checks without a thread for each: an answer that is the known one is told directly,
/// any other is compared on a thread made for that.
class CheckRunner {
 public:
  struct Finished {
    TargetKey key;
    CheckResult result;
    /// What the check was made of: it goes with its result, on the thread where it was made.
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

}  // namespace bindery
