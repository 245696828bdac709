#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace bindery::testing {

/// Listens on a UNIX socket, and gives each client a connection to the server on another one. What
/// passes between them is the business of `pass`.
class SocketRelay {
 public:
  static constexpr int kPause = 20;  ///< Milliseconds between looks at the end.

  /// Runs on a thread of its own until it returns; it must look at ending() that often.
  using Pass = std::function<void(int client, int server)>;

  SocketRelay(const std::string& path, std::string server, Pass pass)
      : server_(std::move(server)), pass_(std::move(pass)) {
    listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const ::sockaddr_un address = MakeAddress(path);
    if (::bind(listener_, reinterpret_cast<const ::sockaddr*>(&address), sizeof(address)) != 0 ||
        ::listen(listener_, 64) != 0) {
      throw std::runtime_error("the relay cannot listen on " + path);
    }
    accepting_ = std::thread([this] { Accept(); });
  }
  /// Waits for all sessions to end.
  ~SocketRelay() {
    ending_ = true;
    accepting_.join();
    for (std::thread& each : sessions_) each.join();
    ::close(listener_);
  }
  SocketRelay(const SocketRelay&) = delete;
  SocketRelay& operator=(const SocketRelay&) = delete;

  [[nodiscard]] bool ending() const { return ending_; }

 private:
  static ::sockaddr_un MakeAddress(const std::string& path) {
    ::sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof(address.sun_path)) throw std::runtime_error("too long: " + path);
    path.copy(address.sun_path, sizeof(address.sun_path) - 1);
    return address;
  }

  void Accept() {
    while (!ending_) {
      ::pollfd waiting{listener_, POLLIN, 0};
      if (::poll(&waiting, 1, kPause) != 1) continue;
      const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      const int server = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
      const ::sockaddr_un address = MakeAddress(server_);
      static_cast<void>(
          ::connect(server, reinterpret_cast<const ::sockaddr*>(&address), sizeof(address)));
      sessions_.emplace_back([this, client, server] {
        pass_(client, server);
        ::close(client);
        ::close(server);
      });
    }
  }

  const std::string server_;
  const Pass pass_;
  int listener_ = -1;
  std::atomic<bool> ending_ = false;
  std::vector<std::thread> sessions_;  ///< The accepting thread's, while it runs.
  std::thread accepting_;
};

}  // namespace bindery::testing
