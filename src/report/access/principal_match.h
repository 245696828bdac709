#pragma once

#include <string>
#include <string_view>

#include "core/access/target.h"
#include "reconcilers/principals.h"

namespace bindery::report {

using Match = reconcilers::PrincipalMatch;

/// Compares as the kind of the target does.
[[nodiscard]] Match FindMatch(const Target& target, const std::string& granted,
                              const std::string& asked);

/// A principal that is compared with many, by the rules of a kind.
class AskedPrincipal {
 public:
  /// `rules` may be null: the principals have one spelling.
  AskedPrincipal(const reconcilers::PrincipalRules* rules, const std::string& asked)
      : rules_(rules), normal_(rules == nullptr ? asked : rules->normal(asked)) {}

  [[nodiscard]] Match FindMatch(const std::string& granted) const;

 private:
  const reconcilers::PrincipalRules* rules_;
  std::string normal_;
};

/// The members of a group-like principal, in words; empty for a single principal.
[[nodiscard]] std::string_view MembershipNote(std::string_view principal);

/// The plain principal of a provider's spelling of a deleted one; the principal itself otherwise.
[[nodiscard]] std::string Undeleted(const std::string& principal);

/// Equal for two spellings that every provider takes for the same principal.
[[nodiscard]] std::string CommonNormalForm(const std::string& principal);

}  // namespace bindery::report
