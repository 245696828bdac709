#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/access/access_report.h"
#include "report/forms/access_stream.h"
#include "report/forms/texts.h"
#include "report/text/csv.h"
#include "report/text/text_style.h"
#include "report/values/drift_items.h"

namespace bindery::report {
namespace {

std::string Joined(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : "; ") + text;
  return joined;
}

/// The cells before the last two of answers, and the last cells of changes.
std::vector<std::string> FindEnd(const std::optional<TimeBounds>& time_bounds, WallTime observed_at,
                                 const std::optional<DeclaringManifest>& source) {
  const TimeBounds bounds = time_bounds.value_or(TimeBounds());
  return {TimeText(bounds.starts_at), TimeText(bounds.ends_at),
          TimeText(observed_at),      source ? source->resource : "",
          source ? source->file : "", source ? std::to_string(source->line) : ""};
}

const std::vector<std::string>& EndOfTitles() {
  static const std::vector<std::string> kEnd = {"startsAt", "endsAt", "observedAt",
                                                "resource", "file",   "line"};
  return kEnd;
}

std::string Row(std::vector<std::string> cells, const std::vector<std::string>& end) {
  cells.insert(cells.end(), end.begin(), end.end());
  return CsvLine(cells);
}

std::string AnswerRow(const AccessAnswer& answer) {
  const Grant& grant = answer.grant.grant;
  const Condition condition = grant.condition.value_or(Condition());
  std::vector<std::string> end = FindEnd(answer.time_bounds, answer.observed_at, answer.source);
  end.push_back(answer.inherited_from.value_or(""));
  end.push_back(answer.evidence.value_or("read"));
  return Row({answer.target, answer.kind, grant.role, answer.principal, answer.via.value_or(""),
              condition.title, condition.expression, std::string(ToString(answer.verdict)),
              Joined(answer.depends_on), answer.reason},
             end);
}

std::string ChangeRow(const AccessChange& change) {
  const Grant& grant = change.grant.grant;
  const Condition condition = grant.condition.value_or(Condition());
  std::vector<std::string> end = FindEnd(change.time_bounds, {}, change.source);
  end.push_back(change.via.value_or(""));
  end.push_back(change.note.value_or(""));
  return Row({std::string(ToString(change.change)), change.target, change.kind, grant.role,
              change.principal, condition.title, condition.expression},
             end);
}

}  // namespace

void AccessCsvText::Take(const AccessAnswer& answer, bool certain) {
  (certain ? certain_ : others_).Append(AnswerRow(answer));
}

void AccessCsvText::Finish(const WriteText& write) const {
  std::vector<std::string> end = EndOfTitles();
  end.insert(end.end(), {"inheritedFrom", "evidence"});
  write(Row({"target", "kind", "role", "principal", "via", "conditionTitle", "condition", "verdict",
             "dependsOn", "reason"},
            end));
  certain_.WriteTo(write);
  others_.WriteTo(write);
}

std::string AccessCsv(const AccessAnswers& report) {
  AccessCsvText rows;
  for (const AccessAnswer& answer : report.answers) rows.Take(answer, true);
  std::string text;
  rows.Finish([&text](std::string_view part) { text += part; });
  return text;
}

void AccessDiffCsvText::Take(const AccessChange& change) { changes_.Append(ChangeRow(change)); }

void AccessDiffCsvText::Finish(const WriteText& write) const {
  std::vector<std::string> end = EndOfTitles();
  end.insert(end.end(), {"via", "note"});
  write(Row({"change", "target", "kind", "role", "principal", "conditionTitle", "condition"}, end));
  changes_.WriteTo(write);
}

std::string AccessCsv(const AccessDiff& diff) {
  AccessDiffCsvText rows;
  for (const AccessChange& change : diff.changes) rows.Take(change);
  std::string text;
  rows.Finish([&text](std::string_view part) { text += part; });
  return text;
}

}  // namespace bindery::report
