#include "server/api_server.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "core/settings/address.h"
#include "report/reports/kept_reports.h"
#include "server/kept_answers.h"
#include "server/requests/cross_site.h"
#include "server/requests/large_answers.h"
#include "server/requests/replies.h"
#include "server/routes.h"

namespace bindery::server {
namespace {

using httpd::Request;
using httpd::Responder;

/// The longest request but for directories to plan: a list of every resource's name.
constexpr std::size_t kMostBodyBytes = std::size_t{1} << 20U;

/// Enough for all probers.
constexpr std::size_t kVitalConnections = 16;

bool IsHealthPath(std::string_view path) {
  return std::ranges::any_of(std::array{"/livez", "/readyz", "/healthz"}, [path](const char* one) {
    const std::string_view endpoint(one);
    return path == endpoint ||
           (path.starts_with(endpoint) && path.substr(endpoint.size()).front() == '/');
  });
}

std::string_view GetReason(httpd::Refusal why) {
  switch (why) {
    case httpd::Refusal::kNoRoom:
      return "connections";
    case httpd::Refusal::kLeft:
      return "idle";
    case httpd::Refusal::kTooSlow:
      return "slow";
    case httpd::Refusal::kMalformed:
      return "malformed";
  }
  return "malformed";
}

/// A reachable listener needs authentication, unless the configuration insists.
Expected<bool> MustAuthenticate(const ApiOptions& options) {
  if (options.listen.empty() || options.insecure) return false;
  const Expected<ListenAddress> address = ParseListenAddress(options.listen);
  if (!address) return Fail(address.error());
  if (IsLoopbackHost(address->host)) return false;
  if (!options.web_config.empty()) return true;
  return Fail(Code::kFailedPrecondition,
              "\"" + options.listen +
                  "\" can be reached from other machines without authentication: listen on "
                  "127.0.0.1, name users in server.webConfigFile, or set server.insecure: true");
}

void OtherMethod(const Request& request, const std::string& allowed, const Responder& responder) {
  httpd::Response response =
      IsApiPath(request.path)
          ? ErrorReply(405, "METHOD_NOT_ALLOWED",
                       request.method + " is not for " + request.path + "; use " + allowed)
          : TextReply(405, "405 Method Not Allowed\n");
  // Handlers of GET also answer HEAD.
  response.headers.Set("Allow", allowed == "GET" ? "GET, HEAD" : allowed);
  responder.Send(std::move(response));
}

}  // namespace

ApiServer::ApiServer(const ApiOptions& options, const ApiParts& parts,
                     std::unique_ptr<WebSettings> web)
    : parts_(parts),
      socket_(options.socket),
      web_(std::move(web)),
      hosts_(options.listen, options.allowed_hosts),
      identities_(parts.clock, parts.logger),
      sign_in_(parts.clock, parts.logger, identities_),
      streams_(parts.store, options.streams, [this] { Refused("streams"); }) {
  parts_.kept = std::make_shared<report::KeptReports>();
  constexpr std::size_t kWaiting = 16;
  parts_.large = std::make_shared<LargeAnswers>(kWaiting);
  // The routes and the signal share it.
  const auto answers = std::make_shared<KeptAnswers>(parts.store, parts.clock);
  AddReadRoutes(router_, parts_, answers);
  AddStreamRoute(router_, streams_);
  AddPageRoutes(router_, parts_, socket_, answers);
  AddSignInRoutes(router_, parts_, *web_, identities_);
  AddChangeRoutes(router_, parts_, socket_);
  identities_.LoadSessions(web_->Now()->config.sign_in);
  router_.SetOtherMethod(OtherMethod);
  parts_.changes.Listen([answers, streams = &streams_] {
    answers->Outdate();
    streams->Changed();
  });
}

Expected<std::unique_ptr<ApiServer>> ApiServer::Start(const ApiOptions& options,
                                                      const ApiParts& parts) {
  const Expected<bool> must_authenticate = MustAuthenticate(options);
  if (!must_authenticate) return Fail(must_authenticate.error());
  auto web = WebSettings::Open(options.web_config, *must_authenticate, parts.logger);
  if (!web) return Fail(web.error());
  std::unique_ptr<ApiServer> api(new ApiServer(options, parts, std::move(*web)));
  ApiServer* const self = api.get();  // The server goes first.
  auto started =
      httpd::Server::Start(api->HttpOptions(options), [self](Request request, Responder responder) {
        self->Serve(std::move(request), std::move(responder));
      });
  if (!started) return Fail(started.error());
  api->server_ = std::move(*started);
  return api;
}

httpd::ServerOptions ApiServer::HttpOptions(const ApiOptions& options) {
  httpd::ServerOptions http;
  http.listen = options.listen;
  http.socket_path = options.socket;
  http.max_body_bytes = kMostBodyBytes;
  http.large = [](std::string_view path) { return path == "/api/v1/plan"; };
  http.max_large_body_bytes = kMostPlanBytes;
  http.limits = options.connections;
  http.socket_limits = options.socket_connections;
  http.vital = IsHealthPath;
  http.vital_connections = kVitalConnections;
  // Never 0: handlers read the store, and must not hold up the threads that do the I/O.
  http.workers = std::max(options.workers, 1U);
  http.socket_workers = 2;
  http.vital_workers = 1;
  http.tls = [this] { return web_->Now()->tls; };
  http.complete = [this](httpd::Response& response) { AddHeaders(response); };
  http.socket_file = [this](const std::string& path, const Error* error) {
    if (error == nullptr) {
      parts_.logger.Warn("the file of the socket was gone, and was made again", {{"path", path}});
    } else {
      parts_.logger.Warn("commands do not reach this process by its socket",
                         {{"path", path}, {"error", error->message}});
    }
  };
  http.refused = [this](httpd::Refusal why) { Refused(GetReason(why)); };
  return http;
}

void ApiServer::Refused(std::string_view reason) const {
  if (parts_.refused) parts_.refused(reason);
}

std::optional<httpd::Response> ApiServer::FindRefusal(const Request& request) const {
  if (!hosts_.Allow(request)) {
    Refused("host");
    const std::string why = "this listener is not known as \"" + request.host +
                            "\"; server.allowedHosts names who it may be";
    if (IsApiPath(request.path)) return ErrorReply(421, "INVALID_ARGUMENT", why);
    return TextReply(421, "421 Misdirected Request: " + why + "\n");
  }
  // Changing requests are judged and logged by their handlers.
  const bool reads = request.method == "GET" || request.method == "HEAD";
  if (!reads || !IsEmbeddedElsewhere(request)) return std::nullopt;
  Refused("cross-site");
  const std::string why = "the page of another site asked for it";
  if (IsApiPath(request.path)) return ErrorReply(403, "PERMISSION_DENIED", why);
  return TextReply(403, "403 Forbidden: " + why + "\n");
}

void ApiServer::AddHeaders(httpd::Response& response) {
  const auto web = web_->Now();
  for (const auto& [name, value] : web->config.headers) {
    if (response.headers.Find(name) == nullptr) response.headers.Add(name, value);
  }
}

void ApiServer::Serve(Request request, Responder responder) {
  if (auto refusal = FindRefusal(request)) return responder.Send(std::move(*refusal));
  // The permissions of the socket's file guard the socket, and the kernel knows its peers.
  if (!request.peer.is_unix) {
    const auto web = web_->Now();
    if (auto answer = sign_in_.Check(web->config, request)) {
      if (answer->status == 429) Refused("rate");
      return responder.Send(std::move(*answer));
    }
  }
  router_.Serve(std::move(request), std::move(responder));
}

ApiServer::~ApiServer() { parts_.changes.Listen({}); }

void ApiServer::Stop(std::chrono::milliseconds deadline) {
  server_->Stop(deadline);
  identities_.SaveSessions(web_->Now()->config.sign_in);
}

}  // namespace bindery::server
