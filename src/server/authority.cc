#include "server/authority.h"

namespace bindery::server {

bool MayChange(const httpd::Request& request) {
  return request.peer.is_unix || !request.peer.user.empty();
}

std::string ChangeRefusal(const std::string& socket) {
  std::string text = "changes are accepted over the UNIX socket";
  if (!socket.empty()) text += " \"" + socket + "\"";
  return text + " and from signed-in users (server.webConfigFile) only";
}

}  // namespace bindery::server
