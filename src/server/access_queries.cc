#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "report/access/access_report.h"
#include "report/codec/json_text_writer.h"
#include "report/codec/list_selection.h"
#include "server/list_order.h"
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

enum class AccessOrder { kPrincipal, kRole, kVerdict, kTarget, kSource, kTime, kRead };

/// An answer, and what it is sorted by; equal answers stay in the order of the report.
struct AnswerPlace {
  std::string text;
  std::int64_t rank = 0;
  bool doubtful = false;
  std::size_t number = 0;
  report::AccessAnswer answer;

  [[nodiscard]] auto Key() const { return std::tie(text, rank); }
  [[nodiscard]] auto Rest() const { return std::tie(doubtful, number); }
};

AnswerPlace MakePlace(const report::AccessAnswer& answer, AccessOrder order) {
  AnswerPlace place;
  place.answer = answer;
  switch (order) {
    case AccessOrder::kPrincipal:
      place.text = answer.principal;
      break;
    case AccessOrder::kRole:
      place.text = answer.grant.grant.role;
      break;
    case AccessOrder::kVerdict:
      place.rank = static_cast<std::int64_t>(answer.verdict);
      break;
    case AccessOrder::kTarget:
      place.text = answer.target;
      break;
    case AccessOrder::kSource:
      place.text = answer.source ? answer.source->resource : "";
      break;
    case AccessOrder::kTime:
      // What has no end comes last.
      place.rank = answer.time_bounds && answer.time_bounds->ends_at
                       ? answer.time_bounds->ends_at->seconds
                       : std::numeric_limits<std::int64_t>::max();
      break;
    case AccessOrder::kRead:
      place.rank = -answer.observed_at.time_since_epoch().count();
      break;
  }
  return place;
}

/// A page in an asked order. The answers up to the end of the page are held: the end has a limit.
Expected<report::ListPage> LimitSortedPage(const report::ListPage& asked) {
  constexpr auto kMost = static_cast<std::size_t>(kMostItems);
  report::ListPage page = asked;
  if (!page.limit && page.offset < kMost) page.limit = kMost - page.offset;
  if (page.limit && page.offset + *page.limit <= kMost) return page;
  return Fail(Code::kInvalidArgument,
              "with \"sort\" only the first " + std::to_string(kMost) +
                  " answers can be read (\"offset\" and \"limit\" together): narrow the question "
                  "with a principal, a role or a target, or ask without \"sort\"");
}

/// Gives a page of the answers in an asked order: little more than the answers up to its end are
/// held.
Expected<report::AccessListing> SortAccess(const QueryContext& asked,
                                           const report::AccessRecords& records,
                                           const report::AccessQuery& query,
                                           const report::ListPage& page,
                                           const report::TakeAnswerOfPage& give) {
  constexpr std::pair<std::string_view, AccessOrder> kOrders[] = {
      {"principal", AccessOrder::kPrincipal},
      {"role", AccessOrder::kRole},
      {"verdict", AccessOrder::kVerdict},
      {"target", AccessOrder::kTarget},
      {"source", AccessOrder::kSource},
      {"time", AccessOrder::kTime},
      {"read", AccessOrder::kRead}};
  AccessOrder order = AccessOrder::kTarget;
  bool descending = false;
  if (auto read = ReadListOrder(asked.request, kOrders, order, descending); !read) {
    return Fail(read.error());
  }
  report::ListSelection<AnswerPlace> selection(
      page, [descending](const AnswerPlace& a, const AnswerPlace& b) {
        if (a.Key() == b.Key()) return a.Rest() < b.Rest();
        return descending ? b.Key() < a.Key() : a.Key() < b.Key();
      });
  std::size_t number = 0;
  const report::TakeAnswer take = [&](const report::AccessAnswer& answer, bool certain) {
    AnswerPlace place = MakePlace(answer, order);
    place.doubtful = !certain;
    place.number = ++number;
    selection.Take(std::move(place));
  };
  auto report =
      report::AccessReport(records, query, asked.parts.clock.Wall(), report::AnswerTaker{take});
  if (!report) return Fail(report.error());
  for (AnswerPlace& place : selection.Page()) give(std::move(place.answer));
  const report::ListSlice slice = {selection.total(), page.offset, page.limit};
  return report::AccessListing{std::move(*report), slice};
}

}  // namespace

Expected<report::AccessListing> GetAccess(const QueryContext& asked) {
  std::vector<report::AccessAnswer> answers;
  auto listing = EachOfAccess(
      asked, [&](report::AccessAnswer&& answer) { answers.push_back(std::move(answer)); });
  if (listing) listing->answers = std::move(answers);
  return listing;
}

Expected<report::AccessListing> EachOfAccess(const QueryContext& asked,
                                             const report::TakeAnswerOfPage& take) {
  const WallTime now = asked.parts.clock.Wall();
  const auto query = ReadQuery(asked.request, now);
  if (!query) return Fail(query.error());
  auto page = ReadPage(asked.request);
  const bool sorted = !GetText(asked.request, "sort").empty();
  if (page && sorted) page = LimitSortedPage(*page);
  if (!page) return Fail(page.error());
  const auto records = ReadRecords(asked.parts, query->permission);
  if (!records) return Fail(records.error());
  if (sorted) return SortAccess(asked, *records, *query, *page, take);
  auto report = report::EachAccessAnswer(*records, *query, now, *page, take);
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
