#pragma once

#include <string>

#include "core/settings/role.h"
#include "httpd/message.h"

namespace bindery::server {

/// Whether the requester has at least that role: over the UNIX socket, whose file only its owner
/// and root can open, everybody has every role; over TCP SignIn has found the role out.
[[nodiscard]] bool Has(const httpd::Request& request, Role role);

/// Why not, for people. `socket` is the path of the UNIX socket; empty when there is none.
[[nodiscard]] std::string ChangeRefusal(const httpd::Request& request, Role needed,
                                        const std::string& socket);

}  // namespace bindery::server
