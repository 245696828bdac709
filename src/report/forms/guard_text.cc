#include <string>
#include <vector>

#include "report/forms/texts.h"
#include "report/text/text_style.h"
#include "report/text/text_wrap.h"
#include "report/values/drift_items.h"
#include "report/values/guard_values.h"

namespace bindery::report {
namespace {

/// Worse than an ordinary loss: worth a word.
std::string DescribeWeight(const HeldRemoval& held) {
  const bool heavy = held.severity == Severity::kCritical || held.severity == Severity::kHigh;
  return heavy ? " (" + held.severity.text() + ")" : "";
}

std::string TargetText(const HeldTarget& target, const TextStyle& style) {
  const std::string resources = Printable(target.FirstResources());
  std::string text =
      "  " + Printable(target.target) + (resources.empty() ? "" : " (" + resources + ")") + "\n";
  for (const HeldRemoval& held : target.removes) {
    const Grant& grant = held.grant;
    text += Paint("    - " + GetPrincipal(grant) + " would lose " + NameRole(grant) +
                      DescribeWeight(held),
                  Colour::kRed, style) +
            "\n";
  }
  return text;
}

std::string DecisionText(const HoldLine& hold) {
  const std::string digest = Printable(hold.digest);
  const std::string actor = Printable(hold.actor);
  if (hold.state == HoldState::kOpen) {
    return "  Let exactly these through with:       bindery guard approve " + digest +
           "\n  Keep them, and be asked no more with: bindery guard deny " + digest + "\n";
  }
  if (hold.state == HoldState::kDenied) {
    return "  denied by " + actor + ": they stay until the manifests say something else there\n" +
           "  Let them through after all with: bindery guard approve " + digest + "\n";
  }
  return actor.empty() ? "" : "  approved by " + actor + "\n";
}

std::string HoldText(const HoldLine& hold, const TextStyle& style) {
  std::string text = Paint("hold " + Printable(hold.digest), Colour::kBold, style) + ": " +
                     report::Count(static_cast<std::int64_t>(hold.removals), "removal") + " on " +
                     report::Count(static_cast<std::int64_t>(hold.targets.size()), "target") + " " +
                     std::string(ToString(hold.state)) + " for " +
                     FormatTimeAge(hold.created_at, style);
  if (hold.purpose != HoldPurpose()) text += ", " + ToString(hold.purpose);
  text += "\n";
  if (!hold.reason.empty()) text += FitLine("  " + Printable(hold.reason), 4, style) + "\n";
  for (const HeldTarget& target : hold.targets) text += TargetText(target, style);
  return text + DecisionText(hold);
}

}  // namespace

std::string GuardText(const HoldList& report, const TextStyle& style) {
  if (report.holds.empty()) return "Nothing is held.\n";
  std::string text;
  for (const HoldLine& hold : report.holds) {
    text += (text.empty() ? "" : "\n") + HoldText(hold, style);
  }
  return text;
}

}  // namespace bindery::report
