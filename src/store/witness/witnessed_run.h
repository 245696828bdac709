#pragma once

#include <memory>
#include <utility>

#include "store/witness/run_mark.h"
#include "store/witness/witness.h"

namespace bindery::store {

/// The run of a store that is open for writing, and the witness that is told how far it is. Any
/// thread.
class WitnessedRun {
 public:
  /// Neither may be null.
  WitnessedRun(std::shared_ptr<RunMark> run, std::shared_ptr<StoreWitness> witness)
      : run_(std::move(run)), witness_(std::move(witness)) {}

  [[nodiscard]] const RunMark& run() const { return *run_; }
  [[nodiscard]] std::shared_ptr<RunMark> shared() const { return run_; }

  /// The commit is durable in its place. `settled`: as StoreWitness::Note().
  void Note(bool settled = false) const { witness_->Note(run_->Now(), settled); }
  /// Nothing more is written.
  void End() const { witness_->Keep(run_->Now(/*last=*/true)); }

 private:
  std::shared_ptr<RunMark> run_;
  std::shared_ptr<StoreWitness> witness_;
};

}  // namespace bindery::store
