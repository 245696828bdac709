// What lists of differences, targets, events and problems are asked for.

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/settings/severity_rules.h"
#include "report/codec/moment.h"
#include "report/reports/drift_selection.h"
#include "report/reports/kept_reports.h"
#include "report/reports/overview_report.h"
#include "report/reports/target_lines.h"
#include "report/values/drift_document.h"
#include "server/queries.h"
#include "server/whole_lists.h"

namespace bindery::server {
namespace {

using httpd::Request;

/// The one of the values whose word the parameter is; nothing when it is missing or empty.
template <typename Value, typename Values>
Expected<void> ReadWord(const Request& request, const std::string& name, const Values& known,
                        std::optional<Value>& value) {
  const std::string text = TextOf(request, name);
  if (text.empty()) return {};
  std::string words;
  for (const Value each : known) {
    if (text == ToString(each)) value = each;
    words += (words.empty() ? "" : ", ") + std::string(ToString(each));
  }
  if (value) return {};
  return Fail(Code::kInvalidArgument,
              "\"" + name + "\" must be one of " + words + ", not \"" + text + "\"");
}

/// "sort": one of the names, perhaps after a "-".
template <typename Order, std::size_t count>
Expected<void> ReadListOrder(const Request& request,
                             const std::pair<std::string_view, Order> (&orders)[count],
                             Order& order, bool& descending) {
  std::string text = TextOf(request, "sort");
  if (text.empty()) return {};
  descending = text.starts_with('-');
  if (descending) text.erase(0, 1);
  std::string names;
  for (const auto& [name, value] : orders) {
    if (text == name) {
      order = value;
      return {};
    }
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  return Fail(Code::kInvalidArgument,
              "\"sort\" must be one of " + names + ", perhaps after a \"-\"");
}

/// A time, a day, or how long ago; nothing when the parameter is missing or empty.
Expected<std::optional<WallTime>> ReadListMoment(const QueryContext& asked,
                                                 const std::string& name) {
  const std::string text = TextOf(asked.request, name);
  if (text.empty()) return std::nullopt;
  const Expected<WallTime> time = ParseMoment(text, asked.parts.clock.Wall());
  if (!time) return Fail(time.error().Wrap("\"" + name + "\""));
  return *time;
}

Expected<DriftScope> ReadDriftScope(const QueryContext& asked) {
  DriftScope scope = DriftScopeAt(asked.parts.clock.Wall(), asked.parts.control.ReportSettings());
  const auto since = ReadListMoment(asked, "since");
  if (!since) return Fail(since.error());
  if (*since) scope.resolved_since = **since;
  std::optional<Severity> least;
  auto read = ReadWord(asked.request, "severity", kAllSeverities, least);
  if (!read) return Fail(read.error());
  scope.least = least.value_or(scope.least);
  return scope;
}

Expected<DriftQuery> ReadDriftQuery(const QueryContext& asked) {
  const Request& request = asked.request;
  DriftQuery query;
  query.text = TextOf(request, "q");
  query.kind = TextOf(request, "kind");
  query.within = TextOf(request, "within");
  query.principal = TextOf(request, "principal");
  constexpr std::pair<std::string_view, DriftOrder> kOrders[] = {
      {"severity", DriftOrder::kSeverity}, {"principal", DriftOrder::kPrincipal},
      {"role", DriftOrder::kRole},         {"target", DriftOrder::kTarget},
      {"class", DriftOrder::kClass},       {"state", DriftOrder::kState},
      {"resource", DriftOrder::kResource}, {"firstSeen", DriftOrder::kFirstSeen}};
  Expected<void> read = ReadListOrder(request, kOrders, query.order, query.descending);
  if (read) read = ReadWord(request, "class", kAllItemClasses, query.drift_class);
  if (read) read = ReadWord(request, "state", report::kAllOf<DriftState>, query.state);
  if (read) read = ReadWord(request, "cause", kAllDriftCauses, query.cause);
  if (!read) return Fail(read.error());
  const auto first_seen = ReadListMoment(asked, "firstSeen");
  if (!first_seen) return Fail(first_seen.error());
  query.first_seen = *first_seen;
  return query;
}

Expected<TargetQuery> ReadTargetQuery(const Request& request) {
  TargetQuery query;
  query.text = TextOf(request, "q");
  query.kind = TextOf(request, "kind");
  query.within = TextOf(request, "within");
  constexpr std::pair<std::string_view, TargetOrder> kOrders[] = {
      {"kind", TargetOrder::kKind},
      {"target", TargetOrder::kTarget},
      {"provider", TargetOrder::kProvider},
      {"differences", TargetOrder::kDifferences},
      {"undeclared", TargetOrder::kUndeclared},
      {"resources", TargetOrder::kResources},
      {"grants", TargetOrder::kGrants},
      {"read", TargetOrder::kRead}};
  auto read = ReadListOrder(request, kOrders, query.order, query.descending);
  if (!read) return Fail(read.error());
  const auto differing = ReadFlag(request, "differing");
  if (!differing) return Fail(differing.error());
  query.differing = *differing;
  const auto undeclared = ReadFlag(request, "undeclared");
  if (!undeclared) return Fail(undeclared.error());
  query.undeclared = *undeclared;
  return query;
}

/// Ids before and behind which events are looked for.
Expected<void> ReadEventIds(const Request& request, EventFilter& filter) {
  constexpr NumberRange kIds = {0, std::numeric_limits<std::int64_t>::max()};
  const auto after = ReadNumber(request, "after", kIds, 0);
  if (!after) return Fail(after.error());
  filter.after_id = *after;
  const auto before = ReadNumber(request, "before", kIds, filter.before_id);
  if (!before) return Fail(before.error());
  filter.before_id = *before;
  const auto oldest = ReadFlag(request, "oldest");
  if (!oldest) return Fail(oldest.error());
  filter.oldest = *oldest;
  return {};
}

}  // namespace

Expected<DriftListing> GetDrift(const QueryContext& asked) {
  const auto scope = ReadDriftScope(asked);
  if (!scope) return Fail(scope.error());
  const auto query = ReadDriftQuery(asked);
  if (!query) return Fail(query.error());
  const auto page = ReadPage(asked.request);
  if (!page) return Fail(page.error());
  const bool selected = query->Restricts() || !TextOf(asked.request, "sort").empty();
  if (!selected) return DriftReport(asked.parts.store, *scope, *page, *asked.parts.kept);
  return SelectedDrift(asked.parts.store, *scope, *query, *page, *asked.parts.kept);
}

bool GoesThroughDrift(const httpd::Request& request) {
  for (const char* part :
       {"q", "kind", "within", "principal", "class", "state", "cause", "firstSeen", "sort"}) {
    if (!TextOf(request, part).empty()) return true;
  }
  return false;
}

Expected<TargetList> GetTargets(const QueryContext& asked) {
  const auto query = ReadTargetQuery(asked.request);
  if (!query) return Fail(query.error());
  const auto page = ReadPage(asked.request);
  if (!page) return Fail(page.error());
  return TargetsReport(asked.parts.store, *query, *page);
}

Expected<EventList> GetEvents(const QueryContext& asked) {
  const Request& request = asked.request;
  EventFilter filter;
  filter.resource = TextOf(request, "resource");
  filter.reason = TextOf(request, "reason");
  filter.actor = TextOf(request, "actor");
  filter.text = TextOf(request, "q");
  const auto limit =
      ReadNumber(request, "limit", {1, kMostItems}, static_cast<std::int64_t>(filter.limit));
  if (!limit) return Fail(limit.error());
  filter.limit = static_cast<std::size_t>(*limit);
  Expected<void> read = ReadEventIds(request, filter);
  if (read) read = ReadWord(request, "type", report::kAllOf<EventType>, filter.type);
  if (!read) return Fail(read.error());
  const auto since = ReadListMoment(asked, "since");
  if (!since) return Fail(since.error());
  filter.since = *since;
  const auto until = ReadListMoment(asked, "until");
  if (!until) return Fail(until.error());
  filter.until = *until;
  return EventsReport(asked.parts.store, filter);
}

Expected<ProblemList> GetProblems(const QueryContext& asked) {
  ProblemQuery query;
  query.text = TextOf(asked.request, "q");
  query.code = TextOf(asked.request, "code");
  auto read = ReadWord(asked.request, "severity", report::kAllOf<ProblemSeverity>, query.severity);
  if (!read) return Fail(read.error());
  const auto page = ReadPage(asked.request);
  if (!page) return Fail(page.error());
  return ProblemsReport(asked.parts.store, asked.parts.manifests, *page, query);
}

Expected<httpd::Response> WholeTargets(const QueryContext& asked, const ListBudget& budget) {
  const auto query = ReadTargetQuery(asked.request);
  if (!query) return Fail(query.error());
  ListWriter writer(budget);
  const auto count = report::EachTargetLine(
      asked.parts.store, *query, [&](const TargetLine& line) { writer.Add(report::JsonOf(line)); });
  if (!count) return Fail(count.error());
  return writer.Reply(report::JsonOf(TargetList{{*count, 0, std::nullopt}, {}}), "targets");
}

Expected<httpd::Response> WholeDrift(const QueryContext& asked, const ListBudget& budget) {
  const auto scope = ReadDriftScope(asked);
  if (!scope) return Fail(scope.error());
  const auto query = ReadDriftQuery(asked);
  if (!query) return Fail(query.error());
  const auto document = ReadDriftDocument(asked.parts.store, *scope);
  if (!document) return Fail(document.error());
  ListWriter writer(budget);
  std::size_t count = 0;
  auto given = (*document)->Each((*document)->entries(), [&](const DriftReportItem& item) {
    if (!query->LetsThrough(item)) return;
    ++count;
    writer.Add(report::JsonOf(item));
  });
  if (!given) return Fail(given.error());
  DriftListing listing{{(*document)->head(), {}}, {count, 0, std::nullopt}};
  const auto hidden = [&](const DriftReportItem& item) { return !query->LetsThrough(item); };
  std::erase_if(listing.accepted, hidden);
  std::erase_if(listing.notes, hidden);
  return writer.Reply(report::JsonOf(listing), "items");
}

}  // namespace bindery::server
