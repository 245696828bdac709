#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bindery {

/// What undeclared grants of default accounts are.
enum class DefaultAccounts { kKeep, kDrift };

/// Principals whose undeclared grants stay, and are no difference, by the configuration. The texts
/// are patterns with `*` and `?`; capitals do not matter.
struct ProtectedPrincipals {
  std::vector<std::string> add;
  /// Principals that the provider's own lists protect, but that are to count as drift.
  std::vector<std::string> remove;
  /// Accounts that the provider makes with a project, such as those of its virtual machines.
  DefaultAccounts default_accounts = DefaultAccounts::kKeep;

  [[nodiscard]] bool Adds(std::string_view principal) const;
  [[nodiscard]] bool Removes(std::string_view principal) const;

  bool operator==(const ProtectedPrincipals&) const = default;
};

}  // namespace bindery
