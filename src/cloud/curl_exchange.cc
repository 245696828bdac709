#include "cloud/curl_exchange.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "cloud/credentials/text.h"
#include "cloud/curl_failure.h"

namespace bindery::cloud_internal {
namespace {

constexpr std::size_t kMaxHeaderBytes = 256U << 10U;
constexpr std::size_t kUsualHeaders = 8;

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  // Not std::tolower, which asks the locale for each letter.
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string Host(const std::string& url) {
  const std::string origin = OriginOf(url);
  const std::size_t scheme = origin.find("://");
  return scheme == std::string::npos ? origin : origin.substr(scheme + 3);
}

bool IsPlainHttp(const std::string& url) { return url.rfind("http://", 0) == 0; }

/// A connection whose peer stopped acknowledging is given up: many requests share one, and each new
/// one would wait for nothing on it.
int LimitSilence(void* /*unused*/, curl_socket_t socket, curlsocktype /*purpose*/) {
  constexpr unsigned kUnacknowledgedMillis = 20'000;
  // Not every socket is TCP: where the option does not apply it does not matter.
  ::setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &kUnacknowledgedMillis,
               sizeof(kUnacknowledgedMillis));
  return CURL_SOCKOPT_OK;
}

}  // namespace

ExchangeSort SortOf(const HttpRequest& request) {
  if (!request.unix_socket.empty()) return ExchangeSort::kOther;
  if (request.method == "GET" && request.body.empty()) return ExchangeSort::kPlainGet;
  return request.method == "POST" ? ExchangeSort::kPost : ExchangeSort::kOther;
}

CurlExchange::CurlExchange(const ExchangeSettings& settings, CurlEvents& events)
    : settings_(settings), events_(events), easy_(curl_easy_init()) {
  if (easy_ != nullptr) SetWhatStays();
}

Expected<void> CurlExchange::Begin(std::shared_ptr<const HttpRequest> request,
                                   Transport::Done done) {
  request_ = std::move(request);
  done_ = std::move(done);
  if (request_->timeout <= std::chrono::milliseconds::zero()) {
    return Fail(Code::kDeadlineExceeded, "no time was left for the request");
  }
  Reuse(SortOf(*request_));
  if (auto added = AddHeaders(); !added) return added;
  const auto connect = std::min(settings_.connect_timeout, request_->timeout);
  curl_easy_setopt(easy(), CURLOPT_URL, request_->url.c_str());
  curl_easy_setopt(easy(), CURLOPT_HTTPHEADER, AllHeaders());
  curl_easy_setopt(easy(), CURLOPT_TIMEOUT_MS, static_cast<long>(request_->timeout.count()));
  curl_easy_setopt(easy(), CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(connect.count()));
  // Over TLS a new request waits to learn whether the connection being made carries many at once.
  curl_easy_setopt(easy(), CURLOPT_PIPEWAIT, IsPlainHttp(request_->url) ? 0L : 1L);
  if (sort_ != ExchangeSort::kPlainGet) SetMethod();
  if (auto routed = SetRoute(); !routed) return routed;
  begun_ = true;
  return {};
}

/// What is the same for every request.
void CurlExchange::SetWhatStays() {
  curl_easy_setopt(easy(), CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(easy(), CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(easy(), CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(easy(), CURLOPT_USERAGENT, settings_.user_agent.c_str());
  curl_easy_setopt(easy(), CURLOPT_ACCEPT_ENCODING, "gzip");
  curl_easy_setopt(easy(), CURLOPT_ERRORBUFFER, error_text_.data());
  curl_easy_setopt(easy(), CURLOPT_WRITEFUNCTION, &CurlExchange::TakeBody);
  curl_easy_setopt(easy(), CURLOPT_WRITEDATA, this);
  curl_easy_setopt(easy(), CURLOPT_HEADERFUNCTION, &CurlExchange::TakeHeader);
  curl_easy_setopt(easy(), CURLOPT_HEADERDATA, this);
  curl_easy_setopt(easy(), CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  curl_easy_setopt(easy(), CURLOPT_NOSIGNAL, 1L);
  // A policy is small: of more, libcurl takes and returns 64 KiB for each that is written.
  curl_easy_setopt(easy(), CURLOPT_UPLOAD_BUFFERSIZE, 16L << 10U);
  // A resolver that hangs must not be waited for: this thread carries everybody's transfers.
  curl_easy_setopt(easy(), CURLOPT_QUICK_EXIT, 1L);
  curl_easy_setopt(easy(), CURLOPT_TCP_KEEPALIVE, 1L);
  curl_easy_setopt(easy(), CURLOPT_SOCKOPTFUNCTION, &LimitSilence);
  events_.Follow(easy());
  curl_easy_setopt(easy(), CURLOPT_PREREQFUNCTION, &CurlExchange::NoteConnected);
  curl_easy_setopt(easy(), CURLOPT_PREREQDATA, this);
  curl_easy_setopt(easy(), CURLOPT_NOPROXY, settings_.proxies.no_proxy().c_str());
  SetTls();
}

/// What one sort of request sets, the next of its sort sets as well; others would have to set it
/// back.
void CurlExchange::Reuse(ExchangeSort sort) {
  if (sort_ && (*sort_ != sort || sort == ExchangeSort::kOther)) {
    curl_easy_reset(easy());
    SetWhatStays();
  }
  sort_ = sort;
}

Expected<void> CurlExchange::AddHeaders() {
  // Nearly always it is the same with the same credentials.
  if (headers_ != nullptr && request_->headers == listed_) return {};
  // "Name:" takes a header of curl's own away: waiting for "100 Continue" only costs time, and a
  // guessed content type is wrong.
  headers_.reset();
  std::vector<std::string> lines = {"Expect:"};
  bool typed = false;
  for (const auto& [name, value] : request_->headers) {
    if ((name + value).find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos) {
      return Fail(Code::kInternal,
                  "header \"" + std::string(Trimmed(name)) + "\" holds a line break");
    }
    typed = typed || LowerCase(name) == "content-type";
    lines.push_back(value.empty() ? name + ";" : name + ": " + value);
  }
  if (!typed) lines.emplace_back("Content-Type:");
  for (const std::string& line : lines) {
    curl_slist* longer = curl_slist_append(headers_.get(), line.c_str());
    if (longer == nullptr) {
      headers_.reset();  // Half a list is nothing to use again.
      return Fail(Code::kInternal, "out of memory");
    }
    std::ignore = headers_.release();  // Part of `longer` now.
    headers_.reset(longer);
  }
  listed_ = request_->headers;
  return {};
}

/// What is another one for each request is put before the list that stays.
curl_slist* CurlExchange::AllHeaders() {
  if (request_->traceparent.empty()) return headers_.get();
  trace_line_.assign("traceparent: ").append(request_->traceparent);
  trace_header_ = {trace_line_.data(), headers_.get()};
  return &trace_header_;
}

void CurlExchange::SetMethod() {
  if (request_->method == "HEAD") {
    curl_easy_setopt(easy(), CURLOPT_NOBODY, 1L);
    return;
  }
  if (request_->body.empty() && request_->method != "POST") {
    curl_easy_setopt(easy(), CURLOPT_HTTPGET, 1L);
  } else {
    // A body that is read through a callback cannot be rewound. That is the point: curl repeats a
    // request by itself when a kept connection breaks before the answer, and a write that perhaps
    // landed must not be sent twice behind the back of who knows what it means.
    curl_easy_setopt(easy(), CURLOPT_POST, 1L);
    curl_easy_setopt(easy(), CURLOPT_POSTFIELDSIZE_LARGE,
                     static_cast<curl_off_t>(request_->body.size()));
    curl_easy_setopt(easy(), CURLOPT_READFUNCTION, &CurlExchange::GiveBody);
    curl_easy_setopt(easy(), CURLOPT_READDATA, this);
  }
  curl_easy_setopt(easy(), CURLOPT_CUSTOMREQUEST, request_->method.c_str());
}

void CurlExchange::SetTls() {
  constexpr long kLeastVersion = CURL_SSLVERSION_TLSv1_2;
  curl_easy_setopt(easy(), CURLOPT_SSL_VERIFYPEER, 1L);
  curl_easy_setopt(easy(), CURLOPT_SSL_VERIFYHOST, 2L);
  curl_easy_setopt(easy(), CURLOPT_SSLVERSION, kLeastVersion);
  curl_easy_setopt(easy(), CURLOPT_PROXY_SSL_VERIFYPEER, 1L);
  curl_easy_setopt(easy(), CURLOPT_PROXY_SSL_VERIFYHOST, 2L);
  curl_easy_setopt(easy(), CURLOPT_PROXY_SSLVERSION, kLeastVersion);
  if (!settings_.ca_file.empty()) {
    // The folder is set too: what the library was built with would be trusted besides.
    curl_easy_setopt(easy(), CURLOPT_CAINFO, settings_.ca_file.c_str());
    curl_easy_setopt(easy(), CURLOPT_CAPATH, nullptr);
    curl_easy_setopt(easy(), CURLOPT_PROXY_CAINFO, settings_.ca_file.c_str());
    curl_easy_setopt(easy(), CURLOPT_PROXY_CAPATH, nullptr);
  }
  curl_easy_setopt(easy(), CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
}

Expected<void> CurlExchange::SetRoute() {
  proxy_ = nullptr;
  if (!request_->unix_socket.empty()) {
    curl_easy_setopt(easy(), CURLOPT_UNIX_SOCKET_PATH, request_->unix_socket.c_str());
  } else if (!request_->direct) {
    auto proxy = settings_.proxies.For(request_->url);
    if (!proxy) return Fail(std::move(proxy.error()));
    proxy_ = *proxy;
  }
  // Always said, so that curl does not look into the environment by itself.
  curl_easy_setopt(easy(), CURLOPT_PROXY, proxy_ == nullptr ? "" : proxy_->url.c_str());
  return {};
}

int CurlExchange::NoteConnected(void* self, char* /*to*/, char* /*from*/, int /*to_port*/,
                                int /*from_port*/) {
  static_cast<CurlExchange*>(self)->connected_ = true;
  return CURL_PREREQFUNC_OK;
}

bool CurlExchange::Sent() const {
  // The bytes alone do not tell: what was said to a proxy counts among them.
  long bytes = 0;
  curl_easy_getinfo(easy(), CURLINFO_REQUEST_SIZE, &bytes);
  return connected_ && bytes > 0;
}

std::size_t CurlExchange::TakeBody(char* data, std::size_t size, std::size_t count, void* self) {
  auto& exchange = *static_cast<CurlExchange*>(self);
  const std::size_t bytes = size * count;
  std::string& body = exchange.response_.body;
  if (bytes > exchange.request_->max_response_bytes - body.size()) {
    exchange.body_too_large_ = true;
    return 0;
  }
  body.append(data, bytes);
  return bytes;
}

std::size_t CurlExchange::TakeHeader(char* data, std::size_t size, std::size_t count, void* self) {
  auto& exchange = *static_cast<CurlExchange*>(self);
  const std::size_t bytes = size * count;
  exchange.header_bytes_ += bytes;
  if (exchange.header_bytes_ > kMaxHeaderBytes) {
    exchange.headers_too_large_ = true;
    return 0;
  }
  const std::string_view line = Trimmed({data, bytes});
  HttpHeaders& headers = exchange.response_.headers;
  if (line.substr(0, 5) == "HTTP/") {
    headers.clear();  // What came before belonged to an interim answer.
    headers.reserve(kUsualHeaders);
    return bytes;
  }
  const std::size_t colon = line.find(':');
  if (colon != std::string_view::npos && colon > 0) {
    headers.emplace_back(LowerCase(Trimmed(line.substr(0, colon))),
                         std::string(Trimmed(line.substr(colon + 1))));
  }
  return bytes;
}

std::size_t CurlExchange::GiveBody(char* data, std::size_t size, std::size_t count, void* self) {
  auto& exchange = *static_cast<CurlExchange*>(self);
  const std::string& body = exchange.request_->body;
  const std::size_t bytes = std::min(size * count, body.size() - exchange.body_sent_);
  std::memcpy(data, body.data() + exchange.body_sent_, bytes);
  exchange.body_sent_ += bytes;
  return bytes;
}

Expected<HttpResponse> CurlExchange::Outcome(CURLcode code) {
  constexpr long kProxyAuthenticationRequired = 407;
  if (code != CURLE_OK) return Fail(Failure(code));
  long status = 0;
  curl_easy_getinfo(easy(), CURLINFO_RESPONSE_CODE, &status);
  if (status == kProxyAuthenticationRequired && proxy_ != nullptr) {
    return Fail(RefusedByProxy(*request_, *proxy_, status));  // No server answers so.
  }
  response_.status = static_cast<int>(status);
  return std::move(response_);
}

void CurlExchange::KeepConnection() {
  // A new one only: libcurl looks for it among all it has.
  long made = 0;
  curl_easy_getinfo(easy(), CURLINFO_NUM_CONNECTS, &made);
  if (made == 0) return;
  curl_socket_t connection = CURL_SOCKET_BAD;
  curl_easy_getinfo(easy(), CURLINFO_ACTIVESOCKET, &connection);
  events_.Keep(connection);
}

Error CurlExchange::Failure(CURLcode code) const {
  if (!Oversized()) {
    const char* detail = error_text_[0] != '\0' ? error_text_.data() : curl_easy_strerror(code);
    return ErrorOf(easy(), {*request_, proxy_, code, detail, Sent()});
  }
  Error error;
  error.outcome_unknown = Sent();
  // Asking again gives the same answer.
  error.code = Code::kFailedPrecondition;
  error.message = OriginOf(request_->url) + " answered with more than " +
                  (body_too_large_ ? std::to_string(request_->max_response_bytes) + " bytes"
                                   : std::to_string(kMaxHeaderBytes) + " bytes of headers");
  return error;
}

HttpExchange DescribeUnsent(const HttpRequest& request) {
  HttpExchange exchange;
  exchange.service = request.service;
  exchange.operation = request.operation;
  exchange.method = request.method;
  exchange.host = Host(request.url);
  return exchange;
}

HttpExchange CurlExchange::Describe(const Expected<HttpResponse>& result) const {
  HttpExchange exchange = DescribeUnsent(*request_);
  if (!begun_) return exchange;
  curl_off_t micros = 0;
  long version = CURL_HTTP_VERSION_NONE;
  long connections_made = 0;
  curl_easy_getinfo(easy(), CURLINFO_TOTAL_TIME_T, &micros);
  curl_easy_getinfo(easy(), CURLINFO_HTTP_VERSION, &version);
  curl_easy_getinfo(easy(), CURLINFO_NUM_CONNECTS, &connections_made);
  exchange.duration = std::chrono::microseconds(micros);
  exchange.connection_reused = connected_ && connections_made == 0;
  if (result.has_value()) {
    exchange.status = result->status;
    exchange.version = version == CURL_HTTP_VERSION_2_0 ? HttpVersion::kHttp2 : HttpVersion::kHttp1;
  }
  return exchange;
}

void CurlExchange::Finish(Expected<HttpResponse> result) {
  const Transport::Done done = std::exchange(done_, nullptr);
  request_.reset();
  response_ = {};
  error_text_[0] = '\0';
  body_sent_ = 0;
  header_bytes_ = 0;
  begun_ = false;
  connected_ = false;
  body_too_large_ = false;
  headers_too_large_ = false;
  done(std::move(result));
}

}  // namespace bindery::cloud_internal
