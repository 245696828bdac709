#include "controller/gates/completed_write.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "controller/gates/stored_forms.h"
#include "reconcilers/tombstones.h"

namespace bindery::controller {
namespace {

/// What the service stores is still to go with a deleted manifest.
bool Removes(const reconcilers::TargetPlan& plan, const reconcilers::StoredForm& form) {
  return std::any_of(
      plan.changes.begin(), plan.changes.end(), [&](const reconcilers::GrantChange& change) {
        const Grant* removed = change.removed();
        return removed != nullptr && removed->role == form.asked.role &&
               removed->condition == form.asked.condition &&
               std::find(form.stored.begin(), form.stored.end(), removed->principal) !=
                   form.stored.end();
      });
}

}  // namespace

reconcilers::TargetPlan CompletedWrite(const TargetUnderWork& work) {
  reconcilers::TargetPlan plan = work.Writes();
  const reconcilers::PrincipalRules* rules = work.job->kind->traits().principals;
  if (rules == nullptr) return plan;
  const reconcilers::Desired& desired = work.reading.desired;
  const reconcilers::TargetPlan& whole = work.decision.takes_back ? plan : work.plan;
  // What a recorded policy brings back is declared by nobody.
  const std::vector<Grant> again =
      desired.restore ? std::vector<Grant>() : AskedAgain(plan, desired.forms);
  const reconcilers::TargetPlan along = reconcilers::ComposePlan(
      again, reconcilers::TombstonesTakenBy(whole, desired, work.reading.seen.grants, *rules));
  plan.changes.insert(plan.changes.end(), along.changes.begin(), along.changes.end());
  return plan;
}

void AddNotes(const reconcilers::Kind& kind, const reconcilers::Desired& desired,
              const reconcilers::Observation& seen, reconcilers::TargetPlan& plan) {
  const reconcilers::PrincipalRules* rules = kind.traits().principals;
  if (rules == nullptr) return;
  for (const reconcilers::StoredForm& form : desired.forms) {
    if (form.is_declared || Removes(plan, form)) plan.forms.push_back(form);
  }
  plan.notes = NotesOfForms(plan.forms);
  std::vector<DriftItem> tombstones = reconcilers::NotesOfTombstones(desired, seen.grants, *rules);
  std::move(tombstones.begin(), tombstones.end(), std::back_inserter(plan.notes));
}

}  // namespace bindery::controller
