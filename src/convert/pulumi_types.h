#pragma once

#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "convert/terraform_types.h"
#include "manifests/schema/kind_schemas.h"
#include "yaml/node.h"

namespace bindery::convert {

// Types of Pulumi's packages, by any spelling of their tokens.

/// The kind of a type of a package made of Terraform's provider; nulls: no such kind.
[[nodiscard]] Counterpart FindBridgedType(const std::string& token,
                                          std::span<const manifests::KindSchema* const> kinds);

/// The kind of a type, or of a function if `lookup`, of a package with our names; an error
/// says why no kind fits. `kinds`: all of the table.
[[nodiscard]] tl::expected<const manifests::KindSchema*, std::string> FindPulumiKind(
    const std::string& token, bool lookup, const manifests::KindSchemas& table,
    std::span<const manifests::KindSchema* const> kinds);

/// "ana" of "urn:pulumi:dev::shop::gcp:projects/iAMMember:IAMMember::ana"; a name may hold "::".
/// Any other text as it is.
[[nodiscard]] std::string NameInUrn(const std::string& urn);

}  // namespace bindery::convert
