#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "config/config.h"

namespace bindery {

/// What a listener asks of the certificate of a client; the names are Go's, as in the file.
enum class ClientAuth { kNone, kRequest, kRequireAny, kVerifyIfGiven, kRequireAndVerify };

/// Where a PEM text comes from: from a file, read again whenever it changes, or from the web
/// configuration itself.
struct PemSource {
  std::filesystem::path file;
  std::string text;

  [[nodiscard]] bool given() const { return !file.empty() || !text.empty(); }
};

/// `tls_server_config`.
struct WebTls {
  PemSource certificate;
  PemSource key;
  PemSource client_ca;
  ClientAuth client_auth = ClientAuth::kNone;
  std::vector<std::string> client_allowed_sans;  ///< Empty: any.
  int min_version = 12;                          ///< 10 for TLS 1.0 … 13 for TLS 1.3.
  int max_version = 13;
  std::vector<std::string> cipher_suites;  ///< IANA's names, up to TLS 1.2; empty: the library's.
  bool prefer_server_cipher_suites = true;
  std::vector<std::string> curve_preferences;  ///< Go's names; empty: the library's.
};

/// `rate_limit`: a token bucket for all requests of the listener.
struct WebRateLimit {
  std::chrono::nanoseconds interval{0};  ///< Between two requests; 0: no limit.
  int burst = 0;
};

/// A web configuration in the form that exporters of Prometheus share:
/// https://github.com/prometheus/exporter-toolkit/blob/master/docs/web-configuration.md
struct WebConfig {
  std::optional<WebTls> tls;
  std::vector<std::pair<std::string, std::string>> headers;  ///< Set on every answer.
  std::map<std::string, std::string> users;  ///< Name to bcrypt hash. The hashes are secrets.
  WebRateLimit rate_limit;

  /// True when every request needs a known user: by a password or a verified certificate.
  [[nodiscard]] bool Authenticates() const;
  /// The files that it names.
  [[nodiscard]] std::vector<std::filesystem::path> Files() const;
};

using WebConfigResult = tl::expected<WebConfig, std::vector<ConfigProblem>>;

/// Reads a web configuration; relative paths start from `base_dir`. All that is wrong is told at
/// once, but for the certificates, which are not looked at. No message holds a secret.
[[nodiscard]] WebConfigResult ParseWebConfig(std::string_view text, const std::string& file_name,
                                             const std::filesystem::path& base_dir);

/// Reads the file.
[[nodiscard]] WebConfigResult LoadWebConfig(const std::filesystem::path& file);

}  // namespace bindery
