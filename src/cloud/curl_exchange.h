#pragma once

#include <curl/curl.h>

#include <array>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "cloud/proxy_choice.h"
#include "cloud/transport.h"

namespace bindery::cloud_internal {

/// What all exchanges of one transport have in common.
struct ExchangeSettings {
  std::string user_agent;
  std::chrono::milliseconds connect_timeout{10'000};
  std::string ca_file;  ///< Empty: the system's.
  ProxyChoice proxies;
};

/// One request on one easy handle, from set-up to result. Made and waited for by the caller's
/// thread; everything between belongs to the transport's thread.
class CurlExchange {
 public:
  explicit CurlExchange(const HttpRequest& request) : request_(request) {}
  ~CurlExchange() = default;
  CurlExchange(const CurlExchange&) = delete;
  CurlExchange& operator=(const CurlExchange&) = delete;

  /// Prepares `easy`, which must have been reset, for this request.
  [[nodiscard]] Expected<void> Prepare(CURL* easy, const ExchangeSettings& settings);

  /// What came of the transfer on `easy`.
  [[nodiscard]] Expected<HttpResponse> Outcome(CURL* easy, CURLcode code);

  /// For metrics: what is known once there is a result. `easy` may be null.
  [[nodiscard]] HttpExchange Describe(CURL* easy, const Expected<HttpResponse>& result) const;

  /// Whether some of the request may have reached the server.
  [[nodiscard]] bool Sent(CURL* easy) const;

  /// Hands the result to the thread in Wait. The object may be gone when this returns.
  void Finish(Expected<HttpResponse> result);

  /// Blocks until Finish.
  [[nodiscard]] Expected<HttpResponse> Wait();

 private:
  struct FreeList {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
  };

  static std::size_t TakeBody(char* data, std::size_t size, std::size_t count, void* self);
  static std::size_t TakeHeader(char* data, std::size_t size, std::size_t count, void* self);
  static std::size_t GiveBody(char* data, std::size_t size, std::size_t count, void* self);
  static int NoteConnected(void* self, char* to, char* from, int to_port, int from_port);

  [[nodiscard]] Expected<void> AddHeaders();
  void SetMethod(CURL* easy);
  void SetLimits(CURL* easy, const ExchangeSettings& settings) const;
  void SetTls(CURL* easy, const ExchangeSettings& settings) const;
  [[nodiscard]] Expected<void> SetRoute(CURL* easy, const ProxyChoice& proxies);
  [[nodiscard]] Error Failure(CURL* easy, CURLcode code) const;
  [[nodiscard]] bool Oversized() const { return body_too_large_ || headers_too_large_; }

  const HttpRequest& request_;
  std::unique_ptr<curl_slist, FreeList> headers_;
  std::array<char, CURL_ERROR_SIZE> error_text_{};
  std::size_t body_sent_ = 0;
  std::size_t header_bytes_ = 0;
  const Proxy* proxy_ = nullptr;
  bool connected_ = false;
  bool body_too_large_ = false;
  bool headers_too_large_ = false;
  HttpResponse response_;

  std::mutex mutex_;  ///< Guards result_.
  std::condition_variable finished_;
  std::optional<Expected<HttpResponse>> result_;
};

}  // namespace bindery::cloud_internal
