#pragma once

#include <vector>

#include "manifests/schema.h"

namespace bindery {

/// The kinds a manifest can have. Each lives as long as the program.
[[nodiscard]] const KindSchema& AuthorizationPolicyIamBindingSchema();
[[nodiscard]] const KindSchema& ManagementServerIamBindingSchema();
[[nodiscard]] const KindSchema& RestrictionPolicySchema();
[[nodiscard]] const KindSchema& GetImportDataFileSchema();
[[nodiscard]] const KindSchema& GetCurrentUserSchema();

/// The kind of that token is only read.
[[nodiscard]] bool IsLookup(const TypeToken& token);

/// What every manifest has besides its spec: `metadata` and `options`, as fields.
[[nodiscard]] const std::vector<Field>& MetadataFields();
[[nodiscard]] const std::vector<Field>& OptionFields();

}  // namespace bindery
