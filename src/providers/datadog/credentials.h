#pragma once

#include <memory>
#include <string>

#include "cloud/authorizer.h"
#include "core/base/expected.h"

namespace bindery::datadog {

/// The header of the API key. An API key belongs to one organization.
inline constexpr const char* kApiKeyHeader = "DD-API-KEY";

/// `DD-API-KEY` and `DD-APPLICATION-KEY`, each from its file, else from DD_API_KEY and DD_APP_KEY.
/// kUnauthenticated with the remedy when neither is there.
[[nodiscard]] Expected<std::shared_ptr<cloud::Authorizer>> DatadogKeys(
    const std::string& api_key_file, const std::string& app_key_file);

/// A personal access token or a service account's token (`Authorization: Bearer …`) from the file,
/// else from DD_BEARER_TOKEN. kUnauthenticated with the remedy when neither is there.
[[nodiscard]] Expected<std::shared_ptr<cloud::Authorizer>> DatadogBearer(
    const std::string& token_file);

/// Files of Datadog credentials; empty: not given.
struct DatadogCredentialFiles {
  std::string api_key;
  std::string app_key;
  std::string bearer_token;
};

/// The credentials that were given, files before the environment and keys before tokens:
///  1. the token file, if any;
///  2. the keys, when a key has a file, or both variables are set;
///  3. DD_BEARER_TOKEN.
/// kUnauthenticated with the ways to give some if none exists.
[[nodiscard]] Expected<std::shared_ptr<cloud::Authorizer>> DatadogCredentials(
    const DatadogCredentialFiles& files);

}  // namespace bindery::datadog
