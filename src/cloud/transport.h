#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/expected.h"

namespace bindery::cloud {

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

struct HttpRequest {
  std::string method = "GET";
  std::string url;
  HttpHeaders headers;
  /// The value of the header; empty: none. Not among the headers, which are the same for most
  /// requests and kept ready.
  std::string traceparent = {};
  std::string body;
  std::chrono::milliseconds timeout{30'000};   ///< From call to last byte.
  std::size_t max_response_bytes = 8U << 20U;  ///< More is an error, not a truncation.
  std::string unix_socket = {};                ///< Connect here instead of to the URL's host.
  bool direct = false;                         ///< Never through a proxy: the metadata server.
  /// For metrics: bounded sets of names, such as "networksecurity" and "getIamPolicy".
  std::string service = {};
  std::string operation = {};
};

struct HttpResponse {
  int status = 0;
  HttpHeaders headers;  ///< Names in lower case.
  std::string body;

  [[nodiscard]] std::optional<std::string> Header(std::string_view lower_case_name) const;
};

enum class HttpVersion { kUnknown, kHttp1, kHttp2 };

/// A request's facts, for metrics.
struct HttpExchange {
  std::string service;
  std::string operation;
  std::string method;
  std::string host;
  int status = 0;                               ///< 0 when no answer was received.
  HttpVersion version = HttpVersion::kUnknown;  ///< Of the answer.
  bool connection_reused = false;               ///< No connection had to be made for it.
  std::chrono::nanoseconds duration{0};
};

/// The one way to a cloud. Any answer, of whatever status, is a value; only the lack of one is an
/// Error: kUnavailable (DNS, TCP, TLS), kDeadlineExceeded, kCancelled, kInternal (a response that
/// breaks a limit), with outcome_unknown set when the request may have reached the server.
/// Thread-safe: Send blocks its caller only.
class Transport {
 public:
  using Done = std::function<void(Expected<HttpResponse>)>;

  virtual ~Transport() = default;
  virtual Expected<HttpResponse> Send(const HttpRequest& request) = 0;

  /// The same without waiting: `done` is called once with the result, on a thread of the transport
  /// or within the call. `done` must be quick, because it delays everybody's transfers, and must
  /// not throw. The transport may add to the request and owns it until then. Shared rather than
  /// handed over, so that the creating thread can also free the request: memory that passes between
  /// threads makes the threads wait for each other in the allocator. Here: by Send, for transports
  /// that answer immediately.
  // NOLINTNEXTLINE(performance-unnecessary-value-param): those that do not answer at once keep both
  virtual void SendAsync(std::shared_ptr<HttpRequest> request, Done done) { done(Send(*request)); }
};

struct CurlTransportOptions {
  std::string user_agent;
  std::chrono::milliseconds connect_timeout{10'000};
  /// A PEM bundle that is trusted instead of the system's; empty: the system's.
  std::string ca_file = {};
  /// http://, https:// or socks5h://, perhaps with user:password@, which no message shows. Empty:
  /// what https_proxy, http_proxy and all_proxy of the environment say; "none": no proxy at all.
  std::string proxy = {};
  /// Hosts, domains and networks (comma-separated) that are reached directly; empty: no_proxy of
  /// the environment. Loopback is never proxied, whatever is set here.
  std::string no_proxy = {};
  /// Further requests wait, within their own timeout; 0: as many as callers. With HTTP/2 one
  /// connection carries all.
  int max_connections_per_host = 0;
  std::function<void(const HttpExchange&)> observer = {};  ///< Called on the transport's thread.
};

/// libcurl's multi interface on epoll, on a separate thread: connections are kept and shared by all
/// callers, HTTP/2 streams share one connection where a server offers it. Redirects are refused,
/// TLS is verified.
class CurlTransport final : public Transport {
 public:
  explicit CurlTransport(CurlTransportOptions options);
  ~CurlTransport() override;
  CurlTransport(const CurlTransport&) = delete;
  CurlTransport& operator=(const CurlTransport&) = delete;

  Expected<HttpResponse> Send(const HttpRequest& request) override;
  void SendAsync(std::shared_ptr<HttpRequest> request, Done done) override;

  /// Every request under way, and every later one, fails with kCancelled. For shutdown.
  void CancelAll();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace bindery::cloud
