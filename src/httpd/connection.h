#pragma once

// Private to src/httpd: one open connection, from its first request to its close.

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <memory>
#include <optional>
#include <string>

#include "httpd/activity.h"
#include "httpd/byte_stream.h"
#include "httpd/core.h"

namespace bindery::httpd {

/// Reads a request, has it answered, writes the answer, reads the next. All functions but the
/// constructor are called on the connection's strand.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  /// With `tls` nothing is read before the handshake.
  Connection(Core& core, Listener::Socket socket, Peer peer, std::shared_ptr<const TlsContext> tls);

  /// With `vital_only` one request is read, and answered with 503 unless its path is vital.
  void Start(bool vital_only);
  /// Makes room for another connection, unless a request is in work.
  void Leave();
  /// Writes the answer to the request in work.
  void Answer(Response response);
  /// Writes the head, and goes on with what the stream is given.
  void BeginStream(Response head, std::shared_ptr<OpenStream> stream);
  void WriteMore(const std::string& bytes);
  /// Once everything given so far is written.
  void EndStream();
  void Close();
  /// What waits for nobody: also streams, which would never end by themselves.
  void CloseIfIdle();
  [[nodiscard]] boost::asio::any_io_executor executor() { return stream_.get_executor(); }
  /// From any thread.
  [[nodiscard]] const Activity& activity() const { return activity_; }

 private:
  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;
  using Message = boost::beast::http::response<boost::beast::http::string_body>;
  using ErrorCode = boost::system::error_code;

  [[nodiscard]] Phase phase() const { return activity_.phase(); }
  void Enter(Phase phase) { activity_.Enter(phase); }
  void AwaitRequest();
  void ReadHeader();
  void OnHeader(const ErrorCode& error);
  [[nodiscard]] bool IsVital();
  void Continue();
  void ReadBody();
  void OnRequest(const ErrorCode& error);
  void RefuseRequest(int status, const std::string& why);
  void OnReadError(const ErrorCode& error);
  /// Closes; counts a peer that was too slow.
  void GiveUp(const ErrorCode& error);
  void OnWritten(const ErrorCode& error);
  void Prepare(Response response);
  void WriteNext();
  void OnStreamed(const ErrorCode& error);
  /// Notices that the peer of a stream has gone; what it sends is not read as requests.
  void WatchPeer();
  /// Lets the peer read the last answer before the close would destroy it on its way.
  void CloseSlowly();
  void Drain();
  /// Ends TLS with a word, so that the peer knows that nothing was cut off.
  void SayGoodbye();

  Core& core_;
  ByteStream stream_;
  Peer peer_;
  boost::beast::flat_buffer buffer_;
  std::optional<Parser> parser_;
  std::optional<Message> answer_;
  Activity activity_;
  bool vital_only_ = false;
  bool served_ = false;  ///< At least one request.
  bool head_ = false;
  bool keep_alive_ = true;
  bool unread_ = false;  // The request was refused before all of it was read.
  std::size_t drained_ = 0;
  std::shared_ptr<OpenStream> stream_state_;  // Shared with the Streams of the handler.
  std::string waiting_;                       // Given to the stream while a write is under way.
  std::string writing_;                       // Under way.
  bool write_under_way_ = false;
  bool ending_ = false;
};

/// What the copies of one Stream share.
struct OpenStream : std::enable_shared_from_this<OpenStream> {
  OpenStream(std::shared_ptr<Core> core, std::weak_ptr<Connection> connection)
      : core_(std::move(core)), connection_(std::move(connection)) {}

  bool Write(std::string bytes);
  void Close();
  [[nodiscard]] bool is_open() const { return open_; }

  // For the connection.
  void Sent(std::size_t bytes) { waiting_ -= bytes; }
  void Ended() { open_ = false; }

 private:
  std::shared_ptr<Core> core_;  // Shared with the Server: either may go first.
  std::weak_ptr<Connection> connection_;
  std::atomic<bool> open_ = true;
  std::atomic<std::size_t> waiting_ = 0;  // Bytes that were given and are not sent yet.
};

/// What the copies of one Responder share.
struct PendingAnswer {
  PendingAnswer(std::shared_ptr<Core> core, std::weak_ptr<Connection> connection)
      : core_(std::move(core)), connection_(std::move(connection)) {}
  ~PendingAnswer();
  PendingAnswer(const PendingAnswer&) = delete;
  PendingAnswer& operator=(const PendingAnswer&) = delete;

  void Send(Response response);
  [[nodiscard]] std::shared_ptr<OpenStream> Begin(Response head);
  void Drop();
  void After(std::chrono::milliseconds delay, std::function<void()> task) {
    core_->After(delay, std::move(task));
  }

 private:
  std::shared_ptr<Core> core_;  // Shared with the Server: either may go first.
  std::weak_ptr<Connection> connection_;
  std::atomic<bool> done_ = false;
};

}  // namespace bindery::httpd
