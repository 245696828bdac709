#pragma once

#include <span>
#include <string_view>

#include "providers/google/rows/iam_rows.h"

namespace bindery::google {

/// The name that Cloud Asset Inventory has for the resources of a row. Rows may share a type: zonal
/// and regional disks are both "compute.googleapis.com/Disk" in a search.
struct AssetType {
  std::string_view row;   ///< Id of the row.
  std::string_view name;  ///< "pubsub.googleapis.com/Topic"
};

/// All types that can be searched, sorted by row. Source: Google's list of supported asset types.
[[nodiscard]] std::span<const AssetType> AssetTypes();

/// The type of the row's resources. Empty: a search does not show them.
[[nodiscard]] std::string_view GetAssetType(const IamRow& row);

}  // namespace bindery::google
