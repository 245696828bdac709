#pragma once

// Private to src/httpd: an answer as a message of Beast, and the text of its head.

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <string>

namespace bindery::httpd {

using Message = boost::beast::http::response<boost::beast::http::string_body>;

/// The status line, the fields and the empty line after them (RFC 9112, 2.1).
[[nodiscard]] std::string HeadText(const Message& message);

}  // namespace bindery::httpd
