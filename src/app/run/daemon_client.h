#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "cloud/transport.h"
#include "config/config.h"
#include "core/base/expected.h"
#include "core/base/json.h"

namespace bindery::app {

/// Why no daemon can be behind the socket, in one line: the socket is missing, or without a
/// listener. Nothing if a daemon answers, or if unknown.
[[nodiscard]] std::optional<std::string> DaemonIsAway(const std::filesystem::path& socket);

/// Where a daemon is asked that is not the configuration's.
struct DaemonAddress {
  std::string socket = {};         ///< The path of its UNIX socket; empty: it is asked at its URL.
  std::string url = {};            ///< Without a slash at its end.
  std::string authorization = {};  ///< The value of that header; empty: none.
  std::string ca_file = {};        ///< As CurlTransportOptions::ca_file.
};

/// The address of a daemon at `url`: https://[USER@]HOST[:PORT], or http:// on the machine. The
/// password of the user is what `password_file` holds. kInvalidArgument for another URL, and for
/// one that holds a password: other users of the machine see the arguments of a program.
[[nodiscard]] Expected<DaemonAddress> DaemonAt(const std::string& url,
                                               const std::string& password_file,
                                               const std::string& ca_file);

/// A command's line to a running daemon: its API over the UNIX socket, or at a URL.
class DaemonClient {
 public:
  explicit DaemonClient(const config::Config& config);
  explicit DaemonClient(const DaemonAddress& address);

  /// With the remedy: kUnavailable when no daemon answers, kPermissionDenied when the user may not
  /// call the daemon.
  [[nodiscard]] Expected<Json> Get(const std::string& path);
  [[nodiscard]] Expected<Json> Post(const std::string& path, const Json& body);
  /// The same of a body that is JSON already.
  [[nodiscard]] Expected<Json> PostText(const std::string& path, std::string body,
                                        std::chrono::milliseconds timeout);

  /// Whatever answers, as text: over the socket, or over the listener where the socket is not for
  /// the user.
  [[nodiscard]] Expected<cloud::HttpResponse> Probe(const std::string& path,
                                                    std::chrono::milliseconds timeout);

 private:
  [[nodiscard]] Expected<Json> Call(cloud::HttpRequest request);

  std::string socket_;  ///< Empty: it is asked at its URL.
  std::string url_;
  std::string authorization_;
  ListenAddress listen_;
  cloud::CurlTransport transport_;
};

}  // namespace bindery::app
