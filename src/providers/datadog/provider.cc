// Datadog.

#include "providers/datadog/provider.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "cloud/secret_file_warning.h"
#include "providers/datadog/audit_log.h"
#include "providers/datadog/clients/current_user_client.h"
#include "providers/datadog/clients/rate_limit.h"
#include "providers/datadog/credentials.h"
#include "providers/datadog/settings.h"
#include "providers/provider.h"

namespace bindery::datadog {

const providers::Provider& DatadogProvider();

namespace {

/// A URL as it is compared: host in lower case, no default port, no slash at the end.
std::string Normal(std::string url) {
  constexpr std::pair<std::string_view, std::string_view> kDefaultPorts[] = {{"https://", ":443"},
                                                                             {"http://", ":80"}};
  while (url.ends_with('/')) url.pop_back();
  const auto scheme = url.find("://");
  const auto path = scheme == std::string::npos ? url.npos : url.find('/', scheme + 3);
  std::string origin = url.substr(0, path);
  std::transform(origin.begin(), origin.end(), origin.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  for (const auto& [begin, port] : kDefaultPorts) {
    if (origin.starts_with(begin) && origin.ends_with(port)) {
      origin.resize(origin.size() - port.size());
    }
  }
  return path == std::string::npos ? origin : origin + url.substr(path);
}

/// The organization of the credentials: an API key belongs to one organization, and so does a
/// token. Nothing without credentials.
std::optional<std::string> LimitKey(const cloud::Connection& connection) {
  cloud::HttpRequest request;
  if (!connection.authorizer->Authorize(request)) return std::nullopt;
  for (const auto& [name, value] : request.headers) {
    if (name == kApiKeyHeader || name == "Authorization") return name + " " + value;
  }
  return "";
}

providers::SignInDescription DescribeCredentials(const DatadogCredentialFiles& files) {
  if (!files.bearer_token.empty()) return {"access token", files.bearer_token, "", {}};
  if (files.api_key.empty() && files.app_key.empty()) {
    return {"keys or token", "the environment", "", {}};
  }
  return {"API and application key", files.api_key.empty() ? files.app_key : files.api_key, "", {}};
}

class Datadog final : public providers::Provider {
 public:
  [[nodiscard]] std::string_view type() const override { return "monitoring"; }

  [[nodiscard]] std::vector<std::unique_ptr<reconcilers::Kind>> MakeKinds() const override {
    std::vector<std::unique_ptr<reconcilers::Kind>> kinds;
    kinds.push_back(MakeRestrictionPolicy());
    kinds.push_back(MakeDataset());
    kinds.push_back(MakeLogsRestrictionQuery());
    kinds.push_back(MakeGetCurrentUser());
    kinds.push_back(MakeGetRole());
    kinds.push_back(MakeGetTeam());
    kinds.push_back(MakeGetUser());
    return kinds;
  }

  [[nodiscard]] std::span<const Key<providers::ProviderConfig>> SettingKeys() const override {
    return DatadogSettingKeys();
  }
  [[nodiscard]] std::span<const std::string_view> RemoteKeys() const override {
    return DatadogRemoteKeys();
  }
  void CheckSettings(providers::ProviderConfig& config,
                     providers::ProviderSettings& settings) const override {
    CheckDatadogSettings(config, settings);
  }
  void CheckRemoteSettings(providers::ProviderConfig& config,
                           providers::ProviderSettings& settings) const override {
    CheckDatadogSite(config, settings);
  }

  [[nodiscard]] std::vector<std::string> Services() const override { return {kDatadogService}; }

  [[nodiscard]] providers::ServiceAddress MakeAddress(
      const providers::ProviderConfig& config, const providers::Credentials& /*credentials*/,
      const std::string& /*service*/) const override {
    return {config.own.Of<DatadogSettings>().api_url};
  }

  [[nodiscard]] Expected<providers::Credentials> SignIn(
      const providers::ProviderConfig& config,
      const providers::SignInContext& /*context*/) const override {
    const auto& own = config.own.Of<DatadogSettings>();
    const DatadogCredentialFiles files{own.api_key_file.string(), own.app_key_file.string(),
                                       own.bearer_token_file.string()};
    Expected<std::shared_ptr<cloud::Authorizer>> found = DatadogCredentials(files);
    if (!found) return Fail(found.error());
    providers::Credentials credentials{std::move(*found), DescribeCredentials(files)};
    for (const std::string& file : {files.api_key, files.app_key, files.bearer_token}) {
      if (file.empty()) continue;
      if (auto warning = cloud::AccessWarning(file)) {
        credentials.description.warnings.push_back(std::move(*warning));
      }
    }
    return credentials;
  }

  /// Names of targets mean something within an organization.
  [[nodiscard]] std::optional<providers::Account> LookUpAccount(
      const cloud::Connection& connection) const override {
    const std::string& url = connection.BaseUrl(kDatadogService);
    const std::optional<std::string> key = LimitKey(connection);
    if (url.empty() || !key) return std::nullopt;
    return providers::Account{Normal(url) + "\n" + *key, url};
  }

  [[nodiscard]] Expected<providers::Caller> AskForCaller(
      const cloud::Connection& connection, std::chrono::milliseconds timeout) const override {
    CurrentUserCache current_user(connection.BaseUrl(kDatadogService), connection.transport,
                                  connection.authorizer, std::make_shared<SystemClock>());
    const Expected<CurrentUser> user = current_user.Get(timeout);
    if (!user) return Fail(user.error());
    return providers::Caller{"user " + user->handle + " of organization " + user->org_public_id,
                             user->org_id};
  }

  [[nodiscard]] cloud::RateLimitReader RateLimits() const override { return ReadRateLimit; }

  [[nodiscard]] attribution::AuditLogReader AuditLog() const override { return DatadogAuditLog(); }
};

}  // namespace

const providers::Provider& DatadogProvider() {
  static const Datadog kProvider;
  return kProvider;
}

}  // namespace bindery::datadog
