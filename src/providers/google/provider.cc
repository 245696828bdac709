// Google Cloud.

#include "providers/google/provider.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cloud/secret_file_warning.h"
#include "providers/google/audit_log.h"
#include "providers/google/clients/cloud_identity.h"
#include "providers/google/clients/identity_client.h"
#include "providers/google/clients/privileged_access.h"
#include "providers/google/credentials/credentials.h"
#include "providers/google/credentials/flows.h"
#include "providers/google/rows/iam_kinds.h"
#include "providers/google/rows/user_rows.h"
#include "providers/google/settings.h"
#include "providers/provider.h"

namespace bindery::google {

const providers::Provider& GoogleProvider();

namespace {

/// A placeholder for the credentials' project, when the credentials are not read.
constexpr const char* kProjectOfCredentials = "project-of-the-credentials";

/// Google refuses more than 60 writes a minute to a project's keys and key rings.
constexpr double kKeyWritesPerSecond = 1;

/// Services without rows, whose paths no other service has.
constexpr std::array<const char*, 4> kPlainServices = {kResourceManager, kPrivilegedAccess,
                                                       kCloudAsset, kCloudIdentity};

bool IsPlain(std::string_view service) {
  return std::ranges::find(kPlainServices, service) != kPlainServices.end();
}

/// The rate of writes that a service of Google accepts. Most limits are not published; the usual
/// published limit is 600 writes a minute and project, shared with further clients.
/// Empty: the configuration has none.
std::string GetEndpoint(const GoogleSettings& own, const std::string& service) {
  const auto given = own.endpoints.find(service);
  return given == own.endpoints.end() ? std::string() : given->second;
}

double WritesASecond(const GoogleSettings& own, std::string_view service) {
  if (service != "cloudkms") return own.writes_per_second;
  return std::min(own.writes_per_second, kKeyWritesPerSecond);
}

/// A URL of Google itself, such as "https://pubsub-a.p.googleapis.com" behind Private Service
/// Connect.
bool IsIn(const std::string& universe, std::string_view url) {
  constexpr std::string_view kHttps = "https://";
  if (!url.starts_with(kHttps)) return false;
  url.remove_prefix(kHttps.size());
  return url.substr(0, url.find_first_of("/:")).ends_with("." + universe);
}

/// Tokens from elsewhere, or none at all.
GoogleCredentials GivenTo(const CredentialsConfig& given) {
  GoogleCredentials credentials;
  if (given.type == CredentialsType::kAccessToken) {
    credentials.authorizer = cloud::StaticBearerToken(given.token);
    credentials.kind = "access token";
    credentials.source = "the configuration";
  } else if (given.type == CredentialsType::kAccessTokenFile) {
    credentials.source = given.file.string();
    credentials.authorizer = cloud::BearerTokenFile(credentials.source);
    credentials.kind = "access token file";
    if (auto warning = cloud::AccessWarning(credentials.source)) {
      credentials.warnings.push_back(std::move(*warning));
    }
  } else {
    credentials.authorizer = cloud::NoCredentials();
    credentials.kind = "none";
  }
  return credentials;
}

Expected<GoogleCredentials> FindGoogleCredentials(const CredentialsConfig& wanted,
                                                  const GoogleCredentialSettings& settings) {
  switch (wanted.type) {
    case CredentialsType::kFile:
      return GoogleCredentialsFromFile(wanted.file.string(), settings);
    case CredentialsType::kApplicationDefault:
      return ApplicationDefaultCredentials(settings);
    case CredentialsType::kNone:
    case CredentialsType::kAccessToken:
    case CredentialsType::kAccessTokenFile:
      break;
  }
  return WithProjects(GivenTo(wanted), settings);
}

/// The member of policies with the e-mail address; empty where it is none: metadata servers of GKE
/// tell a workload pool.
std::string GetPrincipal(const std::string& account) {
  if (account.find('@') == std::string::npos) return "";
  const bool service = account.ends_with(".gserviceaccount.com");
  return (service ? "serviceAccount:" : "user:") + account;
}

std::string RemarkOn(const std::string& principal) {
  if (!principal.empty()) return "";
  return "own principal unknown: of bindery's own access only the last grants that may write a "
         "container's policy are kept (set principal)";
}

class Google final : public providers::Provider {
 public:
  [[nodiscard]] std::string_view type() const override { return "cloudnative"; }

  [[nodiscard]] std::vector<std::unique_ptr<reconcilers::Kind>> MakeKinds() const override {
    std::vector<std::unique_ptr<reconcilers::Kind>> kinds;
    for (const IamRow& row : IamRows()) {
      if (row.whole_policy) kinds.push_back(MakeIamBinding(row));
    }
    kinds.push_back(MakeGetImportDataFile());
    return kinds;
  }

  [[nodiscard]] const providers::DeclaredKinds* Declared() const override { return &UserKinds(); }

  [[nodiscard]] const providers::KindTable* Table() const override { return &IamKindTable(); }

  [[nodiscard]] std::span<const Key<providers::ProviderConfig>> SettingKeys() const override {
    return GoogleSettingKeys();
  }
  [[nodiscard]] std::span<const std::string_view> RemoteKeys() const override {
    return GoogleRemoteKeys();
  }
  void CheckSettings(providers::ProviderConfig& config,
                     providers::ProviderSettings& settings) const override {
    CheckGoogleSettings(config, settings);
  }

  [[nodiscard]] std::vector<std::string> Services() const override {
    std::vector<std::string> services = {"migrationcenter"};
    services.insert(services.end(), kPlainServices.begin(), kPlainServices.end());
    services.insert(services.end(), IamServices().begin(), IamServices().end());
    return services;
  }

  [[nodiscard]] providers::ServiceAddress MakeAddress(const providers::ProviderConfig& config,
                                                      const providers::Credentials& credentials,
                                                      const std::string& service) const override {
    const auto& own = config.own.Of<GoogleSettings>();
    std::string universe =
        own.universe_domain.empty() ? credentials.universe_domain : own.universe_domain;
    if (universe.empty()) universe = kDefaultUniverse;
    std::string url = GetEndpoint(own, service);
    if (url.empty()) {
      const std::string emulator = GetEndpoint(own, kAnyService);
      url =
          emulator.empty() ? "https://" + service + "." + universe : EmbeddedUrl(emulator, service);
    }
    const double writes = IsIn(universe, url) ? WritesASecond(own, service) : 0;
    return {std::move(url), writes};
  }

  /// Services share paths ("…/instances/{instance}"): services of the table are distinguished by
  /// their host.
  [[nodiscard]] std::string EmbeddedUrl(const std::string& url,
                                        const std::string& service) const override {
    const bool plain = !IsAuxiliary(service) || IsPlain(service);
    return plain ? url : url + "/" + service + "." + kDefaultUniverse;
  }

  /// The services of rows are only asked where a manifest names something of theirs.
  [[nodiscard]] bool IsAuxiliary(const std::string& service) const override {
    if (IsPlain(service)) return true;
    bool has_rows = false;
    for (const IamRow& row : IamRows()) {
      if (row.service != service) continue;
      if (row.whole_policy) return false;
      has_rows = true;
    }
    return has_rows;
  }

  [[nodiscard]] Expected<providers::Credentials> SignIn(
      const providers::ProviderConfig& config,
      const providers::SignInContext& context) const override {
    const auto& own = config.own.Of<GoogleSettings>();
    GoogleCredentialSettings settings;
    settings.transport = context.transport;
    settings.quota_project = own.quota_project;
    settings.wait = context.wait;
    Expected<GoogleCredentials> found = FindGoogleCredentials(own.credentials, settings);
    if (!found) return Fail(found.error());
    const std::string principal =
        config.principal.empty() ? GetPrincipal(found->account) : config.principal;
    return providers::Credentials{
        found->authorizer,
        {found->kind, found->source, found->account, found->warnings, RemarkOn(principal)},
        found->project,
        found->quota_project,
        found->universe_domain,
        principal};
  }

  [[nodiscard]] std::string OfflineProject(const providers::ProviderConfig& config) const override {
    const CredentialsType type = config.own.Of<GoogleSettings>().credentials.type;
    const bool told_later =
        type == CredentialsType::kApplicationDefault || type == CredentialsType::kFile;
    if (!config.project.empty() || config.embedded) return config.project;
    const std::string project = WithProjects({}, {}).project;
    return project.empty() && told_later ? kProjectOfCredentials : project;
  }

  [[nodiscard]] Expected<reconcilers::ProjectIdentity> AskForProject(
      const cloud::Connection& connection, const std::string& project,
      std::chrono::milliseconds timeout) const override {
    const bool account = reconcilers::IsAccountNumber(project);
    const char* const service = account ? kIam : kResourceManager;
    const std::string& url = connection.BaseUrl(service);
    if (url.empty()) {
      return Fail(Code::kNotFound, "the provider has no service " + std::string(service));
    }
    const auto call =
        account ? ReadingAccount(url, project, timeout) : ReadingProject(url, project, timeout);
    if (!call) return Fail(call.error());
    const auto body = cloud::Send(*call, *connection.transport, *connection.authorizer);
    if (!body) return Fail(body.error());
    if (account) return UnderstandAccount(*call, project, *body);
    auto identity = UnderstandProject(*call, *body);
    if (identity && identity->number != project && identity->id != project) {
      return Fail(Code::kNotFound, "the service answered for project " + identity->number);
    }
    return identity;
  }

  [[nodiscard]] attribution::AuditLogReader AuditLog() const override { return GoogleAuditLog(); }
};

}  // namespace

const providers::Provider& GoogleProvider() {
  static const Google kProvider;
  return kProvider;
}

}  // namespace bindery::google
