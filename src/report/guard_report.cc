#include <algorithm>
#include <utility>

#include "report/json_fields.h"
#include "report/reports.h"

namespace bindery {
namespace {

bool IsCurrent(const HoldRecord& hold) {
  return hold.state == HoldState::kOpen || hold.state == HoldState::kApproved ||
         hold.state == HoldState::kDenied;
}

Json HoldJson(const HoldRecord& hold) {
  Json targets = Json::array();
  std::size_t removals = 0;
  const Expected<Json> items = ParseJson(hold.items);
  if (items && items->is_array()) {
    for (const Json& item : *items) {
      const Json& removes = report::ArrayMember(item, "removes");
      removals += removes.size();
      targets.push_back({{"target", StringMember(item, "target")},
                         {"kind", StringMember(item, "kind")},
                         {"reason", StringMember(item, "reason")},
                         {"resources", report::ArrayMember(item, "resources")},
                         {"removes", removes}});
    }
  }
  return {{"digest", hold.digest},
          {"createdAt", report::TimeOrNull(hold.created)},
          {"state", ToString(hold.state)},
          {"reason", hold.reason},
          {"purpose", ToString(hold.purpose)},
          {"actor", hold.actor},
          {"targets", std::move(targets)},
          {"removals", removals}};
}

}  // namespace

Expected<Json> GuardReport(const ReportReader& store, HoldSelection selection) {
  auto records = store.Holds();
  if (!records) return Fail(records.error());
  std::stable_sort(
      records->begin(), records->end(),
      [](const HoldRecord& left, const HoldRecord& right) { return left.created < right.created; });
  Json holds = Json::array();
  for (const HoldRecord& hold : *records) {
    if (selection == HoldSelection::kAll || IsCurrent(hold)) holds.push_back(HoldJson(hold));
  }
  return Json{{"holds", std::move(holds)}};
}

}  // namespace bindery
