#include "httpd/listener.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/strand.hpp>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>

namespace bindery::httpd {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using GenericEndpoint = asio::generic::stream_protocol::endpoint;
using LocalEndpoint = asio::local::stream_protocol::endpoint;

Error ListenError(const std::string& where, const error_code& failure) {
  Error error;
  error.code = Code::kUnavailable;
  if (failure == asio::error::address_in_use) error.code = Code::kAlreadyExists;
  if (failure == asio::error::access_denied) error.code = Code::kPermissionDenied;
  error.message = "cannot listen on " + where + ": " + failure.message();
  return error;
}

/// Removes a socket file that a killed server left behind; refuses anything else in the way.
Expected<void> ClearStaleSocket(asio::io_context& io, const std::string& path) {
  struct stat found = {};
  if (::lstat(path.c_str(), &found) != 0) return {};
  if (!S_ISSOCK(found.st_mode)) {
    return Fail(Code::kFailedPrecondition,
                "cannot listen on \"" + path + "\": it exists and is not a socket");
  }
  asio::local::stream_protocol::socket probe(io);
  error_code failure;
  probe.connect(LocalEndpoint(path), failure);
  if (!failure) {
    return Fail(Code::kAlreadyExists,
                "cannot listen on \"" + path + "\": another process listens there");
  }
  if (failure != asio::error::connection_refused) {
    return Fail(ListenError("\"" + path + "\"", failure));
  }
  ::unlink(path.c_str());
  return {};
}

std::optional<asio::ip::tcp::endpoint> IpEndpoint(const GenericEndpoint& generic) {
  asio::ip::tcp::endpoint endpoint;
  const auto family = generic.protocol().family();
  if (family != AF_INET && family != AF_INET6) return std::nullopt;
  if (generic.size() > endpoint.capacity()) return std::nullopt;
  std::memcpy(endpoint.data(), generic.data(), generic.size());
  endpoint.resize(generic.size());
  return endpoint;
}

Peer PeerOf(Listener::Socket& socket, const std::string& socket_path) {
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
      pause_(acceptor_.get_executor()) {}

Listener::~Listener() {
  struct stat found = {};
  if (!path_.empty() && ::lstat(path_.c_str(), &found) == 0 && found.st_dev == device_ &&
      found.st_ino == inode_) {
    ::unlink(path_.c_str());
  }
}

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

Expected<void> Listener::ListenUnix(const std::string& path, unsigned mode) {
  constexpr std::size_t kMaxPath = sizeof(sockaddr_un{}.sun_path) - 1;
  if (path.size() > kMaxPath) {
    return Fail(Code::kInvalidArgument, "cannot listen on \"" + path + "\": the path of a socket " +
                                            "may have at most " + std::to_string(kMaxPath) +
                                            " bytes");
  }
  std::error_code ignored;  // bind() says what is wrong with the folder.
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  if (!parent.empty()) std::filesystem::create_directories(parent, ignored);
  if (auto cleared = ClearStaleSocket(io_, path); !cleared) return cleared;
  asio::local::stream_protocol::acceptor acceptor(io_);
  error_code failure;
  acceptor.open(asio::local::stream_protocol(), failure);
  // Linux gives the file the mode of the unbound socket: there is no moment with a wider one.
  if (!failure) ::fchmod(acceptor.native_handle(), static_cast<mode_t>(mode));
  if (!failure) acceptor.bind(LocalEndpoint(path), failure);
  if (!failure && ::chmod(path.c_str(), static_cast<mode_t>(mode)) != 0) {
    failure = error_code(errno, boost::system::system_category());
  }
  if (!failure) acceptor.listen(asio::socket_base::max_listen_connections, failure);
  if (failure) return Fail(ListenError("\"" + path + "\"", failure));
  struct stat made = {};
  if (::lstat(path.c_str(), &made) == 0) {
    device_ = made.st_dev;
    inode_ = made.st_ino;
  }
  path_ = path;
  acceptor_.assign(asio::generic::stream_protocol(asio::local::stream_protocol()),
                   acceptor.release());
  return {};
}

void Listener::Accept() {
  acceptor_.async_accept(asio::make_strand(io_), [this](const error_code& error, auto socket) {
    OnAccepted(error, Socket(std::move(socket)));
  });
}

void Listener::OnAccepted(const error_code& error, Socket socket) {
  if (error == asio::error::operation_aborted || !acceptor_.is_open()) return;
  if (!error) {
    Peer peer = PeerOf(socket, path_);
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
  });
}

}  // namespace bindery::httpd
