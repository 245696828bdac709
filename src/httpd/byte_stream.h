#pragma once

// Private to src/httpd: the bytes of a connection, as they are or within TLS.

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "httpd/listener.h"
#include "httpd/tls_parts.h"

namespace bindery::httpd {

/// An AsyncStream in Beast's sense, with time-outs. For use on one strand.
class ByteStream {
 public:
  using Plain = boost::beast::basic_stream<boost::asio::generic::stream_protocol>;
  using executor_type = Plain::executor_type;
  /// Called once, on the strand, with the number of bytes.
  using Done = std::function<void(const boost::system::error_code&, std::size_t)>;

  /// Without `tls` bytes are not encrypted.
  ByteStream(Listener::Socket socket, std::shared_ptr<const TlsContext> tls)
      : tls_(std::move(tls)), plain_(std::move(socket)) {
    if (tls_ != nullptr) secure_.emplace(plain_, tls_->parts().context);
  }

  [[nodiscard]] executor_type get_executor() { return plain_.get_executor(); }
  [[nodiscard]] auto& socket() { return plain_.socket(); }
  [[nodiscard]] bool secure() const { return secure_.has_value(); }
  /// See VerifiedSubject(); after the handshake.
  [[nodiscard]] std::string Subject() {
    return secure_ ? VerifiedSubject(secure_->native_handle()) : std::string();
  }

  template <typename Duration>
  void expires_after(Duration duration) {
    plain_.expires_after(duration);
  }
  void expires_never() { plain_.expires_never(); }
  void close() { plain_.close(); }

  /// Only for a stream that is secure, like Shutdown().
  void Handshake(Done done);
  /// Tells the peer that no more bytes follow.
  void Shutdown(Done done);
  /// Reads what has arrived, at least one byte. `buffer` stays valid until `done` is called.
  void ReadSome(boost::asio::mutable_buffer buffer, Done done);
  /// Writes all bytes of both texts, which stay valid until `done` is called.
  void Write(std::string_view head, std::string_view body, Done done);

  /// For the algorithms of Beast and Asio: each use compiles for seconds.
  template <typename Buffers, typename Handler>
  void async_read_some(const Buffers& buffers, Handler&& handler) {
    if (secure_) return secure_->async_read_some(buffers, std::forward<Handler>(handler));
    plain_.async_read_some(buffers, std::forward<Handler>(handler));
  }
  template <typename Buffers, typename Handler>
  void async_write_some(const Buffers& buffers, Handler&& handler) {
    if (secure_) return secure_->async_write_some(buffers, std::forward<Handler>(handler));
    plain_.async_write_some(buffers, std::forward<Handler>(handler));
  }

 private:
  std::shared_ptr<const TlsContext> tls_;  // Shared with other connections and the next handshake.
  Plain plain_;
  std::optional<boost::asio::ssl::stream<Plain&>> secure_;
};

}  // namespace bindery::httpd
