#include "controller/guard_record.h"

#include <utility>

#include "providers/kinds.h"

namespace bindery {
namespace {

Removal RemovalIn(const Json& grant) {
  return {GrantFromJson(grant), RemovalCauseFromString(StringMember(grant, "cause")),
          SeverityFromString(StringMember(grant, "severity"))};
}

}  // namespace

Json HeldItem(const Removals& removals, const std::string& reason) {
  const GrantWords& words = TraitsOf(removals.target).words;
  Json grants = Json::array();
  for (const Removal& removal : removals.grants) {
    Json grant = ToJson(removal.grant, words);
    grant["severity"] = ToString(removal.severity);
    grant["cause"] = ToString(removal.cause);
    grants.push_back(std::move(grant));
  }
  return {{"target", removals.target.name},  {"kind", removals.target.kind},
          {"scope", removals.target.scope},  {"provider", removals.provider},
          {"resources", removals.resources}, {"reason", reason},
          {"removes", std::move(grants)}};
}

std::vector<HeldOnRecord> HeldOnRecordIn(const HoldRecord& hold) {
  std::vector<HeldOnRecord> all;
  const Expected<Json> items = ParseJson(hold.items);
  for (const Json& item : items && items->is_array() ? *items : Json::array()) {
    HeldOnRecord held;
    held.removals.target = {StringMember(item, "kind"), StringMember(item, "scope"),
                            StringMember(item, "target")};
    held.removals.provider = StringMember(item, "provider");
    if (const Json* resources = FindMember(item, "resources"); resources != nullptr) {
      for (const Json& name : *resources) {
        if (name.is_string()) held.removals.resources.push_back(name.get<std::string>());
      }
    }
    if (const Json* removes = FindMember(item, "removes"); removes != nullptr) {
      for (const Json& grant : *removes) held.removals.grants.push_back(RemovalIn(grant));
    }
    held.reason = StringMember(item, "reason");
    all.push_back(std::move(held));
  }
  return all;
}

}  // namespace bindery
