#pragma once

#include <cstddef>
#include <string_view>

#include "core/expected.h"
#include "core/json.h"

namespace bindery {

/// Parses the answer of a service. As ParseJson, and an object with two members of one name is
/// kInvalidArgument with a message that begins with "JSON": readers differ in which of the two
/// counts (RFC 8259, 4), so that what a proxy or a person saw need not be what is read here.
[[nodiscard]] Expected<Json> ParseStrictJson(std::string_view text, std::size_t max_depth = 64);

/// The same, but keeps only the parts for which `keep` is true, as nlohmann's Json::parse does.
/// Two members of one name are refused in the other parts, too.
[[nodiscard]] Expected<Json> ParseStrictJson(std::string_view text,
                                             const Json::parser_callback_t& keep);

}  // namespace bindery
