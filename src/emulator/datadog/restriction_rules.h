#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "core/base/json.h"

namespace bindery::emulator {

/// The service's text against the id, if it has one: an id is "<resource_type>:<resource_id>",
/// split at the first colon.
[[nodiscard]] std::optional<std::string> RefuseId(const std::string& id);

/// The bindings of a policy document in the service's form (principals in byte order, each once;
/// one binding a relation), or its text against the document. Types and relations as of 2026.
[[nodiscard]] tl::expected<Json, std::string> ReadBindings(const std::string& id,
                                                           const Json& document);

/// The text against lowering one's own access, if these new bindings surely do so. `caller` are the
/// known principals of the caller. The caller may have further roles and teams, so bindings with
/// the stronger relation for any of these are accepted.
[[nodiscard]] std::optional<std::string> RefuseLockout(const std::string& id, const Json& present,
                                                       const Json& next,
                                                       const std::vector<std::string>& caller);

}  // namespace bindery::emulator
