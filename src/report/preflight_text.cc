#include <map>
#include <string>
#include <utility>
#include <vector>

#include "report/preflight_report.h"
#include "report/text.h"
#include "report/text_style.h"
#include "report/text_table.h"

namespace bindery {
namespace {

using report::Colour;

Colour ColourOfState(CheckState state) {
  if (state == CheckState::kOk) return Colour::kGreen;
  return state == CheckState::kWarning ? Colour::kYellow : Colour::kRed;
}

std::int64_t Size(const std::vector<std::string>& texts) {
  return static_cast<std::int64_t>(texts.size());
}

/// Of a check that went well for many subjects only their number is worth a line.
constexpr int kShownOfOneKind = 5;

}  // namespace

std::string PreflightText(const PreflightResult& result, const TextStyle& style) {
  std::map<std::string, int> fine;
  for (const PreflightCheck& check : result.checks) {
    if (check.state == CheckState::kOk) ++fine[check.check];
  }
  report::Table table({{"CHECK"}, {"SUBJECT", true}, {"STATE"}, {"FOUND"}});
  std::vector<std::string> actions;
  std::map<std::string, std::vector<std::string>> concerned;
  std::map<std::string, bool> summed_up;
  for (const PreflightCheck& check : result.checks) {
    const std::string name = report::Printable(check.check);
    const report::Cell state{std::string(ToString(check.state)), ColourOfState(check.state)};
    const int alike = fine[check.check];
    if (check.state == CheckState::kOk && alike > kShownOfOneKind) {
      if (std::exchange(summed_up[name], true)) continue;
      table.AddRow({{name}, {"all others"}, state, {std::to_string(alike) + " are fine"}});
      continue;
    }
    const std::string subject = report::Printable(check.subject);
    table.AddRow({{name}, {subject}, state, {report::Printable(check.message)}});
    const std::string action = report::Printable(check.action);
    if (action.empty()) continue;
    if (concerned[action].empty()) actions.push_back(action);
    concerned[action].push_back(name + " " + subject);
  }
  std::string text = table.Text(style);
  if (!actions.empty()) text += "\nWhat to do:\n";
  for (const std::string& action : actions) {
    const std::vector<std::string>& checked = concerned[action];
    text += "  " + checked.front();
    if (checked.size() > 1) text += " and " + report::Count(Size(checked) - 1, "other");
    text += ": " + action + "\n";
  }
  const PreflightCounts& counts = result.summary;
  return text + "\n" + std::to_string(counts.ok) + " ok, " +
         report::Count(static_cast<std::int64_t>(counts.warnings), "warning") + ", " +
         std::to_string(counts.failed) + " failed\n";
}

}  // namespace bindery
