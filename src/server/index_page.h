#pragma once

#include "httpd/message.h"
#include "server/api_server.h"

namespace bindery::server {

/// The page at /: how the resources stand, how much differs, and where to read more. It loads
/// nothing and runs nothing: its Content-Security-Policy allows only its own style sheet.
[[nodiscard]] httpd::Response IndexPage(const ApiParts& parts);

}  // namespace bindery::server
