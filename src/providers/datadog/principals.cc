#include "providers/datadog/principals.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace bindery::datadog {
namespace {

constexpr std::array<std::string_view, 4> kTypes = {"user:", "role:", "team:", "org:"};

/// The e-mail addresses of another cloud are nobody here.
bool IsPrincipal(std::string_view text) {
  if (text == kEveryoneInOrg) return true;
  const auto colon = text.find(':');
  return reconcilers::HasAnyPrefix(text, kTypes) && colon + 1 < text.size() &&
         text.find_first_of("@, \t") == std::string_view::npos;
}

reconcilers::PrincipalMatch FindMatch(std::string_view granted, std::string_view asked) {
  if (asked.starts_with("org:")) return reconcilers::PrincipalMatch::kNone;
  if (granted == kEveryoneInOrg) return reconcilers::PrincipalMatch::kContains;
  const bool group = granted.starts_with("role:") || granted.starts_with("team:");
  const bool may = granted.starts_with("org:") || (group && asked.starts_with("user:"));
  return may ? reconcilers::PrincipalMatch::kMayContain : reconcilers::PrincipalMatch::kNone;
}

std::string_view DatadogMembership(std::string_view principal) {
  constexpr std::array<std::string_view, 3> kMany = {"role:", "team:", "org:"};
  if (principal == kEveryoneInOrg) return "the policy restricts nobody";
  return reconcilers::HasAnyPrefix(principal, kMany) ? "membership is not known" : "";
}

/// The service does not keep principals that are deleted.
std::string NeverDeleted(const std::string& /*principal*/) { return ""; }

/// Filters are among the principals of a dataset, and their values keep their case. A filter is a
/// product, a space and a query; no principal has a space.
std::string NormalInDataset(const std::string& text) {
  const bool is_filter = text.find(' ') != std::string::npos;
  return is_filter ? text : reconcilers::NormalPrincipal(text);
}

}  // namespace

const reconcilers::PrincipalRules& RestrictionPrincipals() {
  static constexpr reconcilers::PrincipalRules kRules{reconcilers::NormalPrincipal,
                                                      NeverDeleted,
                                                      FindMatch,
                                                      DatadogMembership,
                                                      IsPrincipal,
                                                      kTypes};
  return kRules;
}

const reconcilers::PrincipalRules& DatasetPrincipals() {
  static constexpr reconcilers::PrincipalRules kRules{NormalInDataset,   NeverDeleted, FindMatch,
                                                      DatadogMembership, IsPrincipal,  kTypes};
  return kRules;
}

}  // namespace bindery::datadog
