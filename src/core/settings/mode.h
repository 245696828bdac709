#pragma once

#include <string_view>

namespace bindery {

/// Whether drift is repaired or only reported.
enum class Mode { kEnforce, kObserve };

/// The treatment of a policy's undeclared grants.
enum class UndeclaredRoles {
  kRemove,  ///< A write removes the roles that no manifest declares.
  kKeep,    ///< The grants stay, and are counted.
  kReport,  ///< The grants stay, and each is an open difference.
};

/// The unique key of a binding on a target.
enum class BindingKey { kRole, kRoleAndCondition };

[[nodiscard]] constexpr std::string_view ToString(Mode mode) {
  return mode == Mode::kEnforce ? "enforce" : "observe";
}

[[nodiscard]] constexpr std::string_view ToString(UndeclaredRoles roles) {
  if (roles == UndeclaredRoles::kReport) return "report";
  return roles == UndeclaredRoles::kRemove ? "remove" : "keep";
}

}  // namespace bindery
