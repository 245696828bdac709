#include "providers/google/roles/role_forms.h"

#include <algorithm>
#include <vector>

#include "manifests/schema/check_text.h"
#include "providers/google/roles/permissions.h"
#include "providers/google/roles/role_severities.h"
#include "providers/google/rows/iam_names.h"

namespace bindery::google {
namespace {

bool IsConditionDigit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

/// Two different names of a project or organization that are both ids or both numbers.
bool Differ(std::string_view one, std::string_view other) {
  const auto is_unknown = [](std::string_view name) {
    return name.empty() || name == "-" || name == "_";
  };
  if (is_unknown(one) || is_unknown(other)) return false;
  return one != other && manifests::IsDecimal(one) == manifests::IsDecimal(other);
}

}  // namespace

std::string StripConditionSuffix(std::string_view role) {
  constexpr std::string_view kMark = "_withcond_";
  constexpr std::size_t kDigits = 20;
  const auto mark = role.rfind(kMark);
  if (mark == std::string_view::npos) return "";
  const std::string_view digits = role.substr(mark + kMark.size());
  const bool made_up =
      digits.size() == kDigits && std::all_of(digits.begin(), digits.end(), IsConditionDigit);
  return made_up ? std::string(role.substr(0, mark)) : "";
}

bool IsNamedLikePermission(std::string_view role) {
  constexpr std::string_view kRoles = "roles/";
  return role.starts_with(kRoles) && !PredefinedRoleSeverity(role) &&
         IsKnownPermission(role.substr(kRoles.size()));
}

bool IsCustomRoleOfOthers(std::string_view role, const IamRow& row, std::string_view name) {
  const std::vector<std::string_view> parts = manifests::Split(role, '/');
  if (parts.size() != 4 || parts[2] != "roles") return false;
  // Organizations of Apigee are not meant.
  if (parts[0] == "organizations") {
    return row.container && Differ(parts[1], GetVariable(row, name, "organization"));
  }
  if (parts[0] != "projects") return false;
  const std::string_view project = GetVariable(row, name, "project");
  return (row.container && project.empty()) || Differ(parts[1], project);
}

}  // namespace bindery::google
