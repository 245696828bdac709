#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "providers/provider.h"

namespace bindery::providers {

/// Every provider of the program, in the order of lists.
[[nodiscard]] std::span<const Provider* const> Providers();

/// The provider of a type of the configuration. Requires: there is one, as in a checked
/// configuration.
[[nodiscard]] const Provider& ProviderOfType(std::string_view type);

/// Adds a provider to the built-in providers. For tests, before any use of the providers. Requires:
/// lives as long as the program.
void AddProvider(const Provider& provider);

/// The types of all providers.
[[nodiscard]] std::span<const std::string_view> ProviderTypes();

/// The kinds declared by files of the configuration.
[[nodiscard]] const DeclaredKinds& KindsOfFiles();

/// How to read the audit logs of all providers.
[[nodiscard]] std::vector<attribution::AuditLogReader> AuditLogReaders();

}  // namespace bindery::providers
