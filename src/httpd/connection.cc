#include "httpd/connection.h"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <chrono>

#include "httpd/date.h"
#include "httpd/url.h"

namespace bindery::httpd {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;

constexpr std::chrono::seconds kDrainTime{2};
constexpr std::size_t kDrainBytes = 16U << 20U;

std::string_view View(beast::string_view text) { return {text.data(), text.size()}; }

/// Splits and decodes the request line's target. False when it is not one we serve.
bool ReadTarget(std::string_view target, Request& request) {
  request.raw_target = target;
  // The absolute form, which proxies use: "http://host/path".
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!EqualsIgnoringCase(target.substr(0, scheme.size()), scheme)) continue;
    target.remove_prefix(scheme.size());
    const std::string_view host = target.substr(0, target.find_first_of("/?#"));
    // Two names for one request: a proxy may have forwarded it by the other one.
    if (!request.host.empty() && !EqualsIgnoringCase(host, request.host)) return false;
    request.host = host;
    target.remove_prefix(host.size());
    if (target.empty()) target = "/";
    break;
  }
  target = target.substr(0, target.find('#'));
  const std::size_t question = target.find('?');
  request.raw_path = target.substr(0, question);
  if (request.raw_path.empty() || (request.raw_path.front() != '/' && request.raw_path != "*")) {
    return false;
  }
  auto path = PercentDecode(request.raw_path);
  auto query = ParseQuery(question == std::string_view::npos ? std::string_view()
                                                             : target.substr(question + 1));
  if (!path || !query) return false;
  request.path = std::move(*path);
  request.query = std::move(*query);
  return true;
}

bool HasNoBody(int status) { return status < 200 || status == 204 || status == 304; }

}  // namespace

Connection::Connection(Core& core, Listener::Socket socket, Peer peer,
                       std::shared_ptr<const TlsContext> tls)
    : core_(core), stream_(std::move(socket), std::move(tls)), peer_(std::move(peer)) {
  ErrorCode ignored;  // A UNIX socket has no such option.
  stream_.socket().set_option(asio::ip::tcp::no_delay(true), ignored);
  // A peer whose machine is gone takes nothing of what it is sent.
  using UserTimeout = asio::detail::socket_option::integer<IPPROTO_TCP, TCP_USER_TIMEOUT>;
  const auto patience = core_.options().read_timeout.count();
  stream_.socket().set_option(UserTimeout(static_cast<int>(patience)), ignored);
}

void Connection::Start(bool vital_only) {
  vital_only_ = vital_only;
  if (!stream_.secure()) return AwaitRequest();
  Enter(Phase::kReading);
  stream_.expires_after(core_.options().read_timeout);
  stream_.async_handshake([self = shared_from_this()](const ErrorCode& error) {
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
  stream_.async_read_some(buffer_.prepare(kFirstRead),
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
  head_ = false;
  parser_.emplace();
  parser_->header_limit(static_cast<std::uint32_t>(core_.options().max_header_bytes));
  parser_->body_limit(core_.options().max_body_bytes);
  stream_.expires_after(core_.options().read_timeout);
  http::async_read_header(
      stream_, buffer_, *parser_,
      [self = shared_from_this()](const ErrorCode& error, std::size_t) { self->OnHeader(error); });
}

void Connection::OnHeader(const ErrorCode& error) {
  if (phase() == Phase::kClosed) return;
  if (error) return OnReadError(error);
  const auto& message = parser_->get();
  head_ = message.method() == http::verb::head;
  const std::size_t hosts = message.count(http::field::host);
  if (hosts > 1) return RefuseRequest(400, "more than one Host header");
  if (message.version() >= 11 && hosts == 0) return RefuseRequest(400, "missing Host header");
  if (vital_only_ && !IsVital()) return RefuseRequest(503, "too many connections");
  if (!parser_->is_done() &&
      EqualsIgnoringCase(View(message[http::field::expect]), "100-continue")) {
    return Continue();
  }
  ReadBody();
}

bool Connection::IsVital() {
  const std::string_view target = View(parser_->get().target());
  return core_.options().vital && core_.options().vital(target.substr(0, target.find('?')));
}

void Connection::Continue() {
  static constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
  asio::async_write(stream_, asio::buffer(kContinue.data(), kContinue.size()),
                    [self = shared_from_this()](const ErrorCode& error, std::size_t) {
                      if (error) return self->Close();
                      self->ReadBody();
                    });
}

void Connection::ReadBody() {
  if (parser_->is_done()) return OnRequest({});
  http::async_read(
      stream_, buffer_, *parser_,
      [self = shared_from_this()](const ErrorCode& error, std::size_t) { self->OnRequest(error); });
}

void Connection::OnRequest(const ErrorCode& error) {
  if (phase() == Phase::kClosed) return;
  if (error) return OnReadError(error);
  auto& message = parser_->get();
  keep_alive_ = message.keep_alive() && !vital_only_;
  Request request;
  request.method = View(message.method_string());
  request.host = View(message[http::field::host]);
  if (!ReadTarget(View(message.target()), request)) {
    return RefuseRequest(400, "malformed request target");
  }
  for (const auto& field : message) {
    request.headers.Add(std::string(View(field.name_string())), std::string(View(field.value())));
  }
  request.body = std::move(message.body());
  request.peer = peer_;
  Enter(Phase::kWorking);
  served_ = true;
  stream_.expires_never();
  core_.Dispatch(std::move(request), Responder(std::make_shared<PendingAnswer>(
                                         core_.shared_from_this(), weak_from_this())));
}

void Connection::OnReadError(const ErrorCode& error) {
  if (error == http::error::header_limit || error == http::error::buffer_overflow) {
    return RefuseRequest(431, "request header too large");
  }
  if (error == http::error::body_limit) return RefuseRequest(413, "request body too large");
  const bool malformed =
      error.category() == http::make_error_code(http::error::bad_target).category();
  if (malformed && error != http::error::end_of_stream && error != http::error::partial_message) {
    return RefuseRequest(400, "malformed request");
  }
  GiveUp(error);
}

void Connection::GiveUp(const ErrorCode& error) {
  if (error == beast::error::timeout && phase() != Phase::kClosed) {
    core_.Refused(Refusal::kTooSlow);
  }
  Close();
}

void Connection::RefuseRequest(int status, const std::string& why) {
  keep_alive_ = false;
  unread_ = true;
  Enter(Phase::kWorking);
  core_.Refused(status == 503 ? Refusal::kNoRoom : Refusal::kMalformed);
  Response response = TextResponse(
      status, std::to_string(status) + " " + std::string(ReasonPhrase(status)) + ": " + why + "\n");
  if (status == 503) response.headers.Add("Retry-After", "1");
  Answer(std::move(response));
}

void Connection::Leave() {
  if (phase() == Phase::kWorking || phase() == Phase::kStreaming) return core_.Stays(this);
  Close();
}

void Connection::Prepare(Response response) {
  if (core_.options().complete && !peer_.is_unix) core_.options().complete(response);
  // A number outside three digits would break the status line.
  const int status = response.status >= 100 && response.status <= 999 ? response.status : 500;
  answer_.emplace();
  answer_->version(11);
  answer_->result(static_cast<unsigned>(status));
  answer_->reason(beast::string_view(ReasonPhrase(status).data(), ReasonPhrase(status).size()));
  for (const auto& [name, value] : response.headers.fields()) answer_->insert(name, value);
  if (answer_->find(http::field::date) == answer_->end()) {
    answer_->set(http::field::date, HttpDate(std::chrono::system_clock::now()));
  }
  answer_->keep_alive(keep_alive_);
  if (!HasNoBody(status) && !head_) answer_->body() = std::move(response.body);
}

void Connection::Answer(Response response) {
  if (phase() != Phase::kWorking) return;
  Enter(Phase::kWriting);
  if (core_.stopping()) keep_alive_ = false;
  const std::size_t size = response.body.size();
  Prepare(std::move(response));
  if (!HasNoBody(static_cast<int>(answer_->result_int()))) answer_->content_length(size);
  stream_.expires_after(core_.options().read_timeout);
  http::async_write(
      stream_, *answer_,
      [self = shared_from_this()](const ErrorCode& error, std::size_t) { self->OnWritten(error); });
}

void Connection::OnWritten(const ErrorCode& error) {
  answer_.reset();
  parser_.reset();
  if (error) return GiveUp(error);
  // Unread bytes would turn the close into a reset, which can overtake the answer.
  if (!keep_alive_) return unread_ || buffer_.size() > 0 ? CloseSlowly() : SayGoodbye();
  AwaitRequest();
}

void Connection::SayGoodbye() {
  if (!stream_.secure() || phase() == Phase::kClosed) return Close();
  Enter(Phase::kDraining);
  stream_.expires_after(kDrainTime);
  stream_.async_shutdown([self = shared_from_this()](const ErrorCode&) { self->Close(); });
}

void Connection::CloseSlowly() {
  if (phase() == Phase::kClosed) return;
  Enter(Phase::kDraining);
  ErrorCode ignored;
  stream_.socket().shutdown(asio::socket_base::shutdown_send, ignored);
  // One time-out for all of the draining, however slowly the peer sends.
  stream_.expires_after(kDrainTime);
  Drain();
}

void Connection::Drain() {
  constexpr std::size_t kChunk = 16U << 10U;
  buffer_.clear();
  stream_.async_read_some(buffer_.prepare(kChunk),
                          [self = shared_from_this()](const ErrorCode& error, std::size_t size) {
                            self->drained_ += size;
                            if (error || self->drained_ > kDrainBytes) return self->Close();
                            self->Drain();
                          });
}

void Connection::CloseIfIdle() {
  if (phase() == Phase::kIdle || phase() == Phase::kStreaming) Close();
}

void Connection::Close() {
  if (phase() == Phase::kClosed) return;
  Enter(Phase::kClosed);
  if (stream_state_ != nullptr) stream_state_->Ended();
  stream_.close();
  core_.Forget(this);
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

void PendingAnswer::Drop() {
  if (done_.exchange(true)) return;
  core_->Deliver(connection_, [](Connection& connection) { connection.Close(); });
}

}  // namespace bindery::httpd
