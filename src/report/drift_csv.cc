#include "core/grant.h"
#include "report/attributions.h"
#include "report/csv.h"
#include "report/drift_forms.h"
#include "report/drift_items.h"
#include "report/json_fields.h"
#include "report/text_style.h"

namespace bindery::report {
namespace {

std::string CsvRow(const Json& item) {
  const Grant grant = GrantFromJson(ObjectMember(item, "grant"));
  const std::string title = grant.condition ? grant.condition->title : "";
  const std::string expression = grant.condition ? grant.condition->expression : "";
  const std::string role = grant.role.empty() ? Shown(item, "field") : Printable(grant.role);
  const Json& bounds = ObjectMember(item, "timeBounds");
  const Json& source = ObjectMember(item, "source");
  const Json& attribution = ObjectMember(item, "attribution");
  const std::string line = source.empty() ? "" : std::to_string(IntMember(source, "line"));
  return CsvLine({Shown(item, "severity"),
                  Shown(item, "state"),
                  Shown(item, "change"),
                  Shown(item, "class"),
                  Shown(item, "kind"),
                  Shown(item, "target"),
                  role,
                  Printable(grant.principal),
                  Printable(title),
                  Printable(expression),
                  Shown(bounds, "startsAt"),
                  Shown(bounds, "endsAt"),
                  Shown(item, "desired"),
                  Shown(item, "observed"),
                  Shown(item, "firstSeen"),
                  Shown(item, "lastSeen"),
                  Shown(item, "resolvedAt"),
                  Shown(item, "resolvedBy"),
                  Shown(item, "action"),
                  Shown(item, "resource"),
                  Shown(source, "file"),
                  line,
                  ActorOf(item),
                  Shown(attribution, "time"),
                  Shown(attribution, "method"),
                  Shown(item, "cause")});
}

}  // namespace

/// One table row an item, with its heading: RFC 4180. A value a spreadsheet would take for a
/// formula begins with an apostrophe.
Expected<void> WriteDriftCsv(DriftDocument& report, const DriftWriting& /*writing*/,
                             const TextSink& out) {
  out(CsvLine(
      {"severity",  "state",          "change",     "class",       "kind",   "target",   "role",
       "principal", "conditionTitle", "condition",  "startsAt",    "endsAt", "desired",  "observed",
       "firstSeen", "lastSeen",       "resolvedAt", "resolvedBy",  "action", "resource", "file",
       "line",      "changedBy",      "changedAt",  "changedWith", "cause"}));
  return report.Each(report.entries(), [&](const Json& item) { out(CsvRow(item)); });
}

}  // namespace bindery::report
