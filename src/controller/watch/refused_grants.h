#pragma once

#include <memory>
#include <optional>
#include <string>

#include "controller/clock/now.h"
#include "controller/gates/engine_work.h"
#include "controller/watch/refusal_memory.h"

namespace bindery::controller {

/// What services were seen to refuse, of all targets (RefusalMemory). It is not known any more
/// after a restart: each such grant is tried once then.
/// Belongs to the loop thread.
class RefusedGrants {
 public:
  /// Takes over the state of `other`, without any attempt of its own.
  void CopyFrom(const RefusedGrants& other);

  /// The additions that a beginning check of the target leaves out of its writes; null: none. The
  /// memory about a target that was released and is declared again is dropped: the target has not
  /// been `checked`.
  [[nodiscard]] std::shared_ptr<const LeftOutGrants> Begin(const TargetKey& key, bool checked,
                                                           const Now& now);
  /// The target was read: what is not missing any more, or not declared, is forgotten.
  void NoteRead(const TargetUnderWork& work);
  /// What a write failed for. kAdditions: the rest is to be written now. Nothing: not for what
  /// could be left out.
  [[nodiscard]] std::optional<RefusalMemory::Verdict> Refused(const TargetUnderWork& work,
                                                              const WriteResult& result,
                                                              const Now& now);
  void Accepted(const TargetUnderWork& work, const Now& now);
  /// As RefusalMemory::Skipped and GoesOn.
  [[nodiscard]] bool Skipped(const TargetKey& key);
  [[nodiscard]] bool GoesOn(const TargetKey& key, const Now& now) const;
  /// The work is over. Returns when the target is to be checked for that; nothing: it need not be.
  [[nodiscard]] std::optional<MonoTime> EndRound(const TargetKey& key, const Now& now);

  /// The left-out additions of the target are tried with the next check.
  void MakeDue(const TargetKey& key);
  /// Nothing is declared on the target any more.
  void Forget(const TargetKey& key) { memories_.erase(key); }

 private:
  ByTarget<RefusalMemory> memories_;
};

/// The remedy if a write was refused because of the policy's former content. Pure.
[[nodiscard]] std::string RemedyForPolicy(const Refusal& refusal);

}  // namespace bindery::controller
