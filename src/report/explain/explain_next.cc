// The next pass for one resource, by a plan of its target.

#include <algorithm>
#include <utility>
#include <vector>

#include "core/access/status.h"
#include "report/explain/explain_report.h"
#include "report/text/text_style.h"

namespace bindery {
namespace {

/// The grants of a change that concern the resource: grants of its role, or of a target of its
/// own.
std::vector<PlannedGrant> Concerned(std::vector<PlannedGrant> grants, const std::string& role) {
  if (role.empty()) return grants;
  std::erase_if(grants, [&role](const PlannedGrant& line) { return line.grant.role != role; });
  return grants;
}

/// Grants that wait for better evidence.
std::size_t Waiting(const std::vector<PlannedGrant>& grants) {
  return static_cast<std::size_t>(std::ranges::count_if(
      grants, [](const PlannedGrant& grant) { return !grant.waits.empty(); }));
}

std::string Deed(const NextPass& next) {
  const auto grants = [](std::size_t count) {
    return report::Count(static_cast<std::int64_t>(count), "grant");
  };
  const std::size_t waiting = Waiting(next.removes) + Waiting(next.replaces);
  const std::size_t now = next.removes.size() - Waiting(next.removes);
  const std::size_t replaced = next.replaces.size() - Waiting(next.replaces);
  std::string text;
  if (!next.adds.empty()) text = "adds " + grants(next.adds.size());
  if (replaced > 0) {
    text += (text.empty() ? "changes the condition of " : " and changes the condition of ") +
            grants(replaced);
  }
  if (now > 0) text += (text.empty() ? "takes " : " and takes ") + grants(now) + " away";
  if (waiting == 0) return text;
  return (text.empty() ? "nothing yet: " : text + "; ") + grants(waiting) +
         (waiting == 1 ? " waits" : " wait") + " to be taken away";
}

/// Why nothing is done although there may be something to do; empty when nothing is in the way.
std::string Obstacle(const Explanation& explanation) {
  if (explanation.suspended) return "it is suspended";
  if (explanation.mode == "observe" || explanation.status.reason == reason::kDriftObserved)
    return "mode observe reports, and writes nothing";
  if (explanation.lookup) return "a lookup reads, and writes nothing";
  return "";
}

void TellChange(const Explanation& explanation, const PlanLine& change, NextPass& next) {
  const std::string role = StringMember(explanation.inputs, "role");
  next.adds = Concerned(change.adds, role);
  next.removes = Concerned(change.removes, role);
  next.replaces = Concerned(change.replaces, role);
  next.stopped = Concerned(change.stopped, role);
  next.note = change.note;
  const bool held =
      change.action == PlanAction::kHeld || (!next.removes.empty() && !explanation.holds.empty());
  const std::string obstacle = Obstacle(explanation);
  if (!next.adds.empty() || !next.removes.empty() || !next.replaces.empty()) {
    next.action = change.action;
    next.text = Deed(next);
    if (held && !(next.removes.empty() && next.replaces.empty())) {
      next.text += "; the removals wait for approval: bindery guard";
    }
  } else if (!obstacle.empty()) {
    next.text += ": " + obstacle;
  } else if (change.note.empty()) {
    next.text += ": all is as declared";
  }
}

/// The first entry of a list about the resource, or its target.
template <typename Line>
const Line* About(const std::vector<Line>& list, std::string Line::*name,
                  const std::string& value) {
  const auto found = std::ranges::find(list, value, name);
  return found == list.end() ? nullptr : &*found;
}

}  // namespace

void AddNextPass(Explanation& explanation, const Expected<PassPlan>& plan) {
  NextPass next;
  const std::string& target = explanation.target;
  if (!plan) {
    // A resource outside of the state in force has no plan, and the answer says so.
    const bool refused = plan.error().code == Code::kFailedPrecondition;
    next.known = refused;
    next.text = (refused ? "nothing: " : "not known: ") + plan.error().message;
  } else if (const auto* error = About(plan->errors, &UnreadTarget::target, target)) {
    next.known = false;
    next.text = "its target cannot be read now: " + error->code + ": " + error->message;
  } else if (const auto* wait =
                 About(plan->waiting, &WaitingManifest::resource, explanation.name)) {
    next.text = "waits: " + wait->message;
  } else if (const auto* change = About(plan->changes, &PlanLine::target, target)) {
    TellChange(explanation, *change, next);
  } else if (const std::string obstacle = Obstacle(explanation); !obstacle.empty()) {
    next.text = "nothing: " + obstacle;
  }
  explanation.next = std::move(next);
}

}  // namespace bindery
