#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "report/access_words.h"
#include "report/json_fields.h"
#include "report/plan_report.h"
#include "report/text.h"
#include "report/text_style.h"

namespace bindery {
namespace {

using report::Colour;
using report::Shown;

std::string GrantLine(const char* sign, const Json& grant, const char* verb, const Json& change,
                      const TextStyle& style) {
  const std::string time = report::TimeBoundsText(report::ObjectMember(grant, "timeBounds"), style);
  return std::string("  ") + sign + " " + report::PrincipalOf(grant) + " " + verb + " " +
         report::RoleOf(grant) + " on " + Shown(change, "target") +
         (time.empty() ? "" : " (" + time + ")");
}

/// What is only reported: what would be done about it if it were enforced.
std::string ReportedLine(const Json& item, const Json& change, const TextStyle& style) {
  const std::string drift_class = StringMember(item, "class");
  const Json& grant = report::ObjectMember(item, "grant");
  if (drift_class == "missing") return GrantLine("+", grant, "would gain", change, style);
  if (drift_class == "undeclared") return GrantLine("-", grant, "would lose", change, style);
  return GrantLine("~", grant, "would hold", change, style);
}

std::string ChangeText(const Json& change, const TextStyle& style) {
  const std::string action = StringMember(change, "action");
  const bool held = action == "held";
  const std::string resources = report::JoinShown(report::ArrayMember(change, "resources"));
  const std::string word = action == "none" ? StringMember(change, "standing") : action;
  std::string text = report::Paint(word + " " + Shown(change, "target"), Colour::kBold, style);
  if (!resources.empty()) text += " (" + resources + ")";
  text += "\n";
  for (const Json& grant : report::ArrayMember(change, "adds")) {
    text +=
        report::Paint(GrantLine("+", grant, "gains", change, style), Colour::kGreen, style) + "\n";
  }
  for (const Json& grant : report::ArrayMember(change, "removes")) {
    const bool waits = !StringMember(grant, "waits").empty();
    const bool stays = held || waits;
    std::string line = GrantLine("-", grant, stays ? "would lose" : "loses", change, style);
    if (stays) line += waits ? " (waits)" : " (held)";
    text += report::Paint(line, stays ? Colour::kYellow : Colour::kRed, style) + "\n";
  }
  for (const Json& item : report::ArrayMember(change, "reported")) {
    text += report::Paint(ReportedLine(item, change, style) + " (only reported)", Colour::kYellow,
                          style) +
            "\n";
  }
  if (const std::string note = Shown(change, "note"); !note.empty()) {
    text += report::Paint("  ! " + note, Colour::kYellow, style) + "\n";
  }
  return text;
}

/// "Of these, a (a.yaml:1) stays in force as it was before."; empty when none does.
std::string StandingText(const Json& problems) {
  constexpr std::size_t kNamed = 5;
  std::map<std::string, std::string> standing;
  for (const Json& problem : problems) {
    if (!report::BoolMember(problem, "inForce")) continue;
    standing.try_emplace(
        Shown(problem, "resource"),
        Shown(problem, "file") + ":" + std::to_string(report::IntMember(problem, "line")));
  }
  if (standing.empty()) return "";
  std::string names;
  std::size_t named = 0;
  for (const auto& [name, place] : standing) {
    if (++named > kNamed) break;
    names += (names.empty() ? "" : ", ") + name + " (" + place + ")";
  }
  if (named > kNamed) names += " and " + std::to_string(standing.size() - kNamed) + " more";
  return "Of these, " + names +
         (standing.size() == 1 ? " stays in force as it was before.\n"
                               : " stay in force as they were before.\n");
}

/// "1 manifest waits for values that are not known yet." and the like; empty when all is known.
std::string OpenText(const Json& report) {
  std::string text;
  const auto tell = [&text](std::size_t count, const char* noun, const char* one,
                            const char* several) {
    if (count == 0) return;
    text += report::Count(static_cast<std::int64_t>(count), noun) + (count == 1 ? one : several);
  };
  if (!StringMember(report, "loadError").empty()) {
    text += "The manifests directory cannot be read: this is what was in force before.\n";
  }
  tell(RefusedManifests(report), "manifest",
       " has errors and is not taken up: see bindery validate.\n",
       " have errors and are not taken up: see bindery validate.\n");
  text += StandingText(report::ArrayMember(report, "problems"));
  tell(report::ArrayMember(report, "waiting").size(), "manifest",
       " waits for values that are not known yet.\n", " wait for values that are not known yet.\n");
  tell(report::ArrayMember(report, "errors").size(), "target", " could not be read.\n",
       " could not be read.\n");
  return text;
}

/// The targets that nothing is to be done to, and that are not as declared for all that: "1 differs
/// but is only observed, 1 is suspended"; empty when there are none.
std::string AsideText(const Json& summary) {
  struct Aside {
    const char* name;
    const char* one;
    const char* several;
  };
  constexpr std::array<Aside, 3> kAsides = {{
      {"observed", "differs but is only observed", "differ but are only observed"},
      {"stalled", "cannot be brought to what is declared", "cannot be brought to what is declared"},
      {"suspended", "is suspended", "are suspended"},
  }};
  std::string text;
  for (const Aside& aside : kAsides) {
    const std::int64_t count = report::IntMember(summary, aside.name);
    if (count == 0) continue;
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " +
            (count == 1 ? aside.one : aside.several);
  }
  return text;
}

/// What is said where nothing is to be done.
std::string NothingText(std::size_t unchanged, const std::string& aside, const std::string& open,
                        std::size_t unread) {
  const std::string same = report::Count(static_cast<std::int64_t>(unchanged), "target") +
                           (unchanged == 1 ? " is" : " are") + " as declared" +
                           (aside.empty() ? "" : ", " + aside) + ".\n";
  if (open.empty()) return "No changes. " + same;
  if (unchanged > 0 || !aside.empty()) return "No changes where all is known: " + same + open;
  return (unread > 0 ? "Nothing could be read.\n" : "") + open;
}

/// What is said where something is to be done.
std::string SumText(const Json& summary, const std::string& aside) {
  std::string text = "Plan: " + report::Count(report::IntMember(summary, "adds"), "grant") +
                     " to add, " + std::to_string(report::IntMember(summary, "removes")) +
                     " to remove, on " +
                     report::Count(report::IntMember(summary, "targets"), "target") + ".\n";
  if (const std::int64_t held = report::IntMember(summary, "held"); held > 0) {
    text += "The guard holds " + report::Count(held, "removal") +
            " until they are approved: bindery guard\n";
  }
  if (const std::int64_t waits = report::IntMember(summary, "waits"); waits > 0) {
    text += report::Count(waits, "removal") + (waits == 1 ? " waits" : " wait") +
            " for what the note on the target says.\n";
  }
  if (!aside.empty()) text += "Of the other targets, " + aside + ".\n";
  return text;
}

}  // namespace

std::string PlanText(const Json& report, const TextStyle& style) {
  const Json& summary = report::ObjectMember(report, "summary");
  const std::int64_t targets = report::IntMember(summary, "targets");
  std::string text;
  std::size_t unchanged = 0;
  for (const Json& change : report::ArrayMember(report, "changes")) {
    // What is as declared is worth no line; anything else has a note.
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
  const std::size_t unread = report::ArrayMember(report, "errors").size();
  const std::string open = OpenText(report);
  const std::string aside = AsideText(summary);
  const std::string least = Shown(report, "leastSeverity");
  if (targets == 0 && !least.empty()) {
    text += "No changes of severity " + least + " or worse.\n";
    if (!aside.empty()) text += "Of the targets, " + aside + ".\n";
    return text + open;
  }
  if (targets == 0) return text + NothingText(unchanged, aside, open, unread);
  return text + SumText(summary, aside) + open;
}

}  // namespace bindery
