#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "controller/catalog/catalog.h"
#include "controller/clock/now.h"
#include "controller/gates/engine_work.h"

namespace bindery::controller {

/// Takes out of a plan the removals that the evidence does not allow yet, and remembers the targets
/// that have some until the directory says enough.
///
/// Invariants: what Weigh leaves in a plan is allowed by the evidence, or is for an operator to
/// allow. A question of the evidence is answered here only when no removal is about it: while it is
/// open, every target that it may be about is unread or was read since and told all it removes.
/// Belongs to the loop thread; the catalog outlives the object. Reads no clock: callers pass the
/// time.
class AwaitingEvidence {
 public:
  explicit AwaitingEvidence(Catalog& catalog) : catalog_(catalog) {}

  /// Takes over the whole state of `other`.
  void CopyFrom(const AwaitingEvidence& other) {
    awaiting_ = other.awaiting_;
    unread_ = other.unread_;
  }

  /// A target was read: asks the gates of GateStage::kEvidence about `work.plan`. Removals that an
  /// operator must allow stay in the plan, with `work.ask`. `oscillates`: GateContext::oscillates.
  /// Requires: the work is of the target.
  void Weigh(const TargetEntry& target, TargetUnderWork& work, bool oscillates, const Now& now);

  /// A look at the directory came into force and changed what is declared on the targets.
  void NoteLook(const std::vector<TargetKey>& changed, const Now& now);
  /// An operator approved removals on the targets, as the answer to a question about the targets.
  /// Removals on further targets still wait: the operator has not seen these.
  void Approved(const std::set<std::pair<Target, std::string>>& roles);
  /// Targets whose removals wait for a different cause than at the last read, sorted: to read again
  /// as one pass.
  [[nodiscard]] std::vector<TargetKey> TakeChanged(const Now& now);

  /// Removals that wait for better evidence, for people and metrics.
  struct Summary {
    std::size_t pending = 0;  ///< Targets whose removals wait for the directory to settle.
    std::size_t blocked = 0;  ///< Targets whose removals wait for a person.
    std::string why;          ///< Of one of them.
  };
  [[nodiscard]] Summary Summarise() const;
  /// When a look at the directory could let a removal go that waits; nothing: none does.
  [[nodiscard]] std::optional<MonoTime> NextLook(const Now& now) const;

 private:
  /// A target with removals that wait for better evidence.
  struct Waiting {
    EvidenceVerdict told;               ///< Of what waits longest.
    bool asks = false;                  ///< A removal waits for the question to be answered.
    std::vector<EvidenceVerdict> each;  ///< Of each claim on it, when it was read.
  };

  [[nodiscard]] EvidenceVerdict WeighForgetting(const TargetEntry& target, TargetUnderWork& work,
                                                const Now& now) const;
  [[nodiscard]] EvidenceVerdict JudgeRemoval(const TargetEntry& target, const Grant& grant,
                                             std::string& resource, const Now& now) const;
  [[nodiscard]] bool TellsAllRemovals(const TargetEntry& target, const TargetUnderWork& work,
                                      const Now& now) const;
  [[nodiscard]] bool IsAsked() const;
  void AnswerIfMoot(const Now& now);

  Catalog& catalog_;
  ByTarget<Waiting> awaiting_;
  /// While the evidence asks a question: targets without a read since the question.
  std::optional<std::unordered_set<TargetKey, TargetKey::Hash>> unread_;
};

}  // namespace bindery::controller
