#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/expected.h"
#include "report/access/observed_access.h"

namespace bindery::report {

/// The holders of a role on a target, for a principal that stands for the role in a second policy.
struct KnownHolders {
  Target target;
  std::string role;
  bool observed = false;           ///< The policy of that target is known.
  std::vector<Grant> grants = {};  ///< Of that role there.

  /// "everyone with roles/editor on projects/acme", with a note for an unobserved policy.
  [[nodiscard]] std::string Note() const;
};

/// Finds them in observed policies. Each policy is read once.
class RoleAccess {
 public:
  /// Both outlive the object.
  RoleAccess(const HistoryReader& store, const std::vector<ObservedPolicy>& policies)
      : store_(store), policies_(policies) {}

  /// Null for a single principal, or for a group that no policy defines.
  [[nodiscard]] Expected<const KnownHolders*> Of(const std::string& principal);

 private:
  /// Reads the observed state of the holders.
  [[nodiscard]] Expected<void> Complete(KnownHolders& holders) const;

  const HistoryReader& store_;
  const std::vector<ObservedPolicy>& policies_;
  std::map<std::string, KnownHolders> known_;  ///< By principal.
};

}  // namespace bindery::report
