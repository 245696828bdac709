#include "app/daemon_client.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "app/version.h"

namespace bindery {
namespace {

/// What prevents a connection: an errno, 0 when nothing does.
int TryToConnect(const std::string& path) {
  ::sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof(address.sun_path)) return ENAMETOOLONG;
  path.copy(static_cast<char*>(address.sun_path), path.size());
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return errno;
  const auto* const general = static_cast<const ::sockaddr*>(static_cast<const void*>(&address));
  const int why = ::connect(descriptor, general, sizeof(address)) == 0 ? 0 : errno;
  ::close(descriptor);
  return why;
}

/// The transport speaks of a host and a port where there is a file.
Error WhyAway(const std::string& socket, const Error& failure) {
  Error error = failure;
  const int why = TryToConnect(socket);
  if (why == EACCES || why == EPERM) {
    error.code = Code::kPermissionDenied;
    error.message = "the daemon's socket \"" + socket +
                    "\" may not be opened by this user (permission denied): run as the daemon's "
                    "user or root, or see server.socket of the configuration";
  } else if (why != 0) {
    error.message = "no daemon answers on \"" + socket + "\": start it with bindery run (" +
                    std::generic_category().message(why) + ")";
  } else {
    error.message = "the daemon on \"" + socket + "\" did not answer in full: its log says more";
  }
  return error;
}

}  // namespace

std::optional<std::string> DaemonIsAway(const std::filesystem::path& socket) {
  if (socket.empty()) return std::nullopt;
  const int why = TryToConnect(socket.string());
  if (why != ENOENT && why != ENOTDIR && why != ECONNREFUSED) return std::nullopt;
  return "no daemon answers on \"" + socket.string() + "\" (" +
         std::generic_category().message(why) + ")";
}

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
    const bool away = response.error().code == Code::kUnavailable;
    return Fail(away ? WhyAway(socket_, response.error()) : response.error());
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
