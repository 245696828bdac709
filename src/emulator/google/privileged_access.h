#pragma once

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.h"
#include "core/base/expected.h"
#include "core/base/json.h"
#include "emulator/google/error.h"
#include "emulator/google/iam_resources.h"
#include "emulator/seed.h"
#include "emulator/storage.h"

namespace bindery::emulator {

/// A request for a grant.
struct GrantRequest {
  std::string entitlement;  ///< Its full name.
  std::string member;       ///< Who asks: "user:ana@example.com".
  std::chrono::seconds duration{0};
  Json justification;  ///< As it was sent; null: none.
};

/// Privileged Access Manager: entitlements, requested grants, and the effect of an active grant on
/// the policy of its project, folder or organization.
///
/// An active grant is one conditional binding for each of its roles, titled "Created by: PAM", that
/// ends with the grant (forms as in the public module
/// metro-digital/terraform-google-cf-projectcfg; objects and states as in
/// google.cloud.privilegedaccessmanager.v1). The condition of an entitlement is joined before the
/// time; how the service joins it is not published.
///
/// Invariants: a grant whose time is over is ENDED, and its bindings are gone, after EndOverdue
/// was called. A grant whose binding somebody else changed or removed is permanently
/// `externallyModified`. A function's changes are in the store when it returns. Not
/// thread-safe.
class PrivilegedAccess {
 public:
  /// Both must outlive the object.
  PrivilegedAccess(const Clock& clock, IamResources& iam) : clock_(clock), iam_(iam) {}

  /// Whether entries of the section are kept here.
  [[nodiscard]] static bool Keeps(std::string_view section);
  void Put(const Entry& entry);
  [[nodiscard]] bool Holds(const Entry& entry) const;
  void Clear();
  /// Entitlements, followed by grants, by name.
  [[nodiscard]] std::vector<Entry> Entries() const;

  /// As long as there is no entitlement, the API counts as not enabled.
  [[nodiscard]] bool enabled() const { return !entitlements_.empty(); }

  /// Completes seeded grants: begin times, and entitlements.
  void Complete(std::vector<Entry>& entries) const;
  /// Puts the bindings of the active grants among these entries into the policies.
  [[nodiscard]] Expected<void> Activate(const std::vector<Entry>& added, Storage& storage);
  [[nodiscard]] Expected<void> EndOverdue(Storage& storage);
  /// The policy with the key was written by somebody else.
  [[nodiscard]] Expected<void> NoteWritten(const std::string& key, Storage& storage);

  // Names are full names with the id of the project. NOT_FOUND where no such object exists.
  [[nodiscard]] GoogleResult<Json> Entitlement(const std::string& name) const;
  /// "projects/acme/locations/global", by name.
  [[nodiscard]] std::vector<Json> EntitlementsIn(const std::string& parent) const;
  [[nodiscard]] GoogleResult<Json> CreateEntitlement(const std::string& name, Json entitlement,
                                                     Storage& storage);

  [[nodiscard]] GoogleResult<Json> Grant(const std::string& name) const;
  [[nodiscard]] GoogleResult<std::vector<Json>> ListGrants(const std::string& entitlement) const;
  /// All grants, by name.
  [[nodiscard]] std::vector<Json> Grants() const;
  /// It is active at once unless the entitlement asks for an approval.
  [[nodiscard]] GoogleResult<Json> CreateGrant(const GrantRequest& request, Storage& storage);
  /// Only while the approval is awaited.
  [[nodiscard]] GoogleResult<Json> Decide(const std::string& name, bool approve, Storage& storage);
  /// Only active or pending grants.
  [[nodiscard]] GoogleResult<Json> Revoke(const std::string& name, Storage& storage);

 private:
  [[nodiscard]] Expected<void> Keep(const std::string& name, Json grant, Storage& storage);
  [[nodiscard]] Expected<void> Begin(const std::string& name, Storage& storage);
  [[nodiscard]] Expected<void> End(const std::string& name, const char* state, const char* event,
                                   Storage& storage);
  [[nodiscard]] Expected<void> ChangePolicy(const Json& grant, bool add, Storage& storage);
  [[nodiscard]] bool HasBindings(const Json& grant) const;

  const Clock& clock_;
  IamResources& iam_;
  std::map<std::string, Json> entitlements_;  ///< By name.
  /// By name, in the API's form and with `member`, the holder of the bindings.
  std::map<std::string, Json> grants_;
  int created_ = 0;  ///< Makes the names of grants.
};

/// The requester of a grant in the API's form: the address of an account, or the whole member of
/// an identity of a pool (how the service writes the latter is not published).
[[nodiscard]] std::string ShowRequester(const std::string& member);

/// A grant in the API's form.
[[nodiscard]] Json ShownGrant(Json grant);

/// "2026-11-29T10:05:32Z": whole seconds, as in the bindings of grants.
[[nodiscard]] std::string InWholeSeconds(WallTime time);

}  // namespace bindery::emulator
