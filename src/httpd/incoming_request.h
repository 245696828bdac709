#pragma once

// Private to src/httpd: a request during its reading.

#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "httpd/large_bodies.h"
#include "httpd/message.h"
#include "httpd/server.h"

namespace bindery::httpd {

/// Why a request is answered without the handler.
struct RequestFault {
  int status = 400;
  std::string why;
};

/// A request in the order of arrival: header, body, and then a Request for the handler. Malformed
/// requests and requests over the limits of the options never become a Request.
class IncomingRequest {
 public:
  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;

  explicit IncomingRequest(const ServerOptions& options);

  [[nodiscard]] Parser& parser() { return parser_; }

  /// To be called when the header has been read, and before the functions below. Returns the error
  /// of it.
  [[nodiscard]] std::optional<RequestFault> CheckHeader();
  /// The same for the coming body. A possibly large body keeps a place during the lifetime of the
  /// request.
  [[nodiscard]] std::optional<RequestFault> CheckBody(
      const ServerOptions& options, const std::function<LargeBodies::Place()>& take_place);
  /// As sent, without the query.
  [[nodiscard]] std::string_view raw_path() const;
  [[nodiscard]] bool expects_continue() const;
  /// False until the header has been checked.
  [[nodiscard]] bool is_head() const { return is_head_; }
  [[nodiscard]] bool is_complete() const { return parser_.is_done(); }
  [[nodiscard]] bool keep_alive() const { return parser_.get().keep_alive(); }

  /// The complete request, without its peer. Call once: the body is moved out.
  [[nodiscard]] tl::expected<Request, RequestFault> Take();

 private:
  Parser parser_;
  bool is_head_ = false;
  LargeBodies::Place place_;  ///< Of a body that is larger than most may be.
};

/// The fault of a request whose reading failed; nothing when the peer is gone or was too slow.
[[nodiscard]] std::optional<RequestFault> FaultFrom(const boost::system::error_code& error);

}  // namespace bindery::httpd
