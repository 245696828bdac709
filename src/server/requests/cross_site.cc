#include "server/requests/cross_site.h"

#include <string>
#include <string_view>

namespace bindery::server {
namespace {

/// "localhost" of "localhost:9817", "[::1]" of "[::1]:9817".
std::string_view GetHost(std::string_view authority) {
  const std::size_t bracket = authority.rfind(']');
  const std::size_t colon = authority.rfind(':');
  if (colon == std::string_view::npos) return authority;
  const bool within = bracket != std::string_view::npos && colon < bracket;
  return within ? authority : authority.substr(0, colon);
}

/// A name or an address that nobody else can point to the machine.
bool IsOwnHost(std::string_view host) {
  if (host.starts_with('[')) return true;
  if (host == "localhost" || host.ends_with(".localhost")) return true;
  return !host.empty() && host.find_first_not_of("0123456789.") == std::string_view::npos;
}

}  // namespace

bool IsCrossSite(const httpd::Request& request) {
  const std::string* const site = request.headers.Find("Sec-Fetch-Site");
  const std::string* const origin = request.headers.Find("Origin");
  // A program says nothing; a browser that adds a cookie must.
  if (site == nullptr && origin == nullptr) return request.peer.by_cookie;
  const std::string own = request.headers.Get("Host");
  if (request.peer.is_unix && !IsOwnHost(GetHost(own))) return true;
  if (site != nullptr) return *site != "same-origin" && *site != "none";
  return *origin != "https://" + own && *origin != "http://" + own;
}

bool IsEmbeddedElsewhere(const httpd::Request& request) {
  const std::string* const site = request.headers.Find("Sec-Fetch-Site");
  if (site == nullptr || *site == "same-origin" || *site == "none") return false;
  if (request.headers.Get("Sec-Fetch-Mode") != "navigate") return true;
  const std::string part = request.headers.Get("Sec-Fetch-Dest");
  return part == "iframe" || part == "frame" || part == "object" || part == "embed";
}

}  // namespace bindery::server
