#include "server/requests/list_reply.h"

#include <chrono>
#include <utility>

#include "core/base/json_text.h"
#include "core/text/printable.h"
#include "server/requests/replies.h"

namespace bindery::server {
namespace {

std::string MakeJsonText(const Json& value) { return PrintableJson(CompactJson(value)); }

Error TooMuch() {
  Error error;
  error.code = Code::kUnavailable;
  error.message =
      "the list is too long to be held for its reader now: ask for parts of it (limit=)";
  error.retry_after = std::chrono::seconds(5);
  return error;
}

}  // namespace

std::shared_ptr<const httpd::PackedBody> ListBudget::Hold(httpd::PackedBody body) const {
  const std::size_t size = body.packed_size();
  *held_ += size;
  return {new httpd::PackedBody(std::move(body)),
          [held = held_, size](const httpd::PackedBody* done) {
            delete done;
            *held -= size;
          }};
}

void ListWriter::Write(const std::string& element, httpd::PackedBody& body) {
  fits_ = fits_ && budget_.Fits(elements_.packed_size() + last_.packed_size());
  if (!fits_) return;
  if (body.size() > 0) body.Append(",");
  body.Append(element);
}

Expected<httpd::Response> ListWriter::Reply(const Json& report, std::string_view member) {
  if (!fits_) return Fail(TooMuch());
  httpd::PackedBody body;
  std::string_view before = "{";
  for (const auto& [name, value] : report.items()) {
    body.Append(std::string(before) + MakeJsonText(Json(name)) + ":");
    before = ",";
    if (name != member) {
      body.Append(MakeJsonText(value));
      continue;
    }
    body.Append("[");
    if (elements_.size() > 0 && last_.size() > 0) elements_.Append(",");
    body.Append(std::exchange(elements_, {}));
    body.Append(std::exchange(last_, {}));
    body.Append("]");
  }
  body.Append("}\n");
  body.Finish();
  httpd::Response response = JsonReply(200, Json());
  response.body.clear();
  response.packed = budget_.Hold(std::move(body));
  return response;
}

void TableWriter::Add(std::string table) {
  fits_ = fits_ && budget_.Fits(body_.packed_size());
  if (!fits_) return;
  constexpr std::string_view kEndOfLine = "\r\n";
  // No title has an end of a line.
  if (body_.size() > 0) table.erase(0, table.find(kEndOfLine) + kEndOfLine.size());
  body_.Append(table);
}

Expected<httpd::Response> TableWriter::Reply() {
  if (!fits_) return Fail(TooMuch());
  body_.Finish();
  httpd::Response response = TextReply(200, "");
  response.headers.Set("Content-Type", "text/csv; charset=utf-8; header=present");
  response.headers.Set("Content-Disposition", "attachment");
  response.packed = budget_.Hold(std::exchange(body_, {}));
  return response;
}

}  // namespace bindery::server
