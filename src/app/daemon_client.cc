#include "app/daemon_client.h"

#include <utility>

#include "app/version.h"

namespace bindery {

DaemonClient::DaemonClient(const Config& config)
    : socket_(config.server.socket.string()),
      listen_(config.server.listen),
      transport_({.user_agent = UserAgent()}) {}

Expected<Json> DaemonClient::Get(const std::string& path) {
  HttpRequest request;
  request.url = "http://localhost" + path;
  return Call(std::move(request));
}

Expected<Json> DaemonClient::Post(const std::string& path, const Json& body) {
  HttpRequest request;
  request.method = "POST";
  request.url = "http://localhost" + path;
  request.headers = {{"Content-Type", "application/json"}};
  request.body = body.dump();
  return Call(std::move(request));
}

Expected<HttpResponse> DaemonClient::Probe(const std::string& path,
                                           std::chrono::milliseconds timeout) {
  HttpRequest request;
  request.url = "http://localhost" + path;
  request.timeout = timeout;
  request.unix_socket = socket_;
  Expected<HttpResponse> response = transport_.Send(request);
  if (response || listen_.port == 0) return response;
  ListenAddress address = listen_;
  // Who listens everywhere also listens here.
  if (address.host.empty() || address.host == "0.0.0.0") address.host = "127.0.0.1";
  if (address.host == "::") address.host = "::1";
  request.url = "http://" + address.Text() + path;
  request.unix_socket.clear();
  return transport_.Send(request);
}

Expected<Json> DaemonClient::Call(HttpRequest request) {
  request.unix_socket = socket_;
  // Long enough for a reconcile of targets that time out themselves.
  request.timeout = std::chrono::minutes(2);
  const Expected<HttpResponse> response = transport_.Send(request);
  if (!response) {
    if (response.error().code != Code::kUnavailable) return Fail(response.error());
    return Fail(Code::kUnavailable, "no daemon answers on \"" + socket_ +
                                        "\": start it with bindery run (" +
                                        response.error().message + ")");
  }
  Expected<Json> body = ParseJson(response->body);
  if (!body) return Fail(Code::kInternal, "the daemon answered with something that is not JSON");
  if (response->status < 300) return body;
  const Json* error = FindMember(*body, "error");
  const Json none = Json::object();
  const Json& said = error == nullptr ? none : *error;
  return Fail(CodeFromString(StringMember(said, "code")).value_or(Code::kInternal),
              StringMember(said, "message"));
}

}  // namespace bindery
