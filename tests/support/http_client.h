#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bindery::testing {

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

/// An answer; `status` is 0 when the connection ended without one.
struct HttpResult {
  int status = 0;
  HttpHeaders headers;
  std::string body;

  /// Empty when there is none; names compare without regard to case.
  [[nodiscard]] std::string Header(std::string_view name) const {
    const auto same = [](char a, char b) {
      return std::tolower(static_cast<unsigned char>(a)) ==
             std::tolower(static_cast<unsigned char>(b));
    };
    for (const auto& [key, value] : headers) {
      if (key.size() == name.size() && std::equal(key.begin(), key.end(), name.begin(), same)) {
        return value;
      }
    }
    return {};
  }
};

/// One blocking connection to a server on this machine, for whole requests or for raw bytes. Reads
/// give up after 20 s.
class HttpConnection {
 public:
  /// "127.0.0.1:port", "[::1]:port", or the path of a UNIX socket, which begins with '/'.
  /// `from`: which of this machine's IPv4 addresses to come from; empty: any.
  explicit HttpConnection(const std::string& address, std::string from = "")
      : from_(std::move(from)) {
    Connect(address);
  }
  ~HttpConnection() {
    if (socket_ >= 0) ::close(socket_);
  }
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  [[nodiscard]] bool connected() const { return connected_; }

  void Send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }

  void SendRequest(std::string_view method, std::string_view target,
                   const HttpHeaders& headers = {}, std::string_view body = {}) const {
    std::string text = std::string(method) + " " + std::string(target) + " HTTP/1.1\r\n";
    const bool has_host = std::any_of(headers.begin(), headers.end(),
                                      [](const auto& header) { return header.first == "Host"; });
    if (!has_host) text += "Host: localhost\r\n";
    for (const auto& [name, value] : headers) text += name + ": " + value + "\r\n";
    if (!body.empty() || method == "POST" || method == "PUT") {
      text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
    }
    Send(text + "\r\n" + std::string(body));
  }

  /// Reads one answer; the next one of a pipeline is left for the next call.
  [[nodiscard]] HttpResult Read(bool head_request = false) {
    HttpResult result;
    std::size_t end = std::string::npos;
    while ((end = buffer_.find("\r\n\r\n")) == std::string::npos) {
      if (!Fill()) return result;
    }
    ParseHead(buffer_.substr(0, end), result);
    buffer_.erase(0, end + 4);
    const std::string length = result.Header("Content-Length");
    if (head_request || length.empty()) return result;
    const std::size_t size = std::strtoul(length.c_str(), nullptr, 10);
    while (buffer_.size() < size && Fill()) {
    }
    result.body = buffer_.substr(0, size);
    buffer_.erase(0, size);
    return result;
  }

  /// The next bytes of a body without a length; fewer only when the server closed its side.
  [[nodiscard]] std::string ReadBytes(std::size_t size) {
    while (buffer_.size() < size && Fill()) {
    }
    const std::string bytes = buffer_.substr(0, size);
    buffer_.erase(0, bytes.size());
    return bytes;
  }

  /// True once the server has closed its side (waits for that) and sent nothing more.
  [[nodiscard]] bool Closed() { return buffer_.empty() && !Fill(); }

 private:
  void Connect(const std::string& address) {
    if (address.front() == '/') {
      sockaddr_un path = {};
      path.sun_family = AF_UNIX;
      std::strncpy(path.sun_path, address.c_str(), sizeof(path.sun_path) - 1);
      return Open(path);
    }
    const std::size_t colon = address.rfind(':');
    const auto port = static_cast<std::uint16_t>(std::stoi(address.substr(colon + 1)));
    if (address.front() == '[') {
      sockaddr_in6 v6 = {};
      v6.sin6_family = AF_INET6;
      v6.sin6_port = htons(port);
      ::inet_pton(AF_INET6, address.substr(1, colon - 2).c_str(), &v6.sin6_addr);
      return Open(v6);
    }
    sockaddr_in v4 = {};
    v4.sin_family = AF_INET;
    v4.sin_port = htons(port);
    ::inet_pton(AF_INET, address.substr(0, colon).c_str(), &v4.sin_addr);
    Open(v4);
  }

  template <typename Endpoint>
  void Open(const Endpoint& endpoint) {
    sockaddr_storage storage = {};
    std::memcpy(&storage, &endpoint, sizeof(endpoint));
    socket_ = ::socket(storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const timeval limit = {20, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
    if (!from_.empty()) {
      sockaddr_storage own = {};
      sockaddr_in v4 = {};
      v4.sin_family = AF_INET;
      ::inet_pton(AF_INET, from_.c_str(), &v4.sin_addr);
      std::memcpy(&own, &v4, sizeof(v4));
      const void* bound = &own;
      ::bind(socket_, static_cast<const sockaddr*>(bound), sizeof(v4));
    }
    const void* address = &storage;
    connected_ = ::connect(socket_, static_cast<const sockaddr*>(address), sizeof(endpoint)) == 0;
  }

  bool Fill() {
    char chunk[8192];
    const ssize_t size = ::recv(socket_, chunk, sizeof(chunk), 0);
    if (size <= 0) return false;
    buffer_.append(chunk, static_cast<std::size_t>(size));
    return true;
  }

  static void ParseHead(const std::string& head, HttpResult& result) {
    std::size_t at = head.find("\r\n");
    if (head.size() > 12) result.status = std::atoi(head.c_str() + 9);
    while (at != std::string::npos) {
      const std::size_t begin = at + 2;
      at = head.find("\r\n", begin);
      const std::string line = head.substr(begin, at == std::string::npos ? at : at - begin);
      const std::size_t colon = line.find(':');
      if (colon == std::string::npos) continue;
      const std::size_t value = line.find_first_not_of(' ', colon + 1);
      result.headers.emplace_back(line.substr(0, colon),
                                  value == std::string::npos ? "" : line.substr(value));
    }
  }

  std::string from_;
  int socket_ = -1;
  bool connected_ = false;
  std::string buffer_;
};

/// One request on a connection of its own. `url`: "http://127.0.0.1:PORT/path?query", or
/// "unix:/path/of/socket:/path?query".
[[nodiscard]] inline HttpResult Fetch(std::string_view method, const std::string& url,
                                      HttpHeaders headers = {}, std::string_view body = {}) {
  std::string address;
  std::string target;
  if (url.rfind("unix:", 0) == 0) {
    const std::size_t colon = url.find(":/", 5);
    address = url.substr(5, colon == std::string::npos ? colon : colon - 5);
    target = colon == std::string::npos ? "/" : url.substr(colon + 1);
  } else {
    const std::size_t host = url.find("://") + 3;
    const std::size_t slash = url.find('/', host);
    address = url.substr(host, slash == std::string::npos ? slash : slash - host);
    target = slash == std::string::npos ? "/" : url.substr(slash);
  }
  HttpConnection connection(address);
  if (!connection.connected()) return {};
  headers.emplace_back("Connection", "close");
  connection.SendRequest(method, target, headers, body);
  return connection.Read(method == "HEAD");
}

}  // namespace bindery::testing
