#include "emulator/google/iam_policy.h"

#include <algorithm>

#include "core/text/digest.h"

namespace bindery::emulator {
namespace {

/// In the name that version 1 gives a conditional role.
constexpr std::string_view kConditional = "_withcond_";

Json KeptJson(const Expr& condition) {
  Json value = Json::object();
  value["expression"] = condition.expression;
  if (!condition.title.empty()) value["title"] = condition.title;
  if (!condition.description.empty()) value["description"] = condition.description;
  if (!condition.location.empty()) value["location"] = condition.location;
  return value;
}

Json KeptJson(const Binding& binding) {
  Json value = {{"role", binding.role}, {"members", binding.members}};
  if (binding.condition) value["condition"] = KeptJson(*binding.condition);
  return value;
}

/// The name of a conditional role in version 1: 20 hex digits that depend on the condition.
std::string RoleForOldVersions(const Binding& binding) {
  constexpr std::size_t kDigits = 20;
  const Expr& condition = *binding.condition;
  return binding.role + std::string(kConditional) +
         Sha256Hex(condition.expression + '\n' + condition.title + '\n' + condition.description)
             .substr(0, kDigits);
}

Binding BindingFromJson(const Json& value) {
  Binding binding;
  binding.role = StringMember(value, "role");
  if (const Json* members = FindMember(value, "members"); members != nullptr) {
    for (const Json& member : *members) {
      if (member.is_string()) binding.members.push_back(member.get<std::string>());
    }
  }
  if (const Json* condition = FindMember(value, "condition");
      condition != nullptr && condition->is_object()) {
    binding.condition =
        Expr{StringMember(*condition, "expression"), StringMember(*condition, "title"),
             StringMember(*condition, "description"), StringMember(*condition, "location")};
  }
  return binding;
}

}  // namespace

bool HasConditions(const Policy& policy) {
  return std::any_of(policy.bindings.begin(), policy.bindings.end(),
                     [](const Binding& binding) { return binding.condition.has_value(); });
}

bool NamesConditionalRole(const Json& shown) {
  const Json* bindings = FindMember(shown, "bindings");
  return bindings != nullptr &&
         std::any_of(bindings->begin(), bindings->end(), [](const Json& binding) {
           return StringMember(binding, "role").find(kConditional) != std::string::npos;
         });
}

Json ShownPolicy(const Policy& policy, int requested_version, const Principals& principals) {
  const bool conditions = HasConditions(policy) && requested_version >= kConditionalVersion;
  Json shown = Json::object();
  const bool never_written = policy.etag == 0;
  if (!never_written) shown["version"] = conditions ? kConditionalVersion : 1;
  shown["etag"] = EtagText(policy.etag);
  for (Binding binding : policy.bindings) {
    for (std::string& member : binding.members) member = ShownMember(member, principals);
    if (!conditions && binding.condition) {
      binding.role = RoleForOldVersions(binding);
      binding.condition.reset();
    }
    shown["bindings"].push_back(KeptJson(binding));
  }
  if (!policy.audit_configs.empty()) shown["auditConfigs"] = policy.audit_configs;
  return shown;
}

Json ToJson(const Policy& policy) {
  Json value = {{"etag", policy.etag}, {"bindings", Json::array()}};
  for (const Binding& binding : policy.bindings) value["bindings"].push_back(KeptJson(binding));
  if (!policy.audit_configs.empty()) value["auditConfigs"] = policy.audit_configs;
  return value;
}

Policy PolicyFromJson(const Json& value) {
  Policy policy;
  if (const Json* etag = FindMember(value, "etag"); etag != nullptr && etag->is_number_integer()) {
    policy.etag = etag->get<EtagMicros>();
  }
  if (const Json* bindings = FindMember(value, "bindings"); bindings != nullptr) {
    for (const Json& binding : *bindings) policy.bindings.push_back(BindingFromJson(binding));
  }
  if (const Json* configs = FindMember(value, "auditConfigs");
      configs != nullptr && configs->is_array()) {
    policy.audit_configs = *configs;
  }
  return policy;
}

}  // namespace bindery::emulator
