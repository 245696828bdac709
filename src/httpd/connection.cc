#include "httpd/connection.h"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/http/read.hpp>
#include <chrono>
#include <utility>

#include "httpd/date.h"
#include "httpd/lingering_close.h"
#include "httpd/pending_answer.h"

namespace bindery::httpd {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;

bool HasNoBody(int status) { return status < 200 || status == 204 || status == 304; }

}  // namespace

Connection::Connection(Core& core, Listener::Socket socket, Peer peer,
                       std::shared_ptr<const TlsContext> tls)
    : core_(core), stream_(std::move(socket), std::move(tls)), peer_(std::move(peer)) {
  ErrorCode ignored;  // A UNIX socket has no such option.
  stream_.socket().set_option(asio::ip::tcp::no_delay(true), ignored);
  // A peer whose machine is gone acknowledges nothing.
  using UserTimeout = asio::detail::socket_option::integer<IPPROTO_TCP, TCP_USER_TIMEOUT>;
  const auto patience = core_.options().read_timeout.count();
  stream_.socket().set_option(UserTimeout(static_cast<int>(patience)), ignored);
}

void Connection::Start(bool vital_only) {
  vital_only_ = vital_only;
  if (!stream_.secure()) return AwaitRequest();
  Enter(Phase::kReading);
  stream_.expires_after(core_.options().read_timeout);
  stream_.Handshake([self = shared_from_this()](const ErrorCode& error, std::size_t) {
    if (error) return self->GiveUp(error);
    self->peer_.secure = true;
    self->peer_.certificate = self->stream_.Subject();
    self->AwaitRequest();
  });
}

void Connection::AwaitRequest() {
  if (core_.stopping()) return Close();
  if (buffer_.size() > 0) return ReadHeader();
  Enter(Phase::kIdle);
  // A new connection has something to ask; later it may be kept for the next time.
  stream_.expires_after(served_
                            ? core_.options().idle_timeout
                            : std::min(core_.options().idle_timeout, core_.options().read_timeout));
  constexpr std::size_t kFirstRead = 4096;
  stream_.ReadSome(buffer_.prepare(kFirstRead),
                   [self = shared_from_this()](const ErrorCode& error, std::size_t size) {
                     if (error) return self->Close();
                     self->buffer_.commit(size);
                     self->ReadHeader();
                   });
}

void Connection::ReadHeader() {
  if (phase() == Phase::kClosed) return;
  Enter(Phase::kReading);
  keep_alive_ = false;
  request_.emplace(core_.options());
  stream_.expires_after(core_.options().read_timeout);
  http::async_read_header(
      stream_, buffer_, request_->parser(),
      [self = shared_from_this()](const ErrorCode& error, std::size_t) { self->OnHeader(error); });
}

void Connection::OnHeader(const ErrorCode& error) {
  if (phase() == Phase::kClosed) return;
  if (error) return OnReadError(error);
  if (const auto fault = request_->CheckHeader()) return RefuseRequest(*fault);
  if (vital_only_ && !core_.options().IsVital(request_->raw_path())) {
    return RefuseRequest({503, "too many connections"});
  }
  const auto take_place = [this] { return core_.TakeLargePlace(peer_.is_unix); };
  if (const auto fault = request_->CheckBody(core_.options(), take_place)) {
    return RefuseRequest(*fault);
  }
  if (!request_->is_complete() && request_->expects_continue()) return Continue();
  ReadBody();
}

void Connection::Continue() {
  static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  stream_.Write(kContinue, {}, [self = shared_from_this()](const ErrorCode& error, std::size_t) {
    if (error) return self->Close();
    self->ReadBody();
  });
}

void Connection::ReadBody() {
  if (request_->is_complete()) return OnRequest({});
  http::async_read(
      stream_, buffer_, request_->parser(),
      [self = shared_from_this()](const ErrorCode& error, std::size_t) { self->OnRequest(error); });
}

void Connection::OnRequest(const ErrorCode& error) {
  if (phase() == Phase::kClosed) return;
  if (error) return OnReadError(error);
  keep_alive_ = request_->keep_alive() && !vital_only_;
  auto request = request_->Take();
  if (!request) return RefuseRequest(request.error());
  request->peer = peer_;
  Enter(Phase::kWorking);
  served_ = true;
  stream_.expires_never();
  core_.Dispatch(std::move(*request), Responder(std::make_shared<PendingAnswer>(
                                          core_.shared_from_this(), weak_from_this())));
}

void Connection::OnReadError(const ErrorCode& error) {
  if (const auto fault = FaultFrom(error)) return RefuseRequest(*fault);
  GiveUp(error);
}

void Connection::GiveUp(const ErrorCode& error) {
  if (error == beast::error::timeout && phase() != Phase::kClosed) {
    core_.Refused(Refusal::kTooSlow);
  }
  Close();
}

void Connection::RefuseRequest(const RequestFault& fault) {
  const int status = fault.status;
  keep_alive_ = false;
  unread_ = true;
  Enter(Phase::kWorking);
  core_.Refused(status == 503 ? Refusal::kNoRoom : Refusal::kMalformed);
  Response response =
      TextResponse(status, std::to_string(status) + " " + std::string(ReasonPhrase(status)) + ": " +
                               fault.why + "\n");
  if (status == 503) response.headers.Add("Retry-After", "1");
  Answer(std::move(response));
}

void Connection::Leave() {
  if (phase() == Phase::kWorking || phase() == Phase::kStreaming) return core_.Stays(this);
  Close();
}

Message Connection::MakeMessage(Response response) {
  if (core_.options().complete && !peer_.is_unix) core_.options().complete(response);
  // A number outside three digits would break the status line.
  const int status = response.status >= 100 && response.status <= 999 ? response.status : 500;
  Message message;
  message.version(11);
  message.result(static_cast<unsigned>(status));
  message.reason(beast::string_view(ReasonPhrase(status).data(), ReasonPhrase(status).size()));
  for (const auto& [name, value] : response.headers.fields()) message.insert(name, value);
  if (message.find(http::field::date) == message.end()) {
    message.set(http::field::date, HttpDate(std::chrono::system_clock::now()));
  }
  message.keep_alive(keep_alive_);
  if (!HasNoBody(status) && !request_->is_head()) message.body() = std::move(response.body);
  return message;
}

void Connection::Answer(Response response) {
  if (phase() != Phase::kWorking) return;
  Enter(Phase::kWriting);
  if (core_.stopping()) keep_alive_ = false;
  const std::size_t size =
      response.packed != nullptr ? response.packed->size() : response.body.size();
  auto packed = request_->is_head() ? nullptr : std::exchange(response.packed, nullptr);
  Message message = MakeMessage(std::move(response));
  if (!HasNoBody(static_cast<int>(message.result_int()))) message.content_length(size);
  answer_.emplace(stream_, std::move(message), std::move(packed));
  stream_.expires_after(core_.options().read_timeout);
  answer_->Write([self = shared_from_this()](const ErrorCode& error) { self->OnWritten(error); });
}

void Connection::OnWritten(const ErrorCode& error) {
  answer_.reset();
  request_.reset();
  if (error) return GiveUp(error);
  if (!keep_alive_) return TakeLeave();
  AwaitRequest();
}

void Connection::BeginStream(Response head, std::shared_ptr<OpenStream> stream) {
  if (phase() != Phase::kWorking || core_.stopping()) {
    stream->Ended();
    return Close();
  }
  Enter(Phase::kStreaming);
  // Without a length the end of the connection is the end of the body.
  keep_alive_ = false;
  streamed_.emplace(*this, stream_, buffer_, core_.options().read_timeout, std::move(stream));
  streamed_->Begin(MakeMessage(std::move(head)), request_->is_head());
}

void Connection::WriteMore(const std::string& bytes) {
  if (phase() == Phase::kStreaming) streamed_->Write(bytes);
}

void Connection::EndStream() {
  if (phase() == Phase::kStreaming) streamed_->End();
}

void Connection::TakeLeave() {
  if (phase() == Phase::kClosed) return;
  const bool unread = unread_ || buffer_.size() > 0;
  if (!unread && !stream_.secure()) return Close();
  Enter(Phase::kDraining);
  auto close = [self = shared_from_this()] { self->Close(); };
  if (unread) return CloseSlowly(stream_, buffer_, std::move(close));
  SayGoodbye(stream_, std::move(close));
}

void Connection::CloseIfIdle() {
  if (phase() == Phase::kIdle || phase() == Phase::kStreaming) Close();
}

void Connection::Close() {
  if (phase() == Phase::kClosed) return;
  Enter(Phase::kClosed);
  if (streamed_) streamed_->OnClosed();
  stream_.close();
  core_.Forget(this);
}

}  // namespace bindery::httpd
