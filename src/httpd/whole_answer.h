#pragma once

// Private to src/httpd: an answer whose length is known before it is sent.

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/serializer.hpp>
#include <boost/beast/http/string_body.hpp>
#include <functional>
#include <memory>
#include <optional>

#include "httpd/byte_stream.h"
#include "httpd/coding/packed_body.h"

namespace bindery::httpd {

/// A part of the connection, used on its strand.
class WholeAnswer {
 public:
  using Message = boost::beast::http::response<boost::beast::http::string_body>;
  using ErrorCode = boost::system::error_code;
  /// Keeps the connection while it is written; may destroy the answer.
  using Done = std::function<void(const ErrorCode&)>;

  /// With `packed` that is the body, and the message has none.
  WholeAnswer(ByteStream& stream, Message message, std::shared_ptr<const PackedBody> packed);

  void Write(Done done);

 private:
  using Serializer = boost::beast::http::response_serializer<boost::beast::http::string_body>;

  void WriteNext(Done done);

  ByteStream& stream_;
  Message message_;
  std::optional<PackedBody::Reader> body_;  ///< None: the message has it.
  std::optional<Serializer> head_;          ///< Of a message without its body.
};

}  // namespace bindery::httpd
