#include "providers/google/roles/identity_pools.h"

#include <array>
#include <cstddef>
#include <utility>

namespace bindery::google {
namespace {

using reconcilers::PrincipalMatch;

constexpr std::string_view kOlderPrefix = "serviceAccount:";
constexpr std::string_view kOfClusters = ".svc.id.goog";
constexpr std::string_view kEverybody = "*";
constexpr std::string_view kNamespace = "namespace/";
constexpr std::string_view kNamespaceOfSubject = "subject/ns/";
constexpr std::string_view kAccountOfSubject = "/sa/";
constexpr std::string_view kUniqueId = "kubernetes.serviceaccount.uid/";

/// "acme.svc.id.goog[N/S]", also of the pools of fleets: "acme.hub.id.goog[N/S]".
std::optional<PoolPrincipal> ReadOlderForm(std::string_view text) {
  constexpr std::string_view kPool = ".id.goog";
  const auto open = text.find('[');
  if (open == std::string_view::npos || text.back() != ']') return std::nullopt;
  PoolPrincipal read;
  read.pool = text.substr(0, open);
  if (!read.pool.ends_with(kPool)) return std::nullopt;
  const std::string_view account = text.substr(open + 1, text.size() - open - 2);
  const auto slash = account.find('/');
  if (read.IsOfClusters() && slash != std::string_view::npos) {
    read.who = std::string(kNamespaceOfSubject) + std::string(account.substr(0, slash)) +
               std::string(kAccountOfSubject) + std::string(account.substr(slash + 1));
  }
  return read;
}

/// The namespace of a Kubernetes service account or of all accounts of a namespace; else empty.
std::string_view FindNamespace(std::string_view who) {
  if (who.starts_with(kNamespace)) return who.substr(kNamespace.size());
  if (!who.starts_with(kNamespaceOfSubject)) return {};
  const std::string_view rest = who.substr(kNamespaceOfSubject.size());
  const auto end = rest.find(kAccountOfSubject);
  return end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
}

bool IsSamePool(const PoolPrincipal& one, const PoolPrincipal& other) {
  // The older form has no number of a project. The name of the pool has the id, and no other
  // project has a pool of this name: FindProjectOfPool().
  const bool same_place = one.place.empty() || other.place.empty() || one.place == other.place;
  return one.pool == other.pool && same_place;
}

PrincipalMatch MatchOneIdentity(const PoolPrincipal& granted, const PoolPrincipal& asked) {
  if (granted.who.empty() || asked.who.empty()) return PrincipalMatch::kMayContain;
  if (granted.who == asked.who) return PrincipalMatch::kSame;
  // A Kubernetes service account has a name, and an id that names do not tell.
  const bool by_id = granted.who.starts_with(kUniqueId);
  const bool may = granted.IsOfClusters() && by_id != asked.who.starts_with(kUniqueId);
  return may ? PrincipalMatch::kMayContain : PrincipalMatch::kNone;
}

}  // namespace

bool PoolPrincipal::IsOfClusters() const { return pool.ends_with(kOfClusters); }

std::optional<PoolPrincipal> ReadPoolPrincipal(std::string_view principal) {
  constexpr std::string_view kOne = "principal://iam.googleapis.com/";
  constexpr std::string_view kSet = "principalSet://iam.googleapis.com/";
  if (principal.starts_with(kOlderPrefix)) {
    return ReadOlderForm(principal.substr(kOlderPrefix.size()));
  }
  PoolPrincipal read;
  read.is_set = principal.starts_with(kSet);
  if (!read.is_set && !principal.starts_with(kOne)) return std::nullopt;
  const std::string_view path = principal.substr((read.is_set ? kSet : kOne).size());
  constexpr std::array<std::string_view, 2> kPools = {"locations/global/workforcePools/",
                                                      "locations/global/workloadIdentityPools/"};
  for (const std::string_view pools : kPools) {
    const auto at = path.find(pools);
    if (at == std::string_view::npos) continue;
    const std::size_t begin = at + pools.size();
    const auto end = path.find('/', begin);
    if (end == std::string_view::npos) return std::nullopt;
    read.place = path.substr(0, begin);
    read.pool = path.substr(begin, end - begin);
    read.who = path.substr(end + 1);
    return read.who.empty() ? std::nullopt : std::optional(read);
  }
  return std::nullopt;
}

reconcilers::ProjectIdentity FindProjectOfPool(std::string_view principal) {
  // Pools of users have no dot in the name.
  constexpr std::array<std::string_view, 2> kKept = {kOfClusters, ".hub.id.goog"};
  const std::optional<PoolPrincipal> read = ReadPoolPrincipal(principal);
  if (!read) return {};
  for (const std::string_view end : kKept) {
    if (!read->pool.ends_with(end)) continue;
    const std::string_view id = read->pool.substr(0, read->pool.size() - end.size());
    std::string number = reconcilers::GetProjectNumber(read->place);
    if (!number.empty()) return {std::string(id), std::move(number)};
  }
  return {};
}

PrincipalMatch MatchInPools(const PoolPrincipal& granted, const PoolPrincipal& asked) {
  if (!IsSamePool(granted, asked)) return PrincipalMatch::kNone;
  if (!granted.is_set) {
    return asked.is_set ? PrincipalMatch::kNone : MatchOneIdentity(granted, asked);
  }
  if (granted.who == kEverybody) return PrincipalMatch::kContains;
  const std::string_view granted_in = FindNamespace(granted.who);
  const std::string_view asked_in = FindNamespace(asked.who);
  if (!granted.IsOfClusters() || granted_in.empty() || asked_in.empty()) {
    return PrincipalMatch::kMayContain;
  }
  return granted_in == asked_in ? PrincipalMatch::kContains : PrincipalMatch::kNone;
}

}  // namespace bindery::google
