#pragma once

#include <string>
#include <vector>

#include "core/grant.h"
#include "reconcilers/principals.h"

namespace bindery {

class Kind;

/// Which grants of a kind are the same: principals are, in all their spellings.
class GrantComparison {
 public:
  /// As KindTraits::principals. Null: principals are compared as they are spelled.
  explicit GrantComparison(const PrincipalRules* rules) : rules_(rules) {}

  /// `kind` null: not known.
  [[nodiscard]] static GrantComparison Of(const Kind* kind);

  /// The role and the principal are the same, whatever the conditions.
  [[nodiscard]] bool IsSameHolder(const Grant& a, const Grant& b) const;
  [[nodiscard]] bool IsSame(const Grant& a, const Grant& b) const;

  /// One of `grants` is the same.
  [[nodiscard]] bool Holds(const std::vector<Grant>& grants, const Grant& wanted) const;
  /// One of them is without a condition, whatever that of `wanted`.
  [[nodiscard]] bool HoldsAlways(const std::vector<Grant>& grants, const Grant& wanted) const;
  /// One of them has the same expression as `wanted`, which has a condition: what else a condition
  /// says is for people.
  [[nodiscard]] bool HoldsUnderCondition(const std::vector<Grant>& grants,
                                         const Grant& wanted) const;

 private:
  [[nodiscard]] std::string Normal(const std::string& principal) const;

  const PrincipalRules* rules_;
};

}  // namespace bindery
