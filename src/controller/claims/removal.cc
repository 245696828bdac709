#include "controller/claims/removal.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/access/canonical_json.h"

namespace bindery::controller {
namespace {

constexpr std::array<std::pair<RemovalCause, std::string_view>, 5> kNames = {{
    {RemovalCause::kManifest, "manifest"},
    {RemovalCause::kAdoption, "adoption"},
    {RemovalCause::kExpiry, "expiry"},
    {RemovalCause::kRollback, "rollback"},
    {RemovalCause::kForeign, "foreign"},
}};

}  // namespace

std::string_view ToString(RemovalCause cause) {
  return std::find_if(kNames.begin(), kNames.end(),
                      [cause](const auto& name) { return name.first == cause; })
      ->second;
}

RemovalCause RemovalCauseFromString(std::string_view text) {
  const auto* const found = std::find_if(kNames.begin(), kNames.end(),
                                         [text](const auto& name) { return name.second == text; });
  // What is unknown is judged by the strictest rules.
  return found == kNames.end() ? RemovalCause::kManifest : found->first;
}

std::set<std::string> MakeGrantKeys(const Removals& removals) {
  std::set<std::string> keys;
  for (const Removal& removal : removals.grants) keys.insert(CanonicalGrant(removal.grant));
  return keys;
}

void KeepOnly(std::vector<Removal>& grants, const std::function<bool(const Grant&)>& wanted) {
  std::erase_if(grants, [&wanted](const Removal& removal) { return !wanted(removal.grant); });
}

}  // namespace bindery::controller
