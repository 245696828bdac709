// An answer whose body goes out bit by bit.

#include <boost/asio/write.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/write.hpp>
#include <utility>

#include "httpd/connection.h"

namespace bindery::httpd {

namespace asio = boost::asio;
namespace http = boost::beast::http;

void Connection::BeginStream(Response head, std::shared_ptr<OpenStream> stream) {
  if (phase() != Phase::kWorking || core_.stopping()) {
    stream->Ended();
    return Close();
  }
  Enter(Phase::kStreaming);
  stream_state_ = std::move(stream);
  // Without a length the end of the connection is the end of the body.
  keep_alive_ = false;
  ending_ = head_;
  Prepare(std::move(head));
  WatchPeer();
  write_under_way_ = true;
  stream_.expires_after(core_.options().read_timeout);
  http::async_write(stream_, *answer_,
                    [self = shared_from_this()](const ErrorCode& error, std::size_t) {
                      // Beast tells this way that the message ends with the connection.
                      self->OnStreamed(error == http::error::end_of_stream ? ErrorCode() : error);
                    });
}

void Connection::WatchPeer() {
  constexpr std::size_t kChunk = 4096;
  buffer_.clear();
  stream_.expires_never();
  stream_.async_read_some(buffer_.prepare(kChunk),
                          [self = shared_from_this()](const ErrorCode& error, std::size_t) {
                            if (error) return self->Close();
                            if (self->phase() == Phase::kStreaming) self->WatchPeer();
                          });
}

void Connection::WriteMore(const std::string& bytes) {
  if (phase() != Phase::kStreaming || ending_) return;
  waiting_ += bytes;
  if (!write_under_way_) WriteNext();
}

void Connection::EndStream() {
  if (phase() != Phase::kStreaming) return;
  ending_ = true;
  if (!write_under_way_) Close();
}

void Connection::WriteNext() {
  writing_ = std::exchange(waiting_, {});
  write_under_way_ = true;
  // The read that watches the peer is pending: this is the time-out of the write alone.
  stream_.expires_after(core_.options().read_timeout);
  asio::async_write(stream_, asio::buffer(writing_),
                    [self = shared_from_this()](const ErrorCode& error, std::size_t) {
                      self->OnStreamed(error);
                    });
}

void Connection::OnStreamed(const ErrorCode& error) {
  answer_.reset();
  write_under_way_ = false;
  if (phase() != Phase::kStreaming) return;
  if (error) return Close();
  stream_state_->Sent(writing_.size());
  writing_.clear();
  if (!waiting_.empty()) return WriteNext();
  if (ending_) Close();
}

bool OpenStream::Write(std::string bytes) {
  if (!open_) return false;
  const std::size_t size = bytes.size();
  if (waiting_ + size > core_->options().max_stream_backlog) {
    open_ = false;
    core_->Deliver(connection_, [](Connection& connection) { connection.Close(); });
    return false;
  }
  waiting_ += size;
  const bool there = core_->Deliver(
      connection_,
      [bytes = std::move(bytes)](Connection& connection) { connection.WriteMore(bytes); });
  if (!there) open_ = false;
  return there;
}

void OpenStream::Close() {
  if (!open_.exchange(false)) return;
  core_->Deliver(connection_, [](Connection& connection) { connection.EndStream(); });
}

std::shared_ptr<OpenStream> PendingAnswer::Begin(Response head) {
  auto stream = std::make_shared<OpenStream>(core_, connection_);
  if (done_.exchange(true)) {
    stream->Ended();
    return stream;
  }
  core_->Deliver(connection_, [head = std::move(head), stream](Connection& connection) mutable {
    connection.BeginStream(std::move(head), std::move(stream));
  });
  return stream;
}

}  // namespace bindery::httpd
