#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"

namespace bindery::datadog {

/// How the objects of a type with restriction policies are listed. Sources: Datadog's OpenAPI
/// document for paths and parameters, datadog-sync-cli (2026-08) for the members of answers.
struct ObjectList {
  std::string_view type;   ///< "dashboard", as resource ids have it.
  std::string_view words;  ///< For people: "dashboards".
  std::string_view path;
  std::string_view entries;  ///< The member with the list; empty: the answer is the list.
  std::string_view id;       ///< The member of an entry.
  std::string_view size;     ///< The parameter for the size of a page; empty: there are no pages.
  std::string_view start;    ///< The parameter for the place of a page.
  bool numbered = false;     ///< `start` is the number of the page, not the first entry's.
  std::string_view prefix = {};  ///< Ids without it are not of the type.
};

/// All lists, in the order of a scan. Datadog has no lists of the further types.
[[nodiscard]] std::span<const ObjectList> ObjectLists();

/// A place in a list.
struct ObjectPlace {
  std::size_t first = 0;  ///< The entry to go on with.
  std::string last = {};  ///< The id of the entry before; empty: none.

  /// Nothing for a text that ToToken() did not make. The empty text is the beginning.
  [[nodiscard]] static std::optional<ObjectPlace> Read(const std::string& token);
  [[nodiscard]] std::string ToToken() const;
};

/// How many entries are asked for at once: the least that any of the lists gives.
inline constexpr std::size_t kObjectsAtOnce = 25;

/// The URL of the page with the place.
[[nodiscard]] std::string PageUrl(const ObjectList& list, const std::string& base_url,
                                  const ObjectPlace& place);

/// A part of a list.
struct ListedObjects {
  std::vector<std::string> ids;  ///< From the place on; of the type.
  bool more = false;             ///< Further entries may follow.
};

/// The objects in an answer to PageUrl(), from the place on. Nothing where `answer` is not such a
/// list, or an entry has no id. A service that answers with the same page again has no more.
[[nodiscard]] std::optional<ListedObjects> ObjectsIn(const ObjectList& list, const Json& answer,
                                                     const ObjectPlace& place);

}  // namespace bindery::datadog
