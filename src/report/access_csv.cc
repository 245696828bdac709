#include <string>
#include <vector>

#include "report/access_report.h"
#include "report/csv.h"
#include "report/json_fields.h"

namespace bindery {
namespace {

std::string Joined(const Json& texts) {
  std::string joined;
  for (const Json& text : texts) joined += (joined.empty() ? "" : "; ") + text.get<std::string>();
  return joined;
}

/// The cells that answers and changes share, after what is particular to each.
std::vector<std::string> EndOf(const Json& row) {
  const Json& bounds = report::ObjectMember(row, "timeBounds");
  const Json& source = report::ObjectMember(row, "source");
  return {StringMember(bounds, "startsAt"),
          StringMember(bounds, "endsAt"),
          StringMember(row, "observedAt"),
          StringMember(source, "resource"),
          StringMember(source, "file"),
          source.empty() ? "" : std::to_string(report::IntMember(source, "line"))};
}

const std::vector<std::string>& EndOfTitles() {
  static const std::vector<std::string> kEnd = {"startsAt", "endsAt", "observedAt",
                                                "resource", "file",   "line"};
  return kEnd;
}

std::string Row(std::vector<std::string> cells, const std::vector<std::string>& end) {
  cells.insert(cells.end(), end.begin(), end.end());
  return report::CsvLine(cells);
}

std::string AnswerRow(const Json& answer) {
  const Grant grant = GrantFromJson(report::ObjectMember(answer, "grant"));
  return Row({StringMember(answer, "target"), StringMember(answer, "kind"), grant.role,
              StringMember(answer, "principal"), StringMember(answer, "via"),
              grant.condition ? grant.condition->title : "",
              grant.condition ? grant.condition->expression : "", StringMember(answer, "verdict"),
              Joined(report::ArrayMember(answer, "dependsOn")), StringMember(answer, "reason")},
             EndOf(answer));
}

std::string ChangeRow(const Json& change) {
  const Grant grant = GrantFromJson(report::ObjectMember(change, "grant"));
  return Row(
      {StringMember(change, "change"), StringMember(change, "target"), StringMember(change, "kind"),
       grant.role, grant.principal, grant.condition ? grant.condition->title : "",
       grant.condition ? grant.condition->expression : ""},
      EndOf(change));
}

}  // namespace

std::string AccessCsv(const Json& report) {
  std::string text;
  if (FindMember(report, "changes") != nullptr) {
    text = Row({"change", "target", "kind", "role", "principal", "conditionTitle", "condition"},
               EndOfTitles());
    for (const Json& change : report::ArrayMember(report, "changes")) text += ChangeRow(change);
    return text;
  }
  text = Row({"target", "kind", "role", "principal", "via", "conditionTitle", "condition",
              "verdict", "dependsOn", "reason"},
             EndOfTitles());
  for (const Json& answer : report::ArrayMember(report, "answers")) text += AnswerRow(answer);
  return text;
}

}  // namespace bindery
