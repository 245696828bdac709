#include "server/requests/replies.h"

#include <chrono>
#include <utility>

#include "core/base/json_text.h"
#include "core/text/printable.h"

namespace bindery::server {
namespace {

/// No body of ours is to be taken for anything but what its Content-Type says, nor kept.
httpd::Response Guarded(httpd::Response response) {
  response.headers.Set("X-Content-Type-Options", "nosniff");
  response.headers.Set("Cache-Control", "no-store");
  return response;
}

}  // namespace

int ToHttpStatus(Code code) {
  switch (code) {
    case Code::kInvalidArgument:
    case Code::kFailedPrecondition:
      return 400;
    case Code::kUnauthenticated:
      return 401;
    case Code::kPermissionDenied:
      return 403;
    case Code::kNotFound:
      return 404;
    case Code::kAborted:
    case Code::kAlreadyExists:
      return 409;
    case Code::kResourceExhausted:
      return 429;
    case Code::kInternal:
      return 500;
    case Code::kUnimplemented:
      return 501;
    case Code::kUnavailable:
    case Code::kCancelled:
      return 503;
    case Code::kDeadlineExceeded:
      return 504;
  }
  return 500;
}

httpd::Response JsonReply(int status, const Json& body) {
  return JsonTextReply(status, PrintableJson(CompactJson(body)));
}

httpd::Response JsonTextReply(int status, std::string body) {
  body += '\n';
  return Guarded(httpd::JsonResponse(status, std::move(body)));
}

httpd::Response ErrorReply(int status, std::string_view code, std::string_view message) {
  return JsonReply(status, {{"error", {{"code", code}, {"message", message}}}});
}

httpd::Response ErrorReply(const Error& error) {
  httpd::Response reply = ErrorReply(ToHttpStatus(error.code), ToString(error.code), error.message);
  if (error.retry_after) {
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(*error.retry_after);
    reply.headers.Set("Retry-After", std::to_string(seconds.count()));
  }
  return reply;
}

Error OthersWait() {
  Error error;
  error.code = Code::kUnavailable;
  error.message =
      "others ask for long lists already: ask again, or for the first of it (limit=100)";
  error.retry_after = std::chrono::seconds(1);
  return error;
}

httpd::Response ReportReply(const Expected<Json>& report) {
  return report ? JsonReply(200, *report) : ErrorReply(report.error());
}

httpd::Response TextReply(int status, std::string body) {
  return Guarded(httpd::TextResponse(status, std::move(body)));
}

bool IsApiPath(std::string_view path) { return path == "/api" || path.starts_with("/api/"); }

}  // namespace bindery::server
