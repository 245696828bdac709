#include <memory>
#include <string>
#include <utility>

#include "server/health.h"
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

void GetPlan(const ApiParts& parts, const Request& request, const Responder& responder) {
  std::vector<std::string> names;
  for (const auto& [key, value] : request.query) {
    if (key == "name") names.push_back(value);
  }
  const PlanAsker asker = request.peer.is_unix ? PlanAsker::kLocal : PlanAsker::kNetwork;
  parts.control.Plan(std::move(names), asker, [&parts, responder](const Expected<Json>& plan) {
    const bool refused = !plan && plan.error().code == Code::kResourceExhausted;
    if (refused && parts.refused) parts.refused("plan");
    responder.Send(ReportReply(plan));
  });
}

void AskForMetrics(const ApiParts& parts, const Responder& responder) {
  parts.control.Metrics([responder](std::string text) {
    Response response = TextReply(200, std::move(text));
    // The version is the text format's; Prometheus reads it from here.
    response.headers.Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
    responder.Send(std::move(response));
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

/// What a list answers, and what it does whole.
template <typename Report>
struct List {
  Expected<Report> (*page)(const QueryContext&) = nullptr;
  /// Null: `page` answers that too.
  Expected<Response> (*whole)(const QueryContext&, const ListBudget&) = nullptr;
  bool goes_through_all = false;  ///< Also for a page.
};

/// All of a list, in its own order, and not the one thing of a name.
bool IsWhole(const Request& request) {
  for (const char* part : {"limit", "offset", "sort", "name"}) {
    if (!TextOf(request, part).empty()) return false;
  }
  return true;
}

template <typename Report>
Response ReplyOf(const List<Report>& list, const QueryContext& asked, const ListBudget& budget) {
  if (list.whole == nullptr || !IsWhole(asked.request)) return ReportReply(list.page(asked));
  auto whole = list.whole(asked, budget);
  return whole ? std::move(*whole) : ErrorReply(whole.error());
}

}  // namespace

void AddReadRoutes(httpd::Router& router, const ApiParts& parts) {
  /// A route whose answer is known without a wait.
  const auto get = [&](std::string_view path, auto ask) {
    router.Add("GET", "/api/v1" + std::string(path),
               [&parts, ask](const Request& request, const PathParams& params,
                             const Responder& responder) {
                 SendAndTidy(responder, ReportReply(ask({parts, request, params})));
               });
  };
  const auto budget = std::make_shared<const ListBudget>();
  const auto list = [&]<typename Report>(std::string_view path, List<Report> what) {
    router.Add("GET", "/api/v1" + std::string(path),
               [&parts, what, budget](const Request& request, const PathParams& params,
                                      const Responder& responder) {
                 auto answer = [&parts, what, budget, request, params, responder] {
                   SendAndTidy(responder, ReplyOf(what, {parts, request, params}, *budget));
                 };
                 const bool one = !TextOf(request, "name").empty();
                 const bool large = what.goes_through_all || LargeAnswers::IsLarge(request);
                 if (one || !large) return answer();
                 if (parts.large->Run(std::move(answer))) return;
                 responder.Send(ErrorReply(OthersWait()));
               });
  };
  get("", GetOverview);
  get("/", GetOverview);
  list("/resources", List<ListedResources>{GetResources, WholeResources});
  get("/resources/{name}", GetResource);
  get("/resources/{name}/revisions/{revision}", GetRevision);
  list("/targets", List<TargetList>{GetTargets, WholeTargets, true});
  get("/targets/{kind}/{name...}", GetTarget);
  list("/drift", List<DriftListing>{GetDrift, WholeDrift});
  list("/access", List<AccessListing>{GetAccess, WholeAccess, true});
  list("/access/diff", List<AccessDiff>{GetAccessDiff, nullptr, true});
  get("/events", GetEvents);
  get("/history/{name}", GetHistory);
  get("/guard", GetGuard);
  get("/problems", GetProblems);
  get("/replicas", GetReplicas);
  get("/coverage", GetCoverage);
  get("/scans", GetScans);
  router.Add("GET", "/api/v1/plan",
             [&parts](const Request& request, const PathParams&, const Responder& responder) {
               GetPlan(parts, request, responder);
             });
  router.Add("GET", "/metrics",
             [&parts](const Request&, const PathParams&, const Responder& responder) {
               AskForMetrics(parts, responder);
             });
  AddHealthRoutes(router, parts);
}

}  // namespace bindery::server
