#pragma once

#include "httpd/message.h"

namespace bindery::server {

/// True when a browser sent the request on behalf of another site's page: it would carry the user's
/// credentials without the user knowing. Programs that are no browsers say nothing of where they
/// come from, and are not meant. By `Sec-Fetch-Site`, and for browsers without it by `Origin`.
/// There is no sign-in at the UNIX socket: a browser that comes through a forwarded one must use
/// localhost or an address, as another name may be one that somebody else points there.
[[nodiscard]] bool IsCrossSite(const httpd::Request& request);

/// True when a browser asks for something that the page of another site holds or fetches: a
/// picture, a stream, a script. A link that leads here is followed by the user, and is none.
[[nodiscard]] bool IsEmbeddedElsewhere(const httpd::Request& request);

}  // namespace bindery::server
