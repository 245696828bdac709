#include <string>

#include "report/json_fields.h"
#include "report/text.h"
#include "report/text_style.h"

namespace bindery {
namespace {

using report::Colour;
using report::Shown;

std::string GrantLine(const char* sign, const Json& grant, const char* verb, const Json& change) {
  return std::string("  ") + sign + " " + report::PrincipalOf(grant) + " " + verb + " " +
         report::RoleOf(grant) + " on " + Shown(change, "target");
}

std::string ChangeText(const Json& change, const TextStyle& style) {
  const std::string action = StringMember(change, "action");
  const bool held = action == "held";
  const std::string resources = report::JoinShown(report::ArrayMember(change, "resources"));
  std::string text = report::Paint(action + " " + Shown(change, "target"), Colour::kBold, style);
  if (!resources.empty()) text += " (" + resources + ")";
  text += "\n";
  for (const Json& grant : report::ArrayMember(change, "adds")) {
    text += report::Paint(GrantLine("+", grant, "gains", change), Colour::kGreen, style) + "\n";
  }
  for (const Json& grant : report::ArrayMember(change, "removes")) {
    std::string line = GrantLine("-", grant, held ? "would lose" : "loses", change);
    if (held) line += " (held)";
    text += report::Paint(line, held ? Colour::kYellow : Colour::kRed, style) + "\n";
  }
  if (const std::string note = Shown(change, "note"); !note.empty()) {
    text += report::Paint("  ! " + note, Colour::kYellow, style) + "\n";
  }
  return text;
}

}  // namespace

std::string PlanText(const Json& report, const TextStyle& style) {
  const Json& summary = report::ObjectMember(report, "summary");
  const std::int64_t targets = report::IntMember(summary, "targets");
  std::string text;
  std::size_t unchanged = 0;
  for (const Json& change : report::ArrayMember(report, "changes")) {
    // Nothing to do is worth a line only when there is something to say about it.
    if (StringMember(change, "action") == "none" && StringMember(change, "note").empty()) {
      ++unchanged;
      continue;
    }
    text += ChangeText(change, style);
  }
  const Json& waiting = report::ArrayMember(report, "waiting");
  for (const Json& manifest : waiting) {
    text += report::Paint("wait " + Shown(manifest, "resource"), Colour::kBold, style) + "\n  ! " +
            Shown(manifest, "message") + "\n";
  }
  if (!text.empty()) text += "\n";
  const std::string least = Shown(report, "leastSeverity");
  if (targets == 0 && !least.empty()) {
    return text + "No changes of severity " + least + " or worse.\n";
  }
  if (targets == 0) {
    return text + "No changes. " + report::Count(static_cast<std::int64_t>(unchanged), "target") +
           (unchanged == 1 ? " is" : " are") + " as declared.\n";
  }
  text += "Plan: " + report::Count(report::IntMember(summary, "adds"), "grant") + " to add, " +
          std::to_string(report::IntMember(summary, "removes")) + " to remove, on " +
          report::Count(targets, "target") + ".\n";
  if (const std::int64_t held = report::IntMember(summary, "held"); held > 0) {
    text += "The guard holds " + report::Count(held, "removal") +
            " until they are approved: bindery guard\n";
  }
  return text;
}

}  // namespace bindery
