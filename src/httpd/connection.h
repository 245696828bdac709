#pragma once

// Private to src/httpd: an open connection, from its first request to its close.

#include <boost/asio/any_io_executor.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <memory>
#include <optional>
#include <string>

#include "httpd/activity.h"
#include "httpd/byte_stream.h"
#include "httpd/coding/streamed_answer.h"
#include "httpd/core.h"
#include "httpd/head_text.h"
#include "httpd/incoming_request.h"
#include "httpd/whole_answer.h"

namespace bindery::httpd {

/// Reads a request, has it answered, writes the answer, reads the next. All functions but the
/// constructor are called on the connection's strand.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  /// With `tls` nothing is read before the handshake.
  Connection(Core& core, Listener::Socket socket, Peer peer, std::shared_ptr<const TlsContext> tls);

  /// With `vital_only` one request is read, and answered with 503 unless the path is vital.
  void Start(bool vital_only);
  /// Makes room for another connection, unless a request is in work.
  void Leave();
  /// Writes the answer to the request in work.
  void Answer(Response response);
  /// Writes the head, and goes on with what the stream is given.
  void BeginStream(Response head, std::shared_ptr<OpenStream> stream);
  void WriteMore(const std::string& bytes);
  /// After all given bytes are written.
  void EndStream();
  void Close();
  /// Closes an idle connection: also a stream, which would never end by itself.
  void CloseIfIdle();
  [[nodiscard]] boost::asio::any_io_executor executor() { return stream_.get_executor(); }
  /// From any thread.
  [[nodiscard]] const Activity& activity() const { return activity_; }

 private:
  using ErrorCode = boost::system::error_code;

  [[nodiscard]] Phase phase() const { return activity_.phase(); }
  void Enter(Phase phase) { activity_.Enter(phase); }
  void AwaitRequest();
  void ReadHeader();
  void OnHeader(const ErrorCode& error);
  void Continue();
  void ReadBody();
  void OnRequest(const ErrorCode& error);
  void RefuseRequest(const RequestFault& fault);
  void OnReadError(const ErrorCode& error);
  /// Closes; counts a slow peer.
  void GiveUp(const ErrorCode& error);
  void OnWritten(const ErrorCode& error);
  [[nodiscard]] Message MakeMessage(Response response);
  /// Lets the peer read the last answer before the close would destroy the answer on the way.
  void TakeLeave();

  Core& core_;
  ByteStream stream_;
  Peer peer_;
  boost::beast::flat_buffer buffer_;
  std::optional<IncomingRequest> request_;  // From its first byte until its answer is written.
  std::optional<WholeAnswer> answer_;
  std::optional<StreamedAnswer> streamed_;
  Activity activity_;
  bool vital_only_ = false;
  bool served_ = false;  ///< At least one request.
  bool keep_alive_ = true;
  bool unread_ = false;  // The request was refused before all of it was read.
};

}  // namespace bindery::httpd
