#pragma once

#include <string>

#include "httpd/message.h"

namespace bindery::server {

/// Whether the requester may change something: over the UNIX socket, whose file only its owner and
/// root can open, and where the kernel says who asks; over TCP who has signed in.
[[nodiscard]] bool MayChange(const httpd::Request& request);

/// Why not, for people. `socket` is the path of the UNIX socket; empty when there is none.
[[nodiscard]] std::string ChangeRefusal(const std::string& socket);

}  // namespace bindery::server
