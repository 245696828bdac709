#pragma once

#include <curl/curl.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace bindery::cloud {

/// The transfers that share connections and a limit of connections to a host.
enum class TransferGroup {
  kStreams,   ///< Many at once on a connection, as by HTTP/2.
  kExchanges  ///< One at a time on a connection.
};
inline constexpr std::size_t kTransferGroups = 2;

/// libcurl's multi handles, one for each group, driven by epoll: a turn costs by what happened, not
/// by how many transfers are under way. Belongs to one thread, but for Wake.
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
  [[nodiscard]] CURLM* multi(TransferGroup group) const {
    return multis_.at(static_cast<std::size_t>(group)).handle.get();
  }

  /// Lets the connections of `easy` report their closing. Each handle of a multi handle needs this
  /// call, also after a reset.
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

  /// A multi handle, and what it has asked for.
  struct Multi {
    CurlEvents* events = nullptr;
    std::optional<std::chrono::steady_clock::time_point> deadline = {};  ///< Of its next call.
    std::unique_ptr<CURLM, FreeMulti> handle = nullptr;
  };

  /// The knowledge of a descriptor, by number.
  struct Socket {
    CURLM* multi = nullptr;     ///< The handle that has the connection.
    bool kept = false;          ///< A connection, whose closing will be told.
    bool wanted = false;        ///< By libcurl.
    std::uint32_t watched = 0;  ///< The events epoll has it for; 0: it has not.
  };

  static int Closed(void* self, curl_socket_t socket);
  static int WatchSocket(CURL* easy, curl_socket_t socket, int what, void* multi, void* known);
  static int SetTimer(CURLM* handle, long timeout_ms, void* multi);
  [[nodiscard]] bool Make(Multi& multi);
  [[nodiscard]] Socket& At(int descriptor);
  void Watch(int descriptor, std::uint32_t events);
  void Unwatch(int descriptor);
  void Happened(int descriptor, std::uint32_t events);
  void TakeWakes() const;
  [[nodiscard]] int MillisToWait() const;

  int epoll_ = -1;
  int wake_ = -1;
  std::vector<Socket> sockets_;
  std::array<Multi, kTransferGroups> multis_;  // Last: their ends are told to the above.
};

}  // namespace bindery::cloud
