#include "providers/google/rows/asset_names.h"

#include <map>
#include <vector>

#include "providers/google/rows/asset_types.h"
#include "providers/google/rows/iam_kinds.h"
#include "providers/google/rows/iam_names.h"
#include "providers/google/rows/iam_rows.h"

namespace bindery::google {
namespace {

constexpr std::string_view kBuckets = "//storage.googleapis.com/";

const std::vector<const IamRow*>& RowsOfType(std::string_view type) {
  static const std::map<std::string_view, std::vector<const IamRow*>> kRows = [] {
    std::map<std::string_view, std::vector<const IamRow*>> rows;
    for (const AssetType& known : AssetTypes()) {
      if (const IamRow* row = FindIamRow(known.row)) rows[known.name].push_back(row);
    }
    return rows;
  }();
  static const std::vector<const IamRow*> kNone;
  const auto found = kRows.find(type);
  return found == kRows.end() ? kNone : found->second;
}

std::optional<std::string> NameIn(const IamRow& row, const std::string& name) {
  auto canonical = CanonicalIamName(row, name, "");
  if (canonical || !name.starts_with(kBuckets)) return canonical;
  return CanonicalIamName(row, "b/" + name.substr(kBuckets.size()), "");
}

}  // namespace

std::optional<AssetTarget> TargetOfAsset(std::string_view type, const std::string& name) {
  for (const IamRow* row : RowsOfType(type)) {
    auto canonical = NameIn(*row, name);
    if (!canonical) continue;
    return AssetTarget{GetPolicyName(GetPolicyRow(*row)), PolicyName(*row, *std::move(canonical))};
  }
  return std::nullopt;
}

}  // namespace bindery::google
