#include "inventory/scanned_policy.h"

#include <algorithm>

namespace bindery::inventory {

bool IsBinding(const Json& entry, const reconcilers::BindingWords& words) {
  const Json* role = FindMember(entry, words.role);
  const Json* principals = FindMember(entry, words.principals);
  return role != nullptr && role->is_string() && principals != nullptr && principals->is_array() &&
         std::ranges::all_of(*principals, [](const Json& member) { return member.is_string(); });
}

}  // namespace bindery::inventory
