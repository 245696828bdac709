#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "core/base/expected.h"
#include "core/base/json.h"
#include "httpd/message.h"
#include "httpd/server.h"
#include "report/codec/json_codec.h"
#include "report/codec/json_text_writer.h"

namespace bindery::server {

/// The HTTP status of a canonical code: google.rpc's own table, except kCancelled: its status there
/// is unknown to clients, and becomes 503.
[[nodiscard]] int ToHttpStatus(Code code);

/// JSON on one line. Not to be cached: the content is momentary. Bytes that are no UTF-8 are
/// replaced.
[[nodiscard]] httpd::Response JsonReply(int status, const Json& body);
/// The same of a text that is JSON already.
[[nodiscard]] httpd::Response JsonTextReply(int status, std::string body);

/// {"error": {"code": "NOT_FOUND", "message": "…"}}
[[nodiscard]] httpd::Response ErrorReply(const Error& error);
[[nodiscard]] httpd::Response ErrorReply(int status, std::string_view code,
                                         std::string_view message);

/// Too many ask for what goes through everything.
[[nodiscard]] Error OthersWait();

/// The report, or the error in its place.
[[nodiscard]] httpd::Response ReportReply(const Expected<Json>& report);
template <report::Described Report>
[[nodiscard]] httpd::Response ReportReply(const Expected<Report>& report) {
  if (!report) return ErrorReply(report.error());
  std::string text;
  report::JsonTextWriter(text, 0, 0).Append(*report);
  return JsonTextReply(200, std::move(text));
}

/// Plain text without caching.
[[nodiscard]] httpd::Response TextReply(int status, std::string body);

/// A path below /api, which answers in JSON whatever happens.
[[nodiscard]] bool IsApiPath(std::string_view path);

}  // namespace bindery::server
