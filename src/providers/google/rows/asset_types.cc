#include "providers/google/rows/asset_types.h"

#include <algorithm>
#include <iterator>

namespace bindery::google {
namespace {

constexpr AssetType kAssetTypes[] = {
#include "providers/google/rows/asset_types.inc"
};

}  // namespace

std::span<const AssetType> AssetTypes() { return kAssetTypes; }

std::string_view GetAssetType(const IamRow& row) {
  const auto* const found =
      std::lower_bound(std::begin(kAssetTypes), std::end(kAssetTypes), row.id,
                       [](const AssetType& type, std::string_view id) { return type.row < id; });
  return found != std::end(kAssetTypes) && found->row == row.id ? found->name : std::string_view();
}

}  // namespace bindery::google
