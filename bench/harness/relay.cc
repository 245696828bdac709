#include "harness/relay.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <stdexcept>

#include "harness/child_process.h"

namespace bindery::bench {
namespace {

constexpr int kPollMillis = 200;  // How soon an idle thread sees that the relay stops.

sockaddr_storage Loopback(std::uint16_t port) {
  sockaddr_storage storage = {};
  auto& address = reinterpret_cast<sockaddr_in&>(storage);
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return storage;
}

const sockaddr* Plain(const sockaddr_storage& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

int NewSocket() {
  const int handle = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  ::setsockopt(handle, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  return handle;
}

bool SendAll(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

}  // namespace

double ClockSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Relay::Relay(std::uint16_t upstream_port) : upstream_port_(upstream_port), listener_(NewSocket()) {
  sockaddr_storage address = Loopback(0);
  ::socklen_t size = sizeof(sockaddr_in);
  if (::bind(listener_, Plain(address), size) != 0 || ::listen(listener_, 64) != 0) {
    throw std::runtime_error("the relay cannot listen");
  }
  ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
  acceptor_ = std::thread([this] { Accept(); });
}

Relay::~Relay() {
  stopping_ = true;
  acceptor_.join();
  for (std::thread& connection : connections_) connection.join();
  ::close(listener_);
}

std::vector<RelayedCall> Relay::Calls() const {
  const std::lock_guard lock(mutex_);
  return calls_;
}

RelayedCall Relay::Await(const std::string& method, const std::string& part, double since,
                         double patience_seconds) const {
  const double begun = ClockSeconds();
  while (ClockSeconds() - begun < patience_seconds) {
    {
      const std::lock_guard lock(mutex_);
      for (const RelayedCall& call : calls_) {
        const bool wanted = call.asked > since && call.answered > 0 && call.method == method &&
                            call.path.find(part) != std::string::npos;
        if (wanted) return call;
      }
    }
    Pause(0.002);
  }
  throw std::runtime_error("no " + method + " of " + part + " came through the relay");
}

void Relay::Accept() {
  while (!stopping_) {
    pollfd ready = {listener_, POLLIN, 0};
    if (::poll(&ready, 1, kPollMillis) <= 0) continue;
    const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client >= 0) connections_.emplace_back([this, client] { Serve(client); });
  }
}

void Relay::Serve(int client) {
  const int on = 1;
  ::setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  const int server = NewSocket();
  const sockaddr_storage address = Loopback(upstream_port_);
  bool open = ::connect(server, Plain(address), sizeof(sockaddr_in)) == 0;
  std::optional<std::size_t> unanswered;
  std::array<char, 65536> buffer;
  while (open && !stopping_) {
    std::array<pollfd, 2> ready = {{{client, POLLIN, 0}, {server, POLLIN, 0}}};
    if (::poll(ready.data(), ready.size(), kPollMillis) <= 0) continue;
    for (const pollfd& end : ready) {
      if (end.revents == 0 || !open) continue;
      const ssize_t size = ::recv(end.fd, buffer.data(), buffer.size(), 0);
      const std::string_view bytes(buffer.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
      if (end.fd == client) {
        if (const auto begun = NoteRequest(bytes)) unanswered = begun;
      } else if (unanswered) {
        NoteAnswer(*unanswered);
        unanswered.reset();
      }
      open = size > 0 && SendAll(end.fd == client ? server : client, bytes);
    }
  }
  ::close(server);
  ::close(client);
}

std::optional<std::size_t> Relay::NoteRequest(std::string_view bytes) {
  const double now = ClockSeconds();
  const std::string_view method = bytes.substr(0, bytes.find(' '));
  if (method != "GET" && method != "POST" && method != "DELETE") return std::nullopt;
  const std::string_view rest = bytes.substr(method.size() + 1);
  const std::lock_guard lock(mutex_);
  calls_.push_back({std::string(method), std::string(rest.substr(0, rest.find(' '))), now, 0});
  return calls_.size() - 1;
}

void Relay::NoteAnswer(std::size_t index) {
  const std::lock_guard lock(mutex_);
  calls_[index].answered = ClockSeconds();
}

}  // namespace bindery::bench
