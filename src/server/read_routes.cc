#include <charconv>
#include <limits>
#include <string>
#include <utility>

#include "core/severity_rules.h"
#include "core/time_text.h"
#include "report/reports.h"
#include "server/health.h"
#include "server/index_page.h"
#include "server/replies.h"
#include "server/routes.h"

namespace bindery::server {
namespace {

using httpd::PathParams;
using httpd::Request;
using httpd::Responder;
using httpd::Response;

constexpr std::int64_t kMostEvents = 10'000;

/// A query parameter that is a whole number of that range; `fallback` when it is not there.
Expected<std::int64_t> ReadNumber(const Request& request, const std::string& name,
                                  std::int64_t least, std::int64_t most, std::int64_t fallback) {
  const std::string* text = request.FindQuery(name);
  if (text == nullptr) return fallback;
  std::int64_t number = 0;
  const char* end = text->data() + text->size();
  const auto [stop, failed] = std::from_chars(text->data(), end, number);
  if (failed == std::errc() && stop == end && number >= least && number <= most) return number;
  return Fail(Code::kInvalidArgument, "\"" + name + "\" must be a whole number from " +
                                          std::to_string(least) + " to " + std::to_string(most) +
                                          ", not \"" + *text + "\"");
}

Expected<ResourceFilter> ReadResourceFilter(const Request& request) {
  ResourceFilter filter;
  for (const auto& [key, value] : request.query) {
    if (key == "kind") {
      filter.kind = ParseTypeToken(value);
      if (!filter.kind) {
        return Fail(Code::kInvalidArgument,
                    "\"kind\" must be a type token such as "
                    "monitoring:RestrictionPolicy, not \"" +
                        value + "\"");
      }
    } else if (key == "name") {
      filter.name = value;
    } else if (key == "label") {
      const std::size_t equals = value.find('=');
      if (equals == std::string::npos || equals == 0) {
        return Fail(Code::kInvalidArgument, "\"label\" must be name=value, not \"" + value + "\"");
      }
      filter.labels[value.substr(0, equals)] = value.substr(equals + 1);
    }
  }
  return filter;
}

Response ResourcesReply(const ApiParts& parts, const Request& request) {
  const auto filter = ReadResourceFilter(request);
  if (!filter) return ErrorReply(filter.error());
  return ReportReply(ResourcesReport(parts.store, *filter, parts.clock.Wall()));
}

Response ResourceReply(const ApiParts& parts, const std::string& name) {
  ResourceFilter filter;
  filter.name = name;
  const Expected<Json> report = ResourcesReport(parts.store, filter, parts.clock.Wall());
  if (!report) return ErrorReply(report.error());
  const Json& resources = report->at("resources");
  if (!resources.empty()) return JsonReply(200, resources.front());
  const auto missing = FindResource(parts.store, name);
  return missing ? ErrorReply(404, "NOT_FOUND", "the resource has just gone")
                 : ErrorReply(missing.error());
}

Response DriftReply(const ApiParts& parts, const Request& request) {
  DriftScope scope = DriftScopeAt(parts.clock.Wall(), parts.control.ReportSettings());
  if (const std::string* text = request.FindQuery("since"); text != nullptr) {
    const Expected<WallTime> time = ParseRfc3339(*text);
    if (!time) return ErrorReply(time.error().Wrap("\"since\""));
    scope.resolved_since = *time;
  }
  if (const std::string* text = request.FindQuery("severity"); text != nullptr) {
    const auto least = ParseSeverity(*text);
    if (!least) {
      return ErrorReply(
          Error{Code::kInvalidArgument,
                "\"severity\" must be low, medium, high or critical, not \"" + *text + "\""});
    }
    scope.least = *least;
  }
  return ReportReply(DriftReport(parts.store, scope));
}

Response EventsReply(const ApiParts& parts, const Request& request) {
  EventFilter filter;
  if (const std::string* name = request.FindQuery("resource"); name != nullptr) {
    filter.resource = *name;
  }
  const auto limit =
      ReadNumber(request, "limit", 1, kMostEvents, static_cast<std::int64_t>(filter.limit));
  if (!limit) return ErrorReply(limit.error());
  const auto after = ReadNumber(request, "after", 0, std::numeric_limits<std::int64_t>::max(), 0);
  if (!after) return ErrorReply(after.error());
  filter.limit = static_cast<std::size_t>(*limit);
  filter.after_id = *after;
  return ReportReply(EventsReport(parts.store, filter));
}

Response GuardReply(const ApiParts& parts, const Request& request) {
  const bool all = request.FindQuery("all") != nullptr;
  return ReportReply(GuardReport(parts.store, all ? HoldSelection::kAll : HoldSelection::kCurrent));
}

void AskForPlan(const ApiParts& parts, const Request& request, const Responder& responder) {
  std::vector<std::string> names;
  for (const auto& [key, value] : request.query) {
    if (key == "name") names.push_back(value);
  }
  parts.control.Plan(std::move(names), [responder](const Expected<Json>& plan) {
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

}  // namespace

void AddReadRoutes(httpd::Router& router, const ApiParts& parts) {
  /// A route whose answer is known at once.
  const auto get = [&router](std::string_view pattern, auto answer) {
    router.Add("GET", pattern,
               [answer](const Request& request, const PathParams& params,
                        const Responder& responder) { responder.Send(answer(request, params)); });
  };
  get("/", [&parts](const Request&, const PathParams&) { return IndexPage(parts); });
  get("/api/v1/resources", [&parts](const Request& request, const PathParams&) {
    return ResourcesReply(parts, request);
  });
  get("/api/v1/resources/{name}", [&parts](const Request&, const PathParams& params) {
    return ResourceReply(parts, params.at("name"));
  });
  get("/api/v1/drift",
      [&parts](const Request& request, const PathParams&) { return DriftReply(parts, request); });
  get("/api/v1/events",
      [&parts](const Request& request, const PathParams&) { return EventsReply(parts, request); });
  get("/api/v1/history/{name}", [&parts](const Request&, const PathParams& params) {
    return ReportReply(HistoryReport(parts.store, params.at("name")));
  });
  get("/api/v1/guard",
      [&parts](const Request& request, const PathParams&) { return GuardReply(parts, request); });
  router.Add("GET", "/api/v1/plan",
             [&parts](const Request& request, const PathParams&, const Responder& responder) {
               AskForPlan(parts, request, responder);
             });
  router.Add("GET", "/metrics",
             [&parts](const Request&, const PathParams&, const Responder& responder) {
               AskForMetrics(parts, responder);
             });
  AddHealthRoutes(router, parts);
}

}  // namespace bindery::server
