#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "core/base/expected.h"

namespace bindery::access {

/// Gives each role of a file of RolePermissions to `take`, with whether the role has the
/// permission. Errors as RolePermissions::Read().
[[nodiscard]] Expected<void> ReadRoleFile(
    const std::filesystem::path& file, const std::string& permission,
    const std::function<void(const std::string& role, bool has)>& take);

}  // namespace bindery::access
