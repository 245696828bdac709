#pragma once

#include <string_view>

namespace bindery {

/// Whether drift is repaired or only reported.
enum class Mode { kEnforce, kObserve };

/// The outcome of the grants of a policy that no manifest declares.
enum class UndeclaredRoles {
  kRemove,  ///< A write removes the roles that no manifest declares.
  kKeep,    ///< The grants stay, and are counted.
  kReport,  ///< The grants stay, and each is an open difference.
};

/// What only one binding may declare on a target.
enum class BindingKey { kRole, kRoleAndCondition };

[[nodiscard]] constexpr std::string_view ToString(Mode mode) {
  return mode == Mode::kEnforce ? "enforce" : "observe";
}

[[nodiscard]] constexpr std::string_view ToString(UndeclaredRoles roles) {
  if (roles == UndeclaredRoles::kReport) return "report";
  return roles == UndeclaredRoles::kRemove ? "remove" : "keep";
}

}  // namespace bindery
