#include "server/cross_site.h"

#include <string>

namespace bindery::server {

bool IsCrossSite(const httpd::Request& request) {
  if (const std::string* const site = request.headers.Find("Sec-Fetch-Site"); site != nullptr) {
    return *site != "same-origin" && *site != "none";
  }
  const std::string* const origin = request.headers.Find("Origin");
  if (origin == nullptr) return false;
  const std::string own = request.headers.Get("Host");
  return *origin != "https://" + own && *origin != "http://" + own;
}

}  // namespace bindery::server
