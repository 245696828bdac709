#include <string>

#include "report/json_fields.h"
#include "report/text.h"
#include "report/text_style.h"

namespace bindery {
namespace {

using report::Colour;
using report::Shown;

/// Worse than an ordinary loss: worth a word.
std::string WeightOf(const Json& grant) {
  const std::string severity = Shown(grant, "severity");
  return severity == "critical" || severity == "high" ? " (" + severity + ")" : "";
}

std::string TargetText(const Json& target, const TextStyle& style) {
  // Who declares something there is context, not the matter.
  constexpr std::size_t kNamed = 3;
  Json resources = report::ArrayMember(target, "resources");
  const std::size_t all = resources.size();
  if (all > kNamed) resources.erase(resources.begin() + kNamed, resources.end());
  std::string text = "  " + Shown(target, "target");
  if (all > 0) text += " (" + report::JoinShown(resources);
  if (all > kNamed) text += " and " + std::to_string(all - kNamed) + " more";
  text += all > 0 ? ")\n" : "\n";
  for (const Json& grant : report::ArrayMember(target, "removes")) {
    text += report::Paint("    - " + report::PrincipalOf(grant) + " would lose " +
                              report::RoleOf(grant) + WeightOf(grant),
                          Colour::kRed, style) +
            "\n";
  }
  return text;
}

std::string DecisionText(const std::string& state, const std::string& digest,
                         const std::string& actor) {
  if (state == "open") {
    return "  Let exactly these through with:       bindery guard approve " + digest +
           "\n  Keep them, and be asked no more with: bindery guard deny " + digest + "\n";
  }
  if (state == "denied") {
    return "  denied by " + actor + ": they stay until the manifests say something else there\n" +
           "  Let them through after all with: bindery guard approve " + digest + "\n";
  }
  return actor.empty() ? "" : "  approved by " + actor + "\n";
}

std::string HoldText(const Json& hold, const TextStyle& style) {
  const std::string digest = Shown(hold, "digest");
  const std::string state = Shown(hold, "state");
  const std::string purpose = Shown(hold, "purpose");
  const Json& targets = report::ArrayMember(hold, "targets");
  std::string text = report::Paint("hold " + digest, Colour::kBold, style) + ": " +
                     report::Count(report::IntMember(hold, "removals"), "removal") + " on " +
                     report::Count(static_cast<std::int64_t>(targets.size()), "target") + " " +
                     state + " for " + report::AgeOf(hold, "createdAt", style);
  if (!purpose.empty() && purpose != "pass") text += ", " + purpose;
  text += "\n";
  if (const std::string reason = Shown(hold, "reason"); !reason.empty()) {
    text += "  " + reason + "\n";
  }
  for (const Json& target : targets) text += TargetText(target, style);
  return text + DecisionText(state, digest, Shown(hold, "actor"));
}

}  // namespace

std::string GuardText(const Json& report, const TextStyle& style) {
  const Json& holds = report::ArrayMember(report, "holds");
  if (holds.empty()) return "Nothing is held.\n";
  std::string text;
  for (const Json& hold : holds) text += (text.empty() ? "" : "\n") + HoldText(hold, style);
  return text;
}

}  // namespace bindery
