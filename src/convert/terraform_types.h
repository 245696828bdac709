#pragma once

#include <span>
#include <string>
#include <string_view>

#include "manifests/schema.h"

namespace bindery {

/// A type of Terraform that has a counterpart here, and that counterpart; nulls when it has none.
struct Counterpart {
  const KindSchema* kind = nullptr;
  const TerraformType* type = nullptr;
};

/// The types of Terraform that the kinds are counterparts of. Resources and data sources have their
/// types apart: `data` says which are meant.
class TerraformTypes {
 public:
  /// The kinds must outlive the object.
  explicit TerraformTypes(std::span<const KindSchema* const> kinds) : kinds_(kinds) {}

  [[nodiscard]] Counterpart Find(std::string_view type, bool data) const;
  /// A data source of the type holds a whole policy for resources with a counterpart.
  [[nodiscard]] bool IsPolicySource(std::string_view type) const;
  /// Why a type has no counterpart.
  [[nodiscard]] std::string WhyNot(const std::string& type, bool data) const;

 private:
  std::span<const KindSchema* const> kinds_;
};

/// A whole policy: of a resource, or a data source that holds one.
[[nodiscard]] bool IsPolicyType(std::string_view type);

}  // namespace bindery
