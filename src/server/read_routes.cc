#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/codec/json_text_writer.h"
#include "report/forms/list_csv.h"
#include "server/delivery.h"
#include "server/health.h"
#include "server/kept_answers.h"
#include "server/queries.h"
#include "server/requests/large_answers.h"
#include "server/requests/list_reply.h"
#include "server/requests/replies.h"
#include "server/routes.h"
#include "server/whole_lists.h"

namespace bindery::server {
namespace {

using httpd::PathParams;
using httpd::Request;
using httpd::Responder;
using httpd::Response;

/// Delivers the answer, or a refusal in JSON where the answer has no room.
void DeliverOrRefuse(const ListBudget& budget, const Request& request, const Responder& responder,
                     Response response, AnswerKind kind) {
  if (Deliver(budget, request, responder, std::move(response), kind)) return;
  responder.Send(ErrorReply(OthersWait()));
}

/// The lines of a plan, as a part of the answer.
class PlanText final : public PlanLines {
 public:
  explicit PlanText(ListBudget budget) : budget_(std::move(budget)) { Clear(); }

  void Add(const std::string& line) override { writer_->Add(line); }
  void Clear() final { writer_.emplace(budget_); }
  [[nodiscard]] const ListBudget& budget() const { return budget_; }
  /// Of the plan without lines.
  [[nodiscard]] Expected<Response> Reply(const Json& plan) {
    return writer_->Reply(plan, "changes");
  }

 private:
  const ListBudget budget_;
  std::optional<ListWriter> writer_;
};

void GetPlan(const ApiParts& parts, const Request& request, const Responder& responder) {
  std::vector<std::string> names;
  for (const auto& [key, value] : request.query) {
    if (key == "name") names.push_back(value);
  }
  const PlanAsker asker = request.peer.is_unix ? PlanAsker::kLocal : PlanAsker::kNetwork;
  auto text = names.empty() ? std::make_shared<PlanText>(parts.large->budget()) : nullptr;
  // The answer may come after the end of the server.
  const auto answer = [tell = parts.refused, request, responder, text](const Expected<Json>& plan) {
    const bool refused = !plan && plan.error().code == Code::kResourceExhausted;
    if (refused && tell) tell("plan");
    if (!plan || text == nullptr) return responder.Send(ReportReply(plan));
    auto reply = text->Reply(*plan);
    DeliverOrRefuse(text->budget(), request, responder,
                    reply ? std::move(*reply) : ErrorReply(reply.error()), AnswerKind::kReport);
  };
  parts.control.Plan(std::move(names), asker, text, answer);
}

/// `budget`: none that lists could use up, so that metrics are answered always.
void AskForMetrics(const ApiParts& parts, const std::shared_ptr<const ListBudget>& budget,
                   const Request& request, const Responder& responder) {
  parts.control.Metrics([budget, request, responder](std::string text) {
    Response response = TextReply(200, std::move(text));
    // The version is the text format's; Prometheus reads it from here.
    response.headers.Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
    // The controller's thread has more important work than to compress.
    responder.After(std::chrono::milliseconds(0), [budget, request, responder,
                                                   response = std::move(response)]() mutable {
      DeliverOrRefuse(*budget, request, responder, std::move(response), AnswerKind::kMetrics);
    });
  });
}

void AddHealthRoutes(httpd::Router& router, const ApiParts& parts) {
  for (const char* endpoint : {"livez", "readyz", "healthz"}) {
    const std::string name = endpoint;
    router.Add(
        "GET", "/" + name,
        [&parts, name](const Request& request, const PathParams&, const Responder& responder) {
          responder.Send(HealthReply(name, parts.control.Health(), request));
        });
    router.Add(
        "GET", "/" + name + "/{check}",
        [&parts, name](const Request&, const PathParams& params, const Responder& responder) {
          responder.Send(SingleHealthReply(name, params.at("check"), parts.control.Health()));
        });
  }
}

/// The answers of a list: of a part of the list, and of all.
template <typename Report, typename Item>
struct List {
  Expected<Report> (*page)(const QueryContext&) = nullptr;
  std::vector<Item> Report::*items = nullptr;  ///< The elements.
  std::string_view member;                     ///< Their name in the JSON.
  GoesThrough goes_through = nullptr;
  /// The same as `page`, one element after the other; null: a long list is made by `page`.
  Expected<Report> (*each)(const QueryContext&, const std::function<void(Item&&)>&) = nullptr;
  /// All in their own order; null: as the other lists.
  Expected<Response> (*whole)(const QueryContext&, const ListBudget&) = nullptr;
  std::int64_t without_limit = 0;  ///< The elements of `page` without a limit; 0: all.
  std::shared_ptr<KeptAnswers> answers = nullptr;  ///< Of short pages; null: none is kept.
  /// The question of KeptAnswers; null: MakeQuestion().
  Expected<std::string> (*question)(const QueryContext&) = nullptr;
};

/// All of a list, in its own order, and not the one thing of a name.
bool IsWhole(const Request& request) {
  for (const char* part : {"limit", "offset", "sort", "name"}) {
    if (!GetText(request, part).empty()) return false;
  }
  return true;
}

/// Gives the elements one by one, and the report without them.
template <typename Report, typename Item>
Expected<Report> GiveEach(const List<Report, Item>& list, const QueryContext& asked,
                          const std::function<void(Item&&)>& take) {
  if (list.each != nullptr) return list.each(asked, take);
  auto report = list.page(asked);
  if (!report) return report;
  for (Item& item : std::exchange((*report).*list.items, {})) take(std::move(item));
  return report;
}

/// A long list. The elements become text one by one: together they would need ten times the memory
/// of the text.
template <typename Report, typename Item>
Expected<Response> LongReply(const List<Report, Item>& list, const QueryContext& asked) {
  ListWriter writer(asked.parts.large->budget());
  std::string element;
  const auto report = GiveEach<Report, Item>(list, asked, [&](const Item& item) {
    element.clear();
    report::JsonTextWriter(element, 0, 0).Append(item);
    writer.Add(element);
  });
  if (!report) return Fail(report.error());
  return writer.Reply(report::MakeJson(*report), list.member);
}

/// The list as a table: at most the longest page. Some rows are made at a time.
template <typename Report, typename Item>
Expected<Response> CsvReply(const List<Report, Item>& list, const QueryContext& asked) {
  constexpr std::size_t kAtOnce = 250;
  Request limited = asked.request;
  if (GetText(limited, "limit").empty()) {
    limited.query.emplace_back("limit", std::to_string(kMostItems));
  }
  TableWriter table(asked.parts.large->budget());
  Report part;
  std::vector<Item>& rows = part.*list.items;
  const auto report =
      GiveEach<Report, Item>(list, {asked.parts, limited, asked.params}, [&](Item&& item) {
        rows.push_back(std::move(item));
        if (rows.size() < kAtOnce) return;
        table.Add(report::ListCsv(part));
        rows.clear();
      });
  if (!report) return Fail(report.error());
  table.Add(report::ListCsv(part));
  return table.Reply();
}

template <typename Report, typename Item>
bool IsLargeAnswer(const List<Report, Item>& list, const Request& request) {
  if (list.goes_through != nullptr && list.goes_through(request)) return true;
  // A table without a limit is longer than JSON without a limit: see CsvReply.
  const bool csv = GetText(request, "format") == "csv";
  return LargeAnswers::IsLarge(request, csv ? 0 : list.without_limit);
}

/// Whether the answer is asked for as CSV; an error for a form that it does not have.
Expected<bool> AsksForCsv(const Request& request) {
  const std::string format = GetText(request, "format");
  if (format.empty() || format == "json" || format == "csv") return format == "csv";
  return Fail(Code::kInvalidArgument, "\"format\" must be json or csv, not \"" + format + "\"");
}

/// An answer that is a table as well.
template <typename Report>
struct TableQuery {
  Expected<Report> (*ask)(const QueryContext&) = nullptr;
  std::string (*table)(const Request&, const Report&) = nullptr;
};

/// The whole answer, as JSON or as a table.
template <typename Report>
Response MakeTableReply(const TableQuery<Report>& query, const QueryContext& asked) {
  const auto csv = AsksForCsv(asked.request);
  if (!csv) return ErrorReply(csv.error());
  const auto report = query.ask(asked);
  if (!*csv || !report) return ReportReply(report);
  TableWriter table(asked.parts.large->budget());
  table.Add(query.table(asked.request, *report));
  auto reply = table.Reply();
  return reply ? std::move(*reply) : ErrorReply(reply.error());
}

template <typename Report, typename Item>
Expected<Response> MakeReply(const List<Report, Item>& list, const QueryContext& asked) {
  if constexpr (requires(const Report& report) { report::ListCsv(report); }) {
    const auto csv = AsksForCsv(asked.request);
    if (!csv) return Fail(csv.error());
    if (*csv) return CsvReply(list, asked);
  }
  if (list.whole != nullptr && IsWhole(asked.request)) {
    return list.whole(asked, asked.parts.large->budget());
  }
  constexpr std::int64_t kShort = 250;
  const bool one = !GetText(asked.request, "name").empty();
  const auto page = ReadPage(asked.request);
  const std::int64_t most =
      page && page->limit ? static_cast<std::int64_t>(*page->limit) : list.without_limit;
  if (one || (most > 0 && most <= kShort)) {
    const auto reply = [&] { return ReportReply(list.page(asked)); };
    if (list.answers == nullptr) return reply();
    const auto question =
        list.question != nullptr ? list.question(asked) : MakeQuestion(asked.parts, asked.request);
    if (!question) return Fail(question.error());
    return list.answers->Get(*question, reply);
  }
  return LongReply(list, asked);
}

template <typename Report, typename Item>
void ServeList(const ApiParts& parts, const List<Report, Item>& list, const Request& request,
               const PathParams& params, const Responder& responder) {
  auto answer = [&parts, list, request, params, responder] {
    auto reply = MakeReply(list, {parts, request, params});
    DeliverOrRefuse(parts.large->budget(), request, responder,
                    reply ? std::move(*reply) : ErrorReply(reply.error()), AnswerKind::kReport);
  };
  const bool one = !GetText(request, "name").empty();
  if (one || !IsLargeAnswer(list, request)) return answer();
  if (!parts.large->Run(std::move(answer))) responder.Send(ErrorReply(OthersWait()));
}

/// Adds routes below /api/v1.
class ReportRoutes {
 public:
  /// The first two must outlive the routes.
  ReportRoutes(httpd::Router& router, const ApiParts& parts, std::shared_ptr<KeptAnswers> answers)
      : router_(router), parts_(parts), answers_(std::move(answers)) {}

  /// A route whose answer is known without a wait.
  template <typename Ask>
  void Add(std::string_view path, Ask ask) const {
    AddRoute(path, [&parts = parts_, ask](const Request& request, const PathParams& params,
                                          const Responder& responder) {
      DeliverOrRefuse(parts.large->budget(), request, responder,
                      ReportReply(ask({parts, request, params})), AnswerKind::kReport);
    });
  }

  /// The same of an answer that is a table as well: format=csv.
  template <typename Report>
  void AddTable(std::string_view path, TableQuery<Report> query) const {
    AddRoute(path, [&parts = parts_, query](const Request& request, const PathParams& params,
                                            const Responder& responder) {
      DeliverOrRefuse(parts.large->budget(), request, responder,
                      MakeTableReply(query, {parts, request, params}), AnswerKind::kReport);
    });
  }

  /// The same of an answer that is kept: see MakeQuestion().
  template <typename Ask>
  void AddKept(std::string_view path, Ask ask) const {
    AddRoute(path,
             [&parts = parts_, answers = answers_, ask](
                 const Request& request, const PathParams& params, const Responder& responder) {
               auto reply = answers->Get(MakeQuestion(parts, request), [&] {
                 return ReportReply(ask({parts, request, params}));
               });
               DeliverOrRefuse(parts.large->budget(), request, responder, std::move(reply),
                               AnswerKind::kReport);
             });
  }

  template <typename Report, typename Item>
  void AddList(std::string_view path, List<Report, Item> what) const {
    AddRoute(path, [&parts = parts_, what](const Request& request, const PathParams& params,
                                           const Responder& responder) {
      ServeList(parts, what, request, params, responder);
    });
  }

  /// The same with answers that are kept.
  template <typename Report, typename Item>
  void AddKeptList(std::string_view path, List<Report, Item> what) const {
    what.answers = answers_;
    AddList(path, std::move(what));
  }

 private:
  template <typename Handle>
  void AddRoute(std::string_view path, Handle handle) const {
    router_.Add("GET", "/api/v1" + std::string(path), std::move(handle));
  }

  httpd::Router& router_;
  const ApiParts& parts_;
  const std::shared_ptr<KeptAnswers> answers_;
};

std::string GuardTable(const Request& request, const report::HoldList& list) {
  return report::ListCsv(
      list, report::GuardSort::Parse(GetText(request, "sort")).value_or(report::GuardSort()));
}

std::string CoverageTable(const Request& /*request*/, const report::Coverage& coverage) {
  return report::ListCsv(coverage);
}

void AddReportRoutes(const ReportRoutes& routes) {
  routes.Add("", GetOverview);
  routes.Add("/", GetOverview);
  routes.AddKeptList("/resources", List<report::ListedResources, report::ReportedResource>{
                                       GetResources, &report::ListedResources::resources,
                                       "resources", nullptr, EachOfResources});
  routes.AddKept("/resources/{name}", GetResource);
  routes.Add("/resources/{name}/revisions/{revision}", GetRevision);
  routes.AddList("/targets", List<report::TargetList, report::TargetLine>{
                                 GetTargets, &report::TargetList::targets, "targets",
                                 GoesThroughAlways, EachOfTargets});
  routes.AddKept("/targets/{kind}/{name...}", GetTarget);
  List<report::DriftListing, report::DriftReportItem> drift{GetDrift, &report::DriftListing::items,
                                                            "items", GoesThroughDrift, EachOfDrift};
  drift.question = MakeDriftQuestion;
  routes.AddKeptList("/drift", std::move(drift));
  routes.AddList("/access", List<report::AccessListing, report::AccessAnswer>{
                                GetAccess, &report::AccessListing::answers, "answers",
                                GoesThroughAlways, EachOfAccess, WholeAccess});
  routes.AddList("/access/diff", List<report::AccessDiff, report::AccessChange>{
                                     GetAccessDiff, &report::AccessDiff::changes, "changes",
                                     GoesThroughAlways, EachOfAccessDiff});
  const auto usual_events = static_cast<std::int64_t>(store::EventFilter().limit);
  routes.AddList("/events", List<report::EventList, report::EventLine>{
                                GetEvents, &report::EventList::events, "events", GoesThroughEvents,
                                nullptr, nullptr, usual_events});
  constexpr std::int64_t kMostSpans = 7 * 24;  // Of a history by hours.
  routes.AddList("/history", List<report::WorkHistory, report::HistorySpan>{
                                 GetWorkHistory, &report::WorkHistory::spans, "spans", nullptr,
                                 nullptr, nullptr, kMostSpans});
  routes.Add("/history/{name}", GetHistory);
  routes.AddTable("/guard", TableQuery<report::HoldList>{GetGuard, GuardTable});
  routes.AddList("/problems", List<report::ProblemList, report::ProblemLine>{
                                  GetProblems, &report::ProblemList::problems, "problems"});
  constexpr std::int64_t kFewReplicas = 100;
  routes.AddList("/replicas", List<report::ReplicaList, report::ReplicaLine>{
                                  GetReplicas, &report::ReplicaList::replicas, "replicas", nullptr,
                                  nullptr, nullptr, kFewReplicas});
  routes.AddTable("/coverage", TableQuery<report::Coverage>{GetCoverage, CoverageTable});
  routes.Add("/scans", GetScans);
}

}  // namespace

void AddReadRoutes(httpd::Router& router, const ApiParts& parts,
                   const std::shared_ptr<KeptAnswers>& answers) {
  AddReportRoutes({router, parts, answers});
  router.Add("GET", "/api/v1/plan",
             [&parts](const Request& request, const PathParams&, const Responder& responder) {
               GetPlan(parts, request, responder);
             });
  const auto unbounded =
      std::make_shared<const ListBudget>(std::numeric_limits<std::size_t>::max());
  router.Add(
      "GET", "/metrics",
      [&parts, unbounded](const Request& request, const PathParams&, const Responder& responder) {
        AskForMetrics(parts, unbounded, request, responder);
      });
  AddHealthRoutes(router, parts);
}

}  // namespace bindery::server
