#pragma once

#include <string>
#include <vector>

#include "core/access/grant.h"
#include "reconcilers/principals.h"

namespace bindery::reconcilers {

class Kind;

/// Equality of a kind's grants: principals are equal in all spellings.
class GrantComparison {
 public:
  /// As KindTraits::principals. Null: principals are compared as they are spelled.
  explicit GrantComparison(const PrincipalRules* rules) : rules_(rules) {}

  /// `kind` null: not known.
  [[nodiscard]] static GrantComparison Of(const Kind* kind);

  /// The role and the principal are the same, whatever the conditions.
  [[nodiscard]] bool IsSameHolder(const Grant& a, const Grant& b) const;
  [[nodiscard]] bool IsSame(const Grant& a, const Grant& b) const;

  /// A member of `grants` is equal.
  [[nodiscard]] bool Holds(const std::vector<Grant>& grants, const Grant& wanted) const;
  /// A member has no condition, whatever the condition of `wanted`.
  [[nodiscard]] bool HoldsAlways(const std::vector<Grant>& grants, const Grant& wanted) const;
  /// A member has the same expression as the condition of `wanted`: the further texts of a
  /// condition are for people.
  [[nodiscard]] bool HoldsUnderCondition(const std::vector<Grant>& grants,
                                         const Grant& wanted) const;

 private:
  [[nodiscard]] std::string Normal(const std::string& principal) const;

  const PrincipalRules* rules_;
};

}  // namespace bindery::reconcilers
