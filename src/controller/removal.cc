#include "controller/removal.h"

#include <algorithm>
#include <array>
#include <utility>

namespace bindery {
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
  // A hold on record without causes is judged by the strictest rules.
  return found == kNames.end() ? RemovalCause::kManifest : found->first;
}

}  // namespace bindery
