#include "report/principal_match.h"

#include <algorithm>
#include <array>

#include "reconcilers/principals.h"
#include "report/json_fields.h"
#include "report/observed_access.h"

namespace bindery::report {
namespace {

bool HasPrefix(std::string_view text, std::string_view prefix) { return text.starts_with(prefix); }

template <std::size_t N>
bool HasAnyPrefix(std::string_view text, const std::array<std::string_view, N>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return text.starts_with(prefix); });
}

constexpr std::array<std::string_view, 3> kAccounts = {"user:", "serviceAccount:", "group:"};

/// "example.com" of "user:ana@example.com".
std::string_view DomainOf(std::string_view member) {
  const auto at = member.rfind('@');
  return at == std::string_view::npos ? std::string_view() : member.substr(at + 1);
}

/// The pool of one identity: "//iam.googleapis.com/…/workforcePools/POOL/".
std::string_view PoolOf(std::string_view identity) {
  constexpr std::string_view kPrincipal = "principal:";
  const auto end = identity.find("/subject/");
  if (!HasPrefix(identity, kPrincipal) || end == std::string_view::npos) return {};
  return identity.substr(kPrincipal.size(), end + 1 - kPrincipal.size());
}

bool SetMayContain(std::string_view set, std::string_view member) {
  constexpr std::string_view kSet = "principalSet:";
  const std::string_view pool = PoolOf(member);
  if (!pool.empty()) return HasPrefix(set.substr(kSet.size()), pool);
  // Sets of service accounts by project, folder or organization, and of identities of all sorts.
  return HasPrefix(member, "serviceAccount:") || HasPrefix(member, "principal:");
}

/// Both in their normal form.
Match MatchOfMember(std::string_view granted, std::string_view asked) {
  if (granted == "allUsers") return Match::kContains;
  const bool account = HasAnyPrefix(asked, kAccounts);
  if (granted == "allAuthenticatedUsers") return account ? Match::kContains : Match::kNone;
  bool may = false;
  if (HasPrefix(granted, "domain:")) {
    const bool person = HasPrefix(asked, "user:") || HasPrefix(asked, "group:");
    may = person && granted.substr(granted.find(':') + 1) == DomainOf(asked);
  } else if (HasPrefix(granted, "group:")) {
    may = account || HasPrefix(asked, "principal:") || HasPrefix(asked, "domain:");
  } else if (HasPrefix(granted, "principalSet:")) {
    may = SetMayContain(granted, asked);
  }
  return may ? Match::kMayContain : Match::kNone;
}

Match MatchOfRestricted(std::string_view granted, std::string_view asked) {
  constexpr std::array<std::string_view, 4> kTypes = {"user:", "role:", "team:", "org:"};
  // The e-mail addresses of another cloud are nobody here.
  const bool known = HasAnyPrefix(asked, kTypes) && asked.find('@') == std::string_view::npos;
  if (!known || HasPrefix(asked, "org:")) return Match::kNone;
  if (granted == kEveryoneInOrg) return Match::kContains;
  const bool group = HasPrefix(granted, "role:") || HasPrefix(granted, "team:");
  const bool may = HasPrefix(granted, "org:") || (group && HasPrefix(asked, "user:"));
  return may ? Match::kMayContain : Match::kNone;
}

}  // namespace

Match MatchOf(const Target& target, const std::string& granted, const std::string& asked) {
  const std::string one = NormalPrincipalOf(target, granted);
  const std::string other = NormalPrincipalOf(target, asked);
  if (one == other) return Match::kSame;
  if (IsRestriction(target)) return MatchOfRestricted(one, other);
  if (const std::string deleted = DeletedMember(granted); !deleted.empty()) {
    return deleted == other ? Match::kDeleted : Match::kNone;
  }
  return MatchOfMember(one, other);
}

std::string_view MembershipNote(std::string_view principal) {
  constexpr std::array<std::string_view, 6> kMany = {
      "group:", "domain:", "principalSet:", "role:", "team:", "org:"};
  if (principal == "allUsers") return "everyone, signed in or not";
  if (principal == "allAuthenticatedUsers")
    return "everyone who is signed in with a Google account";
  if (principal == kEveryoneInOrg) return "the policy restricts nobody";
  return HasAnyPrefix(principal, kMany) ? "membership is not known" : "";
}

}  // namespace bindery::report
