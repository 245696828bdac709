#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cloud/connection.h"
#include "core/access/just_in_time.h"
#include "core/base/expected.h"
#include "core/base/json.h"
#include "providers/google/rows/iam_rows.h"
#include "reconcilers/kind.h"

namespace bindery::google {

/// Privileged Access Manager (google.cloud.privilegedaccessmanager.v1), which gives access on
/// request: an active grant is a conditional binding in the policy of a project, a folder or an
/// organization.
inline constexpr const char* kPrivilegedAccess = "privilegedaccessmanager";
/// Cloud Asset Inventory, whose search knows the grants, too, some time later.
inline constexpr const char* kCloudAsset = "cloudasset";

/// The service as KindTraits::just_in_time, for policies of the row; null: it gives no access to
/// such.
[[nodiscard]] const reconcilers::JustInTimeService* PrivilegedAccessTo(const IamRow& row);

/// As JustInTimeService::FindForm. Its bindings end by a bound of `request.time`, and carry the
/// title "Created by: PAM" (not published; seen in the public module
/// metro-digital/terraform-google-cf-projectcfg, which keeps live bindings by the form).
[[nodiscard]] std::optional<JustInTimeForm> PrivilegedAccessForm(const Grant& grant);

/// A grant of the service, as the API shows it.
struct PrivilegedGrant {
  /// One of its roles, which is one binding in the policy.
  struct Role {
    std::string name;
    /// Of entitlements that give less than the role: the condition besides the time; else empty.
    std::string condition;
  };

  std::string name;
  std::string container;  ///< "projects/acme"
  std::string requester;  ///< An e-mail address, or a whole member.
  std::vector<Role> roles;
  std::string state;
  std::optional<WallTime> began;  ///< When the access was given.
  std::chrono::seconds duration{0};

  [[nodiscard]] static PrivilegedGrant Of(const Json& value);
  /// The grant may be behind the binding of `container`, whatever its requester: some role matches,
  /// and the end within a minute; and the access was given and not revoked, or is over for less
  /// than kJustInTimeGrace. A state that is not known counts as given, and is a doubt.
  [[nodiscard]] bool Fits(const Grant& grant, WallTime end, WallTime now) const;
  /// Capitals do not matter. An address is that of a user or a service account.
  [[nodiscard]] bool IsRequestedBy(const std::string& principal) const;
  /// For a fitting grant of the role: why its relation to the binding is uncertain. Its state is
  /// not known; the binding permits more than the entitlement's condition, as far as provable; or
  /// the identity of a pool may be written in an unpublished form. Empty: certain.
  [[nodiscard]] std::string DescribeDoubt(const Grant& grant, const Role& role) const;
  [[nodiscard]] std::optional<WallTime> end() const;
};

/// The service's knowledge of grants in the policy of a container. Asks for the entitlements of the
/// container, and if these do not explain everything, of the folders and the organization above,
/// which may have made a grant on the container. A role of a grant explains one binding, the
/// nearest: with the title, with the end, and of those that permit more and less the one that
/// permits less; copies beside it are unexplained. Only if all answer, a grant without an
/// explanation is kNone. A doubtful grant (PrivilegedGrant::DescribeDoubt) is kNotTold. Without an
/// answer, Cloud Asset's search is asked: the search can prove a grant but not the absence of a
/// grant. Blocks for the timeout of each call, with one call for each entitlement; for a minute in
/// all, and the rest is then kNotTold. After a call that timed out the provider is not asked for a
/// minute, and everything is kNotTold. Any thread.
[[nodiscard]] JustInTimeAnswers AskForPrivilegedGrants(
    const cloud::Connection& connection, const reconcilers::JustInTimeQuestion& question);

}  // namespace bindery::google
