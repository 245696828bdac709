#include "report/access/stored_names.h"

#include <algorithm>

#include "report/access/observed_access.h"

namespace bindery::report {
namespace {

template <typename Fits>
const store::DriftRecord* FindNote(const Target& target,
                                   const std::vector<store::DriftRecord>& records,
                                   const Fits& fits) {
  const auto found =
      std::find_if(records.begin(), records.end(), [&](const store::DriftRecord& record) {
        return record.item.drift_class == DriftClass::kStoredDifferently &&
               record.item.state == DriftState::kNoted && record.target == target &&
               fits(record.item);
      });
  return found == records.end() ? nullptr : &*found;
}

}  // namespace

const store::DriftRecord* FindStoredName(const Target& target, const Grant& declared,
                                         const std::vector<store::DriftRecord>& records) {
  return FindNote(target, records, [&](const DriftItem& note) {
    return note.grant.condition == declared.condition && SameHolder(target, note.grant, declared);
  });
}

const store::DriftRecord* FindDeclaredName(const Target& target, const Grant& observed,
                                           const std::vector<store::DriftRecord>& records) {
  const std::string wanted = " " + observed.principal + " ";
  return FindNote(target, records, [&](const DriftItem& note) {
    // The stored principals, separated by spaces.
    const std::string stored = " " + note.observed + " ";
    return note.grant.role == observed.role && note.grant.condition == observed.condition &&
           stored.find(wanted) != std::string::npos;
  });
}

}  // namespace bindery::report
