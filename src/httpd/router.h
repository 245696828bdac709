#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "httpd/server.h"

namespace bindery::httpd {

/// The matches of a pattern's {names}, decoded.
using PathParams = std::map<std::string, std::string>;

/// Finds the handler for a method and path. Build first, then serve from any thread.
class Router {
 public:
  using RouteHandler =
      std::function<void(const Request& request, const PathParams& params, Responder responder)>;

  /// `pattern`: segments are literal or "{name}" (one non-empty segment, which may hold an encoded
  /// slash); a last segment "{name...}" takes the rest, also an empty one. The first route that
  /// matches counts. HEAD is served by GET's handler.
  void Add(std::string_view method, std::string_view pattern, RouteHandler handler);

  /// For unknown paths; by default a plain 404.
  void SetNotFound(Handler handler) { not_found_ = std::move(handler); }

  /// For known paths with an unknown method; `allowed` is "GET, POST". By default a plain 405.
  using OtherMethodHandler =
      std::function<void(const Request& request, const std::string& allowed, Responder responder)>;
  void SetOtherMethod(OtherMethodHandler handler) { other_method_ = std::move(handler); }

  /// Every route as "GET /api/v1/resources/{name}", in the order added.
  [[nodiscard]] std::vector<std::string> Routes() const;

  /// Calls the handler; a known path with another method is 405 with `Allow`.
  void Serve(Request request, Responder responder) const;

 private:
  struct Route {
    std::string method;
    std::string pattern;
    std::vector<std::string> segments;
    RouteHandler handler;
  };

  std::vector<Route> routes_;
  Handler not_found_;
  OtherMethodHandler other_method_;
};

}  // namespace bindery::httpd
