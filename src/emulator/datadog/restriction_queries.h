#pragma once

#include <string>
#include <tl/expected.hpp>

#include "core/base/json.h"

namespace bindery::emulator {

/// The text of a request that creates or updates a restriction query of logs, or what is against
/// the request.
[[nodiscard]] tl::expected<std::string, std::string> ReadRestrictionQuery(const Json& document);

/// The id of a request that adds a role to a query or removes a role, or the error of the request.
[[nodiscard]] tl::expected<std::string, std::string> ReadRoleOfQuery(const Json& document);

/// As it is in an answer, with its roles as relationships: {"type", "id", "attributes",
/// "relationships"}. The entry has {"query", "roles", "createdAt", "modifiedAt"}.
[[nodiscard]] Json RestrictionQueryData(const std::string& id, const Json& value);

}  // namespace bindery::emulator
