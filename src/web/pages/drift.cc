#include "report/values/drift_items.h"
#include "web/grants.h"
#include "web/pages/pages.h"
#include "web/parts.h"
#include "web/table.h"

namespace bindery::web {
namespace {

Html DifferenceCell(const DriftReportItem& item) {
  const std::string cause = report::KnownCauseOf(item);
  Html cell = Badge(ToString(item.severity));
  cell.Add(El("span", {{"class", "below"}},
              std::string(ToString(item.drift_class)) + (cause.empty() ? "" : ", " + cause)));
  return cell;
}

Html WhatCell(const DriftReportItem& item) {
  if (!item.field.empty()) return El("code", {}, item.field);
  if (!item.grant) return "the target as a whole";
  const Grant& grant = item.grant->grant;
  Html cell = El("code", {}, Breakable(grant.principal));
  cell.Add(El("span", {{"class", "below"}}, RoleCell(grant)));
  return cell;
}

Html WordsCell(const DriftReportItem& item) {
  Html cell = El("span", {{"class", "below"}}, "declared: ", item.desired);
  cell.Add(El("span", {{"class", "below"}}, "observed: ", item.observed));
  if (!item.action.empty()) cell.Add(El("span", {{"class", "below"}}, item.action));
  const std::string made_by = web::MadeBy(item.attribution);
  if (!made_by.empty()) cell.Add(El("span", {{"class", "below"}}, "changed by: ", made_by));
  return cell;
}

Html FirstSeenCell(const PageContext& context, const DriftReportItem& item) {
  return Ago(context, item.first_seen.value_or(WallTime{}));
}

/// The corrected or the open items; nothing if none exists.
Html Items(const PageContext& context, const std::vector<DriftReportItem>& items,
           std::string_view title, bool corrected) {
  Table table(
      std::string(title) + ", worst first",
      {{"Grant"}, {"Severity"}, {"State"}, {"Target"}, {"In words"}, {"Resource"}, {"First seen"}});
  for (const DriftReportItem& item : items) {
    const bool left_out = item.drift_class == DriftClass::kJustInTime ||
                          (item.state == DriftState::kCorrected) != corrected;
    if (left_out) continue;
    table.AddRow({WhatCell(item), DifferenceCell(item), Badge(ToString(item.state)),
                  TargetLink(item.kind, item.target), WordsCell(item), ResourceLink(item.resource),
                  FirstSeenCell(context, item)});
  }
  return table.empty() ? Html() : SectionOf(title, table.Finished());
}

/// Accepted differences with their reasons.
Html Accepted(const PageContext& context, const std::vector<DriftReportItem>& items) {
  Table table("Accepted, the first to end first",
              {{"Grant"}, {"Severity"}, {"Target"}, {"Why"}, {"Resource"}, {"First seen"}});
  for (const DriftReportItem& item : items) {
    table.AddRow({WhatCell(item), DifferenceCell(item), TargetLink(item.kind, item.target),
                  Html(item.action), ResourceLink(item.resource), FirstSeenCell(context, item)});
  }
  return table.empty() ? Html() : SectionOf("Accepted", table.Finished());
}

/// Access on request by a service.
Html JustInTime(const PageContext& context, const std::vector<DriftReportItem>& items) {
  Table table("Just-in-time access, which is no drift",
              {{"Grant"}, {"Severity"}, {"Target"}, {"Why"}, {"Resource"}, {"First seen"}});
  for (const DriftReportItem& item : items) {
    if (item.drift_class != DriftClass::kJustInTime) continue;
    table.AddRow({WhatCell(item), DifferenceCell(item), TargetLink(item.kind, item.target),
                  Html(item.action), ResourceLink(item.resource), FirstSeenCell(context, item)});
  }
  return table.empty() ? Html() : SectionOf("Just-in-time", table.Finished());
}

/// Notes: no differences.
Html Notes(const PageContext& context, const std::vector<DriftReportItem>& items) {
  Table table("Notes, which are no drift",
              {{"Grant"}, {"Note"}, {"Target"}, {"Observed"}, {"Resource"}, {"First seen"}});
  for (const DriftReportItem& item : items) {
    table.AddRow({WhatCell(item), Html(std::string(ToString(item.drift_class))),
                  TargetLink(item.kind, item.target), Html(item.observed),
                  ResourceLink(item.resource), FirstSeenCell(context, item)});
  }
  return table.empty() ? Html() : SectionOf("Notes", table.Finished());
}

}  // namespace

std::string DriftPage(const PageContext& context, const DriftListing& report) {
  const DriftSummary& summary = report.summary;
  Frame frame;
  frame.title = "Drift";
  frame.section = "/drift";
  frame.summary = Counted(summary.open, "difference is", "differences are") + " open, " +
                  Figure(summary.held) + " held, " + Figure(summary.corrected) +
                  " corrected in the last day.";
  if (const auto count = report.accepted.size(); count > 0) {
    frame.summary += " " +
                     Counted(static_cast<std::int64_t>(count), "difference is", "differences are") +
                     " accepted.";
  }
  if (summary.just_in_time > 0) {
    frame.summary +=
        " " + Counted(summary.just_in_time, "just-in-time grant is", "just-in-time grants are") +
        " there.";
  }
  if (report.items.empty() && report.accepted.empty() && report.notes.empty()) {
    return Document(context, frame,
                    Nothing("Everything is as declared, as of the last reading of each target."));
  }
  Html content = Items(context, report.items, "Current drift", /*corrected=*/false);
  content.Add(Items(context, report.items, "Corrected drift", /*corrected=*/true));
  content.Add(Accepted(context, report.accepted));
  content.Add(JustInTime(context, report.items));
  content.Add(Notes(context, report.notes));
  content.Add(Pager(context, report, report.items.size()));
  return Document(context, frame, content);
}

}  // namespace bindery::web
