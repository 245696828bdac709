#pragma once

#include <cstdint>
#include <string_view>

namespace bindery::google::conditions {

/// Whether requests to a resource can have an attribute.
enum class Availability : std::uint8_t {
  kPossible,         ///< They have it, or nothing says that they have not.
  kNotOfService,     ///< Other services alone give it.
  kOfOtherPolicies,  ///< No condition of an allow policy can ask for it.
};

/// `attribute`: "request.path", "compute.matchLoadBalancingSchemes()". `service`: of the resource
/// that has the policy, "storage.googleapis.com"; empty: unknown. `inherited`: resources of all
/// services inherit the policy.
[[nodiscard]] Availability GetAvailability(std::string_view attribute, std::string_view service,
                                           bool inherited);

}  // namespace bindery::google::conditions
