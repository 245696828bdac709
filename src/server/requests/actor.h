#pragma once

#include <sys/types.h>

#include <string>

#include "httpd/message.h"

namespace bindery::server {

/// The name of a user of the machine; empty where it has none. It may ask a directory service.
[[nodiscard]] std::string UserName(uid_t uid);

/// Who asks: over the UNIX socket "user ana (uid 1000)", or "uid 1000" for one without a name; over
/// TCP "user ana (from 10.0.0.7:40112)", with what vouches for somebody who signed in at a
/// provider: "user ana@example.com (oidc 2440, from 10.0.0.7:40112)". It may ask a directory
/// service, and so take a moment.
[[nodiscard]] std::string NameActor(const httpd::Peer& peer);

}  // namespace bindery::server
