#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace bindery {

/// kNone is the default of a provider whose endpoints are on this machine, kApplicationDefault that
/// of any other.
enum class CredentialsType { kNone, kApplicationDefault, kFile, kAccessToken, kAccessTokenFile };

struct CredentialsConfig {
  CredentialsType type = CredentialsType::kNone;
  std::filesystem::path file;  ///< Of kFile and kAccessTokenFile.
  std::string token;           ///< Of kAccessToken. A secret.
};

/// What we allow ourselves, below what the service allows. 0: no limit of ours.
struct QuotaConfig {
  double requests_per_second = 0;
  int burst = 0;          ///< 0: one second's worth.
  double headroom = 0.2;  ///< The part of an announced limit that is left to others; below 1.
};

/// One cloud account. Of an embedded provider neither endpoints nor `api_url` are set: they are
/// where the embedded cloud listens.
struct ProviderConfig {
  std::string name;
  std::string type;  ///< Which provider it is: "cloudnative".
  bool embedded = true;
  QuotaConfig quota;

  // Of the type cloudnative.
  std::string project;  ///< Completes names that carry none; may be empty.
  std::string location;
  /// Service ("backupdr") to base URL, as far as given; others are https://SERVICE.UNIVERSE.
  std::map<std::string, std::string> endpoints;
  CredentialsConfig credentials;
  std::string principal;        ///< The member that calls are made as; empty: the credentials'.
  std::string quota_project;    ///< Empty: the credentials', else the resource's own.
  std::string universe_domain;  ///< Empty: the credentials', else the public one.

  // Of the type monitoring.
  std::string site;
  std::string api_url;
  std::filesystem::path api_key_file;       ///< Empty: DD_API_KEY.
  std::filesystem::path app_key_file;       ///< Empty: DD_APP_KEY.
  std::filesystem::path bearer_token_file;  ///< Instead of keys; empty: DD_BEARER_TOKEN.
};

}  // namespace bindery
