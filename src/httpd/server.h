#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/expected.h"
#include "httpd/message.h"
#include "httpd/tls.h"

namespace bindery::httpd {

class Core;
struct PendingAnswer;
struct OpenStream;

/// The body of an answer that goes out bit by bit, until Close() or until the peer is gone. Copies
/// stand for the same stream. May be used from any thread, at any time, also after the server is
/// gone. Goes on when the last copy is gone, with nothing more to send.
class Stream {
 public:
  explicit Stream(std::shared_ptr<OpenStream> open) : open_(std::move(open)) {}

  /// False when the peer is gone. A slow peer with a backlog above
  /// ServerOptions::max_stream_backlog is dropped, and so is gone.
  bool Write(std::string bytes) const;
  void Close() const;
  [[nodiscard]] bool is_open() const;

 private:
  std::shared_ptr<OpenStream> open_;  // Shared by the copies and the connection.
};

/// The answer owed to one request. Copies stand for the same answer; the first Send() or Drop()
/// counts, later ones do nothing. When the last copy goes without either, the peer gets a
/// 500. May be used from any thread, at any time, also after the server is gone.
class Responder {
 public:
  explicit Responder(std::shared_ptr<PendingAnswer> pending) : pending_(std::move(pending)) {}

  void Send(Response response) const;
  /// Sends status, headers and what there is of the body; what follows goes through the stream. The
  /// connection serves nothing else afterwards, and ends with the body. To a HEAD request there is
  /// only the head, and the stream is closed.
  [[nodiscard]] Stream Begin(Response head) const;
  /// Closes the connection without a word, as a crashed server would.
  void Drop() const;
  /// Runs `task` on a worker after `delay`, as Server::After does: for answers that are to come
  /// later, without a thread that waits.
  void After(std::chrono::milliseconds delay, std::function<void()> task) const;

 private:
  std::shared_ptr<PendingAnswer> pending_;  // Shared by the copies.
};

/// Answers one request, now or later through a kept Responder. Called on a worker thread, for
/// several requests at a time. An exception that leaves it becomes a 500.
using Handler = std::function<void(Request request, Responder responder)>;

/// Maximum connections of a listener. Over the limit, the connection that has waited longest for
/// its peer is closed; if all are at work, the new connection is refused.
struct ListenerLimits {
  std::size_t connections = 1024;
  std::size_t per_peer = 0;  ///< Of what GetNetwork() takes for one; 0: as many as there may be.
};

/// Why somebody was not served.
enum class Refusal {
  kNoRoom,   ///< Every connection is at work: 503, or closed directly.
  kLeft,     ///< Closed to make room for another, or for lack of descriptors.
  kTooSlow,  ///< A request, or the taking of an answer, that took longer than it may.
  kMalformed,
};

struct ServerOptions {
  std::string listen;       ///< "host:port", port 0 for any free one; empty for no TCP listener.
  std::string socket_path;  ///< Of a UNIX socket; empty for none.
  unsigned socket_mode = 0600;  ///< Who may connect to it.
  /// How often the file of the UNIX socket is looked at. A file that is gone is made again.
  std::chrono::milliseconds socket_look{2'000};
  /// Told that the file of the UNIX socket was made again, or why clients do not reach the socket
  /// by it (each error once). On an I/O thread; must be quick.
  std::function<void(const std::string& path, const Error* error)> socket_file;
  /// Asked for each connection of the TCP listener, on an I/O thread: what it is to be secured
  /// with, or null for none. Not set: none is.
  std::function<std::shared_ptr<const TlsContext>()> tls;
  /// Called with each answer to a peer of the TCP listener before it is sent, on an I/O thread.
  std::function<void(Response& response)> complete;
  std::size_t max_header_bytes = 64U << 10U;  ///< More: 431.
  std::size_t max_body_bytes = 4U << 20U;     ///< More: 413.
  /// Paths at which a body may be larger than that. Called on an I/O thread. Not set: none.
  std::function<bool(std::string_view path)> large;
  std::size_t max_large_body_bytes = 16U << 20U;  ///< More: 413.
  /// Requests with a large body that each listener holds at once, from their headers until their
  /// answers; more: 503.
  std::size_t large_bodies = 4;
  std::size_t max_stream_backlog = 256U << 10U;  ///< Of one stream, not sent yet.
  ListenerLimits limits;                         ///< Of the TCP listener.
  ListenerLimits socket_limits{128, 0};          ///< Of the UNIX socket.
  /// Whether a path is served however many connections there are. Called on an I/O thread.
  std::function<bool(std::string_view path)> vital;
  std::size_t vital_connections = 0;  ///< Beyond `limits`, for such paths alone.
  /// Told of everybody who is not served, on any thread; must be quick.
  std::function<void(Refusal)> refused;
  std::chrono::milliseconds idle_timeout{75'000};  ///< Between two requests of a connection.
  std::chrono::milliseconds read_timeout{30'000};  ///< For one request, and for writing an answer.
  unsigned io_threads = 1;
  /// Threads that call the handler. 0: the I/O threads call the handler, for handlers without
  /// waits.
  unsigned workers = 2;
  unsigned socket_workers = 0;  ///< For the UNIX socket alone; 0: it shares those above.
  unsigned vital_workers = 0;   ///< For vital paths alone; 0: they share those above.

  [[nodiscard]] bool IsVital(std::string_view path) const { return vital && vital(path); }
};

/// An HTTP/1.1 server: keep-alive, pipelining (answers in order), HEAD (the handler's GET answer
/// without its body is the handler's business; the body it gives is withheld), `Expect:
/// 100-continue`. Malformed requests get 400 and never reach the handler.
class Server {
 public:
  /// Listens and serves. kInvalidArgument for a bad address, kAlreadyExists when something listens
  /// there already, kPermissionDenied; kFailedPrecondition when the socket path is another file. A
  /// socket file without a listener is replaced.
  [[nodiscard]] static Expected<std::unique_ptr<Server>> Start(const ServerOptions& options,
                                                               Handler handler);

  /// Stops with a deadline of 0.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// The bound TCP port; 0 without a TCP listener.
  [[nodiscard]] std::uint16_t Port() const;
  /// "127.0.0.1:41235", with the bound port; empty without a TCP listener.
  [[nodiscard]] std::string Address() const;

  /// Runs `task` on a worker after `delay`. Tasks that are not due when the server stops are
  /// destroyed, not run.
  void After(std::chrono::milliseconds delay, std::function<void()> task);

  /// Stops accepting, closes idle connections and streams, gives requests in work until `deadline`
  /// from now to be answered, then closes everything and removes the socket file. Waits for
  /// handlers that are running. Idempotent; not to be called from a handler.
  void Stop(std::chrono::milliseconds deadline);

 private:
  explicit Server(std::shared_ptr<Core> core) : core_(std::move(core)) {}

  std::shared_ptr<Core> core_;  // Shared with Responders that outlive the server.
};

}  // namespace bindery::httpd
