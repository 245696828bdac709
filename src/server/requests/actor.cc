#include "server/requests/actor.h"

#include <pwd.h>

#include <cerrno>
#include <vector>

namespace bindery::server {

std::string UserName(uid_t uid) {
  constexpr std::size_t kFirst = 1024;
  constexpr std::size_t kMost = std::size_t{1} << 20U;
  for (std::size_t size = kFirst; size <= kMost; size *= 2) {
    std::vector<char> buffer(size);
    passwd entry = {};
    passwd* found = nullptr;
    const int failed = ::getpwuid_r(uid, &entry, buffer.data(), buffer.size(), &found);
    if (failed == ERANGE) continue;
    if (failed != 0 || found == nullptr) return {};
    return found->pw_name;
  }
  return {};
}

std::string NameActor(const httpd::Peer& peer) {
  if (!peer.is_unix) {
    const std::string proof = peer.proof.empty() ? "" : peer.proof + ", ";
    return "user " + peer.user + " (" + proof + "from " + peer.address + ")";
  }
  const std::string uid = "uid " + std::to_string(peer.uid);
  const std::string name = UserName(peer.uid);
  return name.empty() ? uid : "user " + name + " (" + uid + ")";
}

}  // namespace bindery::server
