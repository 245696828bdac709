#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/values/drift_document.h"

namespace bindery::report {

// What the forms of a drift report share. Every text is printable.

/// The current entries, and the corrected ones; in order.
[[nodiscard]] DriftDocument::Entries Standing(const DriftDocument::Entries& entries);
[[nodiscard]] DriftDocument::Entries Corrected(const DriftDocument::Entries& entries);

/// Just-in-time access, which is no difference.
[[nodiscard]] DriftDocument::Entries ListJustInTime(const DriftDocument::Entries& entries);

/// At most `most` entries, the latest ended, in order.
[[nodiscard]] DriftDocument::Entries Latest(DriftDocument::Entries entries, std::size_t most);

/// Calls `take` with the items of the entries, grouped by target: targets by their first entry;
/// within a target in the given order. Before each target, `begin` gets the first item.
[[nodiscard]] Expected<void> EachByTarget(DriftDocument& report, DriftDocument::Entries entries,
                                          const DriftDocument::TakeItem& begin,
                                          const DriftDocument::TakeItem& take);

/// Maximum number of corrected differences on pages for people: more only hides the rest.
inline constexpr std::size_t kOverListed = 1'000;

/// "The latest 1000 are listed: bindery drift -o json has all of them."; "" when all are.
[[nodiscard]] std::string LeftOut(std::size_t over);

/// "5 more are counted only: …" of a report that does not list all that stands; else "".
[[nodiscard]] std::string UnlistedText(const DriftDocument& report);

/// How many differences stand, and how many were corrected, listed or not.
[[nodiscard]] std::size_t CountStanding(const DriftDocument& report);
[[nodiscard]] std::size_t CountCorrected(const DriftDocument& report);

/// The JSON of a report, its items empty.
[[nodiscard]] Json WithoutItems(const DriftDocument& report);

/// "roles/viewer user:ana@example.com", or the output of a lookup that changed; the target as a
/// whole has no grant.
[[nodiscard]] std::string GetGrant(const DriftReportItem& item);

/// "user:ana@example.com", printable.
[[nodiscard]] std::string GetPrincipal(const Grant& grant);
/// "roles/viewer if until-june", printable.
[[nodiscard]] std::string NameRole(const Grant& grant);

/// "until 2026-11-25 00:00", "from … until …", "ended …", "never in force": how time bounds the
/// grant, in UTC; empty where it does not.
[[nodiscard]] std::string DescribeTimeBounds(const DriftReportItem& item);

/// "teams/payments.yaml:3"; empty where no manifest is meant.
[[nodiscard]] std::string FindPlace(const std::optional<SourceLine>& source);

/// The cause of the difference; empty if unknown.
[[nodiscard]] std::string DescribeKnownCause(const DriftReportItem& item);

/// "new", "gone" or "still"; empty for what was over by the last report.
[[nodiscard]] std::string TurnText(const DriftReportItem& item);

/// "2 differences among 9 grants on 2 targets: 1 open, 1 held; 3 corrected."
[[nodiscard]] std::string MakeHeadline(const DriftSummary& summary);

/// "Since the last report of 2026-11-21 11:00 UTC: 1 new, 2 gone, 3 still there."
[[nodiscard]] std::string DescribeSinceLast(const DriftHead& head);

/// RFC 3339; "" where no time exists.
[[nodiscard]] std::string TimeText(const std::optional<WallTime>& time);
[[nodiscard]] std::string TimeText(const std::optional<cel::Timestamp>& time);

/// "2026-11-21 11:30" of a time; "" if none exists.
[[nodiscard]] std::string FormatMinute(const std::optional<WallTime>& time);
/// The same of a time in RFC 3339.
[[nodiscard]] std::string MinuteOfText(const std::string& time);

/// "40 grants are on 5 targets that nobody manages, as of 2026-11-21 11:00 UTC"; "" if none is.
[[nodiscard]] std::string DescribeUnmanaged(const DriftHead& head);
/// "3 more roles are counted only"; "" if all are listed.
[[nodiscard]] std::string DescribeMoreRoles(const UnmanagedGrants& unmanaged);

/// The counts of the summary, besides the headline: {"targets in sync", "8 of 9"}, ….
[[nodiscard]] std::vector<std::pair<std::string, std::string>> ListFigures(
    const DriftSummary& summary);

}  // namespace bindery::report
