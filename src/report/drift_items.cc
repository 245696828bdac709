#include "report/drift_items.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <unordered_map>

#include "report/json_fields.h"
#include "report/text_style.h"

namespace bindery::report {
namespace {

using Entries = DriftDocument::Entries;

Entries Those(const Entries& entries, bool stand) {
  Entries those;
  std::copy_if(entries.begin(), entries.end(), std::back_inserter(those),
               [stand](const DriftDocument::Entry& entry) { return entry.Stands() == stand; });
  return those;
}

std::string Number(const Json& value, std::string_view name) {
  return std::to_string(IntMember(value, name));
}

}  // namespace

Entries Standing(const Entries& entries) { return Those(entries, true); }
Entries Corrected(const Entries& entries) { return Those(entries, false); }

Entries Latest(Entries entries, std::size_t most) {
  if (entries.size() <= most) return entries;
  std::vector<std::size_t> order(entries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
    return entries[left].resolved_at > entries[right].resolved_at;
  });
  order.resize(most);
  std::sort(order.begin(), order.end());
  Entries latest;
  for (const std::size_t place : order) latest.push_back(entries[place]);
  return latest;
}

Expected<void> EachByTarget(DriftDocument& report, Entries entries,
                            const DriftDocument::TakeItem& begin,
                            const DriftDocument::TakeItem& take) {
  std::unordered_map<std::uint32_t, std::size_t> first;
  for (std::size_t i = 0; i < entries.size(); ++i) first.try_emplace(entries[i].target, i);
  std::stable_sort(entries.begin(), entries.end(),
                   [&](const DriftDocument::Entry& left, const DriftDocument::Entry& right) {
                     return first.at(left.target) < first.at(right.target);
                   });
  std::string target;
  return report.Each(entries, [&](const Json& item) {
    std::string next = StringMember(item, "kind") + "|" + StringMember(item, "target");
    if (next != target) begin(item);
    target = std::move(next);
    take(item);
  });
}

std::string LeftOut(std::size_t over) {
  if (over <= kOverListed) return "";
  return "The latest " + std::to_string(kOverListed) +
         " are listed: the reports in JSON and CSV have all of them.";
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

std::string KnownCauseOf(const Json& item) {
  const std::string cause = Shown(item, "cause");
  return cause == ToString(DriftCause::kUnknown) ? "" : cause;
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
  std::vector<std::pair<std::string, std::string>> figures = {
      {"open", Number(summary, "open")},
      {"held for approval", Number(summary, "held")},
      {"corrected", Number(summary, "corrected")}};
  if (IntMember(summary, "accepted") > 0) {
    figures.emplace_back("accepted", Number(summary, "accepted"));
  }
  figures.insert(figures.end(), {{"targets in sync",
                                  Number(summary, "inSync") + " of " + Number(summary, "targets")},
                                 {"targets drifted", Number(summary, "drifted")},
                                 {"resources failing", Number(summary, "failing")},
                                 {"grants expiring", Number(summary, "expiring")},
                                 {"grants", Number(summary, "grants")}});
  return figures;
}

}  // namespace bindery::report
