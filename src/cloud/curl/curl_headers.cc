#include "cloud/curl/curl_headers.h"

#include <string_view>
#include <utility>
#include <vector>

#include "cloud/credentials/text.h"

namespace bindery::cloud {

Expected<curl_slist*> CurlHeaders::ListFor(const cloud::HttpRequest& request) {
  // Nearly always it is the same with the same credentials.
  if (list_ == nullptr || request.headers != listed_) {
    if (auto listed = List(request.headers); !listed) return Fail(std::move(listed.error()));
  }
  if (request.traceparent.empty()) return list_.get();
  // The header that differs for each request is put before the constant list.
  trace_line_.assign("traceparent: ").append(request.traceparent);
  trace_header_ = {trace_line_.data(), list_.get()};
  return &trace_header_;
}

Expected<void> CurlHeaders::List(const cloud::HttpHeaders& headers) {
  // "Name:" takes a header of curl's own away: waiting for "100 Continue" only costs time, and a
  // guessed content type is wrong.
  list_.reset();
  std::vector<std::string> lines = {"Expect:"};
  bool typed = false;
  for (const auto& [name, value] : headers) {
    if ((name + value).find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos) {
      return Fail(Code::kInternal,
                  "header \"" + std::string(Trimmed(name)) + "\" holds a line break");
    }
    typed = typed || LowerCase(name) == "content-type";
    lines.push_back(value.empty() ? name + ";" : name + ": " + value);
  }
  if (!typed) lines.emplace_back("Content-Type:");
  for (const std::string& line : lines) {
    curl_slist* longer = curl_slist_append(list_.get(), line.c_str());
    if (longer == nullptr) {
      list_.reset();  // Half a list is nothing to use again.
      return Fail(Code::kInternal, "out of memory");
    }
    std::ignore = list_.release();  // Part of `longer` now.
    list_.reset(longer);
  }
  listed_ = headers;
  return {};
}

}  // namespace bindery::cloud
