#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "core/json.h"

namespace bindery::emulator {

/// The service's text against the id, if it has one: an id is "<resource_type>:<resource_id>",
/// split at the first colon.
[[nodiscard]] std::optional<std::string> RefuseId(const std::string& id);

/// The bindings of a policy document as the service keeps them (principals in byte order, each
/// once; one binding a relation), or its text against them. Types and relations are those of 2026.
[[nodiscard]] tl::expected<Json, std::string> ReadBindings(const std::string& id,
                                                           const Json& document);

/// The text against lowering one's own access, if these new bindings surely do that. `caller` are
/// the principals the caller is known to be. It may be in other roles and teams, so that bindings
/// which grant the stronger relation to one of those are let through.
[[nodiscard]] std::optional<std::string> RefuseLockout(const std::string& id, const Json& present,
                                                       const Json& next,
                                                       const std::vector<std::string>& caller);

}  // namespace bindery::emulator
