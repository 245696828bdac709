#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "server/health.h"
#include "server/large_answers.h"
#include "server/queries.h"
#include "server/replies.h"
#include "server/routes.h"

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

Error OthersWait() {
  Error error;
  error.code = Code::kUnavailable;
  error.message = "other long lists are asked for already: ask again, or for less (limit=1000)";
  error.retry_after = std::chrono::seconds(1);
  return error;
}

}  // namespace

void AddReadRoutes(httpd::Router& router, const ApiParts& parts) {
  /// A route whose answer is known without a wait.
  const auto get = [&](std::string_view path, auto ask) {
    router.Add("GET", "/api/v1" + std::string(path),
               [&parts, ask](const Request& request, const PathParams& params,
                             const Responder& responder) {
                 responder.Send(ReportReply(ask({parts, request, params})));
               });
  };
  // Of the four threads that answer, one stays free for what is small.
  constexpr int kWaiting = 2;
  const auto large = std::make_shared<LargeAnswers>(kWaiting);
  /// The same of a list that may be long.
  const auto list = [&](std::string_view path, auto ask) {
    router.Add("GET", "/api/v1" + std::string(path),
               [&parts, ask, large](const Request& request, const PathParams& params,
                                    const Responder& responder) {
                 const auto answer = [&] {
                   responder.Send(ReportReply(ask({parts, request, params})));
                 };
                 if (!LargeAnswers::IsLarge(request)) return answer();
                 if (!large->Run(answer)) responder.Send(ErrorReply(OthersWait()));
               });
  };
  get("", GetOverview);
  get("/", GetOverview);
  list("/resources", GetResources);
  get("/resources/{name}", GetResource);
  get("/resources/{name}/revisions/{revision}", GetRevision);
  list("/targets", GetTargets);
  get("/targets/{kind}/{name...}", GetTarget);
  list("/drift", GetDrift);
  list("/access", GetAccess);
  list("/access/diff", GetAccessDiff);
  get("/events", GetEvents);
  get("/history/{name}", GetHistory);
  get("/guard", GetGuard);
  get("/problems", GetProblems);
  get("/replicas", GetReplicas);
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
