#include "reconcilers/bindings.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

namespace bindery::reconcilers {
namespace {

std::optional<Condition> MakeCondition(const Json& entry) {
  const Json* condition = FindMember(entry, "condition");
  if (condition == nullptr || !condition->is_object()) return std::nullopt;
  return Condition{StringMember(*condition, "expression"), StringMember(*condition, "title"),
                   StringMember(*condition, "description")};
}

bool HasShape(const Json& entry, const BindingWords& words) {
  const Json* role = FindMember(entry, words.role);
  const Json* principals = FindMember(entry, words.principals);
  return role != nullptr && role->is_string() && principals != nullptr && principals->is_array();
}

Json NewEntry(const Grant& grant, const BindingWords& words) {
  Json entry = Json::object();
  entry[words.role] = grant.role;
  entry[words.principals] = Json::array();
  if (grant.condition) entry["condition"] = ToJson(*grant.condition);
  return entry;
}

void AddGrant(const Grant& grant, const BindingWords& words, Json& bindings) {
  auto entry = std::find_if(bindings.begin(), bindings.end(), [&](const Json& candidate) {
    return HasShape(candidate, words) && StringMember(candidate, words.role) == grant.role &&
           MakeCondition(candidate) == grant.condition;
  });
  if (entry == bindings.end()) {
    bindings.push_back(NewEntry(grant, words));
    entry = std::prev(bindings.end());
  }
  (*entry)[words.principals].push_back(grant.principal);
}

void RemoveGrants(const std::vector<Grant>& removes, const BindingWords& words,
                  const std::function<bool(const std::string&, const std::string&)>& same,
                  Json& entry) {
  const std::string role = StringMember(entry, words.role);
  const std::optional<Condition> condition = MakeCondition(entry);
  const auto removed = [&](const Json& principal) {
    if (!principal.is_string()) return false;
    const auto text = principal.get<std::string>();
    return std::any_of(removes.begin(), removes.end(), [&](const Grant& grant) {
      return grant.role == role && grant.condition == condition && same(grant.principal, text);
    });
  };
  Json& principals = entry[words.principals];
  principals.erase(std::remove_if(principals.begin(), principals.end(), removed), principals.end());
}

/// A role has many principals, a principal many roles; few have two conditions.
struct HashOfGrant {
  std::size_t operator()(const Grant& grant) const {
    const std::hash<std::string> hash;
    return hash(grant.principal) ^ (hash(grant.role) << 1U);
  }
};

}  // namespace

std::vector<Grant> ListGrants(const Json& bindings, const BindingWords& words) {
  std::vector<Grant> grants;
  if (!bindings.is_array()) return grants;
  for (const Json& entry : bindings) {
    if (!HasShape(entry, words)) continue;
    const std::string role = StringMember(entry, words.role);
    const std::optional<Condition> condition = MakeCondition(entry);
    for (const Json& principal : *FindMember(entry, words.principals)) {
      if (principal.is_string()) grants.push_back({role, principal.get<std::string>(), condition});
    }
  }
  return grants;
}

std::vector<Grant> DistinctGrants(std::vector<Grant> grants,
                                  std::string (*normal)(const std::string&)) {
  std::unordered_set<Grant, HashOfGrant> seen;
  std::erase_if(grants, [&](const Grant& grant) {
    return !seen.insert({grant.role, normal(grant.principal), grant.condition}).second;
  });
  return grants;
}

Json EditBindings(const Json& bindings, const BindingWords& words, const std::vector<Grant>& adds,
                  const std::vector<Grant>& removes,
                  const std::function<bool(const std::string&, const std::string&)>& same) {
  Json edited = bindings.is_array() ? bindings : Json::array();
  // Additions first: an entry with all principals changed keeps its place and its further fields.
  for (const Grant& grant : adds) AddGrant(grant, words, edited);
  Json kept = Json::array();
  for (Json& entry : edited) {
    if (!HasShape(entry, words)) {
      kept.push_back(std::move(entry));
      continue;
    }
    const bool was_empty = entry[words.principals].empty();
    RemoveGrants(removes, words, same, entry);
    if (was_empty || !entry[words.principals].empty()) kept.push_back(std::move(entry));
  }
  return kept;
}

}  // namespace bindery::reconcilers
