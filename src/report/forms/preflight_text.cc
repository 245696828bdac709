#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "report/checks/preflight_report.h"
#include "report/forms/texts.h"
#include "report/text/text_style.h"
#include "report/text/text_table.h"

namespace bindery::report {
namespace {

Colour ColourOfState(CheckState state) {
  if (state == CheckState::kOk) return Colour::kGreen;
  return state == CheckState::kWarning ? Colour::kYellow : Colour::kRed;
}

std::int64_t Size(const std::vector<std::string>& texts) {
  return static_cast<std::int64_t>(texts.size());
}

/// For a good check of many subjects only the number is worth a line.
constexpr int kShownOfOneKind = 5;

/// "permissions a, permissions b": the subjects of one piece of advice; "and 3 others" beyond five.
std::string ConcernedText(const std::vector<std::string>& checked) {
  constexpr std::size_t kNamed = 5;
  std::string text = checked.front();
  for (std::size_t i = 1; i < std::min(checked.size(), kNamed); ++i) text += ", " + checked[i];
  if (checked.size() > kNamed) {
    text += " and " + report::Count(Size(checked) - static_cast<std::int64_t>(kNamed), "other");
  }
  return text;
}

}  // namespace

std::string PreflightText(const PreflightResult& result, const TextStyle& style) {
  std::map<std::string, int> fine;
  std::map<std::string, int> all;
  for (const PreflightCheck& check : result.checks) {
    ++all[check.check];
    if (check.state == CheckState::kOk) ++fine[check.check];
  }
  Table table({{"CHECK"},
               {.title = "SUBJECT", .shrinks = true, .least = 16, .cut = Cut::kNever},
               {"STATE"},
               {.title = "FOUND", .shrinks = true, .least = 32, .cut = Cut::kWrap}});
  std::vector<std::string> actions;
  std::map<std::string, std::vector<std::string>> concerned;
  std::map<std::string, bool> summed_up;
  for (const PreflightCheck& check : result.checks) {
    const std::string name = Printable(check.check);
    const Cell state{std::string(ToString(check.state)), ColourOfState(check.state)};
    const int alike = fine[check.check];
    if (check.state == CheckState::kOk && alike > kShownOfOneKind) {
      if (std::exchange(summed_up[name], true)) continue;
      table.AddRow({{name},
                    {alike == all[check.check] ? "all" : "all others"},
                    state,
                    {std::to_string(alike) + " are fine"}});
      continue;
    }
    const std::string subject = Printable(check.subject);
    table.AddRow({{name}, {subject}, state, {Printable(check.message)}});
    const std::string action = Printable(check.action);
    if (action.empty()) continue;
    if (concerned[action].empty()) actions.push_back(action);
    concerned[action].push_back(name + " " + subject);
  }
  std::string text = table.Text(style);
  if (!actions.empty()) text += "\nWhat to do:\n";
  for (const std::string& action : actions) {
    text += "  " + ConcernedText(concerned[action]) + ": " + action + "\n";
  }
  const PreflightCounts& counts = result.summary;
  return text + "\n" + std::to_string(counts.ok) + " ok, " +
         report::Count(static_cast<std::int64_t>(counts.warnings), "warning") + ", " +
         std::to_string(counts.failed) + " failed\n";
}

}  // namespace bindery::report
