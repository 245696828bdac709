#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "controller/claims/removal.h"
#include "controller/guard/held_removals.h"
#include "core/access/grant.h"
#include "core/access/target.h"
#include "core/base/json.h"

namespace bindery::controller {

/// The decisions of operators about waiting removals: approved removals, until carried out, and
/// denied removals. Both hold until the removal is not wanted any more.
///
/// Belongs to the loop thread; pure except for internal memory.
class OperatorDecisions {
 public:
  /// An operator approved all of `removals`.
  void Approve(const Removals& removals);
  /// The held removals stay undone; the digest names the hold.
  void Deny(HeldRemovals::Entry held, const std::string& digest);
  /// Removals denied under the digest are not denied any more. Returns these removals.
  std::vector<Removals> TakeDenied(const std::string& digest);

  /// The grants are gone: an approval has served its purpose.
  void CarriedOut(const Target& target, const std::vector<Grant>& grants);
  /// Forgets the removals of the target that are not wanted any more.
  void KeepOnly(const Target& target, const std::function<bool(const Grant&)>& wanted);
  /// Forgets what was answered about the target. True when something was denied.
  bool Forget(const Target& target);

  /// What was approved or denied on the target.
  [[nodiscard]] std::vector<Grant> GrantsOn(const Target& target) const;
  [[nodiscard]] bool HasApproval(const Target& target) const;
  [[nodiscard]] bool IsApproved(const Removals& removals) const;
  /// `key` is the key of the target.
  [[nodiscard]] bool IsApproved(const std::string& key, const Grant& grant) const;
  [[nodiscard]] bool IsDenied(const std::string& key, const Grant& grant) const;

  [[nodiscard]] std::int64_t DeniedGrants() const;
  /// Each as HeldItem() (guard_record.h), of what was denied under the digest and is still wanted.
  [[nodiscard]] Json DeniedItems(const std::string& digest) const;

 private:
  struct Denied {
    HeldRemovals::Entry held;
    std::string digest;
  };

  std::multimap<std::string, Denied> denied_;  ///< By target key.
  /// By target key, and by CanonicalGrant().
  std::map<std::string, std::map<std::string, Grant>> approved_;
};

}  // namespace bindery::controller
