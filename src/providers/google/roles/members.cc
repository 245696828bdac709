#include "providers/google/roles/members.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "core/text/ascii.h"
#include "providers/google/roles/checks.h"
#include "providers/google/roles/identity_pools.h"

namespace bindery::google {
namespace {

constexpr std::string_view kDeleted = "deleted:";

bool FoldsCase(std::string_view type) {
  constexpr std::array<std::string_view, 4> kFolded = {"user", "serviceAccount", "group", "domain"};
  return std::find(kFolded.begin(), kFolded.end(), type) != kFolded.end();
}

std::string NormalPlain(std::string_view member) {
  const auto colon = member.find(':');
  if (colon == std::string_view::npos || !FoldsCase(member.substr(0, colon))) {
    return std::string(member);
  }
  // A real value such as "group:example.svc.id.goog:/allAuthenticatedUsers/" is case-sensitive.
  if (member.find("allAuthenticatedUsers") != std::string_view::npos ||
      member.find("allUsers") != std::string_view::npos) {
    return std::string(member);
  }
  return std::string(member.substr(0, colon + 1)) + AsciiLower(member.substr(colon + 1));
}

/// Where the member begins in an exemption from audit logs; 0: the text is none.
std::size_t ExemptedAt(const std::string& member) {
  // Only log types begin with a capital.
  const bool log_type = !member.empty() && member.front() >= 'A' && member.front() <= 'Z';
  const auto exempts = log_type ? member.find(kExempts) : std::string::npos;
  return exempts == std::string::npos ? 0 : exempts + kExempts.size();
}

constexpr std::array<std::string_view, 3> kAccounts = {"user:", "serviceAccount:", "group:"};

/// "example.com" of "user:ana@example.com".
std::string_view GetDomain(std::string_view member) {
  const auto at = member.rfind('@');
  return at == std::string_view::npos ? std::string_view() : member.substr(at + 1);
}

/// Google's pages do not say whom a "principalHierarchy:" contains.
constexpr std::array<std::string_view, 3> kIdentities = {
    "principal:", "principalSet:", "principalHierarchy:"};

bool IsOneOrManyIdentities(std::string_view member) {
  return reconcilers::HasAnyPrefix(member, kIdentities);
}

/// Sets that are no part of an identity pool: service accounts by project, folder or organization,
/// and identities of other services.
bool OtherSetMayContain(const std::optional<PoolPrincipal>& in_pool, std::string_view member) {
  // Whether the accounts of clusters are among the service accounts of a project is not documented.
  if (in_pool) return in_pool->IsOfClusters() && !in_pool->is_set;
  return member.starts_with("serviceAccount:") || IsOneOrManyIdentities(member);
}

/// The identities of pools, by name and in sets. Nobody else is in a pool.
reconcilers::PrincipalMatch MatchIdentities(std::string_view granted, std::string_view asked) {
  const std::optional<PoolPrincipal> asked_in = ReadPoolPrincipal(asked);
  if (const std::optional<PoolPrincipal> granted_in = ReadPoolPrincipal(granted)) {
    return asked_in ? MatchInPools(*granted_in, *asked_in) : reconcilers::PrincipalMatch::kNone;
  }
  const bool may =
      granted.starts_with("principalHierarchy:")
          ? reconcilers::HasAnyPrefix(asked, kAccounts) || IsOneOrManyIdentities(asked)
          : granted.starts_with("principalSet:") && OtherSetMayContain(asked_in, asked);
  return may ? reconcilers::PrincipalMatch::kMayContain : reconcilers::PrincipalMatch::kNone;
}

/// Everybody with an account of Google, but not the identities that pools take from others. The
/// pools of clusters are Google's own: of their identities the service says nothing.
reconcilers::PrincipalMatch MatchAuthenticated(std::string_view asked) {
  const std::optional<PoolPrincipal> in_pool = ReadPoolPrincipal(asked);
  if (in_pool && in_pool->IsOfClusters()) return reconcilers::PrincipalMatch::kMayContain;
  return !in_pool && reconcilers::HasAnyPrefix(asked, kAccounts)
             ? reconcilers::PrincipalMatch::kContains
             : reconcilers::PrincipalMatch::kNone;
}

/// A member, or what is left of a deleted one.
bool IsMemberOrDeleted(std::string_view text) {
  if (!text.starts_with(kDeleted)) return HasMemberForm(text);
  text.remove_prefix(kDeleted.size());
  return HasMemberForm(text.substr(0, text.find("?uid=")));
}

/// Both in their normal form.
reconcilers::PrincipalMatch MatchOfMember(std::string_view granted, std::string_view asked) {
  if (granted == "allUsers") return reconcilers::PrincipalMatch::kContains;
  if (granted == "allAuthenticatedUsers") return MatchAuthenticated(asked);
  bool may = false;
  if (granted.starts_with("domain:")) {
    const bool person = asked.starts_with("user:") || asked.starts_with("group:");
    may = person && granted.substr(granted.find(':') + 1) == GetDomain(asked);
  } else if (granted.starts_with("group:")) {
    may = reconcilers::HasAnyPrefix(asked, kAccounts) || IsOneOrManyIdentities(asked) ||
          asked.starts_with("domain:");
  } else {
    return MatchIdentities(granted, asked);
  }
  return may ? reconcilers::PrincipalMatch::kMayContain : reconcilers::PrincipalMatch::kNone;
}

std::string_view GoogleMembership(std::string_view member) {
  constexpr std::array<std::string_view, 4> kMany = {
      "group:", "domain:", "principalSet:", "principalHierarchy:"};
  if (member == "allUsers") return "everyone, signed in or not";
  if (member == "allAuthenticatedUsers") return "everyone who is signed in with a Google account";
  return reconcilers::HasAnyPrefix(member, kMany) ? "membership is not known" : "";
}

}  // namespace

// NOLINTNEXTLINE(misc-no-recursion): once
std::string NormalMember(const std::string& member) {
  if (const auto exempted = ExemptedAt(member); exempted != 0) {
    return member.substr(0, exempted) + NormalMember(member.substr(exempted));
  }
  if (!member.starts_with(kDeleted)) return NormalPlain(member);
  const auto uid = std::min(member.find("?uid="), member.size());
  const std::string_view plain =
      std::string_view(member).substr(kDeleted.size(), uid - kDeleted.size());
  return std::string(kDeleted) + NormalPlain(plain) + member.substr(uid);
}

// NOLINTNEXTLINE(misc-no-recursion): once
std::string DeletedMember(const std::string& member) {
  if (const auto exempted = ExemptedAt(member); exempted != 0) {
    const std::string plain = DeletedMember(member.substr(exempted));
    return plain.empty() ? "" : member.substr(0, exempted) + plain;
  }
  if (!member.starts_with(kDeleted)) return "";
  const auto uid = std::min(member.find("?uid="), member.size());
  return NormalPlain(std::string_view(member).substr(kDeleted.size(), uid - kDeleted.size()));
}

const reconcilers::PrincipalRules& MemberRules() {
  static constexpr std::array<std::string_view, 10> kTypes = {
      "user:",         "serviceAccount:",     "group:",        "domain:",        "principal:",
      "principalSet:", "principalHierarchy:", "projectOwner:", "projectEditor:", "projectViewer:"};
  static constexpr reconcilers::PrincipalRules kRules{
      NormalMember,      DeletedMember, MatchOfMember,    GoogleMembership,
      IsMemberOrDeleted, kTypes,        FindProjectOfPool};
  return kRules;
}

}  // namespace bindery::google
