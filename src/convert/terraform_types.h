#pragma once

#include <span>
#include <string>
#include <string_view>

#include "manifests/schema/schema.h"

namespace bindery::convert {

/// A type of Terraform with its counterpart here; nulls without a counterpart.
struct Counterpart {
  const manifests::KindSchema* kind = nullptr;
  const manifests::TerraformType* type = nullptr;
};

/// The types of Terraform with counterparts among the kinds. Resources and data sources have
/// separate types: `data` selects the sort.
class TerraformTypes {
 public:
  /// The kinds must outlive the object.
  explicit TerraformTypes(std::span<const manifests::KindSchema* const> kinds) : kinds_(kinds) {}

  [[nodiscard]] Counterpart Find(std::string_view type, bool data) const;
  /// A data source of the type holds a whole policy for resources with a counterpart.
  [[nodiscard]] bool IsPolicySource(std::string_view type) const;
  /// Why a type has no counterpart.
  [[nodiscard]] std::string WhyNot(const std::string& type, bool data) const;

 private:
  std::span<const manifests::KindSchema* const> kinds_;
};

/// A whole policy: a resource, or a data source.
[[nodiscard]] bool IsPolicyType(std::string_view type);

}  // namespace bindery::convert
