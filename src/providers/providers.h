#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "providers/provider.h"

namespace bindery {

/// Every provider this program knows, in the order in which they are listed.
[[nodiscard]] std::span<const Provider* const> Providers();

/// The provider of a type of the configuration. Requires: there is one, as in a checked
/// configuration.
[[nodiscard]] const Provider& ProviderOfType(std::string_view type);

/// Adds one to those that this program is made with. For tests, before anything asks for providers.
/// Requires: it lives as long as the program.
void AddProvider(const Provider& provider);

/// The types of all providers.
[[nodiscard]] std::span<const std::string_view> ProviderTypes();

/// The kinds that files of the configuration declare.
[[nodiscard]] const DeclaredKinds& KindsOfFiles();

/// How to read the audit logs of all providers.
[[nodiscard]] std::vector<attribution::AuditLogReader> AuditLogReaders();

}  // namespace bindery
