#include <map>
#include <string>
#include <vector>

#include "report/access_words.h"
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

/// "roles/viewer user:ana@example.com", or the output of a lookup that changed; the target as a
/// whole has no grant.
std::string GrantOf(const Json& item, const TextStyle& style) {
  const Json& grant = report::ObjectMember(item, "grant");
  if (grant.empty()) return Shown(item, "field");
  const std::string time = report::TimeBoundsText(report::ObjectMember(item, "timeBounds"), style);
  return report::RoleOf(grant) + " " + report::PrincipalOf(grant) +
         (time.empty() ? "" : " (" + time + ")");
}

std::string ResourceOf(const Json& item) {
  std::string resource = Shown(item, "resource");
  const Json& source = report::ObjectMember(item, "source");
  if (source.empty()) return resource;
  return resource + " (" + Shown(source, "file") + ":" +
         std::to_string(report::IntMember(source, "line")) + ")";
}

/// The items by target, the target with the worst first; within one, as they came.
std::vector<std::vector<const Json*>> ByTarget(const Json& items) {
  std::vector<std::vector<const Json*>> groups;
  std::map<std::string, std::size_t> places;
  for (const Json& item : items) {
    const std::string key = StringMember(item, "kind") + "|" + StringMember(item, "target");
    const auto [place, added] = places.emplace(key, groups.size());
    if (added) groups.emplace_back();
    groups[place->second].push_back(&item);
  }
  return groups;
}

std::string ItemsTable(const Json& items, const TextStyle& style) {
  report::Table table({{"SEVERITY"},
                       {"STATE"},
                       {"CLASS"},
                       {"GRANT", true},
                       {"DESIRED | OBSERVED", true},
                       {"AGE"},
                       {"RESOURCE", true}});
  for (const std::vector<const Json*>& group : ByTarget(items)) {
    table.AddGroup(Shown(*group.front(), "target"));
    for (const Json* item : group) {
      table.AddRow({SeverityCell(*item),
                    StateCell(*item),
                    {Shown(*item, "class")},
                    {GrantOf(*item, style)},
                    {Shown(*item, "desired") + " | " + Shown(*item, "observed")},
                    {report::AgeOf(*item, "firstSeen", style)},
                    {ResourceOf(*item)}});
    }
  }
  return table.Text(style);
}

}  // namespace

std::string DriftText(const Json& report, const TextStyle& style) {
  const Json& summary = report::ObjectMember(report, "summary");
  const std::int64_t open = report::IntMember(summary, "open");
  const std::int64_t held = report::IntMember(summary, "held");
  const std::int64_t corrected = report::IntMember(summary, "corrected");
  const std::string scope = report::Count(report::IntMember(summary, "grants"), "grant") + " on " +
                            report::Count(report::IntMember(summary, "targets"), "target");
  const Json& items = report::ArrayMember(report, "items");
  std::string text = items.empty() ? "" : ItemsTable(items, style) + "\n";
  if (open + held == 0) {
    text += report::Paint("No drift", Colour::kGreen, style) + " among " + scope;
    if (corrected > 0) text += "; " + report::Count(corrected, "difference") + " corrected";
    return text + ".\n";
  }
  text += report::Paint(report::Count(open + held, "difference"), Colour::kRed, style) + " among " +
          scope + ": " + std::to_string(open) + " open, " + std::to_string(held) + " held";
  if (corrected > 0) text += "; " + std::to_string(corrected) + " more corrected";
  return text + ".\n";
}

}  // namespace bindery
