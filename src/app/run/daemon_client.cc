#include "app/run/daemon_client.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "app/process/version.h"
#include "cloud/secret_text.h"
#include "core/settings/address.h"
#include "core/text/base64.h"

namespace bindery::app {
namespace {

/// The host name for a UNIX socket.
constexpr const char* kThisMachine = "http://localhost";
/// Long enough for a reconcile of targets that time out themselves.
constexpr std::chrono::minutes kPatience(2);
/// A plan of everything names every grant.
constexpr std::size_t kLongestAnswer = std::size_t{64} << 20U;

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

/// The error of a request that was refused before the API: a wrong password, or a body that is too
/// large.
Error FindRefusal(const cloud::HttpResponse& response) {
  constexpr std::size_t kShown = 200;
  const std::string said = response.body.substr(0, std::min(response.body.find('\n'), kShown));
  const std::string text = "the daemon answered with status " + std::to_string(response.status) +
                           (said.empty() ? "" : " (" + said + ")");
  switch (response.status) {
    case 401:
      return {Code::kUnauthenticated, text + ": name a user and a password that it knows"};
    case 403:
      return {Code::kPermissionDenied, text};
    case 413:
      return {Code::kFailedPrecondition, text};
    case 429:
      return {Code::kResourceExhausted, text};
    case 503:
      return {Code::kUnavailable, text};
    default:
      return {Code::kInternal, text};
  }
}

}  // namespace

std::optional<std::string> DaemonIsAway(const std::filesystem::path& socket) {
  if (socket.empty()) return std::nullopt;
  const int why = TryToConnect(socket.string());
  if (why != ENOENT && why != ENOTDIR && why != ECONNREFUSED) return std::nullopt;
  return "no daemon answers on \"" + socket.string() + "\" (" +
         std::generic_category().message(why) + ")";
}

Expected<DaemonAddress> DaemonAt(const std::string& url, const std::string& password_file,
                                 const std::string& ca_file) {
  DaemonAddress address;
  address.ca_file = ca_file;
  const std::size_t host = url.find("://") == std::string::npos ? 0 : url.find("://") + 3;
  const std::size_t at = url.substr(0, url.find('/', host)).rfind('@');
  const bool has_user = at != std::string::npos && at >= host;
  const std::string user = has_user ? url.substr(host, at - host) : "";
  if (user.find(':') != std::string::npos) {
    return Fail(Code::kInvalidArgument,
                "a URL on the command line must hold no password: --password-file FILE");
  }
  if (has_user == password_file.empty()) {
    return Fail(Code::kInvalidArgument,
                "a user and a password go together: --server https://USER@HOST:PORT "
                "--password-file FILE");
  }
  auto base = ParseServiceUrl(has_user ? url.substr(0, host) + url.substr(at + 1) : url);
  if (!base) return Fail(base.error());
  address.url = std::move(*base);
  if (!has_user) return address;
  const Expected<std::string> password = cloud::ReadSecretText(password_file);
  if (!password) return Fail(password.error());
  address.authorization = "Basic " + EncodeBase64(user + ":" + *password);
  return address;
}

DaemonClient::DaemonClient(const config::Config& config)
    : socket_(config.server.socket.string()),
      url_(kThisMachine),
      listen_(config.server.listen),
      transport_({.user_agent = UserAgent()}) {}

DaemonClient::DaemonClient(const DaemonAddress& address)
    : socket_(address.socket),
      url_(address.url.empty() ? kThisMachine : address.url),
      authorization_(address.authorization),
      transport_({.user_agent = UserAgent(), .ca_file = address.ca_file}) {}

Expected<Json> DaemonClient::Get(const std::string& path) {
  cloud::HttpRequest request;
  request.url = url_ + path;
  request.timeout = kPatience;
  return Call(std::move(request));
}

Expected<Json> DaemonClient::Post(const std::string& path, const Json& body) {
  return PostText(path, body.dump(), kPatience);
}

Expected<Json> DaemonClient::PostText(const std::string& path, std::string body,
                                      std::chrono::milliseconds timeout) {
  cloud::HttpRequest request;
  request.method = "POST";
  request.url = url_ + path;
  request.headers = {{"Content-Type", "application/json"}};
  request.body = std::move(body);
  request.timeout = timeout;
  return Call(std::move(request));
}

Expected<cloud::HttpResponse> DaemonClient::Probe(const std::string& path,
                                                  std::chrono::milliseconds timeout) {
  cloud::HttpRequest request;
  request.url = "http://localhost" + path;
  request.timeout = timeout;
  request.unix_socket = socket_;
  Expected<cloud::HttpResponse> response = transport_.Send(request);
  if (response || listen_.port == 0) return response;
  ListenAddress address = listen_;
  // A listener on all addresses also listens here.
  if (address.host.empty() || address.host == "0.0.0.0") address.host = "127.0.0.1";
  if (address.host == "::") address.host = "::1";
  request.url = "http://" + address.Text() + path;
  request.unix_socket.clear();
  return transport_.Send(request);
}

Expected<Json> DaemonClient::Call(cloud::HttpRequest request) {
  request.unix_socket = socket_;
  request.max_response_bytes = kLongestAnswer;
  if (!authorization_.empty()) request.headers.emplace_back("Authorization", authorization_);
  const Expected<cloud::HttpResponse> response = transport_.Send(request);
  if (!response) {
    const bool away = response.error().code == Code::kUnavailable && !socket_.empty();
    return Fail(away ? WhyAway(socket_, response.error()) : response.error());
  }
  Expected<Json> body = ParseJson(response->body);
  if (!body && response->status >= 300) return Fail(FindRefusal(*response));
  if (!body) return Fail(Code::kInternal, "the daemon answered with something that is not JSON");
  if (response->status < 300) return body;
  const Json* error = FindMember(*body, "error");
  const Json none = Json::object();
  const Json& said = error == nullptr ? none : *error;
  return Fail(CodeFromString(StringMember(said, "code")).value_or(Code::kInternal),
              StringMember(said, "message"));
}

}  // namespace bindery::app
