#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/base/json.h"

namespace bindery {

/// The members of an object by name, each in the spelling of `text`, which is one JSON object and
/// nothing else: numbers with all digits, white space within, escapes. For duplicate members the
/// last. Empty for any other text.
[[nodiscard]] std::map<std::string, std::string> MemberTexts(std::string_view text);

/// JSON without white space, the form of all requests, messages and records; bytes that are no
/// UTF-8 are replaced: a foreign text must not break the surrounding document.
[[nodiscard]] std::string CompactJson(const Json& value);

/// The same for an object, with the members of `verbatim` in their given spelling.
[[nodiscard]] std::string CompactJson(const Json& object,
                                      const std::map<std::string, std::string>& verbatim);

}  // namespace bindery
