#pragma once

#include <string>
#include <string_view>

namespace bindery::store {

// A resource's spec and outputs repeat the target's name and the role, often half of the text. In
// the database two control characters, never part of JSON, stand for both.

/// A text in the stored form.
struct Shortened {
  std::string text;
  bool verbatim = false;  ///< It holds such characters itself: kept as a blob, as it is.
};

[[nodiscard]] Shortened Shorten(std::string_view text, std::string_view target,
                                std::string_view role);

/// Makes `whole` the whole text again. `verbatim`: the column is a blob.
void Lengthen(std::string_view text, bool verbatim, std::string_view target, std::string_view role,
              std::string& whole);

}  // namespace bindery::store
