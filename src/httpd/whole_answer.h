#pragma once

// Private to src/httpd: an answer whose length is known before it is sent.

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "httpd/byte_stream.h"
#include "httpd/coding/packed_body.h"
#include "httpd/head_text.h"

namespace bindery::httpd {

/// A part of the connection, used on its strand.
class WholeAnswer {
 public:
  using ErrorCode = boost::system::error_code;
  /// Keeps the connection while it is written; may destroy the answer.
  using Done = std::function<void(const ErrorCode&)>;

  /// With `packed` that is the body, and the message has none.
  WholeAnswer(ByteStream& stream, Message message, std::shared_ptr<const PackedBody> packed);

  void Write(Done done);

 private:
  /// Writes the next piece of the packed body; the head goes with the first.
  void WritePiece(Done done);

  ByteStream& stream_;
  std::string head_;  ///< Empty once it is written with a piece.
  std::string body_;  ///< Of an answer that is not packed.
  std::optional<PackedBody::Reader> packed_;
};

}  // namespace bindery::httpd
