#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cloud/connection.h"
#include "core/expected.h"
#include "core/json.h"
#include "core/just_in_time.h"
#include "providers/google/iam_rows.h"
#include "reconcilers/kind.h"

namespace bindery {

/// Privileged Access Manager (google.cloud.privilegedaccessmanager.v1), which gives access on
/// request: an active grant is a conditional binding in the policy of a project, a folder or an
/// organization.
inline constexpr const char* kPrivilegedAccess = "privilegedaccessmanager";
/// Cloud Asset Inventory, whose search knows the grants, too, some time later.
inline constexpr const char* kCloudAsset = "cloudasset";

/// The service as KindTraits::just_in_time, for policies of the row; null: it gives no access to
/// such.
[[nodiscard]] const JustInTimeService* PrivilegedAccessTo(const IamRow& row);

/// As JustInTimeService::FormOf. Its bindings end by a bound of `request.time`, and carry the title
/// "Created by: PAM" (not published; seen in the public module
/// metro-digital/terraform-google-cf-projectcfg, which keeps live bindings by the form).
[[nodiscard]] std::optional<JustInTimeForm> PrivilegedAccessForm(const Grant& grant);

/// A grant of the service, as the API shows it.
struct PrivilegedGrant {
  std::string name;
  std::string container;  ///< "projects/acme"
  std::string requester;  ///< An e-mail address, or what follows the type of a member.
  std::vector<std::string> roles;
  /// Of entitlements that give less than the roles, by role: the condition besides the time.
  std::map<std::string, std::string> conditions;
  std::string state;
  std::optional<WallTime> began;  ///< When the access was given.
  std::chrono::seconds duration{0};

  [[nodiscard]] static PrivilegedGrant Of(const Json& value);
  /// It may be the one behind the binding of `container`, whatever its requester: its role, and its
  /// end within a minute; and the access was given and not taken back, or is over for less than
  /// kJustInTimeGrace.
  [[nodiscard]] bool Fits(const Grant& grant, WallTime end, WallTime now) const;
  /// Capitals do not matter. Of an identity of a pool, its subject is meant as well.
  [[nodiscard]] bool IsRequestedBy(const std::string& principal) const;
  /// Of one that fits: why it cannot be told whether it is behind the binding. The condition of the
  /// entitlement is not in that of the binding, white space aside; or the identity of a pool may be
  /// written another way, which is not published. Empty: it can be told.
  [[nodiscard]] std::string DoubtOf(const Grant& grant) const;
  [[nodiscard]] std::optional<WallTime> end() const;
};

/// What the service knows of grants in the policy of a container. It is asked for the entitlements
/// there, and where these do not explain all, on the folders and the organization above, which may
/// have made a grant there. Only if all answer, a grant that none explains is kNone. One that is in
/// doubt (PrivilegedGrant::DoubtOf) is kNotTold. Where it does not answer, Cloud Asset's search is
/// asked, which can prove a grant but not that there is none. Blocks for the timeout for each call,
/// of which there is one for each entitlement; for a minute in all, and then all that is left is
/// kNotTold. After a call that timed out nothing is asked of the provider for a minute, and all is
/// kNotTold. Any thread.
[[nodiscard]] JustInTimeAnswers AskForPrivilegedGrants(const Connection& connection,
                                                       const JustInTimeQuestion& question);

}  // namespace bindery
