#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "controller/catalog/catalog.h"
#include "controller/catalog/rollbacks.h"
#include "controller/claims/stored_state.h"
#include "controller/guard/guard.h"
#include "store/ports/change.h"

namespace bindery::controller {

/// Keeps waiting, approved and denied removals on record, equal to the state of the
/// guard.
///
/// Invariants: after Sync the open hold on record names exactly what the guard withholds, and each
/// denial on record what of it is still wanted. An approval is on record until its removals are
/// carried out or not wanted any more.
/// Belongs to the loop thread; catalog and rollbacks outlive it.
class RemovalHolds {
 public:
  RemovalHolds(const Catalog& catalog, const Rollbacks& rollbacks)
      : catalog_(catalog), rollbacks_(rollbacks) {}

  [[nodiscard]] Guard& guard() { return guard_; }
  [[nodiscard]] const Guard& guard() const { return guard_; }

  /// Takes over the state of `other`.
  void CopyFrom(const RemovalHolds& other) {
    guard_ = other.guard_;
    hold_ = other.hold_;
    approvals_ = other.approvals_;
    denials_ = other.denials_;
  }
  /// Takes over what the last run held, was allowed to remove, must not remove, and has removed of
  /// late.
  void Restore(const StoredState& stored, store::StoreChange& change);

  /// There is nothing to remove on the target any more, so nothing waits and nothing is approved.
  /// True when something waited: the hold is to be put on record again.
  bool Drop(const Target& target, store::StoreChange& change);
  /// The approved removals of the target may be carried out by now.
  void SettleApproval(const Target& target, store::StoreChange& change);
  /// Makes the record equal to the removals that the guard withholds.
  void Sync(store::StoreChange& change, const Now& now);

  /// The outcome of a hold that an operator decided on.
  struct Decided {
    std::string digest;           ///< In full.
    std::vector<Target> targets;  ///< They tell their state when they are read.
    std::size_t grants = 0;
    std::set<std::pair<Target, std::string>> roles = {};  ///< Of the removals there.
  };
  /// Lets through what waits under the digest, or was denied; a unique beginning of it is enough.
  /// Requires: Sync was called at the moment.
  [[nodiscard]] Expected<Decided> Approve(const std::string& digest, const std::string& actor,
                                          store::StoreChange& change, const Now& now);
  /// The removals under the digest do not happen. Requires: as Approve.
  [[nodiscard]] Expected<Decided> Deny(const std::string& digest, const std::string& actor,
                                       store::StoreChange& change, const Now& now);
  /// The denial of removals on the target; null: none.
  [[nodiscard]] const store::HoldRecord* FindDenial(const Target& target) const;

 private:
  /// A hold an operator approved, and where it still has to be carried out.
  struct Approval {
    store::HoldRecord hold;
    std::set<Target> targets;
  };

  void RestoreHold(const store::HoldRecord& hold, store::StoreChange& change);
  void SyncDenials(store::StoreChange& change, const Now& now);
  void Open(const std::string& digest, store::StoreChange& change, const Now& now);
  [[nodiscard]] Expected<store::HoldRecord> Find(const std::string& digest) const;

  const Catalog& catalog_;
  const Rollbacks& rollbacks_;
  Guard guard_;
  store::HoldRecord hold_;  ///< The one on record now; empty digest: none.
  std::vector<Approval> approvals_;
  std::vector<store::HoldRecord> denials_;  ///< With what of them is still wanted.
};

}  // namespace bindery::controller
