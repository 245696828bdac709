#pragma once

#include "httpd/message.h"

namespace bindery::server {

/// True when a browser sent the request on behalf of a foreign site's page: the request would carry
/// the user's credentials without the user's knowledge. Programs other than browsers do not tell
/// their origin, and are not meant. By `Sec-Fetch-Site`, and for browsers without it by `Origin`.
/// The UNIX socket has no sign-in: a browser that comes through a forwarded socket must use
/// localhost or an address, because a foreign site may own any other name.
[[nodiscard]] bool IsCrossSite(const httpd::Request& request);

/// True when a browser asks for something that the page of another site holds or fetches: a
/// picture, a stream, a script. A link that leads here is followed by the user, and is none.
[[nodiscard]] bool IsEmbeddedElsewhere(const httpd::Request& request);

}  // namespace bindery::server
