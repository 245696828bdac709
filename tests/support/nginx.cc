#include "support/nginx.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <thread>
#include <utility>

namespace bindery::testing {
namespace {

constexpr const char* kProgram = "/usr/sbin/nginx";
constexpr auto kPatience = std::chrono::seconds(60);
constexpr auto kPause = std::chrono::milliseconds(5);

::sockaddr_in Loopback(int port) {
  ::sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

/// Ports that nobody had a moment ago.
std::vector<int> FreePorts() {
  std::array<int, 2> sockets{};
  std::vector<int> ports;
  for (int& socket : sockets) {
    socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ::sockaddr_in address = Loopback(0);
    ::socklen_t size = sizeof(address);
    auto* generic = reinterpret_cast<::sockaddr*>(&address);
    if (::bind(socket, generic, size) != 0 || ::getsockname(socket, generic, &size) != 0) {
      throw std::runtime_error("no free port");
    }
    ports.push_back(ntohs(address.sin_port));
  }
  for (const int socket : sockets) ::close(socket);
  return ports;
}

bool Accepts(int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ::sockaddr_in address = Loopback(port);
  const bool connected =
      ::connect(socket, reinterpret_cast<::sockaddr*>(&address), sizeof(address)) == 0;
  ::close(socket);
  return connected;
}

std::string Replaced(std::string text, std::string_view mark, const std::string& value) {
  for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    text.replace(at, mark.size(), value);
  }
  return text;
}

std::size_t Occurrences(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

bool Nginx::Installed() { return ::access(kProgram, X_OK) == 0; }

Nginx::Nginx(std::string_view servers) {
  for (int attempts = 0; attempts < 10; ++attempts) {
    ports_ = FreePorts();
    WriteConfiguration(servers);
    Spawn();
    if (WaitUntilItAccepts()) return;
  }
  throw std::runtime_error("nginx found no free port: " + dir_.Read("error.log"));
}

Nginx::~Nginx() {
  if (process_ <= 0) return;
  ::kill(process_, SIGTERM);
  ::waitpid(process_, nullptr, 0);
}

void Nginx::Reload(std::string_view servers) {
  WriteConfiguration(servers);
  ++reloads_;
  ::kill(process_, SIGHUP);
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  // The old worker says so when it stops to listen.
  while (Occurrences(dir_.Read("error.log"), "gracefully shutting down") < reloads_) {
    if (std::chrono::steady_clock::now() > deadline) {
      throw std::runtime_error("nginx did not reload: " + dir_.Read("error.log"));
    }
    std::this_thread::sleep_for(kPause);
  }
}

void Nginx::WriteConfiguration(std::string_view servers) const {
  std::string text = ::geteuid() == 0 ? "user root root;\n" : "";
  text += R"(
daemon off;
worker_processes 1;
worker_shutdown_timeout 1s;
pid @DIR@/nginx.pid;
error_log @DIR@/error.log notice;
events { worker_connections 512; }
http {
  log_format brief '$server_protocol $connection $status $request_method $uri';
  access_log @DIR@/access.log brief;
  client_body_temp_path @DIR@/body;
  proxy_temp_path @DIR@/proxy;
  fastcgi_temp_path @DIR@/fastcgi;
  uwsgi_temp_path @DIR@/uwsgi;
  scgi_temp_path @DIR@/scgi;
  proxy_http_version 1.1;
)" + std::string(servers) +
          "\n}\n";
  text = Replaced(std::move(text), "@DIR@", dir_.path().string());
  text = Replaced(std::move(text), "@PORT@", std::to_string(port()));
  text = Replaced(std::move(text), "@PORT2@", std::to_string(port2()));
  dir_.Write("nginx.conf", text);
}

void Nginx::Spawn() {
  const std::string prefix = dir_.path().string();
  const std::string configuration = dir_ / "nginx.conf";
  const std::string log = dir_ / "error.log";
  process_ = ::fork();
  if (process_ != 0) return;
  // Whatever becomes of the test, no server stays behind.
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  const int output = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  ::execl(kProgram, kProgram, "-p", prefix.c_str(), "-c", configuration.c_str(), "-e", log.c_str(),
          nullptr);
  ::_exit(127);
}

bool Nginx::WaitUntilItAccepts() {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (std::chrono::steady_clock::now() < deadline) {
    if (::waitpid(process_, nullptr, WNOHANG) == process_) {
      process_ = 0;
      const std::string log = dir_.Read("error.log");
      if (log.find("Address already in use") == std::string::npos) {
        throw std::runtime_error("nginx ended: " + log);
      }
      dir_.Remove("error.log");
      return false;
    }
    const std::string log = dir_.Read("error.log");
    // Listening sockets are there before its worker is: who connects is served in time.
    const bool started = log.find("start worker process") != std::string::npos;
    if (started && Accepts(port())) return true;
    std::this_thread::sleep_for(kPause);
  }
  throw std::runtime_error("nginx does not accept connections: " + dir_.Read("error.log"));
}

}  // namespace bindery::testing
