#include "server/api_server.h"

#include <algorithm>
#include <utility>

#include "core/address.h"
#include "server/replies.h"
#include "server/routes.h"

namespace bindery {
namespace {

using httpd::Request;
using httpd::Responder;

/// The longest request there is: a list of every resource's name.
constexpr std::size_t kMostBodyBytes = std::size_t{1} << 20U;

Expected<void> CheckListen(const ApiOptions& options) {
  if (options.listen.empty() || options.insecure) return {};
  const Expected<ListenAddress> address = ParseListenAddress(options.listen);
  if (!address) return Fail(address.error());
  if (IsLoopbackHost(address->host)) return {};
  return Fail(Code::kFailedPrecondition,
              "\"" + options.listen +
                  "\" can be reached from other machines and asks nobody who they are: listen on "
                  "127.0.0.1, or set server.insecure: true");
}

void NotFound(const Request& request, const Responder& responder) {
  if (!server::IsApiPath(request.path)) {
    return responder.Send(server::TextReply(404, "404 Not Found\n"));
  }
  responder.Send(server::ErrorReply(404, "NOT_FOUND", "there is nothing at " + request.path));
}

void OtherMethod(const Request& request, const std::string& allowed, const Responder& responder) {
  httpd::Response response =
      server::IsApiPath(request.path)
          ? server::ErrorReply(405, "METHOD_NOT_ALLOWED",
                               request.method + " is not for " + request.path + "; use " + allowed)
          : server::TextReply(405, "405 Method Not Allowed\n");
  // What answers GET answers HEAD as well.
  response.headers.Set("Allow", allowed == "GET" ? "GET, HEAD" : allowed);
  responder.Send(std::move(response));
}

}  // namespace

ApiServer::ApiServer(const ApiOptions& options, const ApiParts& parts)
    : parts_(parts), socket_(options.socket), streams_(parts.store) {
  server::AddReadRoutes(router_, parts_);
  server::AddStreamRoute(router_, streams_);
  server::AddPageRoutes(router_, parts_, socket_);
  server::AddChangeRoutes(router_, parts_, socket_);
  router_.SetNotFound(NotFound);
  router_.SetOtherMethod(OtherMethod);
}

Expected<std::unique_ptr<ApiServer>> ApiServer::Start(const ApiOptions& options,
                                                      const ApiParts& parts) {
  if (auto checked = CheckListen(options); !checked) return Fail(checked.error());
  std::unique_ptr<ApiServer> api(new ApiServer(options, parts));
  httpd::ServerOptions http;
  http.listen = options.listen;
  http.socket_path = options.socket;
  http.max_body_bytes = kMostBodyBytes;
  // Never 0: handlers read the store, and must not hold up the threads that do the I/O.
  http.workers = std::max(options.workers, 1U);
  const httpd::Router& router = api->router_;
  auto started = httpd::Server::Start(http, [&router](Request request, Responder responder) {
    router.Serve(std::move(request), std::move(responder));
  });
  if (!started) return Fail(started.error());
  api->server_ = std::move(*started);
  api->parts_.changes.Listen([streams = &api->streams_] { streams->Changed(); });
  return api;
}

ApiServer::~ApiServer() { parts_.changes.Listen({}); }

void ApiServer::Stop(std::chrono::milliseconds deadline) { server_->Stop(deadline); }

}  // namespace bindery
