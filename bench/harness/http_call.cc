#include "harness/http_call.h"

#include <curl/curl.h>

#include <memory>
#include <stdexcept>

namespace bindery::bench {
namespace {

struct CloseHandle {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};

std::size_t Append(char* bytes, std::size_t /*one*/, std::size_t size, void* body) {
  static_cast<std::string*>(body)->append(bytes, size);
  return size;
}

CURL* Handle() {
  thread_local const std::unique_ptr<CURL, CloseHandle> handle(curl_easy_init());
  curl_easy_reset(handle.get());
  return handle.get();
}

}  // namespace

HttpAnswer Send(const HttpCall& call) {
  CURL* handle = Handle();
  HttpAnswer answer;
  curl_easy_setopt(handle, CURLOPT_URL, call.url.c_str());
  curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, call.method.c_str());
  if (call.method != "GET") {
    // What is not repeated by itself must not meet a connection that was just closed.
    curl_easy_setopt(handle, CURLOPT_FRESH_CONNECT, 1L);
    curl_easy_setopt(handle, CURLOPT_POSTFIELDS, call.body.data());
    curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE,
                     static_cast<curl_off_t>(call.body.size()));
  }
  if (!call.socket.empty()) {
    curl_easy_setopt(handle, CURLOPT_UNIX_SOCKET_PATH, call.socket.c_str());
  }
  curl_slist* headers = curl_slist_append(nullptr, "Content-Type: application/json");
  headers = curl_slist_append(headers, "Expect:");
  curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(call.timeout_seconds * 1000));
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, Append);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, &answer.body);
  long status = 0;
  const CURLcode code = curl_easy_perform(handle);
  if (code == CURLE_OK) {
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  } else {
    answer.body = curl_easy_strerror(code);
  }
  answer.status = static_cast<int>(status);
  curl_slist_free_all(headers);
  return answer;
}

Json SendForJson(const HttpCall& call) {
  const HttpAnswer answer = Send(call);
  Expected<Json> json = ParseJson(answer.body);
  if (answer.status == 200 && json) return std::move(*json);
  throw std::runtime_error(call.method + " " + call.url + ": " + std::to_string(answer.status) +
                           " " + answer.body.substr(0, 200));
}

}  // namespace bindery::bench
