#include "emulator/datadog/principals.h"

#include <algorithm>
#include <set>
#include <utility>

#include "emulator/datadog/current_user.h"

namespace bindery::emulator {

bool DatadogPrincipals::Keeps(std::string_view section) {
  return section == section::kRoles || section == section::kTeams || section == section::kUsers;
}

bool DatadogPrincipals::Holds(const Entry& entry) const {
  return std::ranges::any_of(entries_, [&](const Entry& other) {
    return other.section == entry.section && other.key == entry.key;
  });
}

Json DatadogPrincipals::WithRoles(Json user) const {
  const auto roles = user.find("roles");
  if (roles == user.end() || !roles->is_array()) return user;
  for (Json& role : *roles) {
    const auto seeded = std::ranges::find_if(entries_, [&](const Entry& entry) {
      return entry.section == section::kRoles && role.is_string() &&
             StringMember(entry.value, "name") == role.get_ref<const std::string&>();
    });
    if (seeded != entries_.end()) role = seeded->value;
  }
  return user;
}

std::vector<Json> DatadogPrincipals::Users() const {
  std::vector<Json> users;
  for (const Entry& entry : entries_) {
    if (entry.section == section::kUsers) users.push_back(WithRoles(entry.value));
  }
  return users;
}

Json DatadogPrincipals::FindUser(const std::string& user) const {
  const Entry* first = nullptr;
  for (const Entry& entry : entries_) {
    if (entry.section != section::kUsers) continue;
    if (first == nullptr) first = &entry;
    if (user.empty() || entry.key == user || StringMember(entry.value, "handle") == user ||
        StringMember(entry.value, "email") == user) {
      return WithRoles(entry.value);
    }
  }
  return first == nullptr ? Json() : WithRoles(first->value);
}

std::vector<Json> DatadogPrincipals::List(std::string_view section) const {
  std::vector<Json> listed;
  if (section == section::kTeams) {
    for (const Entry& entry : entries_) {
      if (entry.section == section) listed.push_back(TeamData(entry.value));
    }
    return listed;
  }
  std::vector<Json> users = Users();
  if (users.empty()) users.emplace_back();
  if (section == section::kUsers) {
    for (const Json& user : users) listed.push_back(UserData(user));
    return listed;
  }
  std::set<std::string> seen;
  const auto add = [&](Json role) {
    if (seen.insert(StringMember(role, "id")).second) listed.push_back(std::move(role));
  };
  for (const Entry& entry : entries_) {
    if (entry.section == section::kRoles) add(RoleData(entry.value));
  }
  for (const Json& user : users) {
    for (Json& role : RolesData(user)) add(std::move(role));
  }
  return listed;
}

std::optional<std::string> DatadogPrincipals::Refuse(
    const std::vector<std::string>& principals) const {
  if (!checked_) return std::nullopt;
  for (const std::string& principal : principals) {
    const std::size_t colon = principal.find(':');
    const std::string type = principal.substr(0, colon);
    if (type == "org" || colon == std::string::npos) continue;
    const std::vector<Json> known = List(type + "s");
    const bool exists = std::ranges::any_of(known, [&](const Json& one) {
      return StringMember(one, "id") == principal.substr(colon + 1);
    });
    if (exists) continue;
    return "Invalid request: one or more roles/users/teams do not exist in organization";
  }
  return std::nullopt;
}

}  // namespace bindery::emulator
