#pragma once

// Private to src/httpd: one bound TCP or UNIX socket.

#include <sys/types.h>

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <string>

#include "core/base/expected.h"
#include "core/settings/address.h"
#include "httpd/message.h"

namespace bindery::httpd {

/// Accepts until closed and hands each socket, on a separate strand, to `on_accept`.
class Listener {
 public:
  using Socket = boost::asio::basic_stream_socket<boost::asio::generic::stream_protocol>;
  using OnAccept = std::function<void(Socket socket, Peer peer)>;

  /// `on_shortage` is called when no descriptors are left for a waiting connection.
  Listener(boost::asio::io_context& io, OnAccept on_accept, std::function<void()> on_shortage);
  /// Removes the socket file if the file is still the listener's.
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  /// Binds and listens; the address with its bound port.
  [[nodiscard]] Expected<ListenAddress> ListenTcp(const ListenAddress& address);
  [[nodiscard]] Expected<void> ListenUnix(const std::string& path, unsigned mode);
  void Accept();
  /// No further connections, from the moment on at which the io_context comes to it. The listener
  /// must outlive that, or the io_context be stopped before. May be called from any thread.
  void Close();

 private:
  void OnAccepted(const boost::system::error_code& error, Socket socket);

  boost::asio::io_context& io_;
  OnAccept on_accept_;
  std::function<void()> on_shortage_;
  /// On a separate strand, like the timer: it may be closed during an accept.
  boost::asio::basic_socket_acceptor<boost::asio::generic::stream_protocol> acceptor_;
  boost::asio::steady_timer pause_;
  std::string path_;  // Of the UNIX socket.
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

}  // namespace bindery::httpd
