#include "server/requests/authority.h"

namespace bindery::server {

bool Has(const httpd::Request& request, Role role) {
  return request.peer.is_unix || request.peer.role >= role;
}

std::string ChangeRefusal(const httpd::Request& request, Role needed, const std::string& socket) {
  if (!request.peer.user.empty()) {
    return request.peer.user + " has the role " + std::string(ToString(request.peer.role)) +
           ", and this needs the role " + std::string(ToString(needed)) +
           " (roles in server.webConfigFile)";
  }
  std::string text = "changes are accepted over the UNIX socket";
  if (!socket.empty()) text += " \"" + socket + "\"";
  return text + " and from signed-in users (server.webConfigFile) only";
}

}  // namespace bindery::server
