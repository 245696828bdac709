#pragma once

#include <csignal>
#include <string>

#include "integration/world.h"

namespace bindery::testing {

/// A real Prometheus that scrapes what `prometheus.yml` in the world's folder says.
class Prometheus {
 public:
  /// Prometheus takes no port 0: a free one is found, and tried again should somebody take it
  /// first.
  explicit Prometheus(const World& world) {
    for (int attempt = 0; attempt < 5 && server_ == 0; ++attempt) {
      address_ = "127.0.0.1:" + std::to_string(FreePort());
      Start(world);
      world.Eventually("Prometheus listens", [&] {
        return Fetch("GET", "http://" + address_ + "/-/ready").status == 200 ||
               ::waitpid(server_, nullptr, WNOHANG) == server_;
      });
      if (::kill(server_, 0) != 0) server_ = 0;
    }
    if (server_ == 0) throw std::runtime_error(world.dir().Read("prometheus.log"));
  }
  ~Prometheus() {
    if (server_ == 0) return;
    ::kill(server_, SIGTERM);
    ::waitpid(server_, nullptr, 0);
  }
  Prometheus(const Prometheus&) = delete;
  Prometheus& operator=(const Prometheus&) = delete;

  /// True when the only value of a query, percent-encoded, is that.
  [[nodiscard]] bool Says(const std::string& query, const std::string& value) const {
    const std::string body =
        Fetch("GET", "http://" + address_ + "/api/v1/query?query=" + query).body;
    return body.find(",\"" + value + "\"]") != std::string::npos;
  }

 private:
  static std::uint16_t FreePort() {
    const int probe = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in any{};
    any.sin_family = AF_INET;
    any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof(any);
    ::bind(probe, reinterpret_cast<sockaddr*>(&any), length);
    ::getsockname(probe, reinterpret_cast<sockaddr*>(&any), &length);
    ::close(probe);
    return ntohs(any.sin_port);
  }

  void Start(const World& world) {
    const std::string log_file = world.dir() / "prometheus.log";
    const std::string config = "--config.file=" + (world.dir() / "prometheus.yml");
    const std::string data = "--storage.tsdb.path=" + (world.dir() / "prometheus");
    const std::string listen = "--web.listen-address=" + address_;
    server_ = ::fork();
    if (server_ != 0) return;
    const int log = ::open(log_file.c_str(), O_WRONLY | O_CREAT, 0600);
    ::dup2(log, STDOUT_FILENO);
    ::dup2(log, STDERR_FILENO);
    ::execlp("prometheus", "prometheus", config.c_str(), data.c_str(), listen.c_str(), nullptr);
    ::_exit(127);
  }

  std::string address_;
  ::pid_t server_ = 0;
};

}  // namespace bindery::testing
