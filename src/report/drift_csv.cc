#include <array>

#include "core/grant.h"
#include "report/drift_forms.h"
#include "report/drift_items.h"
#include "report/json_fields.h"
#include "report/text_style.h"

namespace bindery::report {
namespace {

/// Names from a cloud must not become formulas of whoever opens the table.
std::string Cell(std::string text) {
  constexpr std::string_view kFormula = "=+-@\t\r";
  if (!text.empty() && kFormula.find(text.front()) != std::string_view::npos) text.insert(0, "'");
  if (text.find_first_of("\",\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string Row(const std::vector<std::string>& cells) {
  std::string row;
  for (const std::string& cell : cells) row += (row.empty() ? "" : ",") + Cell(cell);
  return row + "\r\n";
}

std::string RowOf(const Json& item) {
  const Grant grant = GrantFromJson(ObjectMember(item, "grant"));
  const std::string condition = grant.condition ? grant.condition->expression : "";
  const std::string role = grant.role.empty() ? Shown(item, "field") : Printable(grant.role);
  const Json& source = ObjectMember(item, "source");
  const std::string line = source.empty() ? "" : std::to_string(IntMember(source, "line"));
  return Row({Shown(item, "severity"), Shown(item, "state"), Shown(item, "change"),
              Shown(item, "class"), Shown(item, "kind"), Shown(item, "target"), role,
              PrincipalOf(ObjectMember(item, "grant")), Printable(condition),
              Shown(item, "desired"), Shown(item, "observed"), Shown(item, "firstSeen"),
              Shown(item, "lastSeen"), Shown(item, "resolvedAt"), Shown(item, "resolvedBy"),
              Shown(item, "action"), Shown(item, "resource"), Shown(source, "file"), line});
}

}  // namespace

std::string DriftCsv(const Json& report) {
  std::string text = Row({"severity", "state", "change", "class", "kind", "target", "role",
                          "member", "condition", "desired", "observed", "firstSeen", "lastSeen",
                          "resolvedAt", "resolvedBy", "action", "resource", "file", "line"});
  for (const Json* item : AllItems(report)) text += RowOf(*item);
  return text;
}

}  // namespace bindery::report
