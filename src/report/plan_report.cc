#include "report/plan_report.h"

#include <map>
#include <set>
#include <utility>

#include "core/severity_rules.h"
#include "providers/kinds.h"
#include "report/condition_judge.h"
#include "report/json_fields.h"
#include "report/problem_lines.h"

namespace bindery {
namespace {

/// Of some kinds a policy without a grant restricts nobody.
bool OpensToEveryone(const PlannedChange& change) {
  if (TraitsOf(change.target).opens_to == nullptr || change.removes.empty()) return false;
  return change.empties || change.action == PlanAction::kDelete;
}

/// What must not be overlooked; empty when there is nothing of that kind.
std::string WarningOf(const PlannedChange& change) {
  if (!OpensToEveryone(change)) return "";
  return "this opens " + change.target.name + " to " + TraitsOf(change.target).opens_to;
}

std::string NoteOf(const PlannedChange& change) {
  std::string note = WarningOf(change);
  if (note.empty()) return change.note;
  if (!change.note.empty()) note += "; " + change.note;
  return note;
}

Json PlanSummary(const Json& changes) {
  std::size_t adds = 0;
  std::size_t removes = 0;
  std::size_t targets = 0;
  std::size_t held = 0;
  std::size_t waits = 0;
  std::map<std::string, std::size_t> standing;
  for (const Json& change : changes) {
    const std::string action = StringMember(change, "action");
    const std::size_t removed = report::ArrayMember(change, "removes").size();
    adds += report::ArrayMember(change, "adds").size();
    removes += removed;
    targets += action == ToString(PlanAction::kNone) ? 0U : 1U;
    held += action == ToString(PlanAction::kHeld) ? removed : 0;
    for (const Json& grant : report::ArrayMember(change, "removes")) {
      waits += StringMember(grant, "waits").empty() ? 0U : 1U;
    }
    ++standing[StringMember(change, "standing")];
  }
  Json summary = {{"adds", adds}, {"removes", removes}, {"targets", targets}, {"held", held}};
  for (const auto aside :
       {PlanStanding::kObserved, PlanStanding::kSuspended, PlanStanding::kStalled}) {
    const std::string name(ToString(aside));
    summary[name] = standing[name];
  }
  summary["waits"] = waits;
  return summary;
}

/// Grants with how their conditions stand to a moment.
class GrantsInTime {
 public:
  explicit GrantsInTime(WallTime now) : judge_(report::ConditionJudge::At(now)) {}

  [[nodiscard]] Json ToJson(const Grant& grant, const GrantWords& words) {
    Json json = bindery::ToJson(grant, words);
    const Json& bounds = judge_.Judge(grant.condition).time_bounds;
    if (!bounds.is_null()) json["timeBounds"] = bounds;
    return json;
  }
  [[nodiscard]] Json ToJson(const std::vector<Grant>& grants, const GrantWords& words) {
    Json list = Json::array();
    for (const Grant& grant : grants) list.push_back(ToJson(grant, words));
    return list;
  }
  [[nodiscard]] Json ToJson(const std::vector<DriftItem>& items, const GrantWords& words) {
    Json list = Json::array();
    for (const DriftItem& item : items) {
      list.push_back({{"class", ToString(item.drift_class)},
                      {"severity", ToString(item.severity)},
                      {"resource", item.resource},
                      {"grant", ToJson(item.grant, words)},
                      {"desired", item.desired},
                      {"observed", item.observed}});
    }
    return list;
  }

 private:
  report::ConditionJudge judge_;
};

Json RemovesOf(const PlannedChange& change, GrantsInTime& grants, const GrantWords& words) {
  Json removes = grants.ToJson(change.removes, words);
  for (std::size_t i = 0; i < change.waits.size() && i < removes.size(); ++i) {
    if (!change.waits[i].empty()) removes[i]["waits"] = change.waits[i];
  }
  return removes;
}

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

std::string_view ToString(PlanStanding standing) {
  switch (standing) {
    case PlanStanding::kDeclared:
      return "declared";
    case PlanStanding::kObserved:
      return "observed";
    case PlanStanding::kSuspended:
      return "suspended";
    case PlanStanding::kStalled:
      return "stalled";
  }
  return "declared";
}

Json PlanReport(const std::vector<PlannedChange>& changes, WallTime now) {
  GrantsInTime grants(now);
  Json list = Json::array();
  for (const PlannedChange& change : changes) {
    const GrantWords& words = TraitsOf(change.target).words;
    list.push_back({{"target", change.target.name},
                    {"kind", change.target.kind},
                    {"action", ToString(change.action)},
                    {"adds", grants.ToJson(change.adds, words)},
                    {"removes", RemovesOf(change, grants, words)},
                    {"resources", change.resources},
                    {"severity", change.severity ? Json(ToString(*change.severity)) : Json()},
                    {"note", NoteOf(change)}});
    if (change.action == PlanAction::kNone) list.back()["standing"] = ToString(change.standing);
    if (!change.reported.empty()) list.back()["reported"] = grants.ToJson(change.reported, words);
    if (std::string warning = WarningOf(change); !warning.empty()) {
      list.back()["warning"] = std::move(warning);
    }
  }
  Json summary = PlanSummary(list);
  return {{"changes", std::move(list)}, {"summary", std::move(summary)}};
}

Json PlanAtLeast(Json plan, Severity least) {
  Json list = Json::array();
  for (const Json& change : report::ArrayMember(plan, "changes")) {
    const auto severity = ParseSeverity(StringMember(change, "severity"));
    if (severity && *severity >= least) list.push_back(change);
  }
  plan["summary"] = PlanSummary(list);
  plan["changes"] = std::move(list);
  plan["leastSeverity"] = ToString(least);
  return plan;
}

void AddProblems(Json& plan, const Json& problems, const std::vector<std::string>& names,
                 const std::function<bool(const std::string& resource)>& in_force) {
  Json chosen = report::ProblemsWith(problems, names);
  for (Json& problem : chosen) {
    const std::string resource = StringMember(problem, "resource");
    const bool refused = StringMember(problem, "severity") == "error";
    if (!refused || resource.empty() || !in_force) continue;
    problem["inForce"] = in_force(resource);
  }
  if (!chosen.empty()) plan["problems"] = std::move(chosen);
}

std::size_t RefusedManifests(const Json& plan) {
  std::set<std::pair<std::string, std::string>> refused;
  for (const Json& problem : report::ArrayMember(plan, "problems")) {
    if (StringMember(problem, "severity") != "error") continue;
    refused.emplace(StringMember(problem, "file"), StringMember(problem, "resource"));
  }
  return refused.size();
}

bool PlanDiffers(const Json& plan) {
  const Json& summary = report::ObjectMember(plan, "summary");
  for (const char* name : {"adds", "removes", "observed", "stalled"}) {
    if (report::IntMember(summary, name) > 0) return true;
  }
  // What waits for outputs will most likely change something.
  return !report::ArrayMember(plan, "waiting").empty();
}

}  // namespace bindery
