#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "cloud/transport.h"
#include "config/config.h"
#include "core/expected.h"
#include "core/json.h"

namespace bindery {

/// Why no daemon can be behind that socket, in one line: it is not there, or without a listener.
/// Nothing where one answers, or where that cannot be told.
[[nodiscard]] std::optional<std::string> DaemonIsAway(const std::filesystem::path& socket);

/// A command's line to the running daemon: its API over the UNIX socket.
class DaemonClient {
 public:
  explicit DaemonClient(const Config& config);

  /// With the remedy: kUnavailable when no daemon answers, kPermissionDenied when this user may not
  /// ask it.
  [[nodiscard]] Expected<Json> Get(const std::string& path);
  [[nodiscard]] Expected<Json> Post(const std::string& path, const Json& body);

  /// Whatever answers, as text: over the socket, or over the listener where the socket is not for
  /// this user.
  [[nodiscard]] Expected<HttpResponse> Probe(const std::string& path,
                                             std::chrono::milliseconds timeout);

 private:
  [[nodiscard]] Expected<Json> Call(HttpRequest request);

  std::string socket_;
  ListenAddress listen_;
  CurlTransport transport_;
};

}  // namespace bindery
