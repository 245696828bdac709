#pragma once

// Private to src/httpd: an answer whose body goes out bit by bit.

#include <boost/beast/core/flat_buffer.hpp>
#include <chrono>
#include <memory>
#include <string>

#include "httpd/byte_stream.h"
#include "httpd/head_text.h"

namespace bindery::httpd {

class Connection;
struct OpenStream;

/// The head of an answer, followed by the bytes of its stream, until the stream ends or the peer is
/// gone; the connection then closes. A single write is under way at a time; bytes given meanwhile
/// go out with the next write. A part of the connection, used on its strand.
class StreamedAnswer {
 public:
  /// `write_timeout`: for the head, and for each write after it.
  StreamedAnswer(Connection& connection, ByteStream& stream, boost::beast::flat_buffer& buffer,
                 std::chrono::milliseconds write_timeout, std::shared_ptr<OpenStream> open);

  /// With `head_only` the stream ends with the head.
  void Begin(const Message& head, bool head_only);
  void Write(const std::string& bytes);
  /// After all given bytes are written.
  void End();
  /// Tells the holders of the stream that the connection is closed.
  void OnClosed();

 private:
  using ErrorCode = boost::system::error_code;

  void WriteNext();
  void OnWritten(const ErrorCode& error);
  /// Notices that the peer has gone; later bytes of the peer are not read as requests.
  void WatchPeer();
  [[nodiscard]] bool IsUnderWay() const;

  Connection& connection_;
  ByteStream& stream_;
  boost::beast::flat_buffer& buffer_;
  const std::chrono::milliseconds write_timeout_;
  const std::shared_ptr<OpenStream> open_;  // Shared with the Streams of the handler.
  std::string head_;                        // With the first bytes of the body, until written.
  std::string waiting_;                     // Given while a write is under way.
  std::string writing_;                     // Under way.
  bool write_under_way_ = false;
  bool ending_ = false;
};

}  // namespace bindery::httpd
