#include "emulator/google/api/response_shape.h"

#include <algorithm>

#include "emulator/seed.h"

namespace bindery::emulator {
namespace {

const Shape& PolicyShape() {
  static const Shape kShape = {
      "",
      {{"version"},
       {"bindings",
        {{"role"},
         {"members"},
         {"condition", {{"expression"}, {"title"}, {"description"}, {"location"}}}}},
       {"auditConfigs",
        {{"service"},
         {"auditLogConfigs",
          {{"logType",
            {},
            false,
            {"LOG_TYPE_UNSPECIFIED", "ADMIN_READ", "DATA_WRITE", "DATA_READ"}},
           {"exemptedMembers"}}}}},
       {"etag"},
       {"kind"},
       {"resourceId"}}};
  return kShape;
}

const Shape& AuthorizationPolicyShape() {
  static const Shape kShape = {"",
                               {{"name"},
                                {"description"},
                                {"createTime"},
                                {"updateTime"},
                                {"labels", {}, true},
                                {"action", {}, false, {"ACTION_UNSPECIFIED", "ALLOW", "DENY"}},
                                {"rules",
                                 {{"sources", {{"principals"}, {"ipBlocks"}}},
                                  {"destinations",
                                   {{"hosts"},
                                    {"ports"},
                                    {"methods"},
                                    {"httpHeaderMatch", {{"headerName"}, {"regexMatch"}}}}}}}}};
  return kShape;
}

const Shape& ManagementServer() {
  static const Shape kShape = {
      "",
      {{"name"},
       {"description"},
       {"labels", {}, true},
       {"createTime"},
       {"updateTime"},
       {"type", {}, false, {"INSTANCE_TYPE_UNSPECIFIED", "BACKUP_RESTORE"}},
       {"managementUri", {{"webUi"}, {"api"}}},
       {"workforceIdentityBasedManagementUri",
        {{"firstPartyManagementUri"}, {"thirdPartyManagementUri"}}},
       {"state",
        {},
        false,
        {"INSTANCE_STATE_UNSPECIFIED", "CREATING", "READY", "UPDATING", "DELETING", "REPAIRING",
         "MAINTENANCE", "ERROR"}},
       {"networks",
        {{"network"},
         {"peeringMode", {}, false, {"PEERING_MODE_UNSPECIFIED", "PRIVATE_SERVICE_ACCESS"}}}},
       {"etag"},
       {"oauth2ClientId"},
       {"workforceIdentityBasedOauth2ClientId",
        {{"firstPartyOauth2ClientId"}, {"thirdPartyOauth2ClientId"}}},
       {"baProxyUri"},
       {"satisfiesPzs"},
       {"satisfiesPzi"}}};
  return kShape;
}

const Shape& ImportDataFile() {
  static const Shape kShape = {
      "",
      {{"name"},
       {"displayName"},
       {"format",
        {},
        false,
        {"IMPORT_JOB_FORMAT_UNSPECIFIED", "IMPORT_JOB_FORMAT_RVTOOLS_XLSX",
         "IMPORT_JOB_FORMAT_RVTOOLS_CSV", "", "IMPORT_JOB_FORMAT_EXPORTED_AWS_CSV",
         "IMPORT_JOB_FORMAT_EXPORTED_AZURE_CSV", "IMPORT_JOB_FORMAT_STRATOZONE_CSV"}},
       {"createTime"},
       {"state", {}, false, {"STATE_UNSPECIFIED", "CREATING", "ACTIVE"}},
       {"uploadFileInfo", {{"signedUri"}, {"headers", {}, true}, {"uriExpirationTime"}}}}};
  return kShape;
}

const Shape& DescribeDocument(std::string_view section) {
  if (section == section::kAuthorizationPolicies) return AuthorizationPolicyShape();
  return section == section::kManagementServers ? ManagementServer() : ImportDataFile();
}

}  // namespace

const Shape& GetShape(const Call& call) {
  static const Shape kPermissions = {"", {{"permissions"}}};
  static const Shape kIssuedToken = {"", {{"accessToken"}, {"expireTime"}}};
  static const Shape kAny = {"", {}, true};
  switch (call.verb) {
    case Call::Verb::kGetPolicy:
    case Call::Verb::kSetPolicy:
      return PolicyShape();
    case Call::Verb::kTestPermissions:
      return kPermissions;
    case Call::Verb::kGenerateToken:
      return kIssuedToken;
    case Call::Verb::kPrivilegedAccess:
    case Call::Verb::kSearchAssets:
    case Call::Verb::kGroups:
    case Call::Verb::kContainers:
      return kAny;
    default:
      return DescribeDocument(call.section);
  }
}

Json WithNumberedEnums(  // NOLINT(misc-no-recursion): as deep as the shape
    const Json& message, const Shape& shape) {
  if (message.is_array()) {
    Json list = Json::array();
    for (const Json& item : message) list.push_back(WithNumberedEnums(item, shape));
    return list;
  }
  if (message.is_string() && !shape.values.empty()) {
    const auto found =
        std::find(shape.values.begin(), shape.values.end(), message.get_ref<const std::string&>());
    // An unknown value stays a name: the seed has it so.
    return found == shape.values.end() ? message : Json(found - shape.values.begin());
  }
  if (!message.is_object() || shape.map) return message;
  Json numbered = Json::object();
  for (const auto& [name, value] : message.items()) {
    const auto field = std::find_if(shape.fields.begin(), shape.fields.end(),
                                    [&key = name](const Shape& one) { return one.name == key; });
    numbered[name] = field == shape.fields.end() ? value : WithNumberedEnums(value, *field);
  }
  return numbered;
}

}  // namespace bindery::emulator
