#include "identity/token.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/base/strict_json.h"
#include "core/text/base64.h"

namespace bindery::identity {
namespace {

constexpr std::size_t kMostTokenBytes = 64U << 10U;
constexpr std::size_t kLongestSubject = 255;
constexpr std::size_t kMostGroups = 10'000;

tl::unexpected<Error> Refuse(const std::string& why) {
  return Fail(Code::kUnauthenticated, "the token is refused: " + why);
}

std::optional<Json> DecodeObject(std::string_view part) {
  const auto bytes = DecodeBase64Url(part);
  if (!bytes) return std::nullopt;
  auto json = ParseStrictJson(*bytes);
  if (!json || !json->is_object()) return std::nullopt;
  return *std::move(json);
}

/// A time in seconds since 1970.
std::optional<std::int64_t> ToSeconds(const Json& claims, std::string_view name) {
  const Json* const value = FindMember(claims, name);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  // Later times are no dates, and sums of such numbers could overflow.
  constexpr double kFar = 1e12;
  const double seconds = value->get<double>();
  if (!(seconds >= 0 && seconds <= kFar)) return std::nullopt;
  return static_cast<std::int64_t>(seconds);
}

Expected<void> CheckAudience(const Json& claims, const std::string& audience) {
  const Json* const named = FindMember(claims, "aud");
  const bool one = named != nullptr && named->is_string() && *named == audience;
  const bool list = named != nullptr && named->is_array() && !named->empty() &&
                    std::ranges::all_of(*named, [&](const Json& each) { return each == audience; });
  if (!one && !list) return Refuse("\"aud\" is not \"" + audience + "\" alone");
  const Json* const party = FindMember(claims, "azp");
  if (party != nullptr && *party != audience) return Refuse("\"azp\" is not \"" + audience + "\"");
  return {};
}

Expected<void> CheckTimes(const Json& claims, std::chrono::seconds leeway, WallTime now) {
  const std::int64_t seconds =
      std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count();
  const auto ends = ToSeconds(claims, "exp");
  const auto issued = ToSeconds(claims, "iat");
  if (!ends) return Refuse("\"exp\" is missing or is no time");
  if (!issued) return Refuse("\"iat\" is missing or is no time");
  if (seconds >= *ends + leeway.count()) return Refuse("the token has expired");
  if (*issued > seconds + leeway.count()) {
    return Refuse("the token was issued in the future: compare the clocks of both machines");
  }
  const auto begins = ToSeconds(claims, "nbf");
  const bool named = FindMember(claims, "nbf") != nullptr;
  if (named && (!begins || *begins > seconds + leeway.count())) {
    return Refuse("the token is not valid yet");
  }
  return {};
}

const Json* FindGroups(const Json& claims, const std::string& path) {
  if (const Json* const whole = FindMember(claims, path)) return whole;
  const Json* at = &claims;
  std::string_view rest(path);
  while (at != nullptr) {
    const std::size_t dot = rest.find('.');
    at = FindMember(*at, rest.substr(0, dot));
    if (dot == std::string_view::npos) return at;
    rest.remove_prefix(dot + 1);
  }
  return nullptr;
}

bool GroupsAreElsewhere(const Json& claims, const std::string& path) {
  const Json* const has = FindMember(claims, "hasgroups");
  if (has != nullptr && *has == true) return true;
  const Json* const names = FindMember(claims, "_claim_names");
  return names != nullptr && FindMember(*names, path) != nullptr;
}

}  // namespace

Expected<Token> ParseToken(std::string_view text) {
  if (text.size() > kMostTokenBytes) return Refuse("the token is longer than 64 KiB");
  const std::size_t first = text.find('.');
  const std::size_t second = first == std::string_view::npos ? first : text.find('.', first + 1);
  if (second == std::string_view::npos || text.find('.', second + 1) != std::string_view::npos) {
    return Refuse("the token does not consist of three parts");
  }
  const auto header = DecodeObject(text.substr(0, first));
  auto claims = DecodeObject(text.substr(first + 1, second - first - 1));
  auto signature = DecodeBase64Url(text.substr(second + 1));
  if (!header || !claims || !signature) return Refuse("a part of the token cannot be read");
  Token token;
  token.algorithm = StringMember(*header, "alg");
  // An own list: providers announce algorithms with shared keys, too.
  if (token.algorithm != "RS256" && token.algorithm != "ES256") {
    return Refuse("the algorithm is neither RS256 nor ES256");
  }
  if (FindMember(*header, "crit") != nullptr) return Refuse("the token demands an extension");
  token.key_id = StringMember(*header, "kid");
  token.claims = *std::move(claims);
  token.signed_part = text.substr(0, second);
  token.signature = *std::move(signature);
  return token;
}

Expected<void> CheckClaims(const Json& claims, const TokenRules& rules, WallTime now) {
  if (StringMember(claims, "iss") != rules.issuer) {
    return Refuse("\"iss\" is not \"" + rules.issuer + "\"");
  }
  if (auto audience = CheckAudience(claims, rules.audience); !audience) return audience;
  if (auto times = CheckTimes(claims, rules.leeway, now); !times) return times;
  if (!rules.nonce.empty() && StringMember(claims, "nonce") != rules.nonce) {
    return Refuse("\"nonce\" is not the nonce of this sign-in");
  }
  const std::string subject = StringMember(claims, "sub");
  if (subject.empty() || subject.size() > kLongestSubject) {
    return Refuse("\"sub\" must have 1 to 255 bytes");
  }
  return {};
}

std::string VerifiedEmail(const Json& claims, bool unless_said) {
  const Json* const said = FindMember(claims, "email_verified");
  const bool verified = said == nullptr ? unless_said : *said == true || *said == "true";
  return verified ? StringMember(claims, "email") : std::string();
}

Expected<std::optional<std::vector<std::string>>> GroupsIn(const Json& claims,
                                                           const std::string& path) {
  const Json* const found = FindGroups(claims, path);
  if (found == nullptr && GroupsAreElsewhere(claims, path)) {
    return Fail(Code::kPermissionDenied,
                "the identity provider left the groups out, as there are too many: let it name "
                "only groups that are assigned to this application, or use roles of the "
                "application (sign_in.oidc.groups_claim: roles)");
  }
  if (found == nullptr || found->is_null()) return std::nullopt;
  if (found->is_string()) return std::vector<std::string>{found->get<std::string>()};
  const bool texts = found->is_array() && found->size() <= kMostGroups &&
                     std::ranges::all_of(*found, [](const Json& one) { return one.is_string(); });
  if (!texts) return Refuse("\"" + path + "\" is neither a list of texts nor a text");
  return found->get<std::vector<std::string>>();
}

}  // namespace bindery::identity
