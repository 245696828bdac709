#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reconcilers/principals.h"

namespace bindery::google {

/// One identity, or a set of identities, of a workload or workforce identity pool. The texts are
/// parts of the principal.
struct PoolPrincipal {
  /// "projects/1/locations/global/workloadIdentityPools/"; empty in the older form of Kubernetes
  /// service accounts.
  std::string_view place;
  std::string_view pool;  ///< "acme.svc.id.goog"
  /// "subject/ns/N/sa/S", "group/G", "*"; empty: the identity has no name in this form.
  std::string who;
  bool is_set = false;

  /// A pool that Google keeps for the clusters of a project.
  [[nodiscard]] bool IsOfClusters() const;
};

/// Nothing for other principals. "serviceAccount:acme.svc.id.goog[N/S]" is the older form of
/// "principal://iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/
/// acme.svc.id.goog/subject/ns/N/sa/S".
[[nodiscard]] std::optional<PoolPrincipal> ReadPoolPrincipal(std::string_view principal);

/// The project of an identity in a pool that Google keeps for the clusters or the fleet of a
/// project: the name of the pool has the id, the place has the number. As PrincipalRules::project.
[[nodiscard]] reconcilers::ProjectIdentity FindProjectOfPool(std::string_view principal);

/// The relation of the principal of a grant to the asked one. kSame: another spelling of the asked
/// one.
[[nodiscard]] reconcilers::PrincipalMatch MatchInPools(const PoolPrincipal& granted,
                                                       const PoolPrincipal& asked);

}  // namespace bindery::google
