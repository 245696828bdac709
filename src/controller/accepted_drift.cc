#include "controller/accepted_drift.h"

#include <algorithm>
#include <utility>

#include "reconcilers/policy_diff.h"
#include "reconcilers/principals.h"

namespace bindery {
namespace {

template <typename Is>
void EraseFirst(std::vector<Grant>& grants, const Is& is) {
  const auto found = std::find_if(grants.begin(), grants.end(), is);
  if (found != grants.end()) grants.erase(found);
}

void EraseGrant(std::vector<Grant>& grants, const Grant& grant) {
  EraseFirst(grants, [&grant](const Grant& other) { return other == grant; });
}

/// What would repair the difference. A condition that is another one takes an addition and a
/// removal: neither is of use without the other.
void EraseRepair(const DriftItem& item, TargetPlan& plan) {
  switch (item.drift_class) {
    case DriftClass::kMissing:
      EraseGrant(plan.adds, item.grant);
      return;
    case DriftClass::kUndeclared:
      EraseGrant(plan.removes, item.grant);
      return;
    case DriftClass::kConditionChanged:
      EraseGrant(plan.adds, item.grant);
      EraseFirst(plan.removes, [&item](const Grant& grant) {
        return SameHolder(grant, item.grant) && GrantInWords(grant) == item.observed;
      });
      return;
    case DriftClass::kPrincipalDeleted:
      // One reason for each such difference, which names the principal.
      std::erase_if(plan.impossible, [&item](const auto& impossible) {
        return impossible.first == item.resource &&
               impossible.second.reason == reason::kPrincipalDeleted &&
               impossible.second.message.find("\"" + item.grant.principal + "\"") !=
                   std::string::npos;
      });
      return;
    case DriftClass::kTargetMissing:
    case DriftClass::kLookupChanged:
      return;
  }
}

/// A manifest that is gone declared that grant: it goes with the manifest.
bool GoesWithItsManifest(const DriftItem& item, const Desired& desired) {
  return std::any_of(desired.claims.begin(), desired.claims.end(), [&item](const Claim& claim) {
    const auto& grants = claim.declaration.grants;
    return IsGone(claim) && claim.resource == item.resource &&
           std::any_of(grants.begin(), grants.end(),
                       [&item](const Grant& grant) { return SameHolder(grant, item.grant); });
  });
}

/// Splits a list into what stays in it and what is accepted or in doubt.
class Sorter {
 public:
  Sorter(const CheckJob& job, const Desired& desired, TargetPlan& plan)
      : job_(job), desired_(desired), plan_(plan) {}

  /// `repaired`: what is taken out is not repaired either.
  void Sort(std::vector<DriftItem>& items, bool repaired) {
    std::vector<DriftItem> rest;
    for (DriftItem& item : items) {
      const FoundAcceptance found =
          GoesWithItsManifest(item, desired_)
              ? FoundAcceptance{}
              : FindAcceptance(*job_.accepted, job_.target.name, item, job_.now);
      if (found.rule == nullptr) {
        rest.push_back(std::move(item));
        continue;
      }
      if (repaired) EraseRepair(item, plan_);
      item.acceptance = found.rule->acceptance;
      const bool holds = found.state == AcceptanceState::kHolds;
      if (holds) item.state = DriftState::kAccepted;
      (holds ? plan_.accepted : doubtful_).push_back(std::move(item));
    }
    items = std::move(rest);
  }

  void PutDoubtful() {
    for (DriftItem& item : doubtful_) plan_.unjudged.push_back(std::move(item));
  }

 private:
  const CheckJob& job_;
  const Desired& desired_;
  TargetPlan& plan_;
  std::vector<DriftItem> doubtful_;
};

}  // namespace

void TakeOutAccepted(const CheckJob& job, const Desired& desired, TargetPlan& plan) {
  if (job.accepted == nullptr || job.accepted->empty()) return;
  Sorter sorter(job, desired, plan);
  sorter.Sort(plan.drift, /*repaired=*/true);
  sorter.Sort(plan.unjudged, /*repaired=*/false);
  sorter.PutDoubtful();
}

}  // namespace bindery
