#pragma once

// Private to src/httpd: one bound TCP or UNIX socket.

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "core/base/expected.h"
#include "core/settings/address.h"
#include "httpd/message.h"
#include "httpd/server.h"
#include "httpd/socket_file.h"

namespace bindery::httpd {

/// Accepts until closed and hands each socket, on a separate strand, to `on_accept`.
class Listener {
 public:
  using Socket = boost::asio::basic_stream_socket<boost::asio::generic::stream_protocol>;
  using OnAccept = std::function<void(Socket socket, Peer peer)>;

  /// `on_shortage` is called when no descriptors are left for a waiting connection.
  Listener(boost::asio::io_context& io, OnAccept on_accept, std::function<void()> on_shortage);
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener() = default;

  /// Binds and listens; the address with its bound port.
  [[nodiscard]] Expected<ListenAddress> ListenTcp(const ListenAddress& address);
  [[nodiscard]] Expected<void> ListenUnix(const ServerOptions& options);
  /// Accepts from now on. The file of a UNIX socket is made again when it is gone.
  void Begin();
  /// No further connections, from the moment on at which the io_context comes to it. The listener
  /// must outlive that, or the io_context be stopped before. May be called from any thread.
  void Close();

 private:
  void Accept();
  void Take(SocketFile::Acceptor listening);
  void LookLater();
  void LookAtFile();
  void ListenAgain();
  /// Each error once, until the socket is in order again.
  void Tell(const Error& error);
  void OnAccepted(const boost::system::error_code& error, Socket socket);

  boost::asio::io_context& io_;
  OnAccept on_accept_;
  std::function<void()> on_shortage_;
  /// On a separate strand, like the timers: it may be closed during an accept.
  boost::asio::basic_socket_acceptor<boost::asio::generic::stream_protocol> acceptor_;
  boost::asio::steady_timer pause_;
  boost::asio::steady_timer next_look_;
  std::unique_ptr<SocketFile> file_;  // Of the UNIX socket; else null.
  std::chrono::milliseconds look_every_{};
  std::function<void(const std::string& path, const Error* error)> on_file_;
  std::string told_;  // The last error about the file.
};

}  // namespace bindery::httpd
