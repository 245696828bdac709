#include "emulator/google/api/token_api.h"

#include <algorithm>
#include <array>

#include "httpd/url.h"

namespace bindery::emulator {
namespace {

constexpr std::string_view kExchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";
constexpr std::string_view kAccessTokenType = "urn:ietf:params:oauth:token-type:access_token";
constexpr std::array<std::string_view, 3> kTokenAudiences = {
    "https://oauth2.googleapis.com/token", "https://www.googleapis.com/oauth2/v4/token",
    "https://accounts.google.com/o/oauth2/token"};

httpd::Response RespondWithToken(int status, const Json& body) {
  httpd::Response response;
  response.status = status;
  response.headers = {{"Content-Type", "application/json; charset=utf-8"},
                      {"Cache-Control", "no-cache, no-store, max-age=0, must-revalidate"},
                      {"Pragma", "no-cache"},
                      {"Server", "scaffolding on HTTPServer2"}};
  response.body = body.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  return response;
}

Json TokenDocument(const AccessToken& token) {
  return Json{{"access_token", token.token},
              {"expires_in", token.lifetime.count()},
              {"token_type", "Bearer"}};
}

bool IsTokenAudience(const std::string& audience, const httpd::Request& request) {
  if (std::find(kTokenAudiences.begin(), kTokenAudiences.end(), audience) !=
      kTokenAudiences.end()) {
    return true;
  }
  const std::string own = request.headers.Get("Host") + request.path;
  return audience == "http://" + own || audience == "https://" + own;
}

httpd::Response InvalidGrant(const std::string& description) {
  return OauthError(400, "invalid_grant", description);
}

httpd::Response ServeJwtBearer(Identities& identities, const Clock& clock,
                               const httpd::Request& request) {
  const std::string assertion = FormField(request.body, "assertion");
  if (assertion.empty()) {
    return OauthError(400, "invalid_request", "Required parameter is missing: assertion");
  }
  const auto jwt = ParseJwt(assertion);
  if (!jwt) return InvalidGrant("Bad Request");
  const auto account = identities.FindAccount(jwt->Text("iss"));
  if (!account) return InvalidGrant("Invalid grant: account not found");
  if (!account->Signed(*jwt)) return InvalidGrant("Invalid JWT Signature.");
  if (!IsTimely(*jwt, clock.Wall())) {
    return InvalidGrant(
        "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable "
        "timeframe. Check your iat and exp values in the JWT claim.");
  }
  if (!IsTokenAudience(jwt->Text("aud"), request)) {
    return InvalidGrant("Invalid JWT: Failed audience check. The right audience is " +
                        std::string(kTokenAudiences.front()));
  }
  if (const std::string subject = jwt->Text("sub"); !subject.empty() && subject != account->email) {
    return OauthError(401, "unauthorized_client",
                      "Client is unauthorized to retrieve access tokens using this method, or "
                      "client not authorized for any of the scopes requested.");
  }
  auto scopes = SplitScopes(jwt->Text("scope"));
  if (scopes.empty()) {
    return OauthError(400, "invalid_scope", "Invalid OAuth scope or ID token audience provided.");
  }
  return RespondWithToken(
      200, TokenDocument(identities.Issue("serviceAccount:" + account->email, account->permissions,
                                          std::move(scopes))));
}

httpd::Response ServeRefresh(Identities& identities, const httpd::Request& request) {
  const std::string client = FormField(request.body, "client_id");
  const std::string text = FormField(request.body, "refresh_token");
  if (client.empty()) {
    return OauthError(400, "invalid_request", "Could not determine client ID from request.");
  }
  if (!identities.KnowsClient(client, FormField(request.body, "client_secret"))) {
    return OauthError(401, "invalid_client", "The OAuth client was not found.");
  }
  if (text.empty()) {
    return OauthError(400, "invalid_request", "Missing required parameter: refresh_token");
  }
  const auto known = identities.FindRefreshToken(client, text);
  if (!known || known->revoked) return InvalidGrant("Token has been expired or revoked.");
  auto scopes = SplitScopes(FormField(request.body, "scope"));
  if (scopes.empty()) scopes.emplace_back(kCloudScope);
  return RespondWithToken(200, TokenDocument(identities.Issue(
                                   "user:" + known->user, known->permissions, std::move(scopes))));
}

httpd::Response InvalidRequest(const std::string& description) {
  return OauthError(400, "invalid_request", description);
}

httpd::Response ServeExchange(Identities& identities, const httpd::Request& request) {
  const auto field = [&](std::string_view name) { return FormField(request.body, name); };
  if (field("grant_type") != kExchangeGrant) {
    return OauthError(400, "unsupported_grant_type",
                      "Invalid grant_type: \"" + field("grant_type") + "\"");
  }
  if (field("requested_token_type") != kAccessTokenType) {
    return InvalidRequest("Invalid value for \"requested_token_type\": must be " +
                          std::string(kAccessTokenType));
  }
  if (std::string options = field("options"); !options.empty()) {
    // google-auth for Python encodes it once more than a form needs.
    if (options.starts_with("%7B")) options = httpd::PercentDecode(options).value_or(options);
    const auto json = ParseJson(options);
    if (!json || !json->is_object()) return InvalidRequest("Invalid value for \"options\".");
  }
  const auto pool = identities.FindPool(field("audience"));
  if (!pool) {
    return OauthError(
        400, "invalid_target",
        "The target service indicated by the \"audience\" parameters is invalid. This might either "
        "be because the pool or provider is disabled or deleted or because it doesn't exist.");
  }
  if (field("subject_token_type") != pool->subject_token_type) {
    return InvalidRequest("Invalid value for \"subject_token_type\": this provider takes " +
                          pool->subject_token_type);
  }
  auto scopes = SplitScopes(field("scope"));
  if (scopes.empty()) return OauthError(400, "invalid_scope", "Required scope is missing.");
  const std::string token = field("subject_token");
  const auto subject = std::find_if(pool->subjects.begin(), pool->subjects.end(),
                                    [&](const auto& known) { return known.token == token; });
  if (subject == pool->subjects.end()) {
    return InvalidGrant("The subject token is not valid for the identity provider.");
  }
  Json document =
      TokenDocument(identities.Issue(subject->principal, subject->permissions, std::move(scopes)));
  document["issued_token_type"] = kAccessTokenType;
  return RespondWithToken(200, document);
}

}  // namespace

std::string FormField(const std::string& body, std::string_view name) {
  // Within a form a plus sign is a space, as it is within a query.
  const auto fields = httpd::ParseQuery(body);
  if (!fields) return {};
  for (const auto& field : *fields) {
    if (field.first == name) return field.second;
  }
  return {};
}

httpd::Response OauthError(int status, std::string_view error, const std::string& description) {
  return RespondWithToken(status, Json{{"error", error}, {"error_description", description}});
}

httpd::Response ServeOauth(Identities& identities, const Clock& clock, const Call& call,
                           const httpd::Request& request) {
  if (call.verb == Call::Verb::kExchange) return ServeExchange(identities, request);
  const std::string grant = FormField(request.body, "grant_type");
  if (grant == kJwtBearerGrant) return ServeJwtBearer(identities, clock, request);
  if (grant == kRefreshGrant) return ServeRefresh(identities, request);
  if (grant.empty()) return InvalidRequest("Required parameter is missing: grant_type");
  return OauthError(400, "unsupported_grant_type", "Invalid grant_type: " + grant);
}

}  // namespace bindery::emulator
