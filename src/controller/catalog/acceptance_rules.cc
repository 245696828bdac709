#include "controller/catalog/acceptance_rules.h"

#include <algorithm>
#include <utility>

#include "manifests/documents/spec.h"
#include "providers/bindery/own_kinds.h"

namespace bindery::controller {
namespace {

/// The state in force differs, or may differ, from the text of the manifest.
bool IsInDoubt(const ResourceEntry& entry) { return entry.standing.rejected != nullptr; }

}  // namespace

std::shared_ptr<const AcceptedDriftRules> AcceptanceRules::GetRules(
    const AcceptedDriftRules* configured, const std::vector<Declared>& declared) {
  auto rules = std::make_shared<AcceptedDriftRules>();
  if (configured != nullptr) *rules = *configured;
  for (const auto& [manifest, in_doubt] : declared) {
    const Expected<Json> spec = manifests::MakeSpec(*manifest);
    std::optional<AcceptedDriftRule> rule =
        spec ? providers::AcceptedDriftRuleIn(*spec) : std::nullopt;
    if (!rule) continue;
    rule->end_in_doubt = in_doubt;
    rules->push_back(*std::move(rule));
  }
  return rules;
}

const std::shared_ptr<const AcceptedDriftRules>& AcceptanceRules::InForce() const {
  const TargetEntry* target = claims_.FindTarget(providers::AcceptedDriftTarget());
  if (target == nullptr) return settings_.accepted;
  const auto as_before = [](const Declared& before, const ResourceEntry* entry) {
    return before.manifest == entry->manifest && before.in_doubt == IsInDoubt(*entry);
  };
  const bool same = rules_ != nullptr && configured_ == settings_.accepted &&
                    std::ranges::equal(declared_, target->resources, as_before);
  if (same) return rules_;
  configured_ = settings_.accepted;
  declared_.clear();
  for (const ResourceEntry* entry : target->resources) {
    declared_.push_back({entry->manifest, IsInDoubt(*entry)});
  }
  auto rules = GetRules(configured_.get(), declared_);
  if (rules_ == nullptr || *rules_ != *rules) rules_ = std::move(rules);
  return rules_;
}

}  // namespace bindery::controller
