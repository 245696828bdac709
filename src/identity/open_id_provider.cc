#include "identity/open_id_provider.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "cloud/credentials/text.h"
#include "cloud/secret_text.h"
#include "core/base/strict_json.h"
#include "core/base/wipe.h"
#include "core/settings/address.h"
#include "core/text/base64.h"
#include "core/text/digest.h"
#include "core/text/random_text.h"
#include "core/text/shortened.h"
#include "identity/token.h"

namespace bindery::identity {
namespace {

using cloud::FormBody;
using cloud::Join;
using Fields = std::vector<std::pair<std::string, std::string>>;

constexpr std::chrono::hours kFresh{1};

std::string MakeChallenge(const std::string& verifier) {
  const Sha256Digest digest = Sha256Digest::Of(verifier);
  return EncodeBase64Url({reinterpret_cast<const char*>(digest.bytes.data()), digest.bytes.size()});
}

/// HTTPS, or plain HTTP that stays on this machine; a query is allowed.
bool IsSafeUrl(const std::string& url) {
  return ParseServiceUrl(url.substr(0, url.find('?'))).has_value();
}

std::string WithFields(const std::string& url, const Fields& fields) {
  return url + (url.find('?') == std::string::npos ? "?" : "&") + FormBody(fields);
}

bool Contains(const Json* list, std::string_view word) {
  return list != nullptr && list->is_array() && std::ranges::find(*list, word) != list->end();
}

}  // namespace

SignInSecrets NewSignInSecrets() { return {RandomText(), RandomText(), RandomText()}; }

OpenIdProvider::OpenIdProvider(cloud::Transport& transport, const Clock& clock,
                               config::WebOpenId settings)
    : transport_(transport), clock_(clock), settings_(std::move(settings)) {}

Expected<OpenIdProvider::Metadata> OpenIdProvider::ReadMetadata() const {
  std::string base = settings_.issuer;
  while (base.ends_with('/')) base.pop_back();
  const auto document =
      FetchObject(transport_, base + "/.well-known/openid-configuration", "discovery");
  if (!document) return Fail(document.error());
  // Otherwise another issuer could answer for this issuer (OpenID Connect Discovery, 4.3).
  if (const std::string issuer = StringMember(*document, "issuer"); issuer != settings_.issuer) {
    return Fail(Code::kFailedPrecondition, "the identity provider calls itself \"" +
                                               Shortened(issuer) +
                                               "\": write this text as sign_in.oidc.issuer");
  }
  Metadata metadata;
  metadata.authorization_endpoint = StringMember(*document, "authorization_endpoint");
  metadata.token_endpoint = StringMember(*document, "token_endpoint");
  const std::string keys = StringMember(*document, "jwks_uri");
  for (const std::string& url : {metadata.authorization_endpoint, metadata.token_endpoint, keys}) {
    if (IsSafeUrl(url)) continue;
    return Fail(
        Code::kFailedPrecondition,
        "the identity provider names an address that is not https: \"" + Shortened(url) + "\"");
  }
  metadata.userinfo_endpoint = StringMember(*document, "userinfo_endpoint");
  metadata.end_session_endpoint = StringMember(*document, "end_session_endpoint");
  if (!IsSafeUrl(metadata.userinfo_endpoint)) metadata.userinfo_endpoint.clear();
  if (!IsSafeUrl(metadata.end_session_endpoint)) metadata.end_session_endpoint.clear();
  const Json* const named = FindMember(*document, "authorization_response_iss_parameter_supported");
  metadata.names_issuer = named != nullptr && *named == true;
  const Json* const methods = FindMember(*document, "token_endpoint_auth_methods_supported");
  metadata.takes_basic = methods == nullptr || Contains(methods, "client_secret_basic");
  metadata.keys = std::make_shared<KeySource>(transport_, clock_, keys);
  return metadata;
}

Expected<OpenIdProvider::Metadata> OpenIdProvider::Discover() {
  const MonoTime now = clock_.Mono();
  {
    const MutexLock lock(mutex_);
    if (metadata_ && now < read_ + kFresh) return *metadata_;
  }
  auto read = ReadMetadata();
  const MutexLock lock(mutex_);
  if (read) {
    // The keys of the same address stay known: the address may not answer now.
    if (metadata_ && metadata_->keys->url() == read->keys->url()) read->keys = metadata_->keys;
    metadata_ = *std::move(read);
    read_ = now;
  } else if (!metadata_) {
    return Fail(read.error());
  }
  return *metadata_;
}

Expected<std::string> OpenIdProvider::SignInUrl(const SignInSecrets& secrets,
                                                const std::string& redirect_uri) {
  const auto metadata = Discover();
  if (!metadata) return Fail(metadata.error());
  Fields fields = {{"response_type", "code"},
                   {"client_id", settings_.client_id},
                   {"redirect_uri", redirect_uri},
                   {"scope", Join(settings_.scopes, " ")},
                   {"state", secrets.state},
                   {"nonce", secrets.nonce},
                   {"code_challenge", MakeChallenge(secrets.verifier)},
                   {"code_challenge_method", "S256"}};
  if (!settings_.hosted_domain.empty()) fields.emplace_back("hd", settings_.hosted_domain);
  return WithFields(metadata->authorization_endpoint, fields);
}

Expected<OpenIdProvider::Tokens> OpenIdProvider::Exchange(const Metadata& metadata,
                                                          const std::string& code,
                                                          const SignInSecrets& secrets,
                                                          const std::string& redirect_uri) const {
  Fields fields = {{"grant_type", "authorization_code"},
                   {"code", code},
                   {"redirect_uri", redirect_uri},
                   {"code_verifier", secrets.verifier}};
  cloud::HttpRequest request;
  std::string secret;
  const WipeAtEnd wipe(secret);
  if (!settings_.client_secret_file.empty()) {
    auto read = cloud::ReadSecretText(settings_.client_secret_file.string());
    if (!read) return Fail(Code::kFailedPrecondition, read.error().message);
    secret = *std::move(read);
  }
  const bool basic = metadata.takes_basic && !secret.empty();
  if (basic) {
    // Both parts are form-encoded first (RFC 6749, 2.3.1).
    const auto encoded = [](const std::string& text) { return FormBody({{"", text}}).substr(1); };
    request.headers.emplace_back(
        "Authorization",
        "Basic " + EncodeBase64(encoded(settings_.client_id) + ":" + encoded(secret)));
  } else {
    fields.emplace_back("client_id", settings_.client_id);
    if (!secret.empty()) fields.emplace_back("client_secret", secret);
  }
  request.method = "POST";
  request.url = metadata.token_endpoint;
  request.headers.emplace_back("Content-Type", "application/x-www-form-urlencoded");
  request.body = FormBody(fields);
  const auto response = AskProvider(transport_, std::move(request), "token");
  if (!response) return Fail(response.error());
  const auto answer = ParseStrictJson(response->body);
  if (response->status != 200) {
    const std::string why = answer ? StringMember(*answer, "error") : "";
    return Fail(Code::kUnauthenticated, "the identity provider refuses the sign-in: status " +
                                            std::to_string(response->status) +
                                            (why.empty() ? "" : ", " + Shortened(why)));
  }
  Tokens tokens{answer ? StringMember(*answer, "id_token") : "",
                answer ? StringMember(*answer, "access_token") : ""};
  if (tokens.id_token.empty()) {
    return Fail(Code::kUnauthenticated,
                "the identity provider sends no ID token: sign_in.oidc.scopes must hold openid");
  }
  return tokens;
}

Expected<std::vector<std::string>> OpenIdProvider::GetGroups(const Metadata& metadata,
                                                             const Tokens& tokens,
                                                             const Json& claims) const {
  auto groups = GroupsIn(claims, settings_.groups_claim);
  if (!groups) return Fail(groups.error());
  if (*groups) return **std::move(groups);
  if (metadata.userinfo_endpoint.empty() || tokens.access_token.empty()) {
    return std::vector<std::string>();
  }
  const auto info = FetchObject(transport_, metadata.userinfo_endpoint, "userinfo",
                                {{"Authorization", "Bearer " + tokens.access_token}});
  if (!info) return Fail(info.error());
  if (StringMember(*info, "sub") != StringMember(claims, "sub")) {
    return Fail(Code::kUnauthenticated, "the identity provider describes somebody else");
  }
  groups = GroupsIn(*info, settings_.groups_claim);
  if (!groups) return Fail(groups.error());
  return groups->value_or(std::vector<std::string>());
}

Expected<Person> OpenIdProvider::Redeem(const ProviderAnswer& answer, const SignInSecrets& secrets,
                                        const std::string& redirect_uri) {
  const auto metadata = Discover();
  if (!metadata) return Fail(metadata.error());
  if (answer.issuer != settings_.issuer && (metadata->names_issuer || !answer.issuer.empty())) {
    return Fail(Code::kUnauthenticated, "the answer is not of \"" + settings_.issuer + "\"");
  }
  if (!answer.error.empty()) {
    return Fail(Code::kPermissionDenied,
                "the identity provider answers: " + Shortened(answer.error));
  }
  const auto tokens = Exchange(*metadata, answer.code, secrets, redirect_uri);
  if (!tokens) return Fail(tokens.error());
  const auto token = ParseToken(tokens->id_token);
  if (!token) return Fail(token.error());
  if (auto good = metadata->keys->Verify(*token); !good) return Fail(good.error());
  const TokenRules rules{settings_.issuer, settings_.client_id, secrets.nonce};
  if (auto good = CheckClaims(token->claims, rules, clock_.Wall()); !good) {
    return Fail(good.error());
  }
  const Json& claims = token->claims;
  if (!settings_.hosted_domain.empty() && StringMember(claims, "hd") != settings_.hosted_domain) {
    return Fail(Code::kPermissionDenied,
                "the account is not of the domain " + settings_.hosted_domain);
  }
  auto groups = GetGroups(*metadata, *tokens, claims);
  if (!groups) return Fail(groups.error());
  return Person{settings_.issuer, StringMember(claims, "sub"),
                VerifiedEmail(claims, /*unless_said=*/false), *std::move(groups)};
}

std::string OpenIdProvider::SignOutUrl(const std::string& back) {
  std::string page;
  {
    const MutexLock lock(mutex_);
    if (metadata_) page = metadata_->end_session_endpoint;
  }
  if (page.empty()) return {};
  return WithFields(page, {{"client_id", settings_.client_id}, {"post_logout_redirect_uri", back}});
}

}  // namespace bindery::identity
