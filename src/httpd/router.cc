#include "httpd/router.h"

#include <algorithm>
#include <optional>

#include "httpd/url.h"

namespace bindery::httpd {
namespace {

std::vector<std::string> Split(std::string_view path) {
  std::vector<std::string> segments;
  if (!path.empty() && path.front() == '/') path.remove_prefix(1);
  while (true) {
    const std::size_t slash = path.find('/');
    segments.emplace_back(path.substr(0, slash));
    if (slash == std::string_view::npos) return segments;
    path.remove_prefix(slash + 1);
  }
}

bool IsParam(std::string_view segment) {
  return segment.size() > 2 && segment.front() == '{' && segment.back() == '}';
}

/// The name of a "{name...}" segment; empty for others.
std::string_view TailName(std::string_view segment) {
  constexpr std::string_view kDots = "...}";
  if (!IsParam(segment) || segment.size() <= kDots.size() + 1) return {};
  if (segment.substr(segment.size() - kDots.size()) != kDots) return {};
  return segment.substr(1, segment.size() - kDots.size() - 1);
}

std::optional<PathParams> Match(const std::vector<std::string>& pattern,
                                const std::vector<std::string>& path) {
  PathParams params;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (const std::string_view tail = TailName(pattern[i]); !tail.empty()) {
      std::string rest;
      for (std::size_t j = i; j < path.size(); ++j) rest += (j == i ? "" : "/") + path[j];
      params[std::string(tail)] = PercentDecode(rest).value_or(rest);
      return params;
    }
    if (i >= path.size()) return std::nullopt;
    const std::string segment = PercentDecode(path[i]).value_or(path[i]);
    if (IsParam(pattern[i])) {
      if (segment.empty()) return std::nullopt;
      params[pattern[i].substr(1, pattern[i].size() - 2)] = segment;
    } else if (segment != pattern[i]) {
      return std::nullopt;
    }
  }
  if (path.size() != pattern.size()) return std::nullopt;
  return params;
}

bool Accepts(const std::string& route_method, const std::string& method) {
  return route_method == method || (route_method == "GET" && method == "HEAD");
}

}  // namespace

void Router::Add(std::string_view method, std::string_view pattern, RouteHandler handler) {
  routes_.push_back(
      {std::string(method), std::string(pattern), Split(pattern), std::move(handler)});
}

std::vector<std::string> Router::Routes() const {
  std::vector<std::string> routes;
  for (const Route& route : routes_) routes.push_back(route.method + " " + route.pattern);
  return routes;
}

void Router::Serve(Request request, Responder responder) const {
  const std::vector<std::string> path = Split(request.raw_path);
  std::string allowed;
  for (const Route& route : routes_) {
    const auto params = Match(route.segments, path);
    if (!params) continue;
    if (Accepts(route.method, request.method)) {
      return route.handler(request, *params, std::move(responder));
    }
    if (allowed.find(route.method) == std::string::npos) {
      allowed += (allowed.empty() ? "" : ", ") + route.method;
    }
  }
  if (!allowed.empty()) {
    if (other_method_) return other_method_(request, allowed, std::move(responder));
    Response response = TextResponse(405, "405 Method Not Allowed\n");
    response.headers.Add("Allow", allowed);
    return responder.Send(std::move(response));
  }
  if (not_found_) return not_found_(std::move(request), std::move(responder));
  responder.Send(TextResponse(404, "404 Not Found\n"));
}

}  // namespace bindery::httpd
