#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/access/access_report.h"
#include "report/codec/json_text_writer.h"
#include "server/queries.h"
#include "server/whole_lists.h"

namespace bindery::server {
namespace {

using httpd::Request;

Expected<report::AccessQuery> ReadQuery(const Request& request, WallTime now) {
  report::AccessQuery query;
  query.role = GetText(request, "role");
  query.permission = GetText(request, "permission");
  query.target = GetText(request, "target");
  query.principal = GetText(request, "principal");
  const auto direct = ReadFlag(request, "direct");
  if (!direct) return Fail(direct.error());
  query.direct = *direct;
  const auto at = ReadMoment(request, "at", now);
  if (!at) return Fail(at.error());
  query.at = *at;
  for (const auto& [key, value] : request.query) {
    if (key != "set") continue;
    if (auto added = report::AddAttribute(value, query.attributes); !added) {
      return Fail(added.error().Wrap("\"set\""));
    }
  }
  return query;
}

Expected<report::AccessRecords> ReadRecords(const ApiParts& parts, const std::string& permission) {
  if (parts.inventory == nullptr) return report::AccessRecords{parts.store};
  return parts.inventory->RecordsWith(parts.store, permission);
}

}  // namespace

Expected<report::AccessListing> GetAccess(const QueryContext& asked) {
  const WallTime now = asked.parts.clock.Wall();
  const auto query = ReadQuery(asked.request, now);
  if (!query) return Fail(query.error());
  const auto page = ReadPage(asked.request);
  if (!page) return Fail(page.error());
  const auto records = ReadRecords(asked.parts, query->permission);
  if (!records) return Fail(records.error());
  auto report = report::AccessReport(*records, *query, now, *page);
  if (!report) return Fail(report.error());
  const report::ListSlice slice = {report->summary.answers, page->offset, page->limit};
  return report::AccessListing{std::move(*report), slice};
}

Expected<report::AccessDiff> GetAccessDiff(const QueryContext& asked) {
  std::vector<report::AccessChange> changes;
  auto diff = EachOfAccessDiff(
      asked, [&](report::AccessChange&& change) { changes.push_back(std::move(change)); });
  if (diff) diff->changes = std::move(changes);
  return diff;
}

Expected<report::AccessDiff> EachOfAccessDiff(const QueryContext& asked,
                                              const report::TakeChange& take) {
  constexpr std::chrono::hours kDay{24};
  const WallTime now = asked.parts.clock.Wall();
  const auto since = ReadMoment(asked.request, "since", now);
  if (!since) return Fail(since.error());
  const auto until = ReadMoment(asked.request, "until", now);
  if (!until) return Fail(until.error());
  report::AccessDiffQuery query;
  query.since = since->value_or(now - kDay);
  query.until = *until;
  query.target = GetText(asked.request, "target");
  const auto records = ReadRecords(asked.parts, "");
  if (!records) return Fail(records.error());
  return report::EachAccessChange(*records, query, now, take);
}

Expected<httpd::Response> WholeAccess(const QueryContext& asked, const ListBudget& budget) {
  const WallTime now = asked.parts.clock.Wall();
  const auto query = ReadQuery(asked.request, now);
  if (!query) return Fail(query.error());
  ListWriter writer(budget);
  std::string line;
  const report::TakeAnswer take = [&](const report::AccessAnswer& answer, bool certain) {
    line.clear();
    report::JsonTextWriter(line, 0, 0).Append(answer);
    certain ? writer.Add(line) : writer.AddLast(line);
  };
  const auto records = ReadRecords(asked.parts, query->permission);
  if (!records) return Fail(records.error());
  auto report = report::AccessReport(*records, *query, now, report::AnswerTaker{take});
  if (!report) return Fail(report.error());
  const report::ListSlice slice = {report->summary.answers, 0, std::nullopt};
  return writer.Reply(report::MakeJson(report::AccessListing{std::move(*report), slice}),
                      "answers");
}

}  // namespace bindery::server
