#pragma once

#include <curl/curl.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace bindery::cloud_internal {

/// libcurl's multi handle, driven by epoll: a turn costs by what happened, not by how many
/// transfers are under way. Belongs to one thread, but for Wake.
///
/// libcurl asks for a connection to be watched with each request, and for no more of it after the
/// answer. A kept one stays in epoll in between: two calls of the kernel fewer for each request. It
/// leaves when something happens to it meanwhile, as when its peer closes it.
class CurlEvents {
 public:
  CurlEvents();
  ~CurlEvents();
  CurlEvents(const CurlEvents&) = delete;
  CurlEvents& operator=(const CurlEvents&) = delete;

  /// False when the machine or libcurl lacked resources. No further function may be called then.
  [[nodiscard]] bool usable() const;
  [[nodiscard]] CURLM* multi() const { return multi_.get(); }

  /// Lets the connections of `easy` report their closing. Each handle of `multi()` needs this call,
  /// also after a reset.
  void Follow(CURL* easy);

  /// A connection that such a handle made and brought to an answer: it may stay watched while
  /// no thread uses it. Nothing happens for CURL_SOCKET_BAD.
  void Keep(curl_socket_t connection);

  /// Waits until a socket, a time-out or Wake asks for something, and lets libcurl do it.
  void Turn();

  /// From any thread: ends the next or the waiting Turn.
  void Wake() const;

 private:
  struct FreeMulti {
    void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
  };

  /// The knowledge of a descriptor, by number.
  struct Socket {
    bool kept = false;          ///< A connection, whose closing will be told.
    bool wanted = false;        ///< By libcurl.
    std::uint32_t watched = 0;  ///< The events epoll has it for; 0: it has not.
  };

  static int Closed(void* self, curl_socket_t socket);
  static int WatchSocket(CURL* easy, curl_socket_t socket, int what, void* self, void* known);
  static int SetTimer(CURLM* multi, long timeout_ms, void* self);
  [[nodiscard]] Socket& At(int descriptor);
  void Watch(int descriptor, std::uint32_t events);
  void Unwatch(int descriptor);
  void Happened(int descriptor, std::uint32_t events);
  void TakeWakes() const;
  [[nodiscard]] int MillisToWait() const;

  int epoll_ = -1;
  int wake_ = -1;
  std::unique_ptr<CURLM, FreeMulti> multi_;
  std::vector<Socket> sockets_;
  std::optional<std::chrono::steady_clock::time_point> deadline_;  ///< When libcurl wants a call.
};

}  // namespace bindery::cloud_internal
