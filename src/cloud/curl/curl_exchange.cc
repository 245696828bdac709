#include "cloud/curl/curl_exchange.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "cloud/curl/curl_failure.h"

namespace bindery::cloud {
namespace {

std::string Host(const std::string& url) {
  const std::string origin = GetOrigin(url);
  const std::size_t scheme = origin.find("://");
  return scheme == std::string::npos ? origin : origin.substr(scheme + 3);
}

bool IsPlainHttp(const std::string& url) { return url.rfind("http://", 0) == 0; }

/// A connection whose peer stopped acknowledging is given up: many requests share a connection, and
/// each new request would wait without a result.
int LimitSilence(void* /*unused*/, curl_socket_t socket, curlsocktype /*purpose*/) {
  constexpr unsigned kUnacknowledgedMillis = 20'000;
  // Not every socket is TCP: where the option does not apply it does not matter.
  ::setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &kUnacknowledgedMillis,
               sizeof(kUnacknowledgedMillis));
  return CURL_SOCKOPT_OK;
}

}  // namespace

ExchangeSort ChooseSort(const cloud::HttpRequest& request) {
  if (!request.unix_socket.empty()) return ExchangeSort::kOther;
  if (request.method == "GET" && request.body.empty()) return ExchangeSort::kPlainGet;
  return request.method == "POST" ? ExchangeSort::kPost : ExchangeSort::kOther;
}

CurlExchange::CurlExchange(const ExchangeSettings& settings, CurlEvents& events)
    : settings_(settings), events_(events), easy_(curl_easy_init()) {
  if (easy_ != nullptr) SetWhatStays();
}

Expected<void> CurlExchange::Begin(std::shared_ptr<const cloud::HttpRequest> request,
                                   cloud::Transport::Done done) {
  const cloud::HttpRequest& asked = *request;
  transfer_.emplace(
      Transfer{std::move(request), std::move(done), IncomingResponse(asked.max_response_bytes)});
  if (asked.timeout <= std::chrono::milliseconds::zero()) {
    return Fail(Code::kDeadlineExceeded, "no time was left for the request");
  }
  Reuse(ChooseSort(asked));
  const auto headers = headers_.ListFor(asked);
  if (!headers) return Fail(headers.error());
  const auto connect = std::min(settings_.connect_timeout, asked.timeout);
  curl_easy_setopt(easy(), CURLOPT_URL, asked.url.c_str());
  curl_easy_setopt(easy(), CURLOPT_HTTPHEADER, *headers);
  curl_easy_setopt(easy(), CURLOPT_TIMEOUT_MS, static_cast<long>(asked.timeout.count()));
  curl_easy_setopt(easy(), CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(connect.count()));
  // Over TLS a new request waits to learn whether the connection being made carries many at once.
  curl_easy_setopt(easy(), CURLOPT_PIPEWAIT, IsPlainHttp(asked.url) ? 0L : 1L);
  if (sort_ != ExchangeSort::kPlainGet) SetMethod();
  if (auto routed = SetRoute(); !routed) return routed;
  transfer_->begun = true;
  return {};
}

/// The common settings of all requests.
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
  // A hanging resolver must not be waited for: this thread carries everybody's transfers.
  curl_easy_setopt(easy(), CURLOPT_QUICK_EXIT, 1L);
  curl_easy_setopt(easy(), CURLOPT_TCP_KEEPALIVE, 1L);
  curl_easy_setopt(easy(), CURLOPT_SOCKOPTFUNCTION, &LimitSilence);
  events_.Follow(easy());
  curl_easy_setopt(easy(), CURLOPT_PREREQFUNCTION, &CurlExchange::NoteConnected);
  curl_easy_setopt(easy(), CURLOPT_PREREQDATA, this);
  curl_easy_setopt(easy(), CURLOPT_NOPROXY, settings_.proxies.no_proxy().c_str());
  SetTls();
}

/// Requests of one sort set the same options; requests of a different sort would have to reset
/// them.
void CurlExchange::Reuse(ExchangeSort sort) {
  if (sort_ && (*sort_ != sort || sort == ExchangeSort::kOther)) {
    curl_easy_reset(easy());
    SetWhatStays();
  }
  sort_ = sort;
}

void CurlExchange::SetMethod() {
  const cloud::HttpRequest& request = *transfer_->request;
  if (request.method == "HEAD") {
    curl_easy_setopt(easy(), CURLOPT_NOBODY, 1L);
    return;
  }
  if (request.body.empty() && request.method != "POST") {
    curl_easy_setopt(easy(), CURLOPT_HTTPGET, 1L);
  } else {
    // A body read through a callback cannot be rewound. That is the point: curl repeats a request
    // by itself when a kept connection breaks before the answer, and a write that perhaps landed
    // must not be sent twice behind the back of who knows what it means.
    curl_easy_setopt(easy(), CURLOPT_POST, 1L);
    curl_easy_setopt(easy(), CURLOPT_POSTFIELDSIZE_LARGE,
                     static_cast<curl_off_t>(request.body.size()));
    curl_easy_setopt(easy(), CURLOPT_READFUNCTION, &CurlExchange::GiveBody);
    curl_easy_setopt(easy(), CURLOPT_READDATA, this);
  }
  curl_easy_setopt(easy(), CURLOPT_CUSTOMREQUEST, request.method.c_str());
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
  const cloud::HttpRequest& request = *transfer_->request;
  const Proxy*& proxy = transfer_->proxy;
  if (!request.unix_socket.empty()) {
    curl_easy_setopt(easy(), CURLOPT_UNIX_SOCKET_PATH, request.unix_socket.c_str());
  } else if (!request.direct) {
    auto chosen = settings_.proxies.For(request.url);
    if (!chosen) return Fail(std::move(chosen.error()));
    proxy = *chosen;
  }
  // Always set, so that curl does not look into the environment by itself.
  curl_easy_setopt(easy(), CURLOPT_PROXY, proxy == nullptr ? "" : proxy->url.c_str());
  return {};
}

int CurlExchange::NoteConnected(void* self, char* /*to*/, char* /*from*/, int /*to_port*/,
                                int /*from_port*/) {
  static_cast<CurlExchange*>(self)->transfer_->connected = true;
  return CURL_PREREQFUNC_OK;
}

bool CurlExchange::Sent() const {
  // The bytes alone do not tell: bytes to a proxy count, too.
  long bytes = 0;
  curl_easy_getinfo(easy(), CURLINFO_REQUEST_SIZE, &bytes);
  return transfer_->connected && bytes > 0;
}

std::size_t CurlExchange::TakeBody(char* data, std::size_t size, std::size_t count, void* self) {
  const std::string_view bytes(data, size * count);
  IncomingResponse& response = static_cast<CurlExchange*>(self)->transfer_->response;
  return response.TakeBody(bytes) ? bytes.size() : 0;
}

std::size_t CurlExchange::TakeHeader(char* data, std::size_t size, std::size_t count, void* self) {
  const std::string_view line(data, size * count);
  IncomingResponse& response = static_cast<CurlExchange*>(self)->transfer_->response;
  return response.TakeHeader(line) ? line.size() : 0;
}

std::size_t CurlExchange::GiveBody(char* data, std::size_t size, std::size_t count, void* self) {
  Transfer& transfer = *static_cast<CurlExchange*>(self)->transfer_;
  const std::string& body = transfer.request->body;
  const std::size_t bytes = std::min(size * count, body.size() - transfer.body_sent);
  std::memcpy(data, body.data() + transfer.body_sent, bytes);
  transfer.body_sent += bytes;
  return bytes;
}

Expected<cloud::HttpResponse> CurlExchange::Outcome(CURLcode code) {
  constexpr long kProxyAuthenticationRequired = 407;
  if (code != CURLE_OK) return Fail(Failure(code));
  long status = 0;
  curl_easy_getinfo(easy(), CURLINFO_RESPONSE_CODE, &status);
  if (status == kProxyAuthenticationRequired && transfer_->proxy != nullptr) {
    // No server answers in this way.
    return Fail(RefusedByProxy(*transfer_->request, *transfer_->proxy, status));
  }
  return transfer_->response.Take(static_cast<int>(status));
}

void CurlExchange::KeepConnection() {
  // Only for a new connection: libcurl searches among all its connections.
  long made = 0;
  curl_easy_getinfo(easy(), CURLINFO_NUM_CONNECTS, &made);
  if (made == 0) return;
  curl_socket_t connection = CURL_SOCKET_BAD;
  curl_easy_getinfo(easy(), CURLINFO_ACTIVESOCKET, &connection);
  events_.Keep(connection);
}

Error CurlExchange::Failure(CURLcode code) const {
  const cloud::HttpRequest& request = *transfer_->request;
  const std::string limit = transfer_->response.ExceededLimit();
  if (limit.empty()) {
    const char* detail = error_text_[0] != '\0' ? error_text_.data() : curl_easy_strerror(code);
    return MakeError(easy(), {request, transfer_->proxy, code, detail, Sent()});
  }
  Error error;
  error.outcome_unknown = Sent();
  // Asking again gives the same answer.
  error.code = Code::kFailedPrecondition;
  error.message = GetOrigin(request.url) + " answered with more than " + limit;
  return error;
}

cloud::HttpExchange DescribeUnsent(const cloud::HttpRequest& request) {
  cloud::HttpExchange exchange;
  exchange.service = request.service;
  exchange.operation = request.operation;
  exchange.method = request.method;
  exchange.host = Host(request.url);
  return exchange;
}

cloud::HttpExchange CurlExchange::Describe(const Expected<cloud::HttpResponse>& result) const {
  cloud::HttpExchange exchange = DescribeUnsent(*transfer_->request);
  if (!transfer_->begun) return exchange;
  curl_off_t micros = 0;
  long version = CURL_HTTP_VERSION_NONE;
  long connections_made = 0;
  curl_easy_getinfo(easy(), CURLINFO_TOTAL_TIME_T, &micros);
  curl_easy_getinfo(easy(), CURLINFO_HTTP_VERSION, &version);
  curl_easy_getinfo(easy(), CURLINFO_NUM_CONNECTS, &connections_made);
  exchange.duration = std::chrono::microseconds(micros);
  exchange.connection_reused = transfer_->connected && connections_made == 0;
  if (result.has_value()) {
    exchange.status = result->status;
    exchange.version =
        version == CURL_HTTP_VERSION_2_0 ? cloud::HttpVersion::kHttp2 : cloud::HttpVersion::kHttp1;
  }
  return exchange;
}

void CurlExchange::Finish(Expected<cloud::HttpResponse> result) {
  const cloud::Transport::Done done = std::move(transfer_->done);
  transfer_.reset();
  error_text_[0] = '\0';
  done(std::move(result));
}

}  // namespace bindery::cloud
