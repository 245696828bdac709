#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report/access_words.h"
#include "report/attributions.h"
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

/// The class, and what is not simply open: lines are short of space.
Cell DifferenceCell(const Json& item) {
  const std::string state = Shown(item, "state");
  const std::string drift_class = Shown(item, "class");
  if (state == "corrected") return {drift_class + ", corrected", Colour::kGreen};
  if (state == "held") return {drift_class + ", held", Colour::kYellow};
  return {drift_class};
}

/// The grant, and how long it is in force where its condition bounds it in time. Whose it is comes
/// first: the end is what a narrow terminal does not show.
std::string GrantCell(const Json& item, const TextStyle& style) {
  const Json& grant = report::ObjectMember(item, "grant");
  if (grant.empty()) return Shown(item, "field");
  const std::string time = report::TimeBoundsText(report::ObjectMember(item, "timeBounds"), style);
  return report::PrincipalOf(grant) + " " + report::RoleOf(grant) +
         (time.empty() ? "" : " (" + time + ")");
}

/// Desired beside observed. The grant tells its condition already, unless that is the difference.
std::string Comparison(const Json& item) {
  const std::string drift_class = StringMember(item, "class");
  const bool brief = drift_class == "missing" || drift_class == "undeclared";
  const auto in_words = [&](const char* name) {
    const std::string text = Shown(item, name);
    return brief ? text.substr(0, text.find(" if ")) : text;
  };
  return in_words("desired") + " | " + in_words("observed");
}

std::string ResourceOf(const Json& item) {
  const std::string place = report::PlaceOf(item);
  return Shown(item, "resource") + (place.empty() ? "" : " (" + place + ")");
}

/// What stands, all of it, and of what is over the latest: more of that only hides what stands.
report::ItemList ItemsWorthALine(const Json& report) {
  constexpr std::size_t kOverShown = 20;
  report::ItemList over = report::CorrectedItems(report);
  const auto later = [](const Json* left, const Json* right) {
    return StringMember(*left, "resolvedAt") > StringMember(*right, "resolvedAt");
  };
  std::stable_sort(over.begin(), over.end(), later);
  over.resize(std::min(over.size(), kOverShown));
  const std::set<const Json*> latest(over.begin(), over.end());
  report::ItemList items;
  for (const Json* item : report::AllItems(report)) {
    const bool stands = StringMember(*item, "state") != "corrected";
    if (stands || latest.contains(item)) items.push_back(item);
  }
  return items;
}

std::string ItemsTable(const report::ItemList& items, bool attributed, const TextStyle& style) {
  std::vector<report::Column> columns = {{"SEVERITY"},
                                         {"DIFFERENCE"},
                                         {"GRANT", true, 40},
                                         {"DESIRED | OBSERVED", true, 18, 2},
                                         {"AGE"}};
  if (attributed) columns.push_back({"CHANGED BY", true, 20, 1});
  columns.push_back({"RESOURCE", true, 16, 3});
  report::Table table(std::move(columns));
  for (const report::ItemList& group : report::ByTarget(items)) {
    table.AddGroup(Shown(*group.front(), "target"));
    for (const Json* item : group) {
      std::vector<Cell> cells = {SeverityCell(*item),
                                 DifferenceCell(*item),
                                 {GrantCell(*item, style)},
                                 {Comparison(*item)},
                                 {report::AgeOf(*item, "firstSeen", style)}};
      if (attributed) cells.push_back({report::ActorOf(*item)});
      cells.push_back({ResourceOf(*item)});
      table.AddRow(std::move(cells));
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
  const Json& expiring = report::ArrayMember(report, "expiring");
  if (!expiring.empty()) {
    const std::int64_t grants =
        report::IntMember(report::ObjectMember(report, "summary"), "expiring");
    text += report::Count(grants, "grant") + (grants == 1 ? " ends" : " end") +
            " soon, the first on " + report::MinuteOf(expiring.front(), "endsAt") +
            " UTC: " + Shown(expiring.front(), "resource") + "\n";
  }
  return text;
}

/// ", of which the latest 20 are listed: `-o json` has all"
std::string LeftOut(const Json& report, const report::ItemList& shown) {
  if (shown.size() == report::ArrayMember(report, "items").size()) return "";
  const auto over = std::count_if(shown.begin(), shown.end(), [](const Json* item) {
    return StringMember(*item, "state") == "corrected";
  });
  return ", of which the latest " + std::to_string(over) + " are listed: -o json has all";
}

}  // namespace

std::string DriftText(const Json& report, const TextStyle& style) {
  const Json& summary = report::ObjectMember(report, "summary");
  const std::int64_t open = report::IntMember(summary, "open");
  const std::int64_t held = report::IntMember(summary, "held");
  const std::int64_t corrected = report::IntMember(summary, "corrected");
  const std::string scope = report::Count(report::IntMember(summary, "grants"), "grant") + " on " +
                            report::Count(report::IntMember(summary, "targets"), "target");
  const report::ItemList items = ItemsWorthALine(report);
  std::string text =
      items.empty() ? "" : ItemsTable(items, report::AreAttributed(report), style) + "\n";
  if (open + held == 0) {
    text += report::Paint("No drift", Colour::kGreen, style) + " among " + scope;
    if (corrected > 0) text += "; " + report::Count(corrected, "difference") + " corrected";
    return text + LeftOut(report, items) + ".\n" + Footer(report);
  }
  text += report::Paint(report::Count(open + held, "difference"), Colour::kRed, style) + " among " +
          scope + ": " + std::to_string(open) + " open, " + std::to_string(held) + " held";
  if (corrected > 0) text += "; " + std::to_string(corrected) + " more corrected";
  return text + LeftOut(report, items) + ".\n" + Footer(report);
}

}  // namespace bindery
