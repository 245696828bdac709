#pragma once

#include <curl/curl.h>

#include <chrono>
#include <memory>
#include <optional>

namespace bindery::cloud_internal {

/// libcurl's multi handle, driven by epoll: a turn costs by what happened, not by how many
/// transfers are under way. Belongs to one thread, but for Wake.
class CurlEvents {
 public:
  CurlEvents();
  ~CurlEvents();
  CurlEvents(const CurlEvents&) = delete;
  CurlEvents& operator=(const CurlEvents&) = delete;

  /// False when the machine or libcurl gave none of what it takes. Then nothing else may be called.
  [[nodiscard]] bool usable() const;
  [[nodiscard]] CURLM* multi() const { return multi_.get(); }

  /// Waits until a socket, a time-out or Wake asks for something, and lets libcurl do it.
  void Turn();

  /// From any thread: the next Turn, or the one that waits, ends.
  void Wake() const;

 private:
  struct FreeMulti {
    void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
  };

  static int WatchSocket(CURL* easy, curl_socket_t socket, int what, void* self, void* known);
  static int SetTimer(CURLM* multi, long timeout_ms, void* self);
  [[nodiscard]] int MillisToWait() const;

  int epoll_ = -1;
  int wake_ = -1;
  std::unique_ptr<CURLM, FreeMulti> multi_;
  std::optional<std::chrono::steady_clock::time_point> deadline_;  ///< When libcurl wants a call.
};

}  // namespace bindery::cloud_internal
