#include "httpd/incoming_request.h"

#include <boost/beast/http/error.hpp>
#include <boost/none.hpp>
#include <cstdint>
#include <utility>

#include "httpd/url.h"

namespace bindery::httpd {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;

std::string_view View(beast::string_view text) { return {text.data(), text.size()}; }

/// Splits and decodes the request line's target. False for a target that is not served.
bool ReadTarget(std::string_view target, Request& request) {
  request.raw_target = target;
  // The absolute form, which proxies use: "http://host/path".
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!EqualsIgnoringCase(target.substr(0, scheme.size()), scheme)) continue;
    target.remove_prefix(scheme.size());
    const std::string_view host = target.substr(0, target.find_first_of("/?#"));
    // Two host names for one request: a proxy may have forwarded the request by the second name.
    if (!request.host.empty() && !EqualsIgnoringCase(host, request.host)) return false;
    request.host = host;
    target.remove_prefix(host.size());
    if (target.empty()) target = "/";
    break;
  }
  target = target.substr(0, target.find('#'));
  const std::size_t question = target.find('?');
  request.raw_path = target.substr(0, question);
  if (request.raw_path.empty() || (request.raw_path.front() != '/' && request.raw_path != "*")) {
    return false;
  }
  auto path = PercentDecode(request.raw_path);
  auto query = ParseQuery(question == std::string_view::npos ? std::string_view()
                                                             : target.substr(question + 1));
  if (!path || !query) return false;
  request.path = std::move(*path);
  request.query = std::move(*query);
  return true;
}

}  // namespace

IncomingRequest::IncomingRequest(const ServerOptions& options) {
  parser_.header_limit(static_cast<std::uint32_t>(options.max_header_bytes));
  if (options.large) {
    parser_.body_limit(boost::none);  // CheckBody() sets it, once the path is known.
  } else {
    parser_.body_limit(options.max_body_bytes);
  }
}

std::optional<RequestFault> IncomingRequest::CheckBody(
    const ServerOptions& options, const std::function<LargeBodies::Place()>& take_place) {
  if (!options.large || is_complete()) return std::nullopt;
  const bool large = options.large(raw_path());
  const std::uint64_t most = large ? options.max_large_body_bytes : options.max_body_bytes;
  const auto length = parser_.content_length();
  const RequestFault too_large{
      413, "request body too large" +
               (large ? ": at most " + std::to_string(most) + " bytes" : std::string())};
  if (length && *length > most) return too_large;
  parser_.body_limit(most);
  if (!large || (length && *length <= options.max_body_bytes)) return std::nullopt;
  place_ = take_place();
  if (place_ == nullptr) return RequestFault{503, "too many large requests"};
  return std::nullopt;
}

std::optional<RequestFault> IncomingRequest::CheckHeader() {
  const auto& message = parser_.get();
  is_head_ = message.method() == http::verb::head;
  const std::size_t hosts = message.count(http::field::host);
  if (hosts > 1) return RequestFault{400, "more than one Host header"};
  if (message.version() >= 11 && hosts == 0) return RequestFault{400, "missing Host header"};
  // Where a body ends under another coding is a question that a proxy may answer otherwise.
  if (const std::size_t codings = message.count(http::field::transfer_encoding); codings > 0) {
    const bool chunked =
        codings == 1 &&
        EqualsIgnoringCase(View(message[http::field::transfer_encoding]), "chunked");
    if (!chunked) return RequestFault{501, "only the transfer coding chunked is served"};
    if (message.version() < 11) return RequestFault{400, "a transfer coding before HTTP/1.1"};
  }
  return std::nullopt;
}

std::string_view IncomingRequest::raw_path() const {
  const std::string_view target = View(parser_.get().target());
  return target.substr(0, target.find('?'));
}

bool IncomingRequest::expects_continue() const {
  return EqualsIgnoringCase(View(parser_.get()[http::field::expect]), "100-continue");
}

tl::expected<Request, RequestFault> IncomingRequest::Take() {
  auto& message = parser_.get();
  Request request;
  request.method = View(message.method_string());
  request.host = View(message[http::field::host]);
  if (!ReadTarget(View(message.target()), request)) {
    return tl::unexpected(RequestFault{400, "malformed request target"});
  }
  for (const auto& field : message) {
    request.headers.Add(std::string(View(field.name_string())), std::string(View(field.value())));
  }
  request.body = std::move(message.body());
  return request;
}

std::optional<RequestFault> FaultFrom(const boost::system::error_code& error) {
  if (error == http::error::header_limit || error == http::error::buffer_overflow) {
    return RequestFault{431, "request header too large"};
  }
  if (error == http::error::body_limit) return RequestFault{413, "request body too large"};
  const bool malformed =
      error.category() == http::make_error_code(http::error::bad_target).category();
  if (malformed && error != http::error::end_of_stream && error != http::error::partial_message) {
    return RequestFault{400, "malformed request"};
  }
  return std::nullopt;
}

}  // namespace bindery::httpd
