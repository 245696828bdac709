#pragma once

#include <string>
#include <variant>
#include <vector>

#include "core/base/expected.h"
#include "core/base/json.h"

namespace bindery::app {

/// A list in a manifest.
struct ManifestList {
  std::string manifest;  ///< metadata.name
  /// Keys of maps and indices of lists: "spec", "bindings", 2, "members".
  std::vector<std::variant<std::string, std::size_t>> path;
};

// The text of a file with one change in a list; all else stays as written, comments and order
// included. kNotFound: the file has no such list. kFailedPrecondition: the text has no form in
// which the change is safe; the message says what a person is to do. Pure.

/// With one more text at the end of the list.
[[nodiscard]] Expected<std::string> WithListItem(const std::string& text, const ManifestList& place,
                                                 const std::string& item);

/// With one more map at the end of the list.
[[nodiscard]] Expected<std::string> WithListEntry(const std::string& text,
                                                  const ManifestList& place, const Json& entry);

/// Without the text at the index of the list.
[[nodiscard]] Expected<std::string> WithoutListItem(const std::string& text,
                                                    const ManifestList& place, std::size_t index);

}  // namespace bindery::app
