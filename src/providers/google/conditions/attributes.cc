#include "providers/google/conditions/attributes.h"

#include <algorithm>

#include "manifests/schema/check_text.h"

namespace bindery::google::conditions {
namespace {

/// The services that give an attribute, separated by spaces. Missing attributes are possible
/// everywhere: resource.*, tags and request.time, and api.getAttribute(), which gives its default
/// where the service knows no such attribute, and so may grant all the same.
struct AttributeServices {
  std::string_view attribute;
  std::string_view services;
};

/// https://cloud.google.com/iam/docs/conditions-attribute-reference, "Supported Google Cloud
/// services". Chrome Enterprise Premium (BeyondCorp), whose resources take conditions as well, is
/// not in the reference: what it gives is not known.
constexpr std::string_view kProxies =
    "beyondcorp.googleapis.com iap.googleapis.com run.googleapis.com";
constexpr std::string_view kProxy = "beyondcorp.googleapis.com iap.googleapis.com";
constexpr std::string_view kCompute = "compute.googleapis.com";
constexpr AttributeServices kAttributes[] = {
    {"request.path", kProxies},
    {"request.host", kProxies},
    {"request.auth.access_levels", kProxy},
    {"destination.ip", kProxy},
    {"destination.port", kProxy},
    {"compute.isForwardingRuleCreationOperation()", kCompute},
    {"compute.matchLoadBalancingSchemes()", kCompute},
};

/// Only bindings of principal access boundary policies have them.
constexpr std::string_view kOfPrincipals[] = {"principal.type", "principal.subject"};

}  // namespace

Availability GetAvailability(std::string_view attribute, std::string_view service, bool inherited) {
  if (std::ranges::find(kOfPrincipals, attribute) != std::end(kOfPrincipals)) {
    return Availability::kOfOtherPolicies;
  }
  if (inherited || service.empty()) return Availability::kPossible;
  const auto* const found =
      std::ranges::find(kAttributes, attribute, &AttributeServices::attribute);
  const bool possible =
      found == std::end(kAttributes) || manifests::HasWord(found->services, service);
  return possible ? Availability::kPossible : Availability::kNotOfService;
}

}  // namespace bindery::google::conditions
