#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/settings/condition_match.h"

namespace bindery {

/// Grants of some principals under some conditions.
struct ProtectedGrants {
  std::string principal = {};  ///< A pattern; empty: any.
  ConditionMatch condition = {};

  bool operator==(const ProtectedGrants&) const = default;
};

/// The treatment of undeclared grants of default accounts.
enum class DefaultAccounts { kKeep, kDrift };

/// Principals whose undeclared grants stay, and are no difference, by the configuration. The texts
/// are patterns with `*` and `?`; capitals do not matter.
struct ProtectedPrincipals {
  std::vector<std::string> add;
  /// Principals on the provider's own lists that count as drift nevertheless.
  std::vector<std::string> remove;
  /// Accounts that the provider makes with a project, for example for virtual machines.
  DefaultAccounts default_accounts = DefaultAccounts::kKeep;
  /// Grants that stay because of their condition.
  std::vector<ProtectedGrants> grants = {};

  [[nodiscard]] bool Adds(std::string_view principal) const;
  /// A member of `grants` fits; `now` and `end_of` as for ConditionMatch::Fits.
  [[nodiscard]] bool Protects(std::string_view principal, const std::optional<Condition>& condition,
                              WallTime now, EndOfCondition end_of) const;
  [[nodiscard]] bool Removes(std::string_view principal) const;

  bool operator==(const ProtectedPrincipals&) const = default;
};

}  // namespace bindery
