#include "report/plan_report.h"

#include <utility>

#include "report/condition_judge.h"
#include "report/json_fields.h"

namespace bindery {
namespace {

/// To its service a restriction policy without bindings is no restriction at all.
bool OpensToEveryone(const PlannedChange& change) {
  if (!report::IsRestriction(change.target) || change.removes.empty()) return false;
  return change.empties || change.action == PlanAction::kDelete;
}

/// What must not be overlooked; empty when there is nothing of that kind.
std::string WarningOf(const PlannedChange& change) {
  if (!OpensToEveryone(change)) return "";
  return "this opens " + change.target.name + " to everyone in the organization";
}

std::string NoteOf(const PlannedChange& change) {
  std::string note = WarningOf(change);
  if (note.empty()) return change.note;
  if (!change.note.empty()) note += "; " + change.note;
  return note;
}

/// Grants with how their conditions stand to a moment.
class GrantsInTime {
 public:
  explicit GrantsInTime(WallTime now) : judge_(report::ConditionJudge::At(now)) {}

  [[nodiscard]] Json ToJson(const std::vector<Grant>& grants, const GrantWords& words) {
    Json list = report::GrantsJson(grants, words);
    for (std::size_t i = 0; i < grants.size(); ++i) {
      const Json& bounds = judge_.Judge(grants[i].condition).time_bounds;
      if (!bounds.is_null()) list[i]["timeBounds"] = bounds;
    }
    return list;
  }

 private:
  report::ConditionJudge judge_;
};

}  // namespace

std::string_view ToString(PlanAction action) {
  switch (action) {
    case PlanAction::kCreate:
      return "create";
    case PlanAction::kUpdate:
      return "update";
    case PlanAction::kDelete:
      return "delete";
    case PlanAction::kNone:
      return "none";
    case PlanAction::kHeld:
      return "held";
  }
  return "none";
}

Json PlanReport(const std::vector<PlannedChange>& changes, WallTime now) {
  GrantsInTime grants(now);
  Json list = Json::array();
  std::size_t adds = 0;
  std::size_t removes = 0;
  std::size_t targets = 0;
  std::size_t held = 0;
  for (const PlannedChange& change : changes) {
    const GrantWords& words = report::WordsOf(change.target);
    list.push_back({{"target", change.target.name},
                    {"kind", change.target.kind},
                    {"action", ToString(change.action)},
                    {"adds", grants.ToJson(change.adds, words)},
                    {"removes", grants.ToJson(change.removes, words)},
                    {"resources", change.resources},
                    {"note", NoteOf(change)}});
    if (std::string warning = WarningOf(change); !warning.empty()) {
      list.back()["warning"] = std::move(warning);
    }
    adds += change.adds.size();
    removes += change.removes.size();
    targets += change.action == PlanAction::kNone ? 0 : 1;
    held += change.action == PlanAction::kHeld ? change.removes.size() : 0;
  }
  return {
      {"changes", std::move(list)},
      {"summary", {{"adds", adds}, {"removes", removes}, {"targets", targets}, {"held", held}}}};
}

}  // namespace bindery
