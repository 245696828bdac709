#include "httpd/byte_stream.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <vector>

namespace bindery::httpd {

void ByteStream::Handshake(Done done) {
  secure_->async_handshake(
      boost::asio::ssl::stream_base::server,
      [done = std::move(done)](const boost::system::error_code& error) { done(error, 0); });
}

void ByteStream::Shutdown(Done done) {
  secure_->async_shutdown(
      [done = std::move(done)](const boost::system::error_code& error) { done(error, 0); });
}

void ByteStream::ReadSome(boost::asio::mutable_buffer buffer, Done done) {
  async_read_some(buffer, std::move(done));
}

void ByteStream::Write(std::string_view head, std::string_view body, Done done) {
  // An empty text at the end would be a write of its own.
  std::vector<boost::asio::const_buffer> texts;
  for (const std::string_view text : {head, body}) {
    if (!text.empty()) texts.emplace_back(text.data(), text.size());
  }
  boost::asio::async_write(*this, texts, std::move(done));
}

}  // namespace bindery::httpd
