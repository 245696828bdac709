#include "providers/google/credentials/impersonation.h"

#include <algorithm>
#include <utility>

#include "cloud/credentials/text.h"
#include "cloud/http_errors.h"
#include "core/base/json_text.h"
#include "core/base/strict_json.h"
#include "core/text/time_text.h"
#include "providers/google/clients/error_dialect.h"
#include "providers/google/credentials/flows.h"
#include "providers/google/credentials/token_endpoint.h"

namespace bindery::google {
namespace {

using std::chrono::milliseconds;

cloud::HttpRequest Request(const TokenContext& context, const Impersonation& impersonation,
                           const AccessToken& caller) {
  cloud::HttpRequest request;
  request.method = "POST";
  request.url = impersonation.url;
  request.headers = {{"Content-Type", "application/json"},
                     {"Accept", "application/json"},
                     {"Authorization", "Bearer " + caller.value}};
  if (!impersonation.quota_project.empty()) {
    request.headers.emplace_back("X-Goog-User-Project", impersonation.quota_project);
  }
  Json body;
  body["scope"] = context.scopes;
  body["lifetime"] = std::to_string(impersonation.lifetime.count()) + "s";
  if (!impersonation.delegates.empty()) body["delegates"] = impersonation.delegates;
  request.body = CompactJson(body);
  request.timeout = kTokenTimeout;
  request.max_response_bytes = 1U << 20U;
  request.service = "iamcredentials";
  request.operation = "generateAccessToken";
  return request;
}

Error Refusal(const TokenContext& context, const Impersonation& impersonation,
              const cloud::HttpRequest& request, const cloud::HttpResponse& response) {
  const Error said =
      cloud::ErrorFromResponse(request, response, GoogleErrors(), context.clock->Wall());
  Error error;
  const bool passes = said.code == Code::kUnavailable || said.code == Code::kResourceExhausted ||
                      said.code == Code::kDeadlineExceeded || response.status >= 500;
  error.code = passes ? Code::kUnavailable : Code::kUnauthenticated;
  error.retry_after = said.retry_after;
  error.message = said.message;
  const std::string account = impersonation.Account();
  if (said.code == Code::kPermissionDenied && !account.empty()) {
    error.message += ": grant " + impersonation.role + " on " + account +
                     " to the identity of the credential file";
  } else if (said.code == Code::kNotFound && !account.empty()) {
    error.message += ": check that the service account " + account + " exists";
  }
  return error;
}

class ImpersonatedSource final : public TokenSource {
 public:
  ImpersonatedSource(Impersonation impersonation, std::unique_ptr<TokenSource> caller,
                     TokenContext context)
      : impersonation_(std::move(impersonation)),
        caller_(std::move(caller)),
        context_(std::move(context)) {}

  Expected<AccessToken> Fetch(MonoTime give_up_at) override {
    auto token = caller_->Fetch(give_up_at);
    if (!token) return token;
    return Impersonate(context_, impersonation_, *token, give_up_at);
  }

 private:
  const Impersonation impersonation_;
  const std::unique_ptr<TokenSource> caller_;
  const TokenContext context_;
};

}  // namespace

std::string Impersonation::Account() const {
  constexpr std::string_view kBefore = "/serviceAccounts/";
  const std::size_t at = url.find(kBefore);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + kBefore.size();
  return url.substr(begin, url.find_first_of(":/?", begin) - begin);
}

Expected<AccessToken> Impersonate(const TokenContext& context, const Impersonation& impersonation,
                                  const AccessToken& caller, MonoTime give_up_at) {
  const cloud::HttpRequest request = Request(context, impersonation, caller);
  auto response = SendPatiently(context, request, give_up_at);
  if (!response) return Fail(std::move(response.error()));
  if (response->status < 200 || response->status >= 300) {
    return Fail(Refusal(context, impersonation, request, *response));
  }
  const std::string origin = cloud::Origin(request.url);
  const auto body = ParseStrictJson(response->body);
  if (!body || !body->is_object()) {
    return Fail(Code::kUnauthenticated,
                origin +
                    " answered with something that is not a JSON object: check "
                    "service_account_impersonation_url in the credential file");
  }
  const auto expires = ParseRfc3339(StringMember(*body, "expireTime"));
  if (!expires) {
    return Fail(Code::kUnauthenticated, origin + " answered without a usable expireTime");
  }
  // If the clocks differ, the requested lifetime limits the date.
  const auto left = std::chrono::duration_cast<milliseconds>(*expires - context.clock->Wall());
  if (left <= milliseconds(0)) {
    return Fail(Code::kUnauthenticated,
                origin + " answered with a token that expires at " + FormatRfc3339(*expires) +
                    ", but this machine's clock says " + FormatRfc3339(context.clock->Wall()) +
                    ": synchronize it");
  }
  return CheckedToken(origin, StringMember(*body, "accessToken"),
                      std::min<milliseconds>(left, impersonation.lifetime));
}

ParsedCredential ParseImpersonated(FieldReader& file, const TokenContext& context) {
  ParsedCredential parsed;
  parsed.kind = "impersonated service account";
  Impersonation impersonation;
  impersonation.url = file.Url("service_account_impersonation_url");
  impersonation.delegates = file.OptionalTexts("delegates");
  impersonation.role = "roles/iam.serviceAccountTokenCreator";
  parsed.account = impersonation.Account();
  auto nested = file.Object("source_credentials");
  if (!nested) return parsed;
  TokenContext for_caller = context;
  for_caller.scopes = {kIamScope};
  ParsedCredential caller;
  const std::string type = nested->Text("type");
  if (type == "service_account") {
    caller = ParseServiceAccount(*nested, for_caller);
  } else if (type == "authorized_user") {
    caller = ParseAuthorizedUser(*nested, for_caller);
  } else {
    nested->Fault("type", "must be \"authorized_user\" or \"service_account\"");
  }
  // The caller's own project comes first: the caller asks for the token.
  impersonation.quota_project = nested->OptionalText("quota_project_id");
  if (impersonation.quota_project.empty()) {
    impersonation.quota_project = file.OptionalText("quota_project_id");
  }
  file.TakeFault(*nested);
  if (file.fault()) return parsed;
  parsed.project = caller.project;
  parsed.source = std::make_unique<ImpersonatedSource>(std::move(impersonation),
                                                       std::move(caller.source), context);
  return parsed;
}

}  // namespace bindery::google
