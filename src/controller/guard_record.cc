#include "controller/guard_record.h"

#include "core/json.h"

namespace bindery {
namespace {

Removal RemovalIn(const Json& grant) {
  return {GrantFromJson(grant), RemovalCauseFromString(StringMember(grant, "cause")),
          SeverityFromString(StringMember(grant, "severity"))};
}

}  // namespace

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
    if (held.reason.empty()) held.reason = hold.reason;
    all.push_back(std::move(held));
  }
  return all;
}

}  // namespace bindery
