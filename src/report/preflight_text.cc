#include <map>
#include <string>
#include <utility>
#include <vector>

#include "report/json_fields.h"
#include "report/text.h"
#include "report/text_style.h"
#include "report/text_table.h"

namespace bindery {
namespace {

using report::Colour;

Colour ColourOfState(const std::string& state) {
  if (state == "ok") return Colour::kGreen;
  return state == "warning" ? Colour::kYellow : Colour::kRed;
}

std::int64_t Size(const std::vector<std::string>& texts) {
  return static_cast<std::int64_t>(texts.size());
}

/// Of a check that went well for many subjects only their number is worth a line.
constexpr int kShownOfOneKind = 5;

}  // namespace

std::string PreflightText(const Json& report, const TextStyle& style) {
  const Json& checks = report::ArrayMember(report, "checks");
  std::map<std::string, int> fine;
  for (const Json& check : checks) {
    if (StringMember(check, "state") == "ok") ++fine[StringMember(check, "check")];
  }
  report::Table table({{"CHECK"}, {"SUBJECT", true}, {"STATE"}, {"FOUND"}});
  std::vector<std::string> actions;
  std::map<std::string, std::vector<std::string>> concerned;
  std::map<std::string, bool> summed_up;
  for (const Json& check : checks) {
    const std::string name = report::Shown(check, "check");
    const std::string state = report::Shown(check, "state");
    if (state == "ok" && fine[name] > kShownOfOneKind) {
      if (std::exchange(summed_up[name], true)) continue;
      table.AddRow({{name},
                    {"all others"},
                    {state, ColourOfState(state)},
                    {std::to_string(fine[name]) + " are fine"}});
      continue;
    }
    table.AddRow({{name},
                  {report::Shown(check, "subject")},
                  {state, ColourOfState(state)},
                  {report::Shown(check, "message")}});
    const std::string action = report::Shown(check, "action");
    if (action.empty()) continue;
    if (concerned[action].empty()) actions.push_back(action);
    concerned[action].push_back(name + " " + report::Shown(check, "subject"));
  }
  const Json* summary = FindMember(report, "summary");
  const auto count = [summary](const char* name) {
    return summary == nullptr ? 0 : report::IntMember(*summary, name);
  };
  std::string text = table.Text(style);
  if (!actions.empty()) text += "\nWhat to do:\n";
  for (const std::string& action : actions) {
    const std::vector<std::string>& checked = concerned[action];
    text += "  " + checked.front();
    if (checked.size() > 1) text += " and " + report::Count(Size(checked) - 1, "other");
    text += ": " + action + "\n";
  }
  return text + "\n" + std::to_string(count("ok")) + " ok, " +
         report::Count(count("warnings"), "warning") + ", " + std::to_string(count("failed")) +
         " failed\n";
}

}  // namespace bindery
