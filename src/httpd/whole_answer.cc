#include "httpd/whole_answer.h"

#include <string_view>
#include <utility>

namespace bindery::httpd {

WholeAnswer::WholeAnswer(ByteStream& stream, Message message,
                         std::shared_ptr<const PackedBody> packed)
    : stream_(stream), head_(HeadText(message)), body_(std::move(message.body())) {
  if (packed != nullptr) packed_.emplace(std::move(packed));
}

void WholeAnswer::Write(Done done) {
  if (packed_) return WritePiece(std::move(done));
  stream_.Write(head_, body_,
                [done = std::move(done)](const ErrorCode& error, std::size_t) { done(error); });
}

void WholeAnswer::WritePiece(Done done) {
  const std::string_view piece = packed_->Next();
  if (head_.empty() && piece.empty()) return done({});
  stream_.Write(head_, piece, [this, done = std::move(done)](const ErrorCode& error, std::size_t) {
    if (error) return done(error);
    head_.clear();
    WritePiece(done);
  });
}

}  // namespace bindery::httpd
