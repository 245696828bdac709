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
#include "core/settings/role.h"

namespace bindery::config {

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

/// `sign_in.oidc`: people sign in at an OpenID provider.
struct WebOpenId {
  std::string issuer;  ///< As the provider writes it, to the last slash.
  std::string client_id;
  std::filesystem::path client_secret_file;  ///< Empty: a public client.
  std::vector<std::string> scopes = {"openid", "email"};
  std::string groups_claim = "groups";  ///< A dot leads into an object: "realm_access.roles".
  std::string hosted_domain;            ///< What the claim `hd` must say; empty: any.
  std::filesystem::path ca_file;  ///< A PEM bundle instead of the system's; empty: the system's.
  bool operator==(const WebOpenId&) const = default;
};

/// `sign_in.signed_header`: a proxy in front has people sign in, and signs who asks.
struct WebSignedHeader {
  std::string header;
  std::string issuer;
  std::string audience;
  std::string keys_url;
  bool operator==(const WebSignedHeader&) const = default;
};

/// `sign_in`.
struct WebSignIn {
  std::string external_url;  ///< How browsers reach the listener: "https://bindery.example.com".
  std::optional<WebOpenId> oidc;
  std::optional<WebSignedHeader> signed_header;
  std::chrono::seconds lifetime{std::chrono::hours(8)};  ///< Of a session, since the sign-in.
  std::chrono::seconds idle{std::chrono::hours(1)};      ///< Of a session, since the last use.
  std::filesystem::path sessions_file;  ///< Sessions survive a restart there; empty: they end.
};

/// A web configuration in the form that exporters of Prometheus share:
/// https://github.com/prometheus/exporter-toolkit/blob/master/docs/web-configuration.md
struct WebConfig {
  std::optional<WebTls> tls;
  std::vector<std::pair<std::string, std::string>> headers;  ///< Set on every answer.
  std::map<std::string, std::string> users;  ///< Name to bcrypt hash. The hashes are secrets.
  WebRateLimit rate_limit;
  // Of bindery alone; other exporters refuse these keys.
  WebSignIn sign_in;
  /// "user:NAME", "certificate:SUBJECT", "email:ADDRESS" or "group:NAME" to a role; nothing: users
  /// and certificates may do everything.
  std::optional<std::map<std::string, Role>> roles;
  bool anonymous_metrics = false;            ///< /metrics is for everybody.
  bool anonymous_reads = false;              ///< Whatever only reads is for everybody.
  std::filesystem::path metrics_token_file;  ///< A key that opens /metrics alone; empty: none.

  /// True when the configuration says who may read: users, certificates, people who sign in, or
  /// everybody by name (`anonymous: [read]`).
  [[nodiscard]] bool Authenticates() const;
  /// The named files.
  [[nodiscard]] std::vector<std::filesystem::path> Files() const;
};

using WebConfigResult = tl::expected<WebConfig, std::vector<ConfigProblem>>;

/// Reads a web configuration; relative paths start from `base_dir`. All that is wrong is told at
/// once, but for the certificates, which are not looked at. No message holds a secret.
[[nodiscard]] WebConfigResult ParseWebConfig(std::string_view text, const std::string& file_name,
                                             const std::filesystem::path& base_dir);

/// Reads the file.
[[nodiscard]] WebConfigResult LoadWebConfig(const std::filesystem::path& file);

}  // namespace bindery::config
