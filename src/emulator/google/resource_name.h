#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "providers/google/rows/iam_rows.h"

namespace bindery::emulator {

/// A Google resource that this cloud can hold.
struct ResourceName {
  std::string_view section;  ///< As in the seed: section::kAuthorizationPolicies and so on.
  std::string name;          ///< "projects/p/topics/t"
  const google::IamRow* row = nullptr;  ///< Null: the resource has no policy.
};

/// Reads a bare name of one of the sections with resources of one type each.
[[nodiscard]] std::optional<ResourceName> ParseResourceName(std::string_view name);

/// Reads the name of a resource of any row: "//pubsub.googleapis.com/projects/p/topics/t", or
/// without the host where one row alone has such names.
[[nodiscard]] std::optional<ResourceName> ParseFullName(std::string_view name);

/// The section that holds resources of the row.
[[nodiscard]] std::string_view MakeSection(const google::IamRow& row);

/// The key of a resource in its section. Of section::kIamPolicies the full resource name: services
/// share names (a Spanner and a Bigtable instance).
[[nodiscard]] std::string MakeKey(const google::IamRow& row, std::string_view name);

/// The resource with the key; nothing: no row has such names.
[[nodiscard]] std::optional<ResourceName> ResourceOfKey(std::string_view key);

/// The resource name in a key.
[[nodiscard]] std::string_view NameInKey(std::string_view key);

/// "networksecurity.authorizationPolicies": the permissions of the row without their verb.
[[nodiscard]] std::string GetPermissionPrefix(const google::IamRow& row);

/// A name of the section, for messages.
[[nodiscard]] std::string ExampleName(std::string_view section);

}  // namespace bindery::emulator
