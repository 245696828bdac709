#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bindery::google {

/// The target whose policy a search of Cloud Asset shows.
struct AssetTarget {
  std::string kind;  ///< Target::kind: "pubsub:Topic".
  std::string name;  ///< Target::name: "projects/acme/topics/orders".
};

/// The target of a resource with that type and that full name; nothing: no row has such resources.
/// Rows share types: the row counts whose names have that form. Pure. Source of the forms: Google's
/// table of resource names of Cloud Asset, where buckets have no collection
/// ("//storage.googleapis.com/BUCKET").
[[nodiscard]] std::optional<AssetTarget> TargetOfAsset(std::string_view type,
                                                       const std::string& name);

}  // namespace bindery::google
