#pragma once

#include <memory>

#include "controller/calls/call_sender.h"
#include "controller/gates/target_work.h"
#include "controller/loop/mailbox.h"
#include "store/ports/state_writer.h"

namespace bindery::controller {

/// Carries out writes without a thread for each. The request is put together on a thread that only
/// computes; once the store has the intent on record it is sent from there, and what the service
/// says it stored is compared where the request was made.
class WriteRunner {
 public:
  struct Finished {
    TargetKey key;
    WriteResult result;
    /// As CheckRunner::Finished::remains.
    std::shared_ptr<const void> remains = {};
  };
  using Results = std::shared_ptr<Mailbox<Finished>>;

  /// `store` must outlive every write.
  WriteRunner(WorkThreads threads, store::StateWriter& store, Results results);

  /// Begins a write; never blocks, and never fails: what goes wrong is in the result. The result of
  /// each is put into the mailbox, once.
  void Start(TargetKey key, WriteJob job);

 private:
  struct Write;

  const WorkThreads threads_;
  const CallSender sender_;
  store::StateWriter& store_;
  const Results results_;
};

}  // namespace bindery::controller
