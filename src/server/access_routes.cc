#include <optional>
#include <string>
#include <utility>

#include "report/access_report.h"
#include "server/replies.h"
#include "server/routes.h"

namespace bindery::server {
namespace {

using httpd::PathParams;
using httpd::Request;
using httpd::Responder;
using httpd::Response;

/// A moment that may be left out.
Expected<std::optional<WallTime>> ReadMoment(const Request& request, const std::string& name,
                                             WallTime now) {
  const std::string* text = request.FindQuery(name);
  if (text == nullptr) return std::optional<WallTime>();
  const Expected<WallTime> moment = ParseMoment(*text, now);
  if (!moment) return Fail(moment.error().Wrap("\"" + name + "\""));
  return std::optional(*moment);
}

std::string TextOf(const Request& request, const std::string& name) {
  const std::string* text = request.FindQuery(name);
  return text == nullptr ? std::string() : *text;
}

Response AccessReply(const ApiParts& parts, const Request& request) {
  const WallTime now = parts.clock.Wall();
  AccessQuery query;
  query.role = TextOf(request, "role");
  query.target = TextOf(request, "target");
  query.principal = TextOf(request, "principal");
  const auto at = ReadMoment(request, "at", now);
  if (!at) return ErrorReply(at.error());
  query.at = *at;
  for (const auto& [key, value] : request.query) {
    if (key != "set") continue;
    if (auto added = AddAttribute(value, query.attributes); !added) {
      return ErrorReply(added.error().Wrap("\"set\""));
    }
  }
  return ReportReply(AccessReport(parts.store, query, now));
}

Response AccessDiffReply(const ApiParts& parts, const Request& request) {
  constexpr std::chrono::hours kDay{24};
  const WallTime now = parts.clock.Wall();
  const auto since = ReadMoment(request, "since", now);
  if (!since) return ErrorReply(since.error());
  const auto until = ReadMoment(request, "until", now);
  if (!until) return ErrorReply(until.error());
  AccessDiffQuery query;
  query.since = since->value_or(now - kDay);
  query.until = *until;
  query.target = TextOf(request, "target");
  return ReportReply(AccessDiffReport(parts.store, query, now));
}

}  // namespace

void AddAccessRoutes(httpd::Router& router, const ApiParts& parts) {
  router.Add("GET", "/api/v1/access",
             [&parts](const Request& request, const PathParams&, const Responder& responder) {
               responder.Send(AccessReply(parts, request));
             });
  router.Add("GET", "/api/v1/access/diff",
             [&parts](const Request& request, const PathParams&, const Responder& responder) {
               responder.Send(AccessDiffReply(parts, request));
             });
}

}  // namespace bindery::server
