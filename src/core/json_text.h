#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/json.h"

namespace bindery {

/// The members of an object by name, each as it is spelled in `text`, which is one JSON object and
/// nothing else: numbers with all their digits, white space within, escapes. Of two members of one
/// name the last. Empty for what is no such text.
[[nodiscard]] std::map<std::string, std::string> MemberTexts(std::string_view text);

/// JSON without white space, as all requests, messages and records are written; bytes that are no
/// UTF-8 are replaced: a text from elsewhere must not stop what it is a part of.
[[nodiscard]] std::string CompactJson(const Json& value);

/// The same of an object, with the members that `verbatim` has as they are spelled there.
[[nodiscard]] std::string CompactJson(const Json& object,
                                      const std::map<std::string, std::string>& verbatim);

}  // namespace bindery
