#pragma once

#include <string_view>

namespace bindery {

/// Whether drift is repaired or only reported.
enum class Mode { kEnforce, kObserve };

/// What a write does to the roles of a policy that no manifest declares.
enum class UndeclaredRoles { kRemove, kKeep };

/// What only one binding may declare on a target.
enum class BindingKey { kRole, kRoleAndCondition };

[[nodiscard]] constexpr std::string_view ToString(Mode mode) {
  return mode == Mode::kEnforce ? "enforce" : "observe";
}

[[nodiscard]] constexpr std::string_view ToString(UndeclaredRoles roles) {
  return roles == UndeclaredRoles::kRemove ? "remove" : "keep";
}

}  // namespace bindery
