#include "identity/roles.h"

#include <algorithm>

namespace bindery::identity {
namespace {

Role RoleIn(const config::WebConfig& config, const std::string& subject) {
  const auto found = config.roles->find(subject);
  return found == config.roles->end() ? Role::kNone : found->second;
}

Role LocalRole(const config::WebConfig& config, const std::string& subject) {
  return config.roles ? RoleIn(config, subject) : Role::kApprover;
}

}  // namespace

Role RoleOfUser(const config::WebConfig& config, const std::string& name) {
  return LocalRole(config, "user:" + name);
}

Role RoleOfCertificate(const config::WebConfig& config, const std::string& subject) {
  return LocalRole(config, "certificate:" + subject);
}

Role RoleOfPerson(const config::WebConfig& config, const std::string& email,
                  const std::vector<std::string>& groups) {
  if (!config.roles) return Role::kNone;
  Role role = email.empty() ? Role::kNone : RoleIn(config, "email:" + email);
  for (const std::string& group : groups) role = std::max(role, RoleIn(config, "group:" + group));
  return role;
}

}  // namespace bindery::identity
