#include "providers/datadog/credentials.h"

#include <cstdlib>
#include <optional>
#include <utility>

#include "cloud/credentials/headers.h"
#include "cloud/credentials/secret_file.h"
#include "cloud/credentials/text.h"

namespace bindery::datadog {
namespace {

using cloud::GetHeader;
using cloud::SecretFile;

constexpr const char* kAppKeyHeader = "DD-APPLICATION-KEY";
constexpr const char* kApiKeyVariable = "DD_API_KEY";
constexpr const char* kAppKeyVariable = "DD_APP_KEY";
constexpr const char* kBearerVariable = "DD_BEARER_TOKEN";

tl::unexpected<Error> NoSecret(std::string message) {
  return Fail(Code::kUnauthenticated, std::move(message));
}

std::string Variable(const char* name) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here sets variables
  const char* value = std::getenv(name);
  return value == nullptr ? "" : std::string(cloud::Trimmed(value));
}

/// One of Datadog's two keys: from a file, else from the environment at the start.
class SignInKey {
 public:
  SignInKey(const std::string& path, std::string from_environment)
      : file_(path.empty() ? nullptr : std::make_unique<SecretFile>(path)),
        from_environment_(std::move(from_environment)) {}

  [[nodiscard]] Expected<std::string> Get() const {
    if (file_ != nullptr) return file_->Get();
    return from_environment_;
  }
  [[nodiscard]] std::optional<std::string> TryGet() const {
    if (file_ != nullptr) return file_->TryGet();
    return from_environment_;
  }
  [[nodiscard]] bool IsOtherThan(const std::string& sent) const {
    return file_ != nullptr && file_->HasOtherThan(sent);
  }

 private:
  std::unique_ptr<SecretFile> file_;
  std::string from_environment_;
};

class DatadogAuthorizer final : public cloud::Authorizer {
 public:
  DatadogAuthorizer(SignInKey api_key, SignInKey app_key)
      : api_key_(std::move(api_key)), app_key_(std::move(app_key)) {}

  Expected<void> Authorize(cloud::HttpRequest& request) override {
    auto api_key = api_key_.Get();
    if (!api_key) return Fail(std::move(api_key.error()));
    auto app_key = app_key_.Get();
    if (!app_key) return Fail(std::move(app_key.error()));
    Add(request, *api_key, *app_key);
    return {};
  }

  bool TryAuthorize(cloud::HttpRequest& request) override {
    const std::optional<std::string> api_key = api_key_.TryGet();
    const std::optional<std::string> app_key = app_key_.TryGet();
    if (!api_key || !app_key) return false;
    Add(request, *api_key, *app_key);
    return true;
  }

  bool Refused(const cloud::HttpRequest& sent) override {
    const bool api_key_changed = api_key_.IsOtherThan(GetHeader(sent, kApiKeyHeader));
    const bool app_key_changed = app_key_.IsOtherThan(GetHeader(sent, kAppKeyHeader));
    return api_key_changed || app_key_changed;
  }

 private:
  static void Add(cloud::HttpRequest& request, const std::string& api_key,
                  const std::string& app_key) {
    request.headers.emplace_back(kApiKeyHeader, api_key);
    request.headers.emplace_back(kAppKeyHeader, app_key);
  }

  const SignInKey api_key_;
  const SignInKey app_key_;
};

Expected<SignInKey> FindKey(const std::string& path, const char* variable, const char* setting) {
  std::string from_environment = Variable(variable);
  if (path.empty() && from_environment.empty()) {
    return NoSecret("no Datadog key: set " + std::string(setting) +
                    " in the provider's configuration, or the environment variable " + variable);
  }
  SignInKey key(path, std::move(from_environment));
  if (auto readable = key.Get(); !readable) return Fail(std::move(readable.error()));
  return key;
}

}  // namespace

Expected<std::shared_ptr<cloud::Authorizer>> DatadogKeys(const std::string& api_key_file,
                                                         const std::string& app_key_file) {
  auto api_key = FindKey(api_key_file, kApiKeyVariable, "apiKeyFile");
  if (!api_key) return Fail(std::move(api_key.error()));
  auto app_key = FindKey(app_key_file, kAppKeyVariable, "appKeyFile");
  if (!app_key) return Fail(std::move(app_key.error()));
  return std::shared_ptr<cloud::Authorizer>(
      std::make_shared<DatadogAuthorizer>(std::move(*api_key), std::move(*app_key)));
}

Expected<std::shared_ptr<cloud::Authorizer>> DatadogBearer(const std::string& token_file) {
  std::shared_ptr<cloud::Authorizer> authorizer;
  if (!token_file.empty()) {
    authorizer = cloud::BearerTokenFile(token_file);
  } else if (std::string token = Variable(kBearerVariable); !token.empty()) {
    authorizer = cloud::StaticBearerToken(std::move(token));
  } else {
    return NoSecret(
        std::string("no Datadog token: set bearerTokenFile in the provider's configuration, or the "
                    "environment variable ") +
        kBearerVariable);
  }
  cloud::HttpRequest probe;
  if (auto usable = authorizer->Authorize(probe); !usable) return Fail(std::move(usable.error()));
  return authorizer;
}

Expected<std::shared_ptr<cloud::Authorizer>> DatadogCredentials(
    const DatadogCredentialFiles& files) {
  if (!files.bearer_token.empty()) return DatadogBearer(files.bearer_token);
  const bool key_file = !files.api_key.empty() || !files.app_key.empty();
  const bool both_variables =
      !Variable(kApiKeyVariable).empty() && !Variable(kAppKeyVariable).empty();
  if (key_file || both_variables) return DatadogKeys(files.api_key, files.app_key);
  if (!Variable(kBearerVariable).empty()) return DatadogBearer("");
  return NoSecret(
      "no Datadog credentials: set apiKeyFile and appKeyFile, or bearerTokenFile, in the "
      "provider's "
      "configuration, or the environment variables DD_API_KEY and DD_APP_KEY, or DD_BEARER_TOKEN");
}

}  // namespace bindery::datadog
