#include "httpd/coding/streamed_answer.h"

#include <utility>

#include "httpd/connection.h"
#include "httpd/pending_answer.h"

namespace bindery::httpd {

StreamedAnswer::StreamedAnswer(Connection& connection, ByteStream& stream,
                               boost::beast::flat_buffer& buffer,
                               std::chrono::milliseconds write_timeout,
                               std::shared_ptr<OpenStream> open)
    : connection_(connection),
      stream_(stream),
      buffer_(buffer),
      write_timeout_(write_timeout),
      open_(std::move(open)) {}

bool StreamedAnswer::IsUnderWay() const {
  return connection_.activity().phase() == Phase::kStreaming;
}

void StreamedAnswer::Begin(const Message& head, bool head_only) {
  ending_ = head_only;
  head_ = HeadText(head) + head.body();
  WatchPeer();
  WriteNext();
}

void StreamedAnswer::WatchPeer() {
  constexpr std::size_t kChunk = 4096;
  buffer_.clear();
  stream_.expires_never();
  stream_.ReadSome(buffer_.prepare(kChunk), [this, self = connection_.shared_from_this()](
                                                const ErrorCode& error, std::size_t) {
    if (error) return connection_.Close();
    if (IsUnderWay()) WatchPeer();
  });
}

void StreamedAnswer::Write(const std::string& bytes) {
  if (ending_) return;
  waiting_ += bytes;
  if (!write_under_way_) WriteNext();
}

void StreamedAnswer::End() {
  ending_ = true;
  if (!write_under_way_) connection_.Close();
}

void StreamedAnswer::WriteNext() {
  writing_ = std::exchange(waiting_, {});
  write_under_way_ = true;
  // The read that watches the peer is pending: this is the time-out of the write alone.
  stream_.expires_after(write_timeout_);
  stream_.Write(head_, writing_,
                [this, self = connection_.shared_from_this()](const ErrorCode& error, std::size_t) {
                  OnWritten(error);
                });
}

void StreamedAnswer::OnWritten(const ErrorCode& error) {
  head_.clear();
  write_under_way_ = false;
  if (!IsUnderWay()) return;
  if (error) return connection_.Close();
  open_->Sent(writing_.size());
  writing_.clear();
  if (!waiting_.empty()) return WriteNext();
  if (ending_) connection_.Close();
}

void StreamedAnswer::OnClosed() { open_->Ended(); }

}  // namespace bindery::httpd
