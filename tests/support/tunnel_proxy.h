#pragma once

#include <array>
#include <boost/asio.hpp>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace bindery::testing {

/// An HTTP proxy on a free port of 127.0.0.1 that knows CONNECT only. Whatever host is asked for,
/// the tunnel leads to one port of this machine, so that a test needs no names that resolve.
class TunnelProxy {
 public:
  explicit TunnelProxy(int target_port)
      : acceptor_(io_, {boost::asio::ip::address_v4::loopback(), 0}),
        port_(acceptor_.local_endpoint().port()),
        target_port_(static_cast<unsigned short>(target_port)) {
    Accept();
    thread_ = std::thread([this] { io_.run(); });
  }
  ~TunnelProxy() {
    io_.stop();
    thread_.join();
  }
  TunnelProxy(const TunnelProxy&) = delete;
  TunnelProxy& operator=(const TunnelProxy&) = delete;

  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] std::string Url() const { return "http://127.0.0.1:" + std::to_string(port_); }

  /// Refuses every tunnel with this answer instead, such as "407 Proxy Authentication Required".
  void Refuse(std::string status_line) {
    const std::scoped_lock lock(mutex_);
    refusal_ = std::move(status_line);
  }

  /// The heads of the CONNECT requests so far.
  [[nodiscard]] std::vector<std::string> Heads() const {
    const std::scoped_lock lock(mutex_);
    return heads_;
  }

 private:
  using Tcp = boost::asio::ip::tcp;
  using ErrorCode = boost::system::error_code;

  struct Tunnel : std::enable_shared_from_this<Tunnel> {
    Tunnel(TunnelProxy& owner, Tcp::socket connected)
        : proxy(owner), client(std::move(connected)), server(owner.io_) {}

    void Begin() {
      boost::asio::async_read_until(
          client, boost::asio::dynamic_buffer(head), "\r\n\r\n",
          [self = shared_from_this()](const ErrorCode& error, std::size_t /*bytes*/) {
            if (!error) self->Answer();
          });
    }

    void Answer() {
      {
        const std::scoped_lock lock(proxy.mutex_);
        proxy.heads_.push_back(head);
        answer = "HTTP/1.1 " + proxy.refusal_ + "\r\n";
      }
      const bool refused = answer.find(" 200 ") == std::string::npos;
      answer += refused ? "Content-Length: 0\r\n\r\n" : "\r\n";
      ErrorCode failed;
      if (!refused) server.connect({boost::asio::ip::address_v4::loopback(), proxy.target_port_});
      boost::asio::write(client, boost::asio::buffer(answer), failed);
      if (refused || failed) return;
      Copy(client, server, upward);
      Copy(server, client, downward);
    }

    void Copy(Tcp::socket& from, Tcp::socket& to, std::array<char, 8192>& buffer) {
      from.async_read_some(boost::asio::buffer(buffer),
                           [self = shared_from_this(), &from, &to, &buffer](const ErrorCode& error,
                                                                            std::size_t bytes) {
                             ErrorCode failed = error;
                             if (!failed)
                               boost::asio::write(to, boost::asio::buffer(buffer, bytes), failed);
                             if (!failed) return self->Copy(from, to, buffer);
                             ErrorCode ignored;
                             to.shutdown(Tcp::socket::shutdown_both, ignored);
                           });
    }

    TunnelProxy& proxy;
    Tcp::socket client;
    Tcp::socket server;
    std::string head;
    std::string answer;
    std::array<char, 8192> upward{};
    std::array<char, 8192> downward{};
  };

  void Accept() {
    acceptor_.async_accept([this](const ErrorCode& error, Tcp::socket socket) {
      if (error) return;
      std::make_shared<Tunnel>(*this, std::move(socket))->Begin();
      Accept();
    });
  }

  boost::asio::io_context io_;
  Tcp::acceptor acceptor_;
  unsigned short port_;
  unsigned short target_port_;

  mutable std::mutex mutex_;  ///< Guards what follows.
  std::string refusal_ = "200 Connected";
  std::vector<std::string> heads_;

  std::thread thread_;
};

}  // namespace bindery::testing
