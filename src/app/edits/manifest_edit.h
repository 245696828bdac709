#pragma once

#include <cstddef>
#include <string>

#include "app/edits/manifest_text.h"
#include "core/base/expected.h"
#include "core/base/json.h"

namespace bindery::app {

/// A list or a map in a manifest.
struct ManifestPlace {
  std::string manifest;  ///< metadata.name
  ManifestPath path;
};

// The text of a file with one change in a list or map; all else stays as written, comments and
// order included. kNotFound: the file has no such list or map. kFailedPrecondition: the text has no
// form in which the change is safe; the message says what a person is to do. Pure.

/// With one more text at the end of the list.
[[nodiscard]] Expected<std::string> WithListItem(const std::string& text,
                                                 const ManifestPlace& place,
                                                 const std::string& item);

/// With one more map at the end of the list.
[[nodiscard]] Expected<std::string> WithListEntry(const std::string& text,
                                                  const ManifestPlace& place, const Json& entry);

/// Without the text at the index of the list. A list with items in lines of their own keeps one.
[[nodiscard]] Expected<std::string> WithoutListItem(const std::string& text,
                                                    const ManifestPlace& place, std::size_t index);

/// Without the map at the index of the list; of a single map the list stays, empty.
[[nodiscard]] Expected<std::string> WithoutListEntry(const std::string& text,
                                                     const ManifestPlace& place, std::size_t index);

/// With one more field at the end of the map, which has fields.
[[nodiscard]] Expected<std::string> WithField(const std::string& text, const ManifestPlace& place,
                                              const std::string& key, const Json& value);

/// Without a field of the map.
[[nodiscard]] Expected<std::string> WithoutField(const std::string& text,
                                                 const ManifestPlace& place,
                                                 const std::string& key);

/// Without the manifest, and without the comments in the lines of its document. A comment at the
/// begin of the file stays if a blank line follows. Empty: the file has nothing else.
[[nodiscard]] Expected<std::string> WithoutManifest(const std::string& text,
                                                    const std::string& manifest);

}  // namespace bindery::app
