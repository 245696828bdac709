#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/expected.h"
#include "report/observed_access.h"

namespace bindery::report {

/// Who holds a role on a target that a principal of another policy stands for.
struct KnownHolders {
  Target target;
  std::string role;
  bool observed = false;           ///< The policy of that target is known.
  std::vector<Grant> grants = {};  ///< Of that role there.

  /// "everyone with roles/editor on projects/acme", and that its policy was not observed.
  [[nodiscard]] std::string Note() const;
};

/// Finds them in observed policies. Each policy is read once.
class RoleAccess {
 public:
  /// Both outlive it.
  RoleAccess(const HistoryReader& store, const std::vector<ObservedPolicy>& policies)
      : store_(store), policies_(policies) {}

  /// Null for a principal that stands for itself, or for a set that no policy defines.
  [[nodiscard]] Expected<const KnownHolders*> Of(const std::string& principal);

 private:
  /// Reads the observed state of them.
  [[nodiscard]] Expected<void> Complete(KnownHolders& holders) const;

  const HistoryReader& store_;
  const std::vector<ObservedPolicy>& policies_;
  std::map<std::string, KnownHolders> known_;  ///< By principal.
};

}  // namespace bindery::report
