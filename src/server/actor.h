#pragma once

#include <string>

#include "httpd/message.h"

namespace bindery::server {

/// Who asks: over the UNIX socket "user ana (uid 1000)", or "uid 1000" for one without a name; over
/// TCP "user ana (from 10.0.0.7:40112)". It may ask a directory service, and so take a moment.
[[nodiscard]] std::string ActorOf(const httpd::Peer& peer);

}  // namespace bindery::server
