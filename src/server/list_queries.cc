// What lists of differences, targets, events and problems are asked for.

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/settings/severity_rules.h"
#include "report/access/target_places.h"
#include "report/codec/json_text_writer.h"
#include "report/reports/drift_selection.h"
#include "report/reports/kept_reports.h"
#include "report/reports/overview_report.h"
#include "report/reports/target_lines.h"
#include "report/values/drift_document.h"
#include "server/list_order.h"
#include "server/queries.h"
#include "server/whole_lists.h"

namespace bindery::server {
namespace {

using httpd::Request;

bool NamesAny(const Request& request, std::initializer_list<const char*> parameters) {
  return std::ranges::any_of(parameters,
                             [&](const char* name) { return !GetText(request, name).empty(); });
}

/// The one of the values whose word the parameter is; nothing when it is missing or empty.
template <typename Value, typename Values>
Expected<void> ReadWord(const Request& request, const std::string& name, const Values& known,
                        std::optional<Value>& value) {
  const std::string text = GetText(request, name);
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

Expected<report::DriftScope> ReadDriftScope(const QueryContext& asked) {
  const WallTime now = asked.parts.clock.Wall();
  report::DriftScope scope = report::DriftScopeAt(now, asked.parts.control.ReportSettings());
  const auto since = ReadMoment(asked.request, "since", now);
  if (!since) return Fail(since.error());
  if (*since) scope.resolved_since = **since;
  std::optional<Severity> least;
  auto read = ReadWord(asked.request, "severity", kAllSeverities, least);
  if (!read) return Fail(read.error());
  scope.least = least.value_or(scope.least);
  return scope;
}

Expected<report::DriftQuery> ReadDriftQuery(const QueryContext& asked) {
  const Request& request = asked.request;
  report::DriftQuery query;
  query.text = GetText(request, "q");
  query.kind = GetText(request, "kind");
  query.within = GetText(request, "within");
  if (!query.within.empty()) {
    auto places = report::TargetPlaces::Read(asked.parts.store);
    if (!places) return Fail(places.error());
    query.places = std::make_shared<const report::TargetPlaces>(std::move(*places));
  }
  query.principal = GetText(request, "principal");
  constexpr std::pair<std::string_view, report::DriftOrder> kOrders[] = {
      {"severity", report::DriftOrder::kSeverity},
      {"principal", report::DriftOrder::kPrincipal},
      {"role", report::DriftOrder::kRole},
      {"target", report::DriftOrder::kTarget},
      {"class", report::DriftOrder::kClass},
      {"state", report::DriftOrder::kState},
      {"resource", report::DriftOrder::kResource},
      {"firstSeen", report::DriftOrder::kFirstSeen},
      {"why", report::DriftOrder::kWhy}};
  Expected<void> read = ReadListOrder(request, kOrders, query.order, query.descending);
  query.ordered = !GetText(request, "sort").empty();
  if (read) read = ReadWord(request, "class", kAllItemClasses, query.drift_class);
  if (read) read = ReadWord(request, "state", report::kAllOf<DriftState>, query.state);
  if (read) read = ReadWord(request, "cause", kAllDriftCauses, query.cause);
  if (!read) return Fail(read.error());
  const auto first_seen = ReadMoment(request, "firstSeen", asked.parts.clock.Wall());
  if (!first_seen) return Fail(first_seen.error());
  query.first_seen = *first_seen;
  return query;
}

struct DriftQuestion {
  report::DriftScope scope;
  report::DriftQuery query;
  report::ListPage page;
};

Expected<DriftQuestion> ReadDriftQuestion(const QueryContext& asked) {
  const auto scope = ReadDriftScope(asked);
  if (!scope) return Fail(scope.error());
  const auto query = ReadDriftQuery(asked);
  if (!query) return Fail(query.error());
  const auto page = ReadPage(asked.request);
  if (!page) return Fail(page.error());
  return DriftQuestion{*scope, *query, *page};
}

/// The differences in the order of a report: a page of all, or all that the query lets through.
Expected<report::DriftListing> EachInOrder(const store::ReportReader& store,
                                           const DriftQuestion& question,
                                           const report::TakeDifference& take) {
  const auto document = report::ReadDriftDocument(store, question.scope);
  if (!document) return Fail(document.error());
  report::DriftDocument::Entries entries = (*document)->entries();
  report::ListSlice slice = report::KeepPage(entries, question.page);
  std::size_t count = 0;
  auto given = (*document)->Each(entries, [&](const report::DriftReportItem& item) {
    if (!question.query.LetsThrough(item)) return;
    ++count;
    take(report::DriftReportItem(item));
  });
  if (!given) return Fail(given.error());
  const bool whole = !question.page.limit && question.page.offset == 0;
  if (whole) slice.total = count;
  report::DriftListing listing{{(*document)->head(), {}}, slice};
  const auto hidden = [&](const report::DriftReportItem& item) {
    return !question.query.LetsThrough(item);
  };
  std::erase_if(listing.accepted, hidden);
  std::erase_if(listing.notes, hidden);
  return listing;
}

Expected<report::TargetQuery> ReadTargetQuery(const Request& request) {
  report::TargetQuery query;
  query.text = GetText(request, "q");
  query.kind = GetText(request, "kind");
  query.within = GetText(request, "within");
  constexpr std::pair<std::string_view, report::TargetOrder> kOrders[] = {
      {"kind", report::TargetOrder::kKind},
      {"target", report::TargetOrder::kTarget},
      {"provider", report::TargetOrder::kProvider},
      {"differences", report::TargetOrder::kDifferences},
      {"undeclared", report::TargetOrder::kUndeclared},
      {"resources", report::TargetOrder::kResources},
      {"grants", report::TargetOrder::kGrants},
      {"read", report::TargetOrder::kRead}};
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
Expected<void> ReadEventIds(const Request& request, store::EventFilter& filter) {
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

Expected<report::DriftListing> GetDrift(const QueryContext& asked) {
  const auto question = ReadDriftQuestion(asked);
  if (!question) return Fail(question.error());
  const auto& [scope, query, page] = *question;
  if (!GoesThroughDrift(asked.request)) {
    return report::DriftReport(asked.parts.store, scope, page, *asked.parts.kept);
  }
  return report::SelectedDrift(asked.parts.store, scope, query, page, *asked.parts.kept);
}

Expected<std::string> MakeDriftQuestion(const QueryContext& asked) {
  const auto scope = ReadDriftScope(asked);
  if (!scope) return Fail(scope.error());
  std::string question = report::MakeQuestion(*scope) + "|" + asked.request.raw_target + "|";
  if (scope->unmanaged != nullptr) {
    report::JsonTextWriter(question, 0, 0).Append(*scope->unmanaged);
  }
  return question;
}

Expected<report::DriftListing> EachOfDrift(const QueryContext& asked,
                                           const report::TakeDifference& take) {
  const auto question = ReadDriftQuestion(asked);
  if (!question) return Fail(question.error());
  const auto& [scope, query, page] = *question;
  const bool whole = !page.limit && page.offset == 0 && GetText(asked.request, "sort").empty();
  if (!whole && GoesThroughDrift(asked.request)) {
    return report::EachSelectedDrift({asked.parts.store, scope, *asked.parts.kept}, query, page,
                                     take);
  }
  if (!whole) {
    auto first = report::FirstOfDrift(asked.parts.store, scope, page, *asked.parts.kept);
    if (!first) return Fail(first.error());
    if (*first) {
      for (report::DriftReportItem& item : std::exchange((*first)->items, {}))
        take(std::move(item));
      return std::move(**first);
    }
  }
  return EachInOrder(asked.parts.store, *question, take);
}

bool GoesThroughDrift(const Request& request) {
  return NamesAny(request, {"q", "kind", "within", "principal", "class", "state", "cause",
                            "firstSeen", "sort"});
}

bool GoesThroughEvents(const Request& request) {
  return NamesAny(request, {"sort", "q", "type", "reason", "actor", "since", "until"});
}

Expected<report::TargetList> GetTargets(const QueryContext& asked) {
  const auto query = ReadTargetQuery(asked.request);
  if (!query) return Fail(query.error());
  const auto page = ReadPage(asked.request);
  if (!page) return Fail(page.error());
  return report::TargetsReport(asked.parts.store, *query, *page);
}

Expected<report::EventList> GetEvents(const QueryContext& asked) {
  const Request& request = asked.request;
  store::EventFilter filter;
  filter.resource = GetText(request, "resource");
  filter.reason = GetText(request, "reason");
  filter.actor = GetText(request, "actor");
  filter.text = GetText(request, "q");
  const auto limit =
      ReadNumber(request, "limit", {1, kMostItems}, static_cast<std::int64_t>(filter.limit));
  if (!limit) return Fail(limit.error());
  filter.limit = static_cast<std::size_t>(*limit);
  Expected<void> read = ReadEventIds(request, filter);
  if (read) read = ReadWord(request, "type", report::kAllOf<EventType>, filter.type);
  if (!read) return Fail(read.error());
  const WallTime now = asked.parts.clock.Wall();
  const auto since = ReadMoment(request, "since", now);
  if (!since) return Fail(since.error());
  filter.since = *since;
  const auto until = ReadMoment(request, "until", now);
  if (!until) return Fail(until.error());
  filter.until = *until;
  auto page = ReadPage(request);
  if (!page) return Fail(page.error());
  if (GetText(request, "sort").empty()) return report::EventsReport(asked.parts.store, filter);
  constexpr std::pair<std::string_view, report::EventOrder> kOrders[] = {
      {"time", report::EventOrder::kTime},
      {"reason", report::EventOrder::kReason},
      {"about", report::EventOrder::kAbout},
      {"message", report::EventOrder::kMessage},
      {"actor", report::EventOrder::kActor}};
  report::EventSort sort;
  read = ReadListOrder(request, kOrders, sort.order, sort.descending);
  if (!read) return Fail(read.error());
  page->limit = filter.limit;
  return report::SortedEvents(asked.parts.store, std::move(filter), sort, *page);
}

Expected<report::ProblemList> GetProblems(const QueryContext& asked) {
  report::ProblemQuery query;
  query.text = GetText(asked.request, "q");
  query.code = GetText(asked.request, "code");
  auto read = ReadWord(asked.request, "severity", report::kAllOf<manifests::ProblemSeverity>,
                       query.severity);
  constexpr std::pair<std::string_view, report::ProblemOrder> kOrders[] = {
      {"manifest", report::ProblemOrder::kManifest},
      {"message", report::ProblemOrder::kMessage},
      {"resource", report::ProblemOrder::kResource}};
  if (read) read = ReadListOrder(asked.request, kOrders, query.order, query.descending);
  if (!read) return Fail(read.error());
  const auto page = ReadPage(asked.request);
  if (!page) return Fail(page.error());
  return report::ProblemsReport(asked.parts.store, asked.parts.manifests, *page, query);
}

Expected<report::TargetList> EachOfTargets(const QueryContext& asked, const TakeTarget& take) {
  const auto query = ReadTargetQuery(asked.request);
  if (!query) return Fail(query.error());
  const auto page = ReadPage(asked.request);
  if (!page) return Fail(page.error());
  const auto count = report::EachTargetLine(asked.parts.store, *query, *page, take);
  if (!count) return Fail(count.error());
  return report::TargetList{{*count, page->offset, page->limit}, {}};
}

}  // namespace bindery::server
