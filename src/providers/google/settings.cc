#include "providers/google/settings.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "providers/google/clients/cloud_identity.h"
#include "providers/google/clients/privileged_access.h"
#include "providers/google/roles/checks.h"
#include "providers/google/rows/iam_rows.h"
#include "providers/inventory_source.h"

namespace bindery::google {

const providers::InventorySource& GoogleInventory();

namespace {

using P = providers::ProviderConfig;

/// In milliseconds.
constexpr double kTenSeconds = 10'000;
constexpr double kDay = 24.0 * 3'600'000;
constexpr double kTenMinutes = 600'000;
constexpr double kYear = 365.0 * 24 * 3'600'000;

GoogleSettings& GetGoogle(P& provider) { return provider.own.Of<GoogleSettings>(); }

constexpr std::array<std::string_view, 5> kCredentialsTypes = {"none", "applicationDefault", "file",
                                                               "accessToken", "accessTokenFile"};

constexpr std::array<std::string_view, 2> kGroupSources = {"files", "cloudidentity"};

constexpr std::array<std::string_view, 7> kOwnServices = {
    "networksecurity", "backupdr",  "migrationcenter", "cloudresourcemanager",
    kPrivilegedAccess, kCloudAsset, kCloudIdentity};

constexpr std::array<std::string_view, 15> kGoogleRemoteKeys = {"endpoints.default",
                                                                "endpoints.networksecurity",
                                                                "endpoints.backupdr",
                                                                "endpoints.migrationcenter",
                                                                "endpoints.cloudresourcemanager",
                                                                "endpoints.privilegedaccessmanager",
                                                                "endpoints.cloudasset",
                                                                "endpoints.cloudidentity",
                                                                "endpoints",
                                                                "credentials",
                                                                "credentials.type",
                                                                "credentials.file",
                                                                "credentials.token",
                                                                "quotaProject",
                                                                "universeDomain"};

Slot Endpoint(P& provider, const char* service) {
  return ServiceUrlSlot{&GetGoogle(provider).endpoints[service]};
}

/// The services of rows without a key of their own.
std::span<const std::string_view> OtherServices() {
  static const std::vector<std::string_view> kServices = [] {
    std::vector<std::string_view> services;
    for (const std::string_view service : IamServices()) {
      const bool own = std::ranges::find(kOwnServices, service) != kOwnServices.end();
      if (!own) services.push_back(service);
    }
    return services;
  }();
  return kServices;
}

constexpr std::array kGoogleKeys = {
    Key<P>{"project", [](P& p) -> Slot { return &p.project; },
           "Completes resource names that carry no project."},
    Key<P>{"location", [](P& p) -> Slot { return &GetGoogle(p).location; },
           "The location of lookups that give none."},
    Key<P>{"endpoints.default", [](P& p) -> Slot { return Endpoint(p, kAnyService); },
           "Base URL of an emulator that stands for all services without an entry of their own."},
    Key<P>{"endpoints.networksecurity", [](P& p) -> Slot { return Endpoint(p, "networksecurity"); },
           "Base URL of the network security API."},
    Key<P>{"endpoints.backupdr", [](P& p) -> Slot { return Endpoint(p, "backupdr"); },
           "Base URL of the backup and disaster recovery API."},
    Key<P>{"endpoints.migrationcenter", [](P& p) -> Slot { return Endpoint(p, "migrationcenter"); },
           "Base URL of the migration center API."},
    Key<P>{"endpoints.cloudresourcemanager",
           [](P& p) -> Slot { return Endpoint(p, "cloudresourcemanager"); },
           "Base URL of the resource manager API, which tells what project a number is."},
    Key<P>{"endpoints.privilegedaccessmanager",
           [](P& p) -> Slot { return Endpoint(p, kPrivilegedAccess); },
           "Base URL of Privileged Access Manager, which tells what its bindings are."},
    Key<P>{"endpoints.cloudasset", [](P& p) -> Slot { return Endpoint(p, kCloudAsset); },
           "Base URL of Cloud Asset Inventory, which is asked where Privileged Access Manager does "
           "not answer."},
    Key<P>{"endpoints.cloudidentity", [](P& p) -> Slot { return Endpoint(p, kCloudIdentity); },
           "Base URL of Cloud Identity, which is asked for the members of groups."},
    Key<P>{"endpoints.*",
           [](P& p) -> Slot {
             return ServiceUrlsSlot{&GetGoogle(p).endpoints, OtherServices()};
           },
           "Base URL of any other service, such as pubsub."},
    Key<P>{"credentials.type",
           [](P& p) -> Slot { return Choice(GetGoogle(p).credentials.type, kCredentialsTypes); },
           "Where access tokens come from."},
    Key<P>{"credentials.file", [](P& p) -> Slot { return &GetGoogle(p).credentials.file; },
           "The credential file, or the file that holds the access token; read again when it "
           "changes."},
    Key<P>{"credentials.token",
           [](P& p) -> Slot { return &GetGoogle(p).credentials.token; },
           "The access token itself, better as ${env:NAME}.",
           {},
           true},
    Key<P>{"principal", [](P& p) -> Slot { return &p.principal; },
           "The member that bindery signs in as, serviceAccount:EMAIL or user:EMAIL, where the "
           "credentials do not say it."},
    Key<P>{"quotaProject", [](P& p) -> Slot { return &GetGoogle(p).quota_project; },
           "The project that calls are counted and billed to, instead of the credentials' choice."},
    Key<P>{"universeDomain", [](P& p) -> Slot { return &GetGoogle(p).universe_domain; },
           "The domain of the services' hosts, instead of the credentials' or googleapis.com."},
    Key<P>{"writesPerSecond",
           [](P& p) -> Slot { return &GetGoogle(p).writes_per_second; },
           "The maximum number of writes per second to each service of Google, one to Cloud KMS; 0 "
           "for no limit.",
           {0, 1'000}},
    Key<P>{"scan.scope", [](P& p) -> Slot { return &GetGoogle(p).scan_scope; },
           "The scope that the daemon scans from time to time, as in docs/scan.md."},
    Key<P>{"scan.interval",
           [](P& p) -> Slot { return &GetGoogle(p).scan_interval; },
           "How long after the beginning of a scan the next one begins.",
           {kTenMinutes, kYear}},
    Key<P>{"scan.hints", [](P& p) -> Slot { return &GetGoogle(p).scan_hints; },
           "Whether targets that the scans show unchanged are observed at reconcile.exactInterval "
           "only."},
    Key<P>{"groups.source",
           [](P& p) -> Slot { return Choice(GetGoogle(p).group_source, kGroupSources); },
           "Who is asked for the members of groups, for answers about access; groups: "
           "cloudidentity is short for it."},
    Key<P>{"groups.maxAge",
           [](P& p) -> Slot { return &GetGoogle(p).group_max_age; },
           "How long the daemon uses an answer about a group again.",
           {kTenSeconds, kDay}},
    Key<P>{"groups.files", [](P& p) -> Slot { return TextListSlot{&GetGoogle(p).group_files}; },
           "Files that list the members of groups, for answers about access."},
    Key<P>{"roles.files", [](P& p) -> Slot { return TextListSlot{&GetGoogle(p).role_files}; },
           "Files with roles and their permissions, for answers about access."},
};

/// Who sends requests to the machine tries something out; everybody else has to sign in.
CredentialsType DefaultCredentials(bool embedded, const GoogleSettings& own) {
  const bool local =
      std::any_of(own.endpoints.begin(), own.endpoints.end(),
                  [](const auto& endpoint) { return endpoint.second.starts_with("http://"); });
  return embedded || local ? CredentialsType::kNone : CredentialsType::kApplicationDefault;
}

void CheckCredentials(bool embedded, GoogleSettings& own, providers::ProviderSettings& settings) {
  CredentialsConfig& credentials = own.credentials;
  constexpr std::string_view kType = "credentials.type";
  constexpr std::string_view kFile = "credentials.file";
  constexpr std::string_view kToken = "credentials.token";
  if (settings.Faulty(kType)) return;
  if (!settings.Given(kType)) credentials.type = DefaultCredentials(embedded, own);
  const bool wants_file = credentials.type == CredentialsType::kAccessTokenFile ||
                          credentials.type == CredentialsType::kFile;
  const bool wants_token = credentials.type == CredentialsType::kAccessToken;
  if (wants_file && credentials.file.empty() && !settings.Faulty(kFile)) {
    settings.Add(kType, kFile,
                 std::string("is missing: ") +
                     (credentials.type == CredentialsType::kFile ? "file" : "accessTokenFile") +
                     " needs it");
  }
  if (wants_token && credentials.token.empty() && !settings.Faulty(kToken)) {
    settings.Add(kType, kToken,
                 "is missing or empty: accessToken needs it, for example ${env:ACCESS_TOKEN}");
  }
  if (!wants_file && settings.Given(kFile) && !credentials.file.empty()) {
    settings.Add(kFile, "is only for the types file and accessTokenFile");
  }
  if (!wants_token && settings.Given(kToken)) {
    settings.Add(kToken, "is only for the type accessToken");
  }
}

void CheckOwnPrincipal(const providers::ProviderConfig& provider,
                       providers::ProviderSettings& settings) {
  const std::string& own = provider.principal;
  const bool signs_in = own.starts_with("serviceAccount:") || own.starts_with("user:");
  if (own.empty() || (signs_in && !CheckMember(own))) return;
  settings.Add("principal", "must be a member of policies: serviceAccount:EMAIL or user:EMAIL");
}

void CheckUniverse(const GoogleSettings& own, providers::ProviderSettings& settings) {
  constexpr std::string_view kKey = "universeDomain";
  if (own.universe_domain.empty() || providers::IsServiceDomain(own.universe_domain)) return;
  settings.Add(kKey, "is not a domain such as googleapis.com");
}

}  // namespace

std::span<const Key<providers::ProviderConfig>> GoogleSettingKeys() { return kGoogleKeys; }

std::span<const std::string_view> GoogleRemoteKeys() { return kGoogleRemoteKeys; }

void CheckGoogleSettings(providers::ProviderConfig& config, providers::ProviderSettings& settings) {
  GoogleSettings& own = GetGoogle(config);
  CheckCredentials(config.embedded, own, settings);
  CheckOwnPrincipal(config, settings);
  CheckUniverse(own, settings);
  providers::CheckScanPlan(GoogleInventory(), own.scan_scope, settings);
  if (config.embedded) own.endpoints.clear();
}

}  // namespace bindery::google
