#pragma once

#include <vector>

#include "controller/engine_work.h"
#include "controller/target_work.h"

namespace bindery {

/// The grants that a service stored without the condition they were written with: those of the plan
/// of `job` that `after` holds without any condition, and that were not there like that before.
/// A service that knows no conditions may leave them out instead of refusing them; such a grant
/// gives more than is declared. Pure; any thread.
[[nodiscard]] std::vector<Grant> DroppedConditionsIn(const WriteJob& job, const Observation& after);

/// Changes a plan by what is known to be dropped (CheckJob::dropped): these grants are not written
/// again, the manifests that declare them are Stalled/ConditionDropped, and what the service made
/// of them is removed unless a manifest declares just that. Pure; any thread.
void RefuseDroppedConditions(const CheckJob& job, const Desired& desired, const Observation& seen,
                             TargetPlan& plan);

/// The grants of each target whose condition its service drops. They are not known any more after a
/// restart: each is tried once then.
/// Belongs to the loop thread.
class DroppedConditions {
 public:
  void Note(const TargetKey& key, const std::vector<Grant>& grants);
  [[nodiscard]] std::vector<Grant> Of(const TargetKey& key) const;
  /// Nobody declares anything on the target any more.
  void Forget(const TargetKey& key) { dropped_.erase(key); }

 private:
  ByTarget<std::vector<Grant>> dropped_;
};

}  // namespace bindery
