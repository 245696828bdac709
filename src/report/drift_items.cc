#include "report/drift_items.h"

#include <map>

#include "report/json_fields.h"
#include "report/text_style.h"

namespace bindery::report {
namespace {

ItemList ItemsThat(const Json& report, bool corrected) {
  ItemList items;
  for (const Json& item : ArrayMember(report, "items")) {
    if ((StringMember(item, "state") == "corrected") == corrected) items.push_back(&item);
  }
  return items;
}

std::string Number(const Json& value, std::string_view name) {
  return std::to_string(IntMember(value, name));
}

}  // namespace

ItemList StandingItems(const Json& report) { return ItemsThat(report, false); }
ItemList CorrectedItems(const Json& report) { return ItemsThat(report, true); }

ItemList AllItems(const Json& report) {
  ItemList items;
  for (const Json& item : ArrayMember(report, "items")) items.push_back(&item);
  return items;
}

std::vector<ItemList> ByTarget(const ItemList& items) {
  std::vector<ItemList> groups;
  std::map<std::string, std::size_t> places;
  for (const Json* item : items) {
    const std::string key = StringMember(*item, "kind") + "|" + StringMember(*item, "target");
    const auto [place, added] = places.emplace(key, groups.size());
    if (added) groups.emplace_back();
    groups[place->second].push_back(item);
  }
  return groups;
}

std::string GrantOf(const Json& item) {
  const Json& grant = ObjectMember(item, "grant");
  if (grant.empty()) return Shown(item, "field");
  return RoleOf(grant) + " " + PrincipalOf(grant);
}

std::string TimeBoundsOf(const Json& item) {
  const Json& bounds = ObjectMember(item, "timeBounds");
  const std::string state = StringMember(bounds, "state");
  const std::string start = MinuteOf(bounds, "startsAt");
  const std::string end = MinuteOf(bounds, "endsAt");
  if (state == "never") return "never in force";
  if (state == "expired") return end.empty() ? "ended" : "ended " + end;
  std::string text = state == "pending" && !start.empty() ? "from " + start : "";
  if (!end.empty()) text += (text.empty() ? "until " : " until ") + end;
  return text;
}

std::string PlaceOf(const Json& item) {
  const Json& source = ObjectMember(item, "source");
  if (source.empty()) return "";
  return Shown(source, "file") + ":" + Number(source, "line");
}

std::string HeadlineOf(const Json& report) {
  const Json& summary = ObjectMember(report, "summary");
  const std::int64_t open = IntMember(summary, "open");
  const std::int64_t held = IntMember(summary, "held");
  const std::int64_t corrected = IntMember(summary, "corrected");
  const std::string scope = Count(IntMember(summary, "grants"), "grant") + " on " +
                            Count(IntMember(summary, "targets"), "target");
  std::string text = "No drift among " + scope;
  if (open + held > 0) {
    text = Count(open + held, "difference") + (open + held == 1 ? " stands" : " stand") +
           " among " + scope + ": " + std::to_string(open) + " open, " + std::to_string(held) +
           " held";
  }
  if (corrected > 0) text += "; " + std::to_string(corrected) + " corrected";
  return text + ".";
}

std::string SinceLastOf(const Json& report) {
  const std::string previous = MinuteOf(report, "previousAt");
  if (previous.empty()) return "There is no earlier report to compare with.";
  const Json& since = ObjectMember(ObjectMember(report, "summary"), "sinceLast");
  return "Since the last report of " + previous + " UTC: " + Number(since, "new") + " new, " +
         Number(since, "gone") + " gone, " + Number(since, "still") + " still there.";
}

std::string MinuteOf(const Json& item, std::string_view name) {
  constexpr std::size_t kMinute = std::string_view("2026-11-21T11:30").size();
  std::string time = Shown(item, name).substr(0, kMinute);
  if (const std::size_t letter = time.find('T'); letter != std::string::npos) time[letter] = ' ';
  return time;
}

std::vector<std::pair<std::string, std::string>> FiguresOf(const Json& report) {
  const Json& summary = ObjectMember(report, "summary");
  return {{"open", Number(summary, "open")},
          {"held for approval", Number(summary, "held")},
          {"corrected", Number(summary, "corrected")},
          {"targets in sync", Number(summary, "inSync") + " of " + Number(summary, "targets")},
          {"targets drifted", Number(summary, "drifted")},
          {"resources failing", Number(summary, "failing")},
          {"grants expiring", Number(summary, "expiring")},
          {"grants", Number(summary, "grants")}};
}

}  // namespace bindery::report
