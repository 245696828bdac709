#include "controller/drift_cause.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "core/json.h"
#include "core/json_text.h"
#include "reconcilers/policy_diff.h"
#include "reconcilers/principals.h"

namespace bindery {
namespace {

bool Contains(const std::vector<Grant>& grants, const Grant& wanted) {
  return std::any_of(grants.begin(), grants.end(), [&](const Grant& grant) {
    return SameHolder(grant, wanted) && grant.condition == wanted.condition;
  });
}

/// The principal is in the last policy spelled as deleted already.
bool WasDeleted(const DriftItem& item, const std::string& policy) {
  constexpr std::string_view kDeleted = "deleted: ";
  if (!item.observed.starts_with(kDeleted)) return false;
  const Json principal = item.observed.substr(kDeleted.size());
  const std::string text = CompactJson(principal);
  return policy.find(text) != std::string::npos;
}

/// The cloud's side of the difference is not as it was.
bool CloudMoved(const DriftItem& item, const PolicyHistory& history) {
  switch (item.drift_class) {
    case DriftClass::kMissing:
      return Contains(history.went, item.grant);
    case DriftClass::kUndeclared:
      return Contains(history.came, item.grant);
    case DriftClass::kConditionChanged:
      return std::any_of(history.came.begin(), history.came.end(), [&](const Grant& grant) {
        return SameHolder(grant, item.grant) && GrantInWords(grant) == item.observed;
      });
    case DriftClass::kPrincipalDeleted:
      return !WasDeleted(item, history.text);
    case DriftClass::kTargetMissing:
    case DriftClass::kLookupChanged:
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

DriftCause CauseOf(const DriftItem& item, const PolicyHistory& history, bool expired) {
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

void KeepCauses(const TargetEntry::Differences& known, std::vector<DriftItem>& items) {
  if (known.empty() || items.empty()) return;
  std::map<std::string, DriftCause> elsewhere;
  for (const auto& [key, difference] : known) elsewhere[WithoutResource(key)] = difference.cause;
  for (DriftItem& item : items) {
    const std::string key = DriftKey(item);
    if (const auto same = known.find(key); same != known.end()) {
      item.cause = same->second.cause;
    } else if (const auto other = elsewhere.find(WithoutResource(key)); other != elsewhere.end()) {
      item.cause = other->second;
    }
  }
}

void TakeCauses(const std::vector<DriftItem>& before, DriftCause otherwise,
                std::vector<DriftItem>& rest) {
  for (DriftItem& item : rest) {
    const auto origin = std::find_if(before.begin(), before.end(), [&](const DriftItem& other) {
      return SameHolder(other.grant, item.grant);
    });
    item.cause = origin == before.end() ? otherwise : origin->cause;
  }
}

bool NeedsRecord(const std::vector<DriftItem>& items) {
  return std::any_of(items.begin(), items.end(), [](const DriftItem& item) {
    return item.cause == DriftCause::kForeign || item.cause == DriftCause::kUnknown;
  });
}

}  // namespace bindery
