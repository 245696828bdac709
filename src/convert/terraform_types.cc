#include "convert/terraform_types.h"

#include <algorithm>
#include <vector>

#include "manifests/schema/check_text.h"

namespace bindery::convert {

bool IsPolicyType(std::string_view type) { return type.ends_with("_iam_policy"); }

Counterpart TerraformTypes::Find(std::string_view type, bool data) const {
  for (const manifests::KindSchema* kind : kinds_) {
    if (kind->read_only != data) continue;
    for (const manifests::TerraformType& each : kind->elsewhere.terraform) {
      if (each.type == type) return {kind, &each};
    }
  }
  return {};
}

bool TerraformTypes::IsPolicySource(std::string_view type) const {
  return std::ranges::any_of(kinds_, [&](const manifests::KindSchema* kind) {
    return std::ranges::any_of(
        kind->elsewhere.terraform,
        [&](const manifests::TerraformType& each) { return each.policy_source == type; });
  });
}

std::string TerraformTypes::WhyNot(const std::string& type, bool data) const {
  if (IsPolicyType(type)) {
    return "its policy is the result of a data source, which only Terraform knows: bindery import "
           "of the IamPolicy kind writes a manifest of what is there";
  }
  std::vector<std::string> known;
  for (const manifests::KindSchema* kind : kinds_) {
    if (kind->read_only != data) continue;
    for (const manifests::TerraformType& each : kind->elsewhere.terraform)
      known.push_back(each.type);
  }
  return "bindery has no kind for " + manifests::Quote(type) + manifests::DidYouMean(type, known);
}

}  // namespace bindery::convert
