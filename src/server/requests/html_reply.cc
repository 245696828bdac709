#include "server/requests/html_reply.h"

#include <utility>

#include "server/requests/authority.h"

namespace bindery::server {

httpd::Response HtmlReply(int status, std::string html) {
  httpd::Response response;
  response.status = status;
  response.headers = {
      {"Content-Type", "text/html; charset=utf-8"},
      {"Content-Security-Policy",
       "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
       "img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"},
      {"X-Content-Type-Options", "nosniff"},
      {"X-Frame-Options", "DENY"},
      {"Referrer-Policy", "same-origin"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Cache-Control", "no-store"}};
  response.body = std::move(html);
  return response;
}

web::PageContext MakePageContext(const httpd::Request& request, WallTime now,
                                 const std::string& socket) {
  web::PageContext context{request.raw_path, request.query, now};
  context.may_operate = Has(request, Role::kOperator);
  context.may_approve = Has(request, Role::kApprover);
  context.socket = socket;
  context.user = request.peer.user;
  context.role = ToString(request.peer.role);
  context.may_sign_out = request.peer.by_cookie;
  return context;
}

}  // namespace bindery::server
