// What the next pass will do for one resource, by a plan of its target.

#include <algorithm>
#include <utility>

#include "core/status.h"
#include "report/explain_report.h"
#include "report/json_fields.h"
#include "report/text_style.h"

namespace bindery {
namespace {

/// The grants of a change that concern the resource: those of its role, or of a target that it has
/// to itself.
Json Concerned(const Json& grants, const std::string& role) {
  if (role.empty()) return grants;
  Json own = Json::array();
  for (const Json& grant : grants) {
    if (GrantFromJson(grant).role == role) own.push_back(grant);
  }
  return own;
}

/// `waiting`: of the removals, those that wait for better evidence.
std::string Deed(std::size_t adds, std::size_t removes, std::size_t waiting) {
  const auto grants = [](std::size_t count) {
    return report::Count(static_cast<std::int64_t>(count), "grant");
  };
  const std::size_t now = removes - waiting;
  std::string text;
  if (adds > 0) text = "adds " + grants(adds);
  if (now > 0) text += (text.empty() ? "takes " : " and takes ") + grants(now) + " away";
  if (waiting == 0) return text;
  return (text.empty() ? "nothing yet: " : text + "; ") + grants(waiting) +
         (waiting == 1 ? " waits" : " wait") + " to be taken away";
}

/// Why nothing is done although there may be something to do; empty when nothing is in the way.
std::string Obstacle(const Json& report) {
  if (report::BoolMember(report, "suspended")) return "it is suspended";
  const std::string stands = StringMember(report::ObjectMember(report, "status"), "reason");
  if (StringMember(report, "mode") == "observe" || stands == reason::kDriftObserved)
    return "mode observe reports, and writes nothing";
  if (report::BoolMember(report, "lookup")) return "a lookup reads, and writes nothing";
  return "";
}

void TellChange(const Json& report, const Json& change, Json& next) {
  const std::string role = StringMember(report::ObjectMember(report, "inputs"), "role");
  Json adds = Concerned(report::ArrayMember(change, "adds"), role);
  Json removes = Concerned(report::ArrayMember(change, "removes"), role);
  const bool held = StringMember(change, "action") == "held" ||
                    (!removes.empty() && !report::ArrayMember(report, "holds").empty());
  const std::string obstacle = Obstacle(report);
  std::string text = "nothing";
  const auto waiting =
      static_cast<std::size_t>(std::count_if(removes.begin(), removes.end(), [](const Json& grant) {
        return !StringMember(grant, "waits").empty();
      }));
  if (!adds.empty() || !removes.empty()) {
    text = Deed(adds.size(), removes.size(), waiting);
    if (held && !removes.empty()) text += "; the removals wait for approval: bindery guard";
  } else if (!obstacle.empty()) {
    text += ": " + obstacle;
  } else if (StringMember(change, "note").empty()) {
    text += ": all is as declared";
  }
  next["text"] = text;
  next["action"] = adds.empty() && removes.empty() ? "none" : StringMember(change, "action");
  next["adds"] = std::move(adds);
  next["removes"] = std::move(removes);
  next["note"] = StringMember(change, "note");
}

/// The first member of a list that is about this resource, or this target.
const Json* About(const Json& list, std::string_view member, const std::string& value) {
  for (const Json& item : list) {
    if (StringMember(item, member) == value) return &item;
  }
  return nullptr;
}

}  // namespace

void AddNextPass(Json& report, const Expected<Json>& plan) {
  Json next = {{"known", true},         {"text", "nothing"},        {"action", "none"},
               {"adds", Json::array()}, {"removes", Json::array()}, {"note", ""}};
  const std::string target = StringMember(report, "target");
  if (!plan) {
    // What is not in force has no plan, and that is the answer.
    const bool refused = plan.error().code == Code::kFailedPrecondition;
    next["known"] = refused;
    next["text"] = (refused ? "nothing: " : "not known: ") + plan.error().message;
  } else if (const Json* error = About(report::ArrayMember(*plan, "errors"), "target", target)) {
    next["known"] = false;
    next["text"] = "its target cannot be read now: " + StringMember(*error, "code") + ": " +
                   StringMember(*error, "message");
  } else if (const Json* wait = About(report::ArrayMember(*plan, "waiting"), "resource",
                                      StringMember(report, "name"))) {
    next["text"] = "waits: " + StringMember(*wait, "message");
  } else if (const Json* change = About(report::ArrayMember(*plan, "changes"), "target", target)) {
    TellChange(report, *change, next);
  } else if (const std::string obstacle = Obstacle(report); !obstacle.empty()) {
    next["text"] = "nothing: " + obstacle;
  }
  report["next"] = std::move(next);
}

}  // namespace bindery
