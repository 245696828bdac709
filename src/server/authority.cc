#include "server/authority.h"

#include <string_view>

namespace bindery::server {
namespace {

/// "localhost" of "localhost:9817", "[::1]" of "[::1]:9817".
std::string_view HostOf(std::string_view authority) {
  const std::size_t bracket = authority.rfind(']');
  const std::size_t colon = authority.rfind(':');
  if (colon == std::string_view::npos) return authority;
  return bracket != std::string_view::npos && colon < bracket ? authority
                                                              : authority.substr(0, colon);
}

/// A name or an address that nobody else can point here.
bool IsOwnHost(std::string_view host) {
  if (host.starts_with('[')) return true;
  if (host == "localhost" || host.ends_with(".localhost")) return true;
  return !host.empty() && host.find_first_not_of("0123456789.") == std::string_view::npos;
}

}  // namespace

bool MayChange(const httpd::Request& request) { return request.peer.is_unix; }

std::string ChangeRefusal(const std::string& socket) {
  const std::string text = "changes are accepted only over the UNIX socket";
  if (socket.empty()) return text + ", and the configuration sets none (server.socket)";
  return text + " \"" + socket + "\"";
}

bool IsFromAnotherSite(const httpd::Request& request) {
  const std::string* site = request.headers.Find("Sec-Fetch-Site");
  const std::string* origin = request.headers.Find("Origin");
  if (site == nullptr && origin == nullptr) return false;
  if (site != nullptr && *site != "same-origin" && *site != "none") return true;
  const std::string host = request.headers.Get("Host");
  if (request.peer.is_unix && !IsOwnHost(HostOf(host))) return true;
  if (origin == nullptr) return false;
  return *origin != "http://" + host && *origin != "https://" + host;
}

}  // namespace bindery::server
