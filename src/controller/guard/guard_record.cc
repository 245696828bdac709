#include "controller/guard/guard_record.h"

#include <utility>

#include "core/settings/severity_rules.h"
#include "providers/registry/kinds.h"

namespace bindery::controller {
namespace {

/// A severity of a newer version is taken for the worst.
Removal RemovalIn(const Json& grant) {
  return {GrantFromJson(grant), RemovalCauseFromString(StringMember(grant, "cause")),
          ParseSeverity(StringMember(grant, "severity")).value_or(Severity::kCritical)};
}

std::vector<GuardReason> ReasonsIn(const Json& item) {
  std::vector<GuardReason> reasons;
  if (const Json* list = FindMember(item, "reasons"); list != nullptr && list->is_array()) {
    for (const Json& reason : *list) reasons.push_back(GuardReasonIn(reason));
  }
  if (reasons.empty()) {
    reasons.push_back(
        {.limit = GuardReason::Limit::kRecorded, .name = StringMember(item, "reason")});
  }
  return reasons;
}

}  // namespace

Json HeldItem(const Removals& removals, const std::vector<GuardReason>& reasons) {
  const GrantWords& words = providers::GetTraits(removals.target).words;
  Json grants = Json::array();
  for (const Removal& removal : removals.grants) {
    Json grant = ToJson(removal.grant, words);
    grant["severity"] = ToString(removal.severity);
    grant["cause"] = ToString(removal.cause);
    grants.push_back(std::move(grant));
  }
  Json item = {{"target", removals.target.name},  {"kind", removals.target.kind},
               {"scope", removals.target.scope},  {"provider", removals.provider},
               {"resources", removals.resources}, {"reason", InWords(reasons)},
               {"removes", std::move(grants)}};
  Json numbers = Json::array();
  for (const GuardReason& reason : reasons) {
    if (reason.limit != GuardReason::Limit::kRecorded) numbers.push_back(ToJson(reason));
  }
  if (!numbers.empty()) item["reasons"] = std::move(numbers);
  return item;
}

std::vector<HeldRemovals::Entry> HeldOnRecordIn(const store::HoldRecord& hold) {
  std::vector<HeldRemovals::Entry> all;
  const Expected<Json> items = ParseJson(hold.items);
  for (const Json& item : items && items->is_array() ? *items : Json::array()) {
    HeldRemovals::Entry held;
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
    held.reasons = ReasonsIn(item);
    all.push_back(std::move(held));
  }
  return all;
}

}  // namespace bindery::controller
