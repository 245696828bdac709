// The next pass for one resource, by a plan of its target.

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/access/status.h"
#include "core/text/count.h"
#include "providers/registry/kinds.h"
#include "reconcilers/kind.h"
#include "report/explain/explain_report.h"

namespace bindery::report {
namespace {

/// Grants that wait for better evidence.
std::size_t Waiting(const std::vector<PlannedGrant>& grants) {
  return static_cast<std::size_t>(std::ranges::count_if(
      grants, [](const PlannedGrant& grant) { return !grant.waits.empty(); }));
}

std::string Deed(const NextPass& next) {
  const std::size_t waiting = Waiting(next.removes) + Waiting(next.replaces);
  const std::size_t now = next.removes.size() - Waiting(next.removes);
  const std::size_t replaced = next.replaces.size() - Waiting(next.replaces);
  std::vector<std::string> deeds;
  if (!next.adds.empty()) deeds.push_back("adds " + Count(next.adds.size(), "grant"));
  if (replaced > 0) deeds.push_back("changes the condition of " + Count(replaced, "grant"));
  if (now > 0) deeds.push_back("takes " + Count(now, "grant") + " away");
  std::string text = fmt::format("{}", fmt::join(deeds, " and "));
  if (waiting == 0) return text;
  return (text.empty() ? "nothing yet: " : text + "; ") + Count(waiting, "grant") +
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
  static_cast<PlannedGrants&>(next) = static_cast<const PlannedGrants&>(change);
  // Only what the resource claims of its target.
  const reconcilers::Kind* kind = providers::KnownKinds().FindByTargets(explanation.policy);
  bool is_whole = change.resources.size() <= 1;
  for (auto* grants : {&next.adds, &next.removes, &next.replaces, &next.stopped}) {
    const auto left_aside = std::erase_if(*grants, [&](const PlannedGrant& one) {
      return !explanation.claim.empty() &&
             !reconcilers::CoversOn(kind, explanation.claim, one.grant);
    });
    is_whole = is_whole && left_aside == 0;
  }
  // The plan does not tell which part of the target a note is about.
  if (!change.note.empty()) next.note = (is_whole ? "" : "of the whole target: ") + change.note;
  const bool held =
      change.action == PlanAction::kHeld || (!next.removes.empty() && !explanation.holds.empty());
  if (!next.adds.empty() || !next.removes.empty() || !next.replaces.empty()) {
    next.text = Deed(next);
    if (held && !(next.removes.empty() && next.replaces.empty())) {
      next.text += "; the removals wait for approval: bindery guard";
    }
    return;
  }
  next.action = PlanAction::kNone;
  if (const std::string obstacle = Obstacle(explanation); !obstacle.empty()) {
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
  if (!plan) {
    // A resource outside of the state in force has no plan, and the answer says so.
    const bool refused = plan.error().code == Code::kFailedPrecondition;
    next.known = refused;
    next.text = (refused ? "nothing: " : "not known: ") + plan.error().message;
  } else if (const auto* error = About(plan->errors, &UnreadTarget::target, explanation.target)) {
    next.known = false;
    next.text = "its target cannot be read now: " + error->code + ": " + error->message;
  } else if (const auto* wait =
                 About(plan->waiting, &WaitingManifest::resource, explanation.name)) {
    next.text = "waits: " + wait->message;
  } else if (const auto* change = About(plan->changes, &PlanLine::target, explanation.target)) {
    TellChange(explanation, *change, next);
  } else if (const std::string obstacle = Obstacle(explanation); !obstacle.empty()) {
    next.text = "nothing: " + obstacle;
  }
  explanation.next = std::move(next);
}

}  // namespace bindery::report
