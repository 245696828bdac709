#include "emulator/datadog/current_user.h"

#include <array>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/text/digest.h"

namespace bindery::emulator {
namespace {

constexpr const char* kUserCreated = "2025-03-04T10:11:12.131415+00:00";
constexpr const char* kModified = "2026-01-20T08:09:10.111213+00:00";

constexpr std::array<std::string_view, 40> kAreas = {"dashboards",
                                                     "notebooks",
                                                     "monitors",
                                                     "slos",
                                                     "security_rules",
                                                     "synthetics",
                                                     "logs",
                                                     "metrics",
                                                     "apm",
                                                     "rum",
                                                     "incidents",
                                                     "integrations",
                                                     "workflows",
                                                     "connections",
                                                     "app_builder",
                                                     "reference_tables",
                                                     "powerpacks",
                                                     "teams",
                                                     "org",
                                                     "billing",
                                                     "audit_logs",
                                                     "api_keys",
                                                     "app_keys",
                                                     "service_accounts",
                                                     "events",
                                                     "hosts",
                                                     "containers",
                                                     "network",
                                                     "ci_visibility",
                                                     "cases",
                                                     "on_call",
                                                     "status_pages",
                                                     "feature_flags",
                                                     "data_scanner",
                                                     "pipelines",
                                                     "cloud_cost",
                                                     "code_analysis",
                                                     "error_tracking",
                                                     "live_processes",
                                                     "spreadsheets"};
constexpr std::array<std::string_view, 10> kVerbs = {"read",     "write",  "delete", "share",
                                                     "export",   "manage", "admin",  "downtime",
                                                     "settings", "public"};

std::string Or(std::string text, std::string fallback) {
  return text.empty() ? std::move(fallback) : std::move(text);
}

Json Reference(const char* type, const std::string& id) { return Json{{"type", type}, {"id", id}}; }

struct Org {
  std::string id;
  std::string public_id;
  std::string name;
};

Org MakeOrg(const Json& user) {
  Org org;
  const Json* seeded = FindMember(user, "org");
  const Json none = Json::object();
  const Json& from = seeded != nullptr && seeded->is_object() ? *seeded : none;
  const std::string bare =
      seeded != nullptr && seeded->is_string() ? seeded->get<std::string>() : std::string();
  org.name = Or(StringMember(from, "name"), "Example Organization");
  org.id = Or(Or(StringMember(from, "id"), StringMember(user, "orgId")), bare);
  org.id = Or(org.id, MakeUuid("org " + org.name));
  org.public_id = Or(StringMember(from, "publicId"), StringMember(user, "orgPublicId"));
  org.public_id = Or(org.public_id, Sha256Hex(org.id).substr(0, 10));
  return org;
}

Json PermissionDocument(const std::string& name) {
  const std::string area = name.substr(0, name.rfind('_'));
  return Json{{"type", "permissions"},
              {"id", MakeUuid("permission " + name)},
              {"attributes", Json{{"name", name},
                                  {"display_name", name},
                                  {"description", "Allows " + name + "."},
                                  {"created", kUserCreated},
                                  {"group_name", area},
                                  {"display_type", "other"},
                                  {"restricted", false}}}};
}

std::vector<std::string> AllPermissions() {
  std::vector<std::string> names = {"admin", "standard", "user_access_manage", "user_access_invite",
                                    "org_management"};
  for (const std::string_view area : kAreas) {
    for (const std::string_view verb : kVerbs) {
      names.push_back(std::string(area) + "_" + std::string(verb));
    }
  }
  return names;
}

/// Roles are names, or objects with id, name and permissions.
struct Role {
  std::string id;
  std::string name;
  const Json* permissions = nullptr;  ///< Null: all there are.
};

Role NameRole(const Json& seeded) {
  Role role;
  role.name = seeded.is_string() ? seeded.get<std::string>() : StringMember(seeded, "name");
  role.id = StringMember(seeded, "id");
  role.name = Or(role.name, Or(role.id, "Datadog Standard Role"));
  role.id = Or(role.id, MakeUuid("role " + role.name));
  const Json* permissions = FindMember(seeded, "permissions");
  if (permissions != nullptr && permissions->is_array()) role.permissions = permissions;
  return role;
}

std::vector<std::string> GetPermissions(const Role& role) {
  if (role.permissions == nullptr) return AllPermissions();
  std::vector<std::string> permissions;
  for (const Json& permission : *role.permissions) {
    if (permission.is_string()) permissions.push_back(permission.get<std::string>());
  }
  return permissions;
}

std::vector<Role> RolesOfUser(const Json& user) {
  std::vector<Role> roles;
  if (const Json* seeded = FindMember(user, "roles"); seeded != nullptr && seeded->is_array()) {
    for (const Json& role : *seeded) roles.push_back(NameRole(role));
    return roles;
  }
  roles.push_back(NameRole(Json("Datadog Admin Role")));
  return roles;
}

Json RoleDocument(const Role& role) {
  Json granted = Json::array();
  for (const std::string& permission : GetPermissions(role)) {
    granted.push_back(Reference("permissions", MakeUuid("permission " + permission)));
  }
  return Json{{"type", "roles"},
              {"id", role.id},
              {"attributes", Json{{"name", role.name},
                                  {"managed", false},
                                  {"created_at", kUserCreated},
                                  {"modified_at", kModified},
                                  {"user_count", 1},
                                  {"team_count", 0}}},
              {"relationships", Json{{"permissions", Json{{"data", std::move(granted)}}}}}};
}

Json OrgDocument(const Org& org) {
  return Json{{"type", "orgs"},
              {"id", org.id},
              {"attributes", Json{{"public_id", org.public_id},
                                  {"name", org.name},
                                  {"description", nullptr},
                                  {"sharing", "none"},
                                  {"url", nullptr},
                                  {"disabled", false},
                                  {"created_at", kUserCreated},
                                  {"modified_at", kModified}}}};
}

Json Attributes(const Json& user, const std::string& id) {
  const std::string email = Or(StringMember(user, "email"), "admin@example.com");
  Json attributes = {{"uuid", id},
                     {"name", Or(StringMember(user, "name"), email)},
                     {"handle", Or(StringMember(user, "handle"), email)},
                     {"created_at", kUserCreated},
                     {"modified_at", kModified},
                     {"email", email},
                     {"icon", "https://secure.gravatar.com/avatar/" +
                                  Sha256Hex(email).substr(0, 32) + "?s=48&d=retro"},
                     {"title", nullptr},
                     {"verified", true},
                     {"service_account", false},
                     {"disabled", false},
                     {"allowed_login_methods", Json::array()},
                     {"status", "Active"},
                     {"last_login_time", kModified}};
  for (const char* name : {"title", "verified", "service_account", "disabled", "status"}) {
    if (const Json* seeded = FindMember(user, name)) attributes[name] = *seeded;
  }
  return attributes;
}

std::string GetEmail(const Json& seeded) {
  return Or(StringMember(seeded, "email"), StringMember(seeded, "handle"));
}

std::string GetId(const Json& seeded) {
  return Or(Or(StringMember(seeded, "id"), StringMember(seeded, "uuid")),
            MakeUuid("user " + Or(GetEmail(seeded), "admin@example.com")));
}

std::vector<std::string> PrincipalsOfDocument(const Json& data) {
  std::vector<std::string> principals = {"user:" + StringMember(data, "id")};
  if (const Json* org = FindPath(data, {"relationships", "org", "data"})) {
    principals.push_back("org:" + StringMember(*org, "id"));
  }
  const Json* roles = FindPath(data, {"relationships", "roles", "data"});
  if (roles == nullptr || !roles->is_array()) return principals;
  for (const Json& role : *roles) principals.push_back("role:" + StringMember(role, "id"));
  return principals;
}

}  // namespace

std::string MakeUuid(const std::string& name) {
  std::string hex = Sha256Hex(name).substr(0, 32);
  hex[12] = '4';
  hex[16] = 'a';
  return hex.substr(0, 8) + "-" + hex.substr(8, 4) + "-" + hex.substr(12, 4) + "-" +
         hex.substr(16, 4) + "-" + hex.substr(20);
}

Json UserData(const Json& seeded) {
  if (const Json* data = FindMember(seeded, "data")) return *data;
  const std::string email = GetEmail(seeded);
  const std::string id = GetId(seeded);
  Json user = seeded.is_object() ? seeded : Json::object();
  if (!email.empty()) user["email"] = email;
  Json roles = Json::array();
  for (const Role& role : RolesOfUser(user)) roles.push_back(Reference("roles", role.id));
  return Json{{"type", "users"},
              {"id", id},
              {"attributes", Attributes(user, id)},
              {"relationships", Json{{"roles", Json{{"data", std::move(roles)}}},
                                     {"org", Json{{"data", Reference("orgs", MakeOrg(user).id)}}},
                                     {"team_roles", Json{{"data", Json::array()}}}}}};
}

Json RoleData(const Json& seeded) { return RoleDocument(NameRole(seeded)); }

std::vector<Json> RolesData(const Json& user) {
  std::vector<Json> roles;
  if (FindMember(user, "data") == nullptr) {
    for (const Role& role : RolesOfUser(user)) roles.push_back(RoleDocument(role));
    return roles;
  }
  const Json* included = FindMember(user, "included");
  if (included == nullptr || !included->is_array()) return roles;
  for (const Json& item : *included) {
    if (StringMember(item, "type") == "roles") roles.push_back(item);
  }
  return roles;
}

Json TeamData(const Json& seeded) {
  const std::string handle = StringMember(seeded, "handle");
  const std::string name = Or(StringMember(seeded, "name"), handle);
  return Json{{"type", "team"},
              {"id", Or(StringMember(seeded, "id"), MakeUuid("team " + handle))},
              {"attributes", Json{{"name", name},
                                  {"handle", handle},
                                  {"summary", nullptr},
                                  {"description", nullptr},
                                  {"avatar", nullptr},
                                  {"banner", 0},
                                  {"visible_modules", Json::array()},
                                  {"hidden_modules", Json::array()},
                                  {"is_managed", false},
                                  {"link_count", 0},
                                  {"user_count", 0},
                                  {"created_at", kUserCreated},
                                  {"modified_at", kModified}}},
              {"relationships", Json::object()}};
}

Json CurrentUserDocument(const Json& seeded) {
  if (FindMember(seeded, "data") != nullptr) return seeded;
  const Json user = seeded.is_object() ? seeded : Json::object();
  Json included = Json::array({OrgDocument(MakeOrg(user))});
  Json permissions = Json::array();
  std::unordered_set<std::string> seen;
  for (const Role& role : RolesOfUser(user)) {
    included.push_back(RoleDocument(role));
    for (const std::string& permission : GetPermissions(role)) {
      if (seen.insert(permission).second) permissions.push_back(PermissionDocument(permission));
    }
  }
  for (Json& permission : permissions) included.push_back(std::move(permission));
  return Json{{"data", UserData(seeded)}, {"included", std::move(included)}};
}

std::vector<std::string> ListPrincipals(const Json& seeded) {
  if (seeded.is_null()) return {};
  if (const Json* data = FindMember(seeded, "data")) return PrincipalsOfDocument(*data);
  std::vector<std::string> principals = {"user:" + GetId(seeded), "org:" + MakeOrg(seeded).id};
  for (const Role& role : RolesOfUser(seeded)) principals.push_back("role:" + role.id);
  return principals;
}

}  // namespace bindery::emulator
