#include <algorithm>
#include <utility>

#include "report/reports/reports.h"
#include "report/text/text_style.h"
#include "report/values/guard_values.h"

namespace bindery::report {
namespace {

bool IsCurrent(const store::HoldRecord& hold) {
  return hold.state == HoldState::kOpen || hold.state == HoldState::kApproved ||
         hold.state == HoldState::kDenied;
}

HoldLine LineOfHold(const store::HoldRecord& hold) {
  HoldLine line;
  line.digest = hold.digest;
  line.created_at = hold.created;
  line.state = hold.state;
  line.reason = hold.reason;
  line.purpose = hold.purpose;
  line.actor = hold.actor;
  if (const Expected<Json> items = ParseJson(hold.items)) report::ReadJson(*items, line.targets);
  for (const HeldTarget& target : line.targets) line.removals += target.removes.size();
  return line;
}

}  // namespace

Expected<HoldList> GuardReport(const store::ReportReader& store, Ended ended) {
  auto records = store.Holds();
  if (!records) return Fail(records.error());
  std::stable_sort(records->begin(), records->end(),
                   [](const store::HoldRecord& left, const store::HoldRecord& right) {
                     return left.created < right.created;
                   });
  HoldList list;
  for (const store::HoldRecord& hold : *records) {
    if (ended == Ended::kInclude || IsCurrent(hold)) list.holds.push_back(LineOfHold(hold));
  }
  return list;
}

}  // namespace bindery::report
