#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/count.h"
#include "reconcilers/change_words.h"
#include "report/forms/access_words.h"
#include "report/forms/texts.h"
#include "report/reports/plan_report.h"
#include "report/text/text_style.h"
#include "report/text/text_wrap.h"
#include "report/values/drift_items.h"

namespace bindery::report {
namespace {

/// " on TARGET": on a terminal the title above the line says that.
std::string OnTarget(const std::string& target, const TextStyle& style) {
  return style.width > 0 ? "" : " on " + target;
}

std::string LineOfGrant(const char* sign, const PlannedGrant& planned, const char* verb,
                        const std::string& target, const TextStyle& style) {
  const std::string time = TimeBoundsText(planned.time_bounds, style);
  return std::string("  ") + sign + " " + GetPrincipal(planned.grant) + " " + verb + " " +
         NameRole(planned.grant) + OnTarget(target, style) +
         (time.empty() ? "" : " (" + time + ")");
}

/// A line below the title of its target, no wider than the terminal as far as words allow.
std::string BelowTitle(const std::string& line, Colour colour, const TextStyle& style) {
  constexpr std::size_t kIndent = 6;
  return Paint(FitLine(line, kIndent, style), colour, style) + "\n";
}

/// A grant with a changed condition, with the difference.
std::string ReplacedLine(const PlannedGrant& planned, const std::string& target,
                         const TextStyle& style) {
  const reconcilers::SidesInWords sides = reconcilers::ConditionsInWords(
      planned.grant, planned.before ? planned.before->grant : planned.grant);
  return "  ~ " + GetPrincipal(planned.grant) + (planned.gate.empty() ? " is " : " would be ") +
         Printable(sides.desired) + ", not " + Printable(sides.observed) + ": " +
         NameRole({planned.grant.role, planned.grant.principal}) + OnTarget(target, style);
}

/// A difference that is only reported: the change if enforced. A difference that no pass changes is
/// shown as found.
std::string ReportedLine(const PlannedReport& item, const std::string& target,
                         const TextStyle& style) {
  if (!item.why.empty()) return LineOfGrant("?", item.grant, "holds", target, style);
  if (item.drift_class == DriftClass::kMissing) {
    return LineOfGrant("+", item.grant, "would gain", target, style);
  }
  if (item.drift_class == DriftClass::kUndeclared) {
    return LineOfGrant("-", item.grant, "would lose", target, style);
  }
  return LineOfGrant("~", item.grant, "would hold", target, style);
}

std::string ReplacesText(const PlanLine& change, const std::string& target,
                         const TextStyle& style) {
  std::string text;
  for (const PlannedGrant& grant : change.replaces) {
    std::string line = ReplacedLine(grant, target, style);
    if (!grant.gate.empty()) line += grant.waits.empty() ? " (held)" : " (waits)";
    text += BelowTitle(line, Colour::kYellow, style);
  }
  return text;
}

/// The rest of a title: in the next lines where the terminal is too narrow for both.
std::string AfterTitle(const std::string& title, const std::string& rest, const TextStyle& style) {
  const auto width = static_cast<std::size_t>(std::max(style.width, 0));
  const bool fits = ShownWidth(title) + 1 + ShownWidth(rest) <= width;
  constexpr std::size_t kIndent = 3;
  return width == 0 || fits ? " " + rest : "\n" + FitLine("  " + rest, kIndent, style);
}

std::string ChangeText(const PlanLine& change, const TextStyle& style) {
  const bool held = change.action == PlanAction::kHeld;
  const std::string target = Printable(change.target);
  const std::string resources = JoinShown(change.resources);
  const std::string_view word =
      change.standing ? ToString(*change.standing) : ToString(change.action);
  const std::string title = std::string(word) + " " + target;
  std::string text = Paint(title, Colour::kBold, style);
  if (!resources.empty()) text += AfterTitle(title, "(" + resources + ")", style);
  text += "\n";
  for (const PlannedGrant& grant : change.adds) {
    text += BelowTitle(LineOfGrant("+", grant, "gains", target, style), Colour::kGreen, style);
  }
  for (const PlannedGrant& grant : change.removes) {
    const bool waits = !grant.waits.empty();
    const bool stays = held || waits;
    std::string line = LineOfGrant("-", grant, stays ? "would lose" : "loses", target, style);
    if (stays) line += waits ? " (waits)" : " (held)";
    text += BelowTitle(line, stays ? Colour::kYellow : Colour::kRed, style);
  }
  text += ReplacesText(change, target, style);
  for (const PlannedReport& item : change.reported) {
    const std::string mark = item.why.empty() ? " (only reported)" : " (open drift, not changed)";
    text += BelowTitle(ReportedLine(item, target, style) + mark, Colour::kYellow, style);
  }
  if (!change.note.empty()) {
    text += BelowTitle("  ! " + Printable(change.note), Colour::kYellow, style);
  }
  return text;
}

/// "Of these, a (a.yaml:1) stays in force as it was before."; empty if none does.
std::string StandingText(const std::vector<ProblemLine>& problems) {
  constexpr std::size_t kNamed = 5;
  std::map<std::string, std::string> standing;
  for (const ProblemLine& problem : problems) {
    if (!problem.in_force.value_or(false)) continue;
    standing.try_emplace(Printable(problem.resource),
                         Printable(problem.file) + ":" + std::to_string(problem.line));
  }
  if (standing.empty()) return "";
  std::vector<std::string> names;
  for (const auto& [name, place] : standing) names.push_back(name + " (" + place + ")");
  return "Of these, " + TakeFirst(names, kNamed) +
         (standing.size() == 1 ? " stays in force as it was before.\n"
                               : " stay in force as they were before.\n");
}

/// "1 manifest waits for values that are not known yet." and the like; empty when all is known.
std::string OpenText(const PassPlan& plan) {
  std::string text;
  const auto tell = [&text](std::size_t count, const char* noun, const char* one,
                            const char* several) {
    if (count == 0) return;
    text += Count(count, noun) + (count == 1 ? one : several);
  };
  if (!plan.load_error.empty()) {
    text += "The manifests directory cannot be read: this is what was in force before.\n";
  }
  tell(RefusedManifests(plan), "manifest",
       " has errors and is not taken up: see bindery validate.\n",
       " have errors and are not taken up: see bindery validate.\n");
  text += StandingText(plan.problems);
  tell(plan.waiting.size(), "manifest", " waits for values that are not known yet.\n",
       " wait for values that are not known yet.\n");
  tell(plan.errors.size(), "target", " could not be read.\n", " could not be read.\n");
  if (!plan.deletions_unknown.empty()) {
    text += "What deleted manifests granted is not known, and not in this plan.\n";
  }
  return text;
}

/// The targets that nothing is to be done to, and that are not as declared for all that: "1 differs
/// but is only observed, 1 has suspended resources"; empty if none exists.
std::string AsideText(const PlanCounts& counts) {
  std::string text;
  const auto tell = [&text](std::size_t count, const char* one, const char* several) {
    if (count == 0) return;
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + (count == 1 ? one : several);
  };
  tell(counts.observed, "differs but is only observed", "differ but are only observed");
  tell(counts.stalled, "cannot be brought to what is declared",
       "cannot be brought to what is declared");
  tell(counts.suspended, "has suspended resources", "have suspended resources");
  return text;
}

/// What no pass changes; empty when no such thing exists.
std::string UnchangedText(const PlanCounts& counts) {
  if (counts.reported == 0) return "";
  return Count(counts.reported, "difference") + (counts.reported == 1 ? " is" : " are") +
         " open drift that no pass changes: the notes say why.\n";
}

/// What is said where nothing is to be done.
std::string NothingText(std::size_t unchanged, const std::string& aside, const std::string& open,
                        const PassPlan& plan) {
  const std::string same = Count(unchanged, "target") + (unchanged == 1 ? " is" : " are") +
                           " as declared" + (aside.empty() ? "" : ", " + aside) + ".\n";
  const std::string drift = UnchangedText(plan.summary);
  if (!drift.empty()) return "Nothing is to be written. " + same + drift + open;
  if (open.empty()) return "No changes. " + same;
  if (unchanged > 0 || !aside.empty()) return "No changes where all is known: " + same + open;
  return (plan.errors.empty() ? "" : "Nothing could be read.\n") + open;
}

/// What is said where something is to be done.
std::string SumText(const PlanCounts& counts, const std::string& aside, const TextStyle& style) {
  std::string text =
      "Plan: " + Count(counts.adds, "grant") + " to add, " + std::to_string(counts.removes) +
      " to remove, " +
      (counts.replaces > 0 ? std::to_string(counts.replaces) + " to get another condition, " : "") +
      "on " + Count(counts.targets, "target") + ".\n";
  if (counts.held > 0) {
    text += "The guard holds " + Count(counts.held, "removal") +
            " until they are approved: bindery guard\n";
  }
  if (counts.waits > 0) {
    text += Count(counts.waits, "removal") + (counts.waits == 1 ? " waits" : " wait") +
            " for what the note on the target says.\n";
  }
  if (!aside.empty()) text += FitLine("Of the other targets, " + aside + ".", 2, style) + "\n";
  return text + UnchangedText(counts);
}

}  // namespace

std::string PlanText(const PassPlan& plan, const TextStyle& style) {
  std::string text;
  std::size_t unchanged = 0;
  for (const PlanLine& change : plan.changes) {
    const bool none = change.action == PlanAction::kNone;
    const bool silent = none && change.note.empty();
    if (silent || (none && change.standing == PlanStanding::kDeclared)) ++unchanged;
    // What is as declared is worth no line, unless there is something to note.
    if (silent) continue;
    text += ChangeText(change, style);
  }
  for (const WaitingManifest& manifest : plan.waiting) {
    text += Paint("wait " + Printable(manifest.resource), Colour::kBold, style) + "\n  ! " +
            Printable(manifest.message) + "\n";
  }
  if (!text.empty()) text += "\n";
  const std::string open = OpenText(plan);
  const std::string aside = AsideText(plan.summary);
  const bool nothing = plan.summary.targets == 0;
  if (nothing && plan.least) {
    text += "No changes of severity " + std::string(ToString(*plan.least)) + " or worse.\n";
    if (!aside.empty()) text += "Of the targets, " + aside + ".\n";
    return text + UnchangedText(plan.summary) + open;
  }
  if (nothing) return text + NothingText(unchanged, aside, open, plan);
  return text + SumText(plan.summary, aside, style) + open;
}

}  // namespace bindery::report
