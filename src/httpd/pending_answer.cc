#include "httpd/pending_answer.h"

#include <utility>

#include "httpd/connection.h"

namespace bindery::httpd {

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

PendingAnswer::~PendingAnswer() {
  if (!done_) Send(TextResponse(500, "500 Internal Server Error\n"));
}

void PendingAnswer::Send(Response response) {
  if (done_.exchange(true)) return;
  core_->Deliver(connection_, [answer = std::move(response)](Connection& connection) mutable {
    connection.Answer(std::move(answer));
  });
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

void PendingAnswer::Drop() {
  if (done_.exchange(true)) return;
  core_->Deliver(connection_, [](Connection& connection) { connection.Close(); });
}

}  // namespace bindery::httpd
