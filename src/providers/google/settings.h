#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "providers/provider.h"

namespace bindery::google {

/// kNone is the default of a provider with endpoints on the machine, kApplicationDefault the
/// default of any other.
enum class CredentialsType { kNone, kApplicationDefault, kFile, kAccessToken, kAccessTokenFile };

struct CredentialsConfig {
  CredentialsType type = CredentialsType::kNone;
  std::filesystem::path file;  ///< Of kFile and kAccessTokenFile.
  std::string token;           ///< Of kAccessToken. A secret.
};

enum class GroupsFrom { kFiles, kService };

/// The entry of GoogleSettings::endpoints for services without an entry of their own.
inline constexpr const char* kAnyService = "default";

struct GoogleSettings {
  std::string location;
  /// Service ("backupdr") to base URL; without an entry, or with an empty one, the service is where
  /// an emulator at the entry kAnyService serves the service, else at https://SERVICE.UNIVERSE. The
  /// embedded cloud's are not among them.
  std::map<std::string, std::string> endpoints;
  CredentialsConfig credentials;
  std::string quota_project;    ///< Empty: the credentials', else the resource's own.
  std::string universe_domain;  ///< Empty: the credentials', else the public one.
  /// How many writes a second a service of the universe is sent at most; 0: no limit.
  double writes_per_second = 4;
  std::string scan_scope;  ///< What the daemon scans from time to time; empty: nothing.
  std::chrono::milliseconds scan_interval{std::chrono::hours(6)};
  bool scan_hints = false;  ///< As InventoryPlan::hints.
  /// Files with the members of groups; relative ones start from the configuration's folder.
  std::vector<std::string> group_files;
  GroupsFrom group_source = GroupsFrom::kFiles;  ///< Of groups that no file lists.
  std::chrono::milliseconds group_max_age{std::chrono::minutes(10)};
  std::vector<std::string> role_files;  ///< The same with roles and their permissions.
};

// The part of Provider that concerns the configuration.

[[nodiscard]] std::span<const Key<providers::ProviderConfig>> GoogleSettingKeys();
[[nodiscard]] std::span<const std::string_view> GoogleRemoteKeys();
void CheckGoogleSettings(providers::ProviderConfig& config, providers::ProviderSettings& settings);

}  // namespace bindery::google
