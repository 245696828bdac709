#include "httpd/listener.h"

#include <sys/socket.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/strand.hpp>
#include <chrono>
#include <cstring>
#include <optional>
#include <utility>

#include "httpd/listen_error.h"

namespace bindery::httpd {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using GenericEndpoint = asio::generic::stream_protocol::endpoint;

std::optional<asio::ip::tcp::endpoint> IpEndpoint(const GenericEndpoint& generic) {
  asio::ip::tcp::endpoint endpoint;
  const auto family = generic.protocol().family();
  if (family != AF_INET && family != AF_INET6) return std::nullopt;
  if (generic.size() > endpoint.capacity()) return std::nullopt;
  std::memcpy(endpoint.data(), generic.data(), generic.size());
  endpoint.resize(generic.size());
  return endpoint;
}

Peer FindPeer(Listener::Socket& socket, const std::string& socket_path) {
  Peer peer;
  if (!socket_path.empty()) {
    peer.is_unix = true;
    peer.address = socket_path;
    struct ucred who = {};
    socklen_t size = sizeof(who);
    if (::getsockopt(socket.native_handle(), SOL_SOCKET, SO_PEERCRED, &who, &size) == 0) {
      peer.uid = who.uid;
      peer.gid = who.gid;
      peer.pid = who.pid;
    }
    return peer;
  }
  error_code failure;
  const auto remote = IpEndpoint(socket.remote_endpoint(failure));
  const auto local = IpEndpoint(socket.local_endpoint(failure));
  if (remote) peer.address = ListenAddress{remote->address().to_string(), remote->port()}.Text();
  if (local) peer.local = local->address().to_string();
  return peer;
}

}  // namespace

Listener::Listener(asio::io_context& io, OnAccept on_accept, std::function<void()> on_shortage)
    : io_(io),
      on_accept_(std::move(on_accept)),
      on_shortage_(std::move(on_shortage)),
      acceptor_(asio::make_strand(io)),
      pause_(acceptor_.get_executor()),
      next_look_(acceptor_.get_executor()) {}

Expected<ListenAddress> Listener::ListenTcp(const ListenAddress& address) {
  error_code failure;
  asio::ip::tcp::endpoint endpoint(asio::ip::tcp::v6(), address.port);
  if (!address.host.empty()) {
    asio::ip::tcp::resolver resolver(io_);
    const auto found = resolver.resolve(address.host, std::to_string(address.port),
                                        asio::ip::resolver_base::passive, failure);
    if (failure) return Fail(ListenError(address.Text(), failure));
    endpoint = found.begin()->endpoint();
    for (const auto& entry : found) {
      // "localhost" means 127.0.0.1 to most clients first.
      if (entry.endpoint().address().is_v4()) {
        endpoint = entry.endpoint();
        break;
      }
    }
  }
  asio::ip::tcp::acceptor acceptor(io_);
  acceptor.open(endpoint.protocol(), failure);
  if (failure && address.host.empty()) {  // A machine without IPv6.
    endpoint = asio::ip::tcp::endpoint(asio::ip::tcp::v4(), address.port);
    acceptor.open(endpoint.protocol(), failure);
  }
  if (!failure) acceptor.set_option(asio::socket_base::reuse_address(true), failure);
  if (!failure && address.host.empty() && endpoint.address().is_v6()) {
    acceptor.set_option(asio::ip::v6_only(false), failure);
  }
  if (!failure) acceptor.bind(endpoint, failure);
  if (!failure) acceptor.listen(asio::socket_base::max_listen_connections, failure);
  if (failure) return Fail(ListenError(address.Text(), failure));
  ListenAddress bound = address;
  bound.port = acceptor.local_endpoint().port();
  const asio::generic::stream_protocol protocol(endpoint.protocol());
  acceptor_.assign(protocol, acceptor.release());
  return bound;
}

Expected<void> Listener::ListenUnix(const ServerOptions& options) {
  auto file = std::make_unique<SocketFile>(io_, options.socket_path, options.socket_mode);
  auto listening = file->Listen();
  if (!listening) return Fail(listening.error());
  file_ = std::move(file);
  look_every_ = options.socket_look;
  on_file_ = options.socket_file;
  Take(*std::move(listening));
  return {};
}

void Listener::Take(SocketFile::Acceptor listening) {
  acceptor_.assign(asio::generic::stream_protocol(asio::local::stream_protocol()),
                   listening.release());
}

void Listener::Begin() {
  Accept();
  if (file_ != nullptr) LookLater();
}

void Listener::LookLater() {
  next_look_.expires_after(look_every_);
  next_look_.async_wait([this](const error_code& cancelled) {
    if (cancelled || !acceptor_.is_open()) return;
    LookAtFile();
    LookLater();
  });
}

void Listener::LookAtFile() {
  const SocketFile::Found found = file_->Look();
  if (found == SocketFile::Found::kOwn) {
    told_.clear();
  } else if (found == SocketFile::Found::kOther) {
    Error error;
    error.code = Code::kAlreadyExists;
    error.message = "\"" + file_->path() +
                    "\" is another file than this process made: commands do not reach this process "
                    "by it; when the file is removed, the socket is made again";
    Tell(error);
  } else if (found == SocketFile::Found::kNothing) {
    ListenAgain();
  }
}

void Listener::ListenAgain() {
  auto listening = file_->ListenAgain();
  if (!listening) return Tell(listening.error());
  error_code ignored;
  acceptor_.close(ignored);  // Nobody reaches it any more.
  Take(*std::move(listening));
  Accept();
  told_.clear();
  if (on_file_) on_file_(file_->path(), nullptr);
}

void Listener::Tell(const Error& error) {
  if (told_ == error.message) return;
  told_ = error.message;
  if (on_file_) on_file_(file_->path(), &error);
}

void Listener::Accept() {
  acceptor_.async_accept(asio::make_strand(io_), [this](const error_code& error, auto socket) {
    OnAccepted(error, Socket(std::move(socket)));
  });
}

void Listener::OnAccepted(const error_code& error, Socket socket) {
  if (error == asio::error::operation_aborted || !acceptor_.is_open()) return;
  if (!error) {
    Peer peer = FindPeer(socket, file_ == nullptr ? std::string() : file_->path());
    on_accept_(std::move(socket), std::move(peer));
    Accept();
    return;
  }
  // Out of descriptors, most likely: closing connections helps, spinning would not.
  if (error == asio::error::no_descriptors ||
      error == boost::system::errc::too_many_files_open_in_system) {
    on_shortage_();
  }
  pause_.expires_after(std::chrono::milliseconds(100));
  pause_.async_wait([this](const error_code& cancelled) {
    if (!cancelled && acceptor_.is_open()) Accept();
  });
}

void Listener::Close() {
  asio::post(acceptor_.get_executor(), [this] {
    error_code ignored;
    acceptor_.close(ignored);
    pause_.cancel();
    next_look_.cancel();
  });
}

}  // namespace bindery::httpd
