#include "app/plan/drift_item.h"

#include <optional>
#include <string>

#include "core/settings/accepted_drift.h"

namespace bindery::app {

Expected<store::DriftRecord> FindDifference(const store::ReportReader& store, std::int64_t id) {
  const auto snapshot = store.SnapshotDrift();
  if (!snapshot) return Fail(snapshot.error());
  std::optional<store::DriftRecord> found;
  const auto read = (*snapshot)->VisitEach(
      {id}, [&found](const store::DriftEntry& entry) { found = entry.record; });
  if (!read) return Fail(read.error());
  if (!found) {
    return Fail(Code::kNotFound,
                "no difference has the id " + std::to_string(id) + ": see bindery drift --all");
  }
  const DriftItem& item = found->item;
  if (IsNote(item.drift_class)) {
    return Fail(Code::kFailedPrecondition,
                "item " + std::to_string(id) + " is a note and no difference");
  }
  if (item.drift_class == DriftClass::kJustInTime) {
    return Fail(Code::kFailedPrecondition, "item " + std::to_string(id) +
                                               " is just-in-time access, which ends by itself, and "
                                               "no difference");
  }
  if (!IsAcceptable(item.drift_class)) {
    return Fail(Code::kFailedPrecondition, "item " + std::to_string(id) + " is of the class " +
                                               std::string(ToString(item.drift_class)) +
                                               " and not about a grant");
  }
  return *found;
}

}  // namespace bindery::app
