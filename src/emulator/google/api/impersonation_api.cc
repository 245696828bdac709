#include "emulator/google/api/impersonation_api.h"

#include <charconv>

#include "core/text/time_text.h"
#include "emulator/google/proto_reader.h"

namespace bindery::emulator {
namespace {

constexpr std::int64_t kMaxLifetime = 3600;
constexpr std::string_view kAccountPrefix = "projects/-/serviceAccounts/";
constexpr const char* kPermission = "iam.serviceAccounts.getAccessToken";

/// "3600s"; nothing when it is something else or too long.
std::optional<std::chrono::seconds> ReadLifetime(const std::string& text) {
  std::int64_t seconds = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, seconds);
  if (error != std::errc() || rest + 1 != end || *rest != 's') return std::nullopt;
  if (seconds < 1 || seconds > kMaxLifetime) return std::nullopt;
  return std::chrono::seconds(seconds);
}

/// Does not tell an unauthorized caller whether the account exists.
GoogleError MayNotActAs(const std::string& email) {
  GoogleError error;
  error.http_status = 403;
  error.status = "PERMISSION_DENIED";
  error.message =
      "Permission '" + std::string(kPermission) + "' denied on resource (or it may not exist).";
  error.details.push_back(ErrorInfo(
      "IAM_PERMISSION_DENIED", "iam.googleapis.com",
      Json{{"permission", kPermission}, {"resource", std::string(kAccountPrefix) + email}}));
  return error;
}

GoogleError NoSuchAccount(const std::string& email) {
  GoogleError error;
  error.http_status = 404;
  error.status = "NOT_FOUND";
  error.message = "Not found; Gaia id not found for email " + email;
  return error;
}

std::string FormatExpiry(WallTime time) {
  // Whole seconds, in the service's form.
  std::string text = FormatRfc3339(time);
  return text.substr(0, text.find('.')) + "Z";
}

}  // namespace

GoogleResult<Json> GenerateAccessToken(Identities& identities, const Call& call, const Json& body,
                                       const Access& caller) {
  ProtoReader reader;
  reader.CheckMessage(body, "", "google.iam.credentials.v1.GenerateAccessTokenRequest",
                      {"delegates", "scope", "lifetime"});
  auto scopes = reader.Strings(body, "scope", "");
  auto chain = reader.Strings(body, "delegates", "");
  const std::string lifetime_text = reader.String(body, "lifetime", "");
  if (scopes.empty()) reader.PrintError("scope", "Scope required.");
  std::optional<std::chrono::seconds> lifetime;
  if (!lifetime_text.empty()) {
    lifetime = ReadLifetime(lifetime_text);
    if (!lifetime) {
      reader.PrintError("lifetime",
                        "The lifetime must be from 1s to " + std::to_string(kMaxLifetime) + "s.");
    }
  }
  if (!reader.violations().empty()) return tl::unexpected(BadRequest(reader.violations()));

  chain.push_back(std::string(kAccountPrefix) + call.target);
  std::string actor = caller.credential.principal;
  std::optional<ServiceAccount> account;
  for (const std::string& name : chain) {
    const std::string email =
        name.rfind(kAccountPrefix, 0) == 0 ? name.substr(kAccountPrefix.size()) : name;
    account = identities.FindAccount(email);
    if (!account) return tl::unexpected(NoSuchAccount(email));
    if (!account->MayBeImpersonatedBy(actor)) return tl::unexpected(MayNotActAs(email));
    actor = "serviceAccount:" + email;
  }
  const AccessToken token =
      identities.Issue(actor, account->permissions, std::move(scopes), lifetime);
  return Json{{"accessToken", token.token}, {"expireTime", FormatExpiry(token.expires)}};
}

}  // namespace bindery::emulator
