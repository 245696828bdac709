#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>

#include "core/text/ascii.h"

namespace bindery::datadog {

// Used by GrantsAccess of the registry.
bool IsDatadogAccessType(std::string_view type);

namespace {

constexpr std::string_view kTypePrefix = "datadog";

/// Types without a kind that give people and accounts roles, or membership in teams, by their words
/// in lower case. A definition of a role or a team gives nobody access by itself.
constexpr std::string_view kAccessTypes[] = {"authnmapping",
                                             "awswifidentitymapping",
                                             "awswifpersonamapping",
                                             "serviceaccount",
                                             "teammembership",
                                             "teampermissionsetting",
                                             "user",
                                             "userrole"};

}  // namespace

bool IsDatadogAccessType(std::string_view type) {
  std::string words = AsciiLower(type);
  if (!words.starts_with(kTypePrefix)) return false;
  // "datadog_user_role", "datadog:index/userRole:UserRole", "datadog:UserRole".
  const std::size_t module = words.rfind(':');
  words.erase(0, module == std::string::npos ? kTypePrefix.size() : module + 1);
  std::erase_if(words, [](char c) { return c < 'a' || c > 'z'; });
  return std::ranges::find(kAccessTypes, words) != std::end(kAccessTypes);
}

}  // namespace bindery::datadog
