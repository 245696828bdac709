#include "controller/acceptance_rules.h"

#include <algorithm>
#include <utility>

#include "manifests/spec.h"
#include "providers/bindery/own_kinds.h"

namespace bindery {
namespace {

std::shared_ptr<const AcceptedDriftRules> RulesOf(
    const AcceptedDriftRules* configured,
    const std::vector<std::shared_ptr<const Manifest>>& declared) {
  auto rules = std::make_shared<AcceptedDriftRules>();
  if (configured != nullptr) *rules = *configured;
  for (const auto& manifest : declared) {
    const Expected<Json> spec = SpecOf(*manifest);
    std::optional<AcceptedDriftRule> rule = spec ? AcceptedDriftRuleIn(*spec) : std::nullopt;
    if (rule) rules->push_back(*std::move(rule));
  }
  return rules;
}

}  // namespace

const std::shared_ptr<const AcceptedDriftRules>& AcceptanceRules::InForce() const {
  const TargetEntry* target = claims_.FindTarget(AcceptedDriftTarget());
  if (target == nullptr) return settings_.accepted;
  const bool same = rules_ != nullptr && configured_ == settings_.accepted &&
                    std::ranges::equal(
                        declared_, target->resources, {}, {},
                        [](const ResourceEntry* entry) -> const auto& { return entry->manifest; });
  if (same) return rules_;
  configured_ = settings_.accepted;
  declared_.clear();
  for (const ResourceEntry* entry : target->resources) declared_.push_back(entry->manifest);
  auto rules = RulesOf(configured_.get(), declared_);
  if (rules_ == nullptr || *rules_ != *rules) rules_ = std::move(rules);
  return rules_;
}

}  // namespace bindery
