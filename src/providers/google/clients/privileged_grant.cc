// Grants of Privileged Access Manager, and which binding each of them is behind.

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "cel/expiry/condition_end.h"
#include "core/text/ascii.h"
#include "core/text/time_text.h"
#include "providers/google/clients/privileged_access.h"
#include "reconcilers/condition_order.h"

namespace bindery::google {
namespace {

using std::chrono::seconds;

constexpr std::string_view kTitle = "Created by: PAM";
constexpr std::string_view kContainers = "//cloudresourcemanager.googleapis.com/";
/// Between the end in a binding and the end of the grant behind it.
constexpr seconds kTolerance{60};

/// States in which the binding may be in the policy.
constexpr std::string_view kLive[] = {"ACTIVATING", "ACTIVE", "REVOKING", "WITHDRAWING"};

/// States in which the binding is not in the policy, but for ENDED: bindings linger for some
/// minutes.
constexpr std::string_view kNotLive[] = {
    "APPROVAL_AWAITED", "DENIED",  "SCHEDULED", "ACTIVATION_FAILED",
    "EXPIRED",          "REVOKED", "ENDED",     "WITHDRAWN"};

template <std::size_t Size>
bool IsAny(const std::string_view (&states)[Size], const std::string& state) {
  return std::ranges::find(states, state) != std::end(states);
}

/// "3600s", perhaps with a fraction. Nothing for a duration beyond every grant: it proves nothing,
/// and the time cannot be represented.
seconds DurationIn(const std::string& text) {
  constexpr std::int64_t kLongestGrant = 100L * 366 * 24 * 3600;
  std::int64_t count = 0;
  std::from_chars(text.data(), text.data() + text.size(), count);
  return seconds(count < 0 || count > kLongestGrant ? 0 : count);
}

/// The address of a user or a service account, in lower case; empty for other members: no other
/// requests access under an address.
std::string GetAddress(std::string_view principal) {
  for (const std::string_view type : {"user:", "serviceAccount:"}) {
    if (principal.starts_with(type)) return AsciiLower(principal.substr(type.size()));
  }
  return "";
}

}  // namespace

std::optional<JustInTimeForm> PrivilegedAccessForm(const Grant& grant) {
  if (!grant.condition) return std::nullopt;
  const std::optional<WallTime> end = cel::FindEnd(*grant.condition);
  if (!end) return std::nullopt;
  return JustInTimeForm{*end, grant.condition->title == kTitle, "Privileged Access Manager"};
}

PrivilegedGrant PrivilegedGrant::Of(const Json& value) {
  PrivilegedGrant grant;
  grant.name = StringMember(value, "name");
  grant.requester = StringMember(value, "requester");
  grant.state = StringMember(value, "state");
  grant.duration = DurationIn(StringMember(value, "requestedDuration"));
  // The part of the entitlement's access that the requester asked for.
  const Json* access = FindPath(value, {"requestedPrivilegedAccess", "gcpIamAccess"});
  if (access == nullptr) access = FindPath(value, {"privilegedAccess", "gcpIamAccess"});
  if (access != nullptr) {
    const std::string resource = StringMember(*access, "resource");
    if (resource.starts_with(kContainers)) grant.container = resource.substr(kContainers.size());
    if (const Json* roles = FindMember(*access, "roleBindings"); roles != nullptr) {
      for (const Json& binding : *roles) {
        grant.roles.push_back(
            {StringMember(binding, "role"), StringMember(binding, "conditionExpression")});
      }
    }
  }
  if (const Json* trail = FindMember(value, "auditTrail")) {
    if (const auto began = ParseRfc3339(StringMember(*trail, "accessGrantTime"))) {
      grant.began = *began;
    }
  }
  return grant;
}

std::optional<WallTime> PrivilegedGrant::end() const {
  return began ? std::optional<WallTime>(*began + duration) : std::nullopt;
}

bool PrivilegedGrant::IsRequestedBy(const std::string& principal) const {
  const std::string wanted = AsciiLower(requester);
  return !wanted.empty() && (wanted == GetAddress(principal) || wanted == AsciiLower(principal));
}

std::string PrivilegedGrant::DescribeDoubt(const Grant& grant, const Role& role) const {
  if (!IsRequestedBy(grant.principal)) {
    const bool federated = grant.principal.starts_with("principal:");
    return federated ? "how the requester of " + name + " is written is not known" : "";
  }
  if (!IsAny(kLive, state) && !IsAny(kNotLive, state)) {
    return "the state \"" + state + "\" of " + name + " is not known";
  }
  const bool lacks = !role.condition.empty() &&
                     !reconcilers::IsContained(grant.condition, Condition{role.condition, "", ""});
  return lacks ? "the condition of " + name + " is not in its condition" : "";
}

bool PrivilegedGrant::Fits(const Grant& grant, WallTime end_of_binding, WallTime now) const {
  if (std::ranges::find(roles, grant.role, &Role::name) == roles.end()) return false;
  const bool live = !IsAny(kNotLive, state);
  const std::optional<WallTime> ends = end();
  if (!ends) {
    // The grant is being activated: it will end this long from now.
    return live && end_of_binding <= now + duration + kTolerance;
  }
  // Access that ended before its time was taken back: its binding does not linger.
  const bool just_over =
      state == "ENDED" && *ends <= now + kTolerance && now < *ends + kJustInTimeGrace;
  const auto apart = end_of_binding > *ends ? end_of_binding - *ends : *ends - end_of_binding;
  return (live || just_over) && apart <= kTolerance;
}

}  // namespace bindery::google
