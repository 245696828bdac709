#include <string>

#include "report/access_words.h"
#include "report/drift_items.h"
#include "report/json_fields.h"
#include "report/text.h"
#include "report/text_table.h"

namespace bindery {
namespace {

using report::Cell;
using report::Colour;
using report::Shown;

Cell SeverityCell(const Json& item) {
  const std::string severity = Shown(item, "severity");
  if (StringMember(item, "state") == "corrected") return {severity, Colour::kDim};
  if (severity == "critical" || severity == "high") return {severity, Colour::kRed};
  return {severity, severity == "medium" ? Colour::kYellow : Colour::kNone};
}

Cell StateCell(const Json& item) {
  const std::string state = Shown(item, "state");
  if (state == "corrected") return {state, Colour::kGreen};
  return {state, state == "held" ? Colour::kYellow : Colour::kNone};
}

/// The grant, and how long it is in force where its condition bounds it in time.
std::string GrantCell(const Json& item, const TextStyle& style) {
  const std::string time = report::TimeBoundsText(report::ObjectMember(item, "timeBounds"), style);
  return report::GrantOf(item) + (time.empty() ? "" : " (" + time + ")");
}

std::string ResourceOf(const Json& item) {
  const std::string place = report::PlaceOf(item);
  return Shown(item, "resource") + (place.empty() ? "" : " (" + place + ")");
}

std::string ItemsTable(const report::ItemList& items, const TextStyle& style) {
  report::Table table({{"SEVERITY"},
                       {"STATE"},
                       {"CLASS"},
                       {"GRANT", true},
                       {"DESIRED | OBSERVED", true},
                       {"AGE"},
                       {"RESOURCE", true}});
  for (const report::ItemList& group : report::ByTarget(items)) {
    table.AddGroup(Shown(*group.front(), "target"));
    for (const Json* item : group) {
      table.AddRow({SeverityCell(*item),
                    StateCell(*item),
                    {Shown(*item, "class")},
                    {GrantCell(*item, style)},
                    {Shown(*item, "desired") + " | " + Shown(*item, "observed")},
                    {report::AgeOf(*item, "firstSeen", style)},
                    {ResourceOf(*item)}});
    }
  }
  return table.Text(style);
}

/// What is worth a line only when there is something to say.
std::string Footer(const Json& report) {
  std::string text;
  const std::string least = Shown(report, "leastSeverity");
  if (!least.empty() && least != "low")
    text += "Only differences of severity " + least + " or worse.\n";
  if (!StringMember(report, "previousAt").empty()) text += report::SinceLastOf(report) + "\n";
  const std::int64_t failing =
      report::IntMember(report::ObjectMember(report, "summary"), "failing");
  if (failing > 0) {
    text += report::Count(failing, "resource") + " cannot be kept as declared: bindery get\n";
  }
  return text;
}

}  // namespace

std::string DriftText(const Json& report, const TextStyle& style) {
  const Json& summary = report::ObjectMember(report, "summary");
  const std::int64_t open = report::IntMember(summary, "open");
  const std::int64_t held = report::IntMember(summary, "held");
  const std::int64_t corrected = report::IntMember(summary, "corrected");
  const std::string scope = report::Count(report::IntMember(summary, "grants"), "grant") + " on " +
                            report::Count(report::IntMember(summary, "targets"), "target");
  const report::ItemList items = report::AllItems(report);
  std::string text = items.empty() ? "" : ItemsTable(items, style) + "\n";
  if (open + held == 0) {
    text += report::Paint("No drift", Colour::kGreen, style) + " among " + scope;
    if (corrected > 0) text += "; " + report::Count(corrected, "difference") + " corrected";
    return text + ".\n" + Footer(report);
  }
  text += report::Paint(report::Count(open + held, "difference"), Colour::kRed, style) + " among " +
          scope + ": " + std::to_string(open) + " open, " + std::to_string(held) + " held";
  if (corrected > 0) text += "; " + std::to_string(corrected) + " more corrected";
  return text + ".\n" + Footer(report);
}

}  // namespace bindery
