#include "emulator/permissions.h"

#include <algorithm>

#include "core/text/glob.h"

namespace bindery::emulator {
namespace {

bool Covers(const PermissionRule& rule, std::string_view resource) {
  return rule.resources.empty() ||
         std::any_of(rule.resources.begin(), rule.resources.end(),
                     [&](const std::string& glob) { return MatchesGlob(glob, resource); });
}

}  // namespace

bool MatchesGlob(std::string_view pattern, std::string_view text) {
  return bindery::MatchesGlob(pattern, text);
}

bool Permissions::Allow(std::string_view permission, std::string_view resource) const {
  return !rules_ || std::any_of(rules_->begin(), rules_->end(), [&](const PermissionRule& rule) {
    return MatchesGlob(rule.permission, permission) && Covers(rule, resource);
  });
}

Permissions Permissions::FromJson(const Json* list) {
  Permissions permissions;
  if (list == nullptr || !list->is_array()) return permissions;
  permissions.rules_.emplace();
  for (const Json& item : *list) {
    PermissionRule rule;
    rule.permission = item.is_string() ? item.get<std::string>() : StringMember(item, "permission");
    if (const Json* resources = FindMember(item, "resources")) {
      for (const Json& glob : *resources) rule.resources.push_back(glob.get<std::string>());
    }
    permissions.rules_->push_back(std::move(rule));
  }
  return permissions;
}

}  // namespace bindery::emulator
