#include "providers/google/roles/audit_configs.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "core/access/claim_part.h"
#include "providers/google/roles/members.h"

namespace bindery::google {
namespace {

constexpr const char* kLogs = "auditLogConfigs";
constexpr const char* kExempted = "exemptedMembers";

/// A unit, taken apart.
struct AuditUnit {
  std::string service;
  std::string log_type;
  std::string exempted;  ///< Empty: the log type itself.

  static AuditUnit Of(const Grant& grant) {
    AuditUnit unit{grant.role.substr(kSettings.size()), grant.principal, ""};
    if (const auto at = grant.principal.find(kExempts); at != std::string::npos) {
      unit.log_type = grant.principal.substr(0, at);
      unit.exempted = grant.principal.substr(at + kExempts.size());
    }
    return unit;
  }
};

/// The element of `list` whose member has the value; added at the end if none exists and `add` is
/// set, else null.
Json* Find(Json& list, const char* member, const std::string& value, bool add) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const Json& element) {
    return StringMember(element, member) == value;
  });
  if (found != list.end()) return &*found;
  if (!add) return nullptr;
  list.push_back({{member, value}});
  return &list.back();
}

Json& AddedList(Json& object, const char* member) {
  if (!object[member].is_array()) object[member] = Json::array();
  return object[member];
}

bool IsSame(const Json& member, const std::string& other) {
  return member.is_string() && NormalMember(member.get<std::string>()) == NormalMember(other);
}

void Add(const AuditUnit& unit, Json& configs) {
  Json& config = *Find(configs, "service", unit.service, true);
  Json& log = *Find(AddedList(config, kLogs), "logType", unit.log_type, true);
  if (unit.exempted.empty()) return;
  Json& members = AddedList(log, kExempted);
  const bool there = std::any_of(members.begin(), members.end(),
                                 [&](const Json& member) { return IsSame(member, unit.exempted); });
  if (!there) members.push_back(unit.exempted);
}

void RemoveExemption(const AuditUnit& unit, Json& log) {
  Json& members = AddedList(log, kExempted);
  members.erase(std::remove_if(members.begin(), members.end(),
                               [&](const Json& one) { return IsSame(one, unit.exempted); }),
                members.end());
  if (members.empty()) log.erase(kExempted);
}

void Remove(const AuditUnit& unit, Json& configs) {
  Json* config = Find(configs, "service", unit.service, false);
  if (config == nullptr) return;
  Json& logs = AddedList(*config, kLogs);
  Json* log = Find(logs, "logType", unit.log_type, false);
  if (log == nullptr) return;
  if (!unit.exempted.empty()) return RemoveExemption(unit, *log);
  logs.erase(std::find_if(logs.begin(), logs.end(), [&](const Json& one) { return &one == log; }));
}

/// The units of one entry of `auditLogConfigs`.
void AppendUnits(const std::string& role, const Json& log, std::vector<Grant>& units) {
  const std::string type = StringMember(log, "logType");
  if (type.empty()) return;
  units.push_back({role, type});
  const Json* exempted = FindMember(log, kExempted);
  if (exempted == nullptr || !exempted->is_array()) return;
  for (const Json& member : *exempted) {
    if (!member.is_string()) continue;
    units.push_back({role, type + std::string(kExempts) + member.get<std::string>()});
  }
}

}  // namespace

std::vector<Grant> ListAuditUnits(const Json& audit_configs) {
  std::vector<Grant> units;
  if (!audit_configs.is_array()) return units;
  for (const Json& config : audit_configs) {
    const std::string service = StringMember(config, "service");
    const Json* logs = FindMember(config, kLogs);
    if (service.empty() || logs == nullptr || !logs->is_array()) continue;
    for (const Json& log : *logs) AppendUnits(std::string(kSettings) + service, log, units);
  }
  return units;
}

Json EditAuditConfigs(const Json& audit_configs, const std::vector<Grant>& adds,
                      const std::vector<Grant>& removes) {
  Json edited = audit_configs.is_array() ? audit_configs : Json::array();
  for (const Grant& grant : removes) {
    if (IsSetting(grant.role)) Remove(AuditUnit::Of(grant), edited);
  }
  for (const Grant& grant : adds) {
    if (IsSetting(grant.role)) Add(AuditUnit::Of(grant), edited);
  }
  Json kept = Json::array();
  for (Json& config : edited) {
    const Json* logs = FindMember(config, kLogs);
    const bool emptied = logs != nullptr && logs->is_array() && logs->empty();
    if (!emptied) kept.push_back(std::move(config));
  }
  return kept;
}

Json MakeAuditLogConfigs(const std::vector<Grant>& units) {
  const Json configs = EditAuditConfigs(Json::array(), units, {});
  return configs.empty() ? Json::array() : configs.front()[kLogs];
}

}  // namespace bindery::google
