#include "report/values/drift_items.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <unordered_map>

#include "core/text/time_text.h"
#include "report/text/text_style.h"
#include "report/values/drift_budget.h"

namespace bindery::report {
namespace {

using Entries = DriftDocument::Entries;

Entries WhereStands(const Entries& entries, bool stand) {
  Entries those;
  std::copy_if(entries.begin(), entries.end(), std::back_inserter(those),
               [stand](const DriftDocument::Entry& entry) {
                 return entry.Stands() == stand && !entry.just_in_time;
               });
  return those;
}

}  // namespace

Entries Standing(const Entries& entries) { return WhereStands(entries, true); }
Entries Corrected(const Entries& entries) { return WhereStands(entries, false); }

Entries ListJustInTime(const Entries& entries) {
  Entries those;
  std::ranges::copy_if(entries, std::back_inserter(those), &DriftDocument::Entry::just_in_time);
  return those;
}

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
  return report.Each(entries, [&](const DriftReportItem& item) {
    std::string next = item.kind + "|" + item.target;
    if (next != target) begin(item);
    target = std::move(next);
    take(item);
  });
}

std::string LeftOut(std::size_t over) {
  if (over <= kOverListed) return "";
  return "The latest " + std::to_string(kOverListed) +
         " are listed: bindery drift -o json has all of them.";
}

std::string UnlistedText(const DriftDocument& report) {
  const UnlistedDrift* unlisted = report.unlisted();
  if (unlisted == nullptr || unlisted->standing == 0) return "";
  return std::to_string(unlisted->standing) +
         " more are counted only: bindery drift -o json has all of them.";
}

std::size_t CountStanding(const DriftDocument& report) {
  const UnlistedDrift* unlisted = report.unlisted();
  return Standing(report.entries()).size() +
         (unlisted != nullptr ? static_cast<std::size_t>(unlisted->standing) : 0);
}

std::size_t CountCorrected(const DriftDocument& report) {
  const UnlistedDrift* unlisted = report.unlisted();
  return Corrected(report.entries()).size() +
         (unlisted != nullptr ? static_cast<std::size_t>(unlisted->corrected) : 0);
}

Json WithoutItems(const DriftDocument& report) {
  Json json = ToJson(WholeDrift{report.head(), {}});
  if (report.unlisted() != nullptr) json["unlisted"] = ToJson(*report.unlisted());
  return json;
}

std::string GetGrant(const DriftReportItem& item) {
  if (!item.grant) return Printable(item.field);
  return NameRole(item.grant->grant) + " " + GetPrincipal(item.grant->grant);
}

std::string GetPrincipal(const Grant& grant) { return Printable(grant.principal); }

std::string NameRole(const Grant& grant) { return Printable(RoleText(grant)); }

std::string DescribeTimeBounds(const DriftReportItem& item) {
  if (!item.time_bounds) return "";
  const cel::TimePhase phase = item.time_bounds->phase;
  const std::string start = MinuteOfText(TimeText(item.time_bounds->starts_at));
  const std::string end = MinuteOfText(TimeText(item.time_bounds->ends_at));
  if (phase == cel::TimePhase::kNever) return "never in force";
  if (phase == cel::TimePhase::kAfter) return end.empty() ? "ended" : "ended " + end;
  std::string text = phase == cel::TimePhase::kBefore && !start.empty() ? "from " + start : "";
  if (!end.empty()) text += (text.empty() ? "until " : " until ") + end;
  return text;
}

std::string FindPlace(const std::optional<SourceLine>& source) {
  return source ? Printable(source->file) + ":" + std::to_string(source->line) : "";
}

std::string DescribeKnownCause(const DriftReportItem& item) {
  return item.cause == DriftCause::kUnknown ? "" : std::string(ToString(item.cause));
}

std::string TurnText(const DriftReportItem& item) {
  return item.change ? std::string(ToString(*item.change)) : "";
}

std::string MakeHeadline(const DriftSummary& summary) {
  const std::string scope =
      Count(summary.grants, "grant") + " on " + Count(summary.targets, "target");
  std::string text = "No drift among " + scope;
  if (summary.Standing() > 0) {
    text = Count(summary.Standing(), "difference") + " among " + scope + ": " +
           std::to_string(summary.open) + " open, " + std::to_string(summary.held) + " held";
  }
  if (summary.corrected > 0) text += "; " + std::to_string(summary.corrected) + " corrected";
  return text + ".";
}

std::string DescribeSinceLast(const DriftHead& head) {
  if (!head.previous_at) return "There is no earlier report to compare with.";
  const DriftTurns& turns = head.summary.since_last;
  return "Since the last report of " + FormatMinute(head.previous_at) +
         " UTC: " + std::to_string(turns.appeared) + " new, " + std::to_string(turns.gone) +
         " gone, " + std::to_string(turns.still) + " still there.";
}

std::string DescribeUnmanaged(const DriftHead& head) {
  if (!head.unmanaged || head.unmanaged->grants == 0) return "";
  return Count(head.unmanaged->grants, "grant") + (head.unmanaged->grants == 1 ? " is" : " are") +
         " on " + Count(head.unmanaged->targets, "target") + " that nobody manages, as of " +
         FormatMinute(head.unmanaged->as_of) + " UTC";
}

std::string DescribeMoreRoles(const UnmanagedGrants& unmanaged) {
  if (unmanaged.more_roles == 0) return "";
  return Count(unmanaged.more_roles, "more role") + (unmanaged.more_roles == 1 ? " is" : " are") +
         " counted only";
}

std::string TimeText(const std::optional<WallTime>& time) {
  return time ? FormatRfc3339(*time) : "";
}

std::string TimeText(const std::optional<cel::Timestamp>& time) {
  return time ? cel::ToString(*time) : "";
}

std::string FormatMinute(const std::optional<WallTime>& time) {
  return MinuteOfText(TimeText(time));
}

std::string MinuteOfText(const std::string& time) {
  constexpr std::size_t kMinute = std::string_view("2026-11-21T11:30").size();
  std::string minute = time.substr(0, kMinute);
  if (const std::size_t letter = minute.find('T'); letter != std::string::npos) {
    minute[letter] = ' ';
  }
  return minute;
}

std::vector<std::pair<std::string, std::string>> ListFigures(const DriftSummary& summary) {
  const auto text = [](std::int64_t number) { return std::to_string(number); };
  std::vector<std::pair<std::string, std::string>> figures = {
      {"open", text(summary.open)},
      {"held for approval", text(summary.held)},
      {"corrected", text(summary.corrected)}};
  if (summary.accepted > 0) figures.emplace_back("accepted", text(summary.accepted));
  if (summary.just_in_time > 0) figures.emplace_back("just-in-time", text(summary.just_in_time));
  if (summary.notes > 0) figures.emplace_back("notes", text(summary.notes));
  figures.insert(figures.end(),
                 {{"targets in sync", text(summary.in_sync) + " of " + text(summary.targets)},
                  {"targets drifted", text(summary.drifted)},
                  {"resources failing", text(summary.failing)},
                  {"grants expiring", text(summary.expiring)},
                  {"grants", text(summary.grants)}});
  if (summary.undeclared > 0) figures.emplace_back("undeclared grants", text(summary.undeclared));
  return figures;
}

}  // namespace bindery::report
