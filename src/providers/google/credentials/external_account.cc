#include <optional>
#include <utility>

#include "cloud/credentials/text.h"
#include "core/base/json_text.h"
#include "core/text/base64.h"
#include "providers/google/credentials/flows.h"
#include "providers/google/credentials/impersonation.h"
#include "providers/google/credentials/subject_token.h"
#include "providers/google/credentials/token_endpoint.h"

namespace bindery::google {
namespace {

constexpr const char* kExchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";
constexpr const char* kAccessTokenType = "urn:ietf:params:oauth:token-type:access_token";

struct ExternalAccount {
  std::string audience;
  std::string subject_token_type;
  std::string token_url;
  std::string client_id;
  std::string client_secret;
  std::string workforce_project;
  SubjectTokenSource subject;
  std::optional<Impersonation> impersonation;
};

class ExternalAccountSource final : public TokenSource {
 public:
  ExternalAccountSource(ExternalAccount account, TokenContext context)
      : account_(std::move(account)), context_(std::move(context)) {}

  Expected<AccessToken> Fetch(MonoTime give_up_at) override {
    auto subject = account_.subject.Get(context_, give_up_at);
    if (!subject) return Fail(std::move(subject.error()));
    auto token = FetchOAuthToken(context_, Exchange(*subject), give_up_at);
    if (!token || !account_.impersonation) return token;
    return Impersonate(context_, *account_.impersonation, *token, give_up_at);
  }

 private:
  [[nodiscard]] TokenRequest Exchange(const std::string& subject_token) const {
    std::vector<std::pair<std::string, std::string>> form = {
        {"grant_type", kExchangeGrant},
        {"audience", account_.audience},
        {"scope", account_.impersonation ? kIamScope : cloud::Join(context_.scopes, " ")},
        {"requested_token_type", kAccessTokenType},
        {"subject_token", subject_token},
        {"subject_token_type", account_.subject_token_type}};
    // A client id tells the project by itself.
    if (!account_.workforce_project.empty() && account_.client_id.empty()) {
      const Json options = {{"userProject", account_.workforce_project}};
      form.emplace_back("options", CompactJson(options));
    }
    TokenRequest request;
    request.http = FormPost(account_.token_url, form);
    request.http.service = "sts";
    request.url_field = "token_url";
    request.secrets = {subject_token, account_.client_secret};
    if (!account_.client_id.empty()) {
      const std::string basic = EncodeBase64(account_.client_id + ":" + account_.client_secret);
      request.http.headers.emplace_back("Authorization", "Basic " + basic);
      request.secrets.push_back(basic);
    }
    request.advice = [this](const OAuthFailure& failure) { return Advice(failure); };
    return request;
  }

  [[nodiscard]] std::string Advice(const OAuthFailure& failure) const {
    if (failure.error == "invalid_client") return "check client_id and client_secret";
    const bool expired = failure.description.find("expired") != std::string::npos;
    if (expired || failure.description.find("stale") != std::string::npos) {
      return "the subject token has expired: check what renews the " + account_.subject.Name();
    }
    if (failure.error == "invalid_target") return "check the audience in the credential file";
    return "check that the provider named by the audience accepts the token in the " +
           account_.subject.Name();
  }

  const ExternalAccount account_;
  const TokenContext context_;
};

std::optional<Impersonation> ParseServiceAccountUrl(FieldReader& file) {
  constexpr std::int64_t kShortest = 600;
  constexpr std::int64_t kLongest = 12 * 3600;
  Impersonation impersonation;
  impersonation.url = file.OptionalUrl("service_account_impersonation_url");
  impersonation.role = "roles/iam.workloadIdentityUser";
  if (auto settings = file.OptionalObject("service_account_impersonation")) {
    const auto seconds = settings->OptionalNumber("token_lifetime_seconds", kShortest, kLongest);
    if (seconds) impersonation.lifetime = std::chrono::seconds(*seconds);
    file.TakeFault(*settings);
  }
  impersonation.quota_project = file.OptionalText("quota_project_id");
  if (impersonation.url.empty()) return std::nullopt;
  return impersonation;
}

bool IsWorkforceAudience(const std::string& audience) {
  return audience.rfind("//iam.", 0) == 0 && audience.find("/workforcePools/") != std::string::npos;
}

}  // namespace

ParsedCredential ParseExternalAccount(FieldReader& file, const TokenContext& context) {
  ParsedCredential parsed;
  ExternalAccount account;
  account.audience = file.Text("audience");
  account.subject_token_type = file.Text("subject_token_type");
  account.token_url = file.OptionalUrl("token_url");
  account.client_id = file.OptionalText("client_id");
  account.client_secret = file.OptionalText("client_secret");
  account.workforce_project = file.OptionalText("workforce_pool_user_project");
  account.impersonation = ParseServiceAccountUrl(file);
  account.subject = ParseSubjectTokenSource(file);
  if (account.token_url.empty()) {
    account.token_url = "https://sts." + GetUniverse(file) + "/v1/token";
  }
  if (!account.workforce_project.empty() && !IsWorkforceAudience(account.audience)) {
    file.Fault("workforce_pool_user_project", "is for audiences of a workforce pool only");
  }
  parsed.kind = IsWorkforceAudience(account.audience) ? "workforce identity federation"
                                                      : "workload identity federation";
  // A header to the service of the subject token may be a secret.
  parsed.holds_secret = !account.client_secret.empty() || !account.subject.headers.empty();
  if (account.impersonation) parsed.account = account.impersonation->Account();
  if (file.fault()) return parsed;
  parsed.source = std::make_unique<ExternalAccountSource>(std::move(account), context);
  return parsed;
}

}  // namespace bindery::google
