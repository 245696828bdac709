#include "core/access/grant.h"

namespace bindery {

Json ToJson(const Condition& condition) {
  Json value = Json::object();
  value["expression"] = condition.expression;
  value["title"] = condition.title;
  if (!condition.description.empty()) value["description"] = condition.description;
  return value;
}

Json ToJson(const Grant& grant, const GrantWords& words) {
  Json value = Json::object();
  value[words.role] = grant.role;
  value[words.principal] = grant.principal;
  if (grant.condition) value["condition"] = ToJson(*grant.condition);
  return value;
}

Grant GrantFromJson(const Json& value) {
  Grant grant;
  for (const GrantWords& words : kGrantWords) {
    if (FindMember(value, words.role) == nullptr && FindMember(value, words.principal) == nullptr) {
      continue;
    }
    grant.role = StringMember(value, words.role);
    grant.principal = StringMember(value, words.principal);
    break;
  }
  if (const Json* condition = FindMember(value, "condition"); condition != nullptr) {
    grant.condition =
        Condition{StringMember(*condition, "expression"), StringMember(*condition, "title"),
                  StringMember(*condition, "description")};
  }
  return grant;
}

std::string RoleText(const Grant& grant) {
  if (!grant.condition) return grant.role;
  const std::string& label =
      grant.condition->title.empty() ? grant.condition->expression : grant.condition->title;
  return grant.role + " if " + label;
}

}  // namespace bindery
