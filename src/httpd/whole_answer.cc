#include "httpd/whole_answer.h"

#include <boost/asio/write.hpp>
#include <boost/beast/http/write.hpp>
#include <string_view>
#include <utility>

namespace bindery::httpd {

namespace asio = boost::asio;
namespace http = boost::beast::http;

WholeAnswer::WholeAnswer(ByteStream& stream, Message message,
                         std::shared_ptr<const PackedBody> packed)
    : stream_(stream), message_(std::move(message)) {
  if (packed != nullptr) body_.emplace(std::move(packed));
}

void WholeAnswer::Write(Done done) {
  if (!body_) {
    http::async_write(
        stream_, message_,
        [done = std::move(done)](const ErrorCode& error, std::size_t) { done(error); });
    return;
  }
  head_.emplace(message_);
  http::async_write_header(
      stream_, *head_, [this, done = std::move(done)](const ErrorCode& error, std::size_t) mutable {
        if (error) return done(error);
        WriteNext(std::move(done));
      });
}

void WholeAnswer::WriteNext(Done done) {
  const std::string_view piece = body_->Next();
  if (piece.empty()) return done({});
  asio::async_write(stream_, asio::buffer(piece.data(), piece.size()),
                    [this, done = std::move(done)](const ErrorCode& error, std::size_t) mutable {
                      if (error) return done(error);
                      WriteNext(std::move(done));
                    });
}

}  // namespace bindery::httpd
