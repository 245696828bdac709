#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manifests/schema/schema.h"

namespace bindery::manifests {

/// The text in quotes, on one line, cut if long. For messages.
[[nodiscard]] std::string Quote(std::string_view text);

/// "a", "b" and "c": the words quoted, as a sentence lists them.
[[nodiscard]] std::string QuotedList(const std::vector<std::string>& words, std::string_view last);

/// ", did you mean "x"?" when one of the candidates is near, else nothing.
[[nodiscard]] std::string DidYouMean(std::string_view word,
                                     const std::vector<std::string>& candidates);

[[nodiscard]] bool IsAsciiLetterOrDigit(char c);
[[nodiscard]] bool IsDecimal(std::string_view text);

/// True when every character is a letter, a digit or in `others`, and the text is not empty.
[[nodiscard]] bool HasOnlyCharacters(std::string_view text, std::string_view others);

/// True for white space and control characters.
[[nodiscard]] bool HasBlank(std::string_view text);

/// At least two labels of letters, digits and inner hyphens; 253 characters at most.
[[nodiscard]] bool IsDomain(std::string_view text);

/// A local part without quotes, "@", a domain.
[[nodiscard]] bool IsEmail(std::string_view text);

/// Whether a space-separated list contains the word.
[[nodiscard]] bool HasWord(std::string_view words, std::string_view word);

[[nodiscard]] std::vector<std::string_view> Split(std::string_view text, char separator);

}  // namespace bindery::manifests
