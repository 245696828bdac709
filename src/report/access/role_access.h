#pragma once

#include <map>
#include <string>
#include <vector>

#include "access/group_source.h"
#include "core/access/grant.h"
#include "core/access/target.h"
#include "core/base/expected.h"
#include "report/access/known_policies.h"
#include "store/ports/history_reader.h"

namespace bindery::report {

/// Those for whom a principal stands: the holders of a role on a target, or the members of a group.
struct KnownHolders {
  Target target;          ///< Empty for a group.
  std::string role;       ///< Empty for a group.
  bool observed = false;  ///< The policy of that target, or the list of the group, is known.
  /// Of that role there. A listed group is replaced by its members.
  std::vector<Grant> grants = {};
  /// The same role for the replaced groups, and for the groups inside: these groups hold the role
  /// too, but lists of holders have the members in their place.
  std::vector<Grant> replaced = {};

  /// Of a group: who says so, "a list of groups".
  std::string origin = {};

  /// "everyone with roles/editor on projects/acme", with a note for an unobserved policy.
  [[nodiscard]] std::string Note() const;
};

/// Finds them in policies on record and among known groups. Each policy is read once.
class RoleAccess {
 public:
  /// All outlive the object.
  RoleAccess(const store::HistoryReader& store, const KnownPolicies& policies,
             access::GroupSource& groups)
      : store_(store), policies_(policies), groups_(groups) {}

  /// Null for a single principal, or for a group whose members are not known.
  [[nodiscard]] Expected<const KnownHolders*> Of(const std::string& principal);

  /// Whether members of the group are known.
  [[nodiscard]] bool IsListed(const std::string& principal) const {
    return groups_.FindMembers(principal) != nullptr;
  }

  /// As GroupSource::DescribeGap.
  [[nodiscard]] std::string DescribeGap(const std::string& principal) const {
    return groups_.DescribeGap(principal);
  }

 private:
  /// Reads the observed state of the holders.
  [[nodiscard]] Expected<void> Complete(KnownHolders& holders) const;
  /// Adds the grant, or if it is to a known group, the same for each member.
  void AddMembers(const Grant& grant, KnownHolders& holders) const;

  const store::HistoryReader& store_;
  const KnownPolicies& policies_;
  access::GroupSource& groups_;
  std::map<std::string, KnownHolders> known_;  ///< By principal.
};

}  // namespace bindery::report
