#pragma once

#include <curl/curl.h>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "cloud/curl/curl_events.h"
#include "cloud/curl/curl_headers.h"
#include "cloud/curl/incoming_response.h"
#include "cloud/curl/proxy_choice.h"
#include "cloud/transport.h"

namespace bindery::cloud {

/// The common settings of a transport's exchanges.
struct ExchangeSettings {
  std::string user_agent;
  std::chrono::milliseconds connect_timeout{10'000};
  std::string ca_file;  ///< Empty: the system's.
  ProxyChoice proxies;
};

/// The sort of request that a handle can carry next without a reset.
enum class ExchangeSort { kPlainGet, kPost, kOther };
inline constexpr std::size_t kExchangeSorts = 3;
[[nodiscard]] ExchangeSort ChooseSort(const cloud::HttpRequest& request);

/// One request at a time on a separate easy handle, which keeps the common settings. Belongs to the
/// transport's thread.
class CurlExchange {
 public:
  CurlExchange(const ExchangeSettings& settings, CurlEvents& events);
  ~CurlExchange() = default;
  CurlExchange(const CurlExchange&) = delete;
  CurlExchange& operator=(const CurlExchange&) = delete;

  /// Null when libcurl has none to give.
  [[nodiscard]] CURL* easy() const { return easy_.get(); }

  /// The address of the request under way.
  [[nodiscard]] const std::string& url() const { return transfer_->request->url; }

  /// The sort of the last request.
  [[nodiscard]] ExchangeSort sort() const { return sort_.value_or(ExchangeSort::kOther); }

  /// Takes a request up and prepares the handle for it. Finish must follow, whatever comes of it.
  [[nodiscard]] Expected<void> Begin(std::shared_ptr<const cloud::HttpRequest> request,
                                     cloud::Transport::Done done);

  /// After an answered transfer, and before its handle leaves the multi handle: a new connection
  /// may stay watched. Not a connection that carries further transfers meanwhile, by HTTP/2:
  /// libcurl does not name the connection then, and it is watched for the further transfers.
  void KeepConnection();

  /// The result of the transfer.
  [[nodiscard]] Expected<cloud::HttpResponse> Outcome(CURLcode code);

  /// For metrics: the known facts after the result.
  [[nodiscard]] cloud::HttpExchange Describe(const Expected<cloud::HttpResponse>& result) const;

  /// Whether some of the request may have reached the server.
  [[nodiscard]] bool Sent() const;

  /// Hands the result out, and is free for the next request.
  void Finish(Expected<cloud::HttpResponse> result);

 private:
  struct FreeEasy {
    void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
  };
  /// The request under way.
  struct Transfer {
    std::shared_ptr<const cloud::HttpRequest> request;
    cloud::Transport::Done done;
    IncomingResponse response;
    std::size_t body_sent = 0;
    const Proxy* proxy = nullptr;
    bool begun = false;      ///< The handle is ready for it.
    bool connected = false;  ///< It has a connection.
  };

  static std::size_t TakeBody(char* data, std::size_t size, std::size_t count, void* self);
  static std::size_t TakeHeader(char* data, std::size_t size, std::size_t count, void* self);
  static std::size_t GiveBody(char* data, std::size_t size, std::size_t count, void* self);
  static int NoteConnected(void* self, char* to, char* from, int to_port, int from_port);

  void SetWhatStays();
  void SetTls();
  void Reuse(ExchangeSort sort);
  void SetMethod();
  [[nodiscard]] Expected<void> SetRoute();
  [[nodiscard]] Error Failure(CURLcode code) const;

  const ExchangeSettings& settings_;
  CurlEvents& events_;
  // The handle points to these, so they outlive the handle.
  CurlHeaders headers_;
  std::array<char, CURL_ERROR_SIZE> error_text_{};
  std::optional<Transfer> transfer_;  ///< From Begin to Finish.
  std::unique_ptr<CURL, FreeEasy> easy_;
  std::optional<ExchangeSort> sort_;  ///< Of what it carried since it was set up.
};

/// For metrics: a request that never got as far as a transfer.
[[nodiscard]] cloud::HttpExchange DescribeUnsent(const cloud::HttpRequest& request);

}  // namespace bindery::cloud
