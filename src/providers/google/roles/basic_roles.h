#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace bindery::google {

/// The power of a basic role, in all services at once.
enum class BasicReach : std::uint8_t {
  kNames,    ///< Sees the names of projects and folders.
  kReads,    ///< Reads nearly everything.
  kChanges,  ///< Changes nearly everything, and acts as every account.
  kOwns,     ///< The same, and sets every policy.
};

/// A role that belongs to no service: roles/NAME, without a dot.
struct BasicRole {
  std::string_view name;
  BasicReach reach;
  /// One of the three roles older than IAM: "primitive roles" in messages of the service.
  bool primitive = false;
};

/// All known basic roles, sorted by name.
[[nodiscard]] std::span<const BasicRole> BasicRoles();

/// The basic role of the name, nullptr for any other role. Capitals count.
[[nodiscard]] const BasicRole* FindBasicRole(std::string_view role);

/// Whether the role reaches at least `reach`; false for any role that is not basic.
[[nodiscard]] bool ReachesBasic(std::string_view role, BasicReach reach);

}  // namespace bindery::google
