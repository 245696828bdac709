#pragma once

#include <string>

#include "httpd/message.h"

namespace bindery::server {

/// Whether whoever asks may change something: over the UNIX socket, whose file only its owner and
/// root can open, and where the kernel says who asks.
[[nodiscard]] bool MayChange(const httpd::Request& request);

/// Why not, for people. `socket` is the path of the UNIX socket; empty when there is none.
[[nodiscard]] std::string ChangeRefusal(const std::string& socket);

/// Whether another site made a browser send this: then it is not what its user wanted. Judged by
/// Sec-Fetch-Site and Origin, which pages cannot set; programs that are no browsers send neither. A
/// browser that comes through a forwarded socket must also use a name of its own machine
/// (localhost) or an address: another name may be one that somebody else points there.
[[nodiscard]] bool IsFromAnotherSite(const httpd::Request& request);

}  // namespace bindery::server
