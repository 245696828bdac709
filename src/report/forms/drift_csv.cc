#include "core/access/grant.h"
#include "report/forms/drift_forms.h"
#include "report/forms/list_csv.h"
#include "report/text/csv.h"
#include "report/text/text_style.h"
#include "report/values/attributions.h"
#include "report/values/drift_items.h"

namespace bindery::report {
namespace {

constexpr std::size_t kCsvColumns = 26;

std::string CsvRow(const DriftReportItem& item) {
  const Grant grant = item.grant.value_or(GrantLine()).grant;
  const std::string title = grant.condition ? grant.condition->title : "";
  const std::string expression = grant.condition ? grant.condition->expression : "";
  const TimeBounds bounds = item.time_bounds.value_or(TimeBounds());
  const Attribution attribution = item.attribution.value_or(Attribution());
  return CsvLine({std::string(ToString(item.severity)),
                  std::string(ToString(item.state)),
                  TurnText(item),
                  std::string(ToString(item.drift_class)),
                  Printable(item.kind),
                  Printable(item.target),
                  Printable(grant.role.empty() ? item.field : grant.role),
                  Printable(grant.principal),
                  Printable(title),
                  Printable(expression),
                  TimeText(bounds.starts_at),
                  TimeText(bounds.ends_at),
                  Printable(item.desired),
                  Printable(item.observed),
                  TimeText(item.first_seen),
                  TimeText(item.last_seen),
                  TimeText(item.resolved_at),
                  Printable(item.resolved_by),
                  Printable(item.action),
                  Printable(item.resource),
                  item.source ? Printable(item.source->file) : "",
                  item.source ? std::to_string(item.source->line) : "",
                  NameActor(item.attribution),
                  TimeText(attribution.time),
                  Printable(attribution.method),
                  std::string(ToString(item.cause))});
}

std::string CsvTitles() {
  return CsvLine(
      {"severity",  "state",          "change",     "class",       "kind",   "target",   "role",
       "principal", "conditionTitle", "condition",  "startsAt",    "endsAt", "desired",  "observed",
       "firstSeen", "lastSeen",       "resolvedAt", "resolvedBy",  "action", "resource", "file",
       "line",      "changedBy",      "changedAt",  "changedWith", "cause"});
}

/// Without a state and a principal: a row for all grants in one role.
std::string CsvUnmanagedRows(const DriftHead& head) {
  if (!head.unmanaged) return "";
  std::string rows;
  for (const UnmanagedRole& role : head.unmanaged->roles) {
    std::vector<std::string> cells(kCsvColumns);
    cells[0] = std::string(ToString(role.severity));
    cells[3] = "unmanaged";
    cells[4] = Printable(role.kind);
    cells[5] = Printable(role.target);
    cells[6] = Printable(role.role);
    cells[13] = Count(role.grants, "grant");
    rows += CsvLine(cells);
  }
  return rows;
}

}  // namespace

std::string ListCsv(const DriftListing& list) {
  std::string text = CsvTitles();
  for (const DriftReportItem& item : list.items) text += CsvRow(item);
  return text;
}

/// One table row an item, with its heading: RFC 4180. A value a spreadsheet would take for a
/// formula begins with an apostrophe.
Expected<void> WriteDriftCsv(DriftDocument& report, const DriftWriting& /*writing*/,
                             const TextSink& out) {
  out(CsvTitles());
  auto written =
      report.Each(report.entries(), [&](const DriftReportItem& item) { out(CsvRow(item)); });
  if (written) out(CsvUnmanagedRows(report.head()));
  return written;
}

}  // namespace bindery::report
