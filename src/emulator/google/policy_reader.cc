#include "emulator/google/policy_reader.h"

#include <algorithm>

#include "emulator/google/proto_reader.h"
#include "emulator/google/service_habits.h"
#include "providers/google/rows/iam_names.h"

namespace bindery::emulator {
namespace {

constexpr std::size_t kMaxPermissions = 100;
constexpr const char* kInvalidRequest = "Request contains an invalid argument.";

std::string ItemPath(const std::string& path, std::size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

std::optional<Expr> ReadCondition(ProtoReader& reader, const Json& binding,
                                  const std::string& path) {
  const Json* value = ProtoReader::Field(binding, "condition");
  if (value == nullptr) return std::nullopt;
  const std::string where = JoinPath(path, "condition");
  if (!reader.CheckMessage(*value, where, "google.type.Expr",
                           {"expression", "title", "description", "location"})) {
    return std::nullopt;
  }
  return Expr{reader.String(*value, "expression", where), reader.String(*value, "title", where),
              reader.String(*value, "description", where),
              reader.String(*value, "location", where)};
}

std::vector<Binding> ReadPolicyBindings(ProtoReader& reader, const Json& policy,
                                        const std::string& path) {
  constexpr std::string_view kBindingType = "google.iam.v1.Binding";
  std::vector<Binding> bindings;
  const auto& list = reader.Messages(policy, "bindings", path, kBindingType);
  const std::string list_path = JoinPath(path, "bindings");
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string where = ItemPath(list_path, i);
    if (!reader.CheckMessage(list[i], where, kBindingType, {"role", "members", "condition"}))
      continue;
    Binding binding;
    binding.role = reader.String(list[i], "role", where);
    binding.members = reader.Strings(list[i], "members", where);
    binding.condition = ReadCondition(reader, list[i], where);
    bindings.push_back(std::move(binding));
  }
  return bindings;
}

/// Log types by name or by number, as enums come.
std::string ReadLogType(ProtoReader& reader, const Json& value, const std::string& path) {
  constexpr const char* kNames[] = {"LOG_TYPE_UNSPECIFIED", "ADMIN_READ", "DATA_WRITE",
                                    "DATA_READ"};
  const Json* field = ProtoReader::Field(value, "logType");
  if (field == nullptr) return kNames[0];
  if (field->is_number_integer()) {
    const auto number = field->get<std::int64_t>();
    if (number >= 0 && number < std::ssize(kNames)) return kNames[number];
  }
  if (field->is_string()) {
    const auto* const found =
        std::find(std::begin(kNames), std::end(kNames), field->get_ref<const std::string&>());
    if (found != std::end(kNames)) return *found;
  }
  const std::string where = JoinPath(path, "log_type");
  reader.PrintError(where, "Invalid value at '" + where +
                               "' (type.googleapis.com/google.iam.v1.AuditLogConfig.LogType), " +
                               field->dump());
  return kNames[0];
}

Json ReadAuditConfigs(ProtoReader& reader, const Json& policy, const std::string& path) {
  Json configs = Json::array();
  const auto& list = reader.Messages(policy, "auditConfigs", path, "google.iam.v1.AuditConfig");
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string where = ItemPath(JoinPath(path, "audit_configs"), i);
    if (!reader.CheckMessage(list[i], where, "google.iam.v1.AuditConfig",
                             {"service", "auditLogConfigs"})) {
      continue;
    }
    Json config = {{"service", reader.String(list[i], "service", where)},
                   {"auditLogConfigs", Json::array()}};
    const auto& logs =
        reader.Messages(list[i], "auditLogConfigs", where, "google.iam.v1.AuditLogConfig");
    for (std::size_t j = 0; j < logs.size(); ++j) {
      const std::string log_path = ItemPath(JoinPath(where, "audit_log_configs"), j);
      if (!reader.CheckMessage(logs[j], log_path, "google.iam.v1.AuditLogConfig",
                               {"logType", "exemptedMembers"})) {
        continue;
      }
      Json log = {{"logType", ReadLogType(reader, logs[j], log_path)}};
      const auto exempted = reader.Strings(logs[j], "exemptedMembers", log_path);
      if (!exempted.empty()) log["exemptedMembers"] = exempted;
      config["auditLogConfigs"].push_back(std::move(log));
    }
    configs.push_back(std::move(config));
  }
  return configs;
}

/// SERVICE.RESOURCE.VERB, or DOMAIN/RESOURCE.VERB
bool IsPermissionName(std::string_view text) {
  std::size_t parts = 1;
  if (const auto slash = text.find('/'); slash != std::string_view::npos) {
    parts = 2;
    text.remove_prefix(slash + 1);
  }
  bool begins = true;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (c == '.') {
      if (begins) return false;
      ++parts;
      begins = true;
      continue;
    }
    const bool fits = letter || (!begins && ((c >= '0' && c <= '9') || c == '-' || c == '_'));
    if (!fits) return false;
    begins = false;
  }
  return parts == 3 && !begins;
}

void ReadMask(ProtoReader& reader, const Json& body, PolicyWrite& write) {
  const std::string mask = reader.String(body, "updateMask", "");
  if (mask.empty()) return;
  write.writes_bindings = false;
  std::size_t begin = 0;
  while (begin <= mask.size()) {
    const std::size_t end = std::min(mask.find(',', begin), mask.size());
    std::string path = mask.substr(begin, end - begin);
    begin = end + 1;
    path.erase(std::remove(path.begin(), path.end(), ' '), path.end());
    if (path == "*" || path == "bindings") write.writes_bindings = true;
    if (path == "*" || path == "auditConfigs" || path == "audit_configs") {
      write.writes_audit_configs = true;
    }
    const bool known = path == "*" || path == "bindings" || path == "etag" || path == "version" ||
                       path == "auditConfigs" || path == "audit_configs";
    if (!known) {
      reader.PrintError("update_mask",
                        "Invalid value at 'update_mask' "
                        "(type.googleapis.com/google.protobuf.FieldMask), \"" +
                            path + "\"");
    }
  }
}

/// The members of a policy at `path` in its message. Returns the etag, still to be judged.
std::optional<std::string> ReadFields(ProtoReader& reader, const Json& policy,
                                      const std::string& path, PolicyWrite& write) {
  write.version = reader.Int32(policy, "version", path);
  write.bindings = ReadPolicyBindings(reader, policy, path);
  write.audit_configs = ReadAuditConfigs(reader, policy, path);
  return reader.Bytes(policy, "etag", path);
}

GoogleResult<PolicyWrite> Judge(const ProtoReader& reader, const std::optional<std::string>& etag,
                                PolicyWrite write) {
  if (!reader.violations().empty()) return tl::unexpected(BadRequest(reader.violations()));
  if (etag && !etag->empty()) {
    write.etag = EtagFromBytes(*etag);
    if (!write.etag) return tl::unexpected(InvalidArgument("Invalid etag."));
  }
  return write;
}

/// The fields of a row's policy.
std::vector<std::string_view> CollectFields(const google::IamRow& row) {
  std::vector<std::string_view> fields = {"version", "bindings", "etag"};
  if (row.audit_configs) fields.emplace_back("auditConfigs");
  if (row.bare_body) fields.insert(fields.end(), {"kind", "resourceId"});
  return fields;
}

/// Storage: the policy is the whole body, and it cannot be empty.
GoogleResult<PolicyWrite> ReadBareWrite(const Json& body, const google::IamRow& row) {
  ProtoReader reader;
  PolicyWrite write;
  write.takes_project_members = google::TakesProjectMembers(row);
  std::optional<std::string> etag;
  if (reader.CheckMessage(body, "", "google.iam.v1.Policy", CollectFields(row))) {
    etag = ReadFields(reader, body, "", write);
  }
  auto judged = Judge(reader, etag, std::move(write));
  if (!judged || !judged->bindings.empty()) return judged;
  GoogleError error = InvalidArgument("A policy to update must be provided.");
  error.reason = "required";
  return tl::unexpected(std::move(error));
}

}  // namespace

GoogleResult<PolicyWrite> ReadPolicyWrite(const Json& body, const google::IamRow& row) {
  if (row.bare_body) return ReadBareWrite(body, row);
  ProtoReader reader;
  PolicyWrite write;
  // Without a mask the policy is replaced as a whole.
  write.writes_audit_configs = row.audit_configs && !row.update_mask;
  write.takes_project_members = google::TakesProjectMembers(row);
  const ServiceHabits habits = GetHabits(row);
  write.any_version = habits.takes_conditions_of_all;
  std::vector<std::string_view> fields = {"policy"};
  if (habits.takes_resource) fields.emplace_back("resource");
  if (row.update_mask) fields.emplace_back("updateMask");
  // Compute keeps two older fields beside the policy.
  if (row.suffix == "/") fields.insert(fields.end(), {"bindings", "etag"});
  reader.CheckMessage(body, "", "google.iam.v1.SetIamPolicyRequest", fields);
  const Json* policy = ProtoReader::Field(body, "policy");
  std::optional<std::string> etag;
  if (policy != nullptr &&
      reader.CheckMessage(*policy, "policy", "google.iam.v1.Policy", CollectFields(row))) {
    etag = ReadFields(reader, *policy, "policy", write);
  }
  if (row.update_mask) ReadMask(reader, body, write);
  if (reader.violations().empty() && policy == nullptr) {
    return tl::unexpected(InvalidArgument(kInvalidRequest));
  }
  return Judge(reader, etag, std::move(write));
}

GoogleResult<PolicyWrite> ReadSeededPolicy(const Json& policy) {
  ProtoReader reader;
  PolicyWrite write;
  reader.CheckMessage(policy, "policy", "google.iam.v1.Policy",
                      {"version", "bindings", "auditConfigs", "etag"});
  const auto etag = ReadFields(reader, policy, "policy", write);
  return Judge(reader, etag, std::move(write));
}

GoogleResult<std::vector<std::string>> ReadPermissionTest(const Json& body) {
  ProtoReader reader;
  reader.CheckMessage(body, "", "google.iam.v1.TestIamPermissionsRequest", {"permissions"});
  const std::vector<std::string> asked = reader.Strings(body, "permissions", "");
  if (!reader.violations().empty()) return tl::unexpected(BadRequest(reader.violations()));
  if (asked.size() > kMaxPermissions) {
    return tl::unexpected(InvalidArgument("At most " + std::to_string(kMaxPermissions) +
                                          " permissions can be tested in one call, got " +
                                          std::to_string(asked.size()) + "."));
  }
  std::vector<std::string> permissions;
  for (const std::string& permission : asked) {
    if (permission.find('*') != std::string::npos) {
      return tl::unexpected(InvalidArgument("Permissions with wildcards (such as '" + permission +
                                            "') are not allowed."));
    }
    if (!IsPermissionName(permission)) {
      return tl::unexpected(InvalidArgument("Permission " + permission + " is not valid."));
    }
    if (std::find(permissions.begin(), permissions.end(), permission) == permissions.end()) {
      permissions.push_back(permission);
    }
  }
  return permissions;
}

}  // namespace bindery::emulator
