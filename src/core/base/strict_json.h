#pragma once

#include <cstddef>
#include <string_view>

#include "core/base/expected.h"
#include "core/base/json.h"

namespace bindery {

/// Parses the answer of a service. As ParseJson, but an object with duplicate members is
/// kInvalidArgument with a message that begins with "JSON": readers differ about the counting
/// member (RFC 8259, 4), so a proxy or a person may have seen a different content.
[[nodiscard]] Expected<Json> ParseStrictJson(std::string_view text, std::size_t max_depth = 64);

/// The same, but keeps only the parts for which `keep` is true, as nlohmann's Json::parse does.
/// Duplicate members are refused in the dropped parts, too.
[[nodiscard]] Expected<Json> ParseStrictJson(std::string_view text,
                                             const Json::parser_callback_t& keep);

}  // namespace bindery
