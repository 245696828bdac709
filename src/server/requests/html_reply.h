#pragma once

#include <string>

#include "core/base/clock.h"
#include "httpd/message.h"
#include "web/page.h"

namespace bindery::server {

/// A page: nothing but our own files, no other site around the page, no address of ours told to
/// others.
[[nodiscard]] httpd::Response HtmlReply(int status, std::string html);

/// What the pages need to know of a request. `socket` is where changes are accepted.
[[nodiscard]] web::PageContext MakePageContext(const httpd::Request& request, WallTime now,
                                               const std::string& socket);

}  // namespace bindery::server
