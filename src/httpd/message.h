#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/settings/role.h"

namespace bindery::httpd {

class PackedBody;

/// Header fields in the order they came or were added. Names compare without regard to case.
class Headers {
 public:
  using Field = std::pair<std::string, std::string>;

  Headers() = default;
  Headers(std::initializer_list<Field> fields) : fields_(fields) {}

  void Add(std::string name, std::string value);
  /// Replaces every field of the name.
  void Set(std::string_view name, std::string value);
  /// The first field of the name, or nullptr.
  [[nodiscard]] const std::string* Find(std::string_view name) const;
  /// The same, empty if none exists.
  [[nodiscard]] std::string Get(std::string_view name) const;
  [[nodiscard]] const std::vector<Field>& fields() const { return fields_; }

 private:
  std::vector<Field> fields_;
};

/// The peer of a connection.
struct Peer {
  bool is_unix = false;
  std::string address;  ///< "127.0.0.1:40112", "[::1]:40112", or the path of the UNIX socket.
  std::string local;  ///< The IP address it connected to, without a port; empty for a UNIX socket.
  /// The user of the process at the UNIX socket, by the kernel (SO_PEERCRED).
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::int32_t pid = 0;
  bool secure = false;      ///< Through TLS.
  std::string certificate;  ///< The subject of its verified certificate, "CN=ana"; else empty.
  std::string user;         ///< Whom a handler in front found it to be; empty: unknown.
  std::string proof;  ///< What vouches for the user, "oidc 2440"; empty: a password or the like.
  Role role = Role::kNone;  ///< What the handler in front lets the user do.
  bool by_cookie = false;   ///< A browser adds the proof to each request by itself.
};

/// The network of a peer for counting: its IPv4 address, or the /64 of its IPv6 address, because
/// one machine may have the whole /64; "uid 1000" at a UNIX socket.
[[nodiscard]] std::string GetNetwork(const Peer& peer);

/// One complete request.
struct Request {
  using Query = std::vector<std::pair<std::string, std::string>>;

  std::string method;    ///< Upper case as sent: "GET".
  std::string path;      ///< Percent-decoded, without the query; begins with '/'.
  std::string raw_path;  ///< The same before decoding: an encoded slash is still one.
  std::string raw_target;
  /// The addressed host, "localhost:9817": from the request line if present, else from `Host`, at
  /// most one. Empty in HTTP/1.0 without a host.
  std::string host;
  Query query;  ///< Decoded, in the order sent; a name may repeat.
  Headers headers;
  std::string body;
  Peer peer;

  /// The first query parameter of the name, or nullptr.
  [[nodiscard]] const std::string* FindQuery(std::string_view name) const;
};

struct Response {
  int status = 200;
  /// The server sets Content-Length and Connection, and Date unless set here.
  Headers headers;
  std::string body;
  /// The body in the place of `body`, where it may be long; else null.
  std::shared_ptr<const PackedBody> packed = nullptr;
};

/// A text answer, `Content-Type: text/plain; charset=utf-8`.
[[nodiscard]] Response TextResponse(int status, std::string body);
/// A JSON answer; `body` is the JSON text.
[[nodiscard]] Response JsonResponse(int status, std::string body);

/// "Not Found" for 404; "Unknown" for what has no phrase.
[[nodiscard]] std::string_view ReasonPhrase(int status);

/// Equal but for the case of ASCII letters.
[[nodiscard]] bool EqualsIgnoringCase(std::string_view a, std::string_view b);

}  // namespace bindery::httpd
