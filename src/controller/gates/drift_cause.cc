#include "controller/gates/drift_cause.h"

#include <algorithm>
#include <map>

#include "core/base/json.h"
#include "core/base/json_text.h"
#include "reconcilers/principals.h"

namespace bindery::controller {
namespace {

bool Contains(const std::vector<Grant>& grants, const Grant& wanted) {
  return std::any_of(grants.begin(), grants.end(), [&](const Grant& grant) {
    return reconcilers::SameHolder(grant, wanted) && grant.condition == wanted.condition;
  });
}

/// The principal is in the last policy spelled as deleted already.
bool WasDeleted(const reconcilers::GrantChange& change, const std::string& policy) {
  return change.before && policy.find(CompactJson(change.before->principal)) != std::string::npos;
}

/// The cloud's side of the difference is not as it was.
bool CloudMoved(const reconcilers::GrantChange& change, const PolicyHistory& history) {
  switch (change.drift_class) {
    case DriftClass::kMissing:
      return Contains(history.went, change.grant);
    case DriftClass::kUndeclared:
      return Contains(history.came, change.grant);
    case DriftClass::kConditionChanged:
      return change.before && Contains(history.came, *change.before);
    case DriftClass::kPrincipalDeleted:
      return !WasDeleted(change, history.text);
    case DriftClass::kTargetMissing:
    case DriftClass::kLookupChanged:
    case DriftClass::kJustInTime:
    case DriftClass::kTombstone:
    case DriftClass::kStoredDifferently:
      return true;
  }
  return true;
}

/// Class and grant of a DriftKey, without the resource.
std::string WithoutResource(const std::string& key) {
  const std::size_t first = key.find('|');
  const std::size_t second = key.find('|', first + 1);
  return second == std::string::npos ? key : key.substr(0, first) + key.substr(second);
}

}  // namespace

DriftCause GetCause(const reconcilers::GrantChange& item, const PolicyHistory& history,
                    bool expired) {
  using Known = PolicyHistory::Known;
  if (history.known == Known::kUnreadable) return DriftCause::kUnknown;
  if (history.known == Known::kNever) {
    const bool declared_newly =
        item.drift_class == DriftClass::kMissing || item.drift_class == DriftClass::kTargetMissing;
    return declared_newly ? DriftCause::kManifest : DriftCause::kUnknown;
  }
  if (history.known == Known::kChanged && CloudMoved(item, history)) return DriftCause::kForeign;
  return expired ? DriftCause::kExpiry : DriftCause::kManifest;
}

namespace {

template <typename Item>
void KeepKnownCauses(const TargetEntry::Differences& known, std::vector<Item>& items) {
  if (known.empty() || items.empty()) return;
  std::map<std::string, DriftCause> elsewhere;
  for (const auto& [key, difference] : known) elsewhere[WithoutResource(key)] = difference.cause;
  for (Item& item : items) {
    const std::string key = DriftKey(item.drift_class, item.resource, item.grant);
    if (const auto same = known.find(key); same != known.end()) {
      item.cause = same->second.cause;
    } else if (const auto other = elsewhere.find(WithoutResource(key)); other != elsewhere.end()) {
      item.cause = other->second;
    }
  }
}

}  // namespace

void KeepCauses(const TargetEntry::Differences& known, std::vector<DriftItem>& items) {
  KeepKnownCauses(known, items);
}

void KeepCauses(const TargetEntry::Differences& known, reconcilers::TargetPlan& plan) {
  KeepKnownCauses(known, plan.changes);
}

bool LaterDifferences::Has(const DriftItem& item) {
  if (item.cause != DriftCause::kForeign) return false;
  const TargetEntry::Difference* known = OnRecord(item);
  return known == nullptr ? WasCompared(item) : known->later;
}

const TargetEntry::Difference* LaterDifferences::OnRecord(const DriftItem& item) {
  const auto all = {&*target_.drift.open, &*target_.drift.accepted};
  const std::string key = DriftKey(item);
  for (const auto* known : all) {
    if (const auto same = known->find(key); same != known->end()) return &same->second;
  }
  if (elsewhere_.empty()) {
    for (const auto* known : all) {
      for (const auto& [one, difference] : *known) {
        elsewhere_.emplace(WithoutResource(one), &difference);
      }
    }
  }
  const auto other = elsewhere_.find(WithoutResource(key));
  return other == elsewhere_.end() ? nullptr : other->second;
}

/// A manifest that declares the role, or an undeclared role, had been compared before.
bool LaterDifferences::WasCompared(const DriftItem& item) const {
  return std::any_of(target_.resources.begin(), target_.resources.end(),
                     [&item](const ResourceEntry* entry) {
                       return !entry->progress.untouched &&
                              (item.resource.empty() || entry->name == item.resource);
                     });
}

void TakeCauses(const std::vector<DriftItem>& before, DriftCause otherwise,
                std::vector<DriftItem>& rest) {
  for (DriftItem& item : rest) {
    const auto origin = std::find_if(before.begin(), before.end(), [&](const DriftItem& other) {
      return reconcilers::SameHolder(other.grant, item.grant);
    });
    item.cause = origin == before.end() ? otherwise : origin->cause;
  }
}

void TakeAcceptedCauses(const reconcilers::TargetPlan& before, reconcilers::TargetPlan& left) {
  const std::vector<DriftItem> known = before.accepted();
  for (reconcilers::GrantChange& change : left.changes) {
    if (reconcilers::GetRecordKind(change) != reconcilers::DriftRecordKind::kAccepted) continue;
    const auto origin = std::find_if(known.begin(), known.end(), [&](const DriftItem& other) {
      return reconcilers::SameHolder(other.grant, change.grant);
    });
    change.cause = origin == known.end() ? DriftCause::kForeign : origin->cause;
  }
}

bool NeedsRecord(const reconcilers::TargetPlan& plan) {
  return std::any_of(
      plan.changes.begin(), plan.changes.end(), [](const reconcilers::GrantChange& change) {
        return reconcilers::GetRecordKind(change) == reconcilers::DriftRecordKind::kOpen &&
               (change.cause == DriftCause::kForeign || change.cause == DriftCause::kUnknown);
      });
}

}  // namespace bindery::controller
