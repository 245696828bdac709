#pragma once

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "config/webhook_config.h"
#include "core/access/just_in_time.h"
#include "core/settings/accepted_drift.h"
#include "core/settings/address.h"
#include "core/settings/log_level.h"
#include "core/settings/mode.h"
#include "core/settings/protected_principals.h"
#include "core/settings/report_format.h"
#include "core/settings/severity_rules.h"
#include "core/settings/store_location.h"
#include "core/settings/target_rules.h"
#include "providers/provider_config.h"

namespace bindery::config {

/// The directory of manifests. Beyond `max_files` or `max_bytes` the directory is refused as a
/// whole.
struct ManifestsConfig {
  std::filesystem::path directory = "manifests";
  std::chrono::milliseconds settle{10'000};  ///< 0: two scans that miss a manifest are enough.
  bool recursive = true;
  std::chrono::milliseconds rescan_interval{30'000};
  std::chrono::milliseconds debounce{200};
  /// Within this time every file is read again, whatever its stamp; 0: never where stamps prove the
  /// content.
  std::chrono::milliseconds verify_content{std::chrono::hours(24)};
  /// Of a line of a manifest in its repository, with {path} and {line}; empty: none.
  std::string repository_url;
  int max_files = 50'000;
  int max_bytes = 512 * 1024 * 1024;
};

struct ReconcileConfig {
  std::chrono::milliseconds interval{300'000};
  /// For a drifting target, and for a stable target; 0: the interval.
  std::chrono::milliseconds shortest_interval{0};
  std::chrono::milliseconds longest_interval{0};
  double requests_per_minute = 0;  ///< Of re-checks; 0: one a target in an interval.
  /// For a target that scans watch (`scan.hints` of a provider); 0: as for any other.
  std::chrono::milliseconds exact_interval{0};
  double jitter = 0.1;  ///< Part of the interval by which passes are spread, 0 to 1.
  int concurrency = 32;
  Mode mode = Mode::kEnforce;
  UndeclaredRoles undeclared_roles = UndeclaredRoles::kRemove;
  BindingKey binding_key = BindingKey::kRole;
  std::chrono::milliseconds shutdown_timeout{20'000};
  /// Standbys read targets for the replica at work.
  bool share_checks = false;
  int full_read_every = 10;  ///< Checks of a target, of which one reads the whole policy.
  /// How long a policy must be answered without most of its former content before the answer is
  /// believed.
  std::chrono::milliseconds confirm_emptied{10'000};
  /// How long a target must be missing before the grants of a deleted manifest on the target count
  /// as gone.
  std::chrono::milliseconds release_missing{std::chrono::hours(24)};
  /// How long before the end of a condition a warning event tells of it.
  std::vector<std::chrono::milliseconds> warn_before_expiry{std::chrono::hours(7 * 24),
                                                            std::chrono::hours(24)};

  /// The longest of the times; 0 if none exists.
  [[nodiscard]] std::chrono::milliseconds EarliestExpiryWarning() const {
    const auto longest = std::max_element(warn_before_expiry.begin(), warn_before_expiry.end());
    return longest == warn_before_expiry.end() ? std::chrono::milliseconds(0) : *longest;
  }
};

/// From which severity on the loss of a declared grant waits for approval.
enum class HoldSeverity { kLow, kMedium, kHigh, kCritical, kNone };

struct GuardConfig {
  int max_removed_grants = 50;
  double max_removed_fraction = 0.25;  ///< Of what the directory held.
  int max_removed_from_containers = 10;
  std::map<std::string, int> max_removed_by_kind;  ///< By pattern of Target::kind.
  std::chrono::milliseconds window{std::chrono::hours(1)};
  HoldSeverity hold_severity = HoldSeverity::kHigh;
};

/// The connection to clouds that are not embedded.
struct TransportConfig {
  std::filesystem::path ca_file;  ///< A PEM bundle trusted instead of the system's; may be empty.
  /// A proxy's URL; empty: what the environment says; "none": no proxy. May hold a secret.
  std::string proxy;
  std::string no_proxy;  ///< Hosts reached directly, comma-separated; empty: the environment's.
  std::chrono::milliseconds connect_timeout{10'000};
  std::chrono::milliseconds timeout{30'000};  ///< Of one call, from its start to its last byte.
};

struct EmbeddedCloudConfig {
  std::filesystem::path store = "state/cloud.db";
  std::filesystem::path seed = "embedded-cloud.yaml";
  ListenAddress listen{"127.0.0.1", 9818};
  int max_connections = 1024;
};

/// The rights that the daemon drops at the start.
struct HardeningConfig {
  bool no_new_privileges = true;
  bool seccomp = true;
  bool landlock = true;
  bool core_dumps = false;
  bool operator==(const HardeningConfig&) const = default;
};

struct ServerConfig {
  ListenAddress listen{"127.0.0.1", 9817};
  std::filesystem::path socket = "state/bindery.sock";
  std::filesystem::path web_config;  ///< See web_config.h; empty: none.
  bool insecure = false;             ///< Permits listeners beyond loopback without authentication.
  /// Names and addresses `listen` may be asked by, besides its own; see IsHostPattern().
  std::vector<std::string> allowed_hosts;
  int max_connections = 512;           ///< To `listen`.
  int max_connections_per_peer = 128;  ///< Of those; a peer is an IPv4 address or an IPv6 /64.
  int max_socket_connections = 128;
  int max_streams = 64;            ///< Of GET /api/v1/events/stream.
  int max_streams_per_reader = 8;  ///< Of those; a reader is a user or a peer.
  HardeningConfig hardening;       ///< Of the process that serves.
};

struct LoggingConfig {
  LogLevel level = LogLevel::kInfo;
  LogFormat format = LogFormat::kText;
};

/// Where traces go; see docs/tracing.md.
struct TracingConfig {
  std::string endpoint;  ///< Of the collector, without a trailing slash; empty: none.
  double sample_ratio = 1;
  std::filesystem::path headers_file;  ///< Secrets, for each export; may be empty.
  std::string service_name = "bindery";
  std::chrono::milliseconds timeout{10'000};  ///< Of one export.
};

struct DriftConfig {
  SeverityRules severity;     ///< Tried in order, before the built-in ones.
  AcceptedDriftRules accept;  ///< What is neither repaired nor drift; tried in order.
};

struct ReportsConfig {
  std::filesystem::path directory = "state/reports";
  std::vector<ReportFormat> formats{ReportFormat::kJson, ReportFormat::kHtml};
  std::chrono::milliseconds interval = std::chrono::hours(24);  ///< 0: only after a pass.
  /// The minimum distance between reports, so that many changes do not push out all older reports.
  std::chrono::milliseconds minimum_interval = std::chrono::minutes(5);
  int max_bytes = 1024 * 1024 * 1024;  ///< Of all of them; the newest is kept anyway.
  int keep = 30;                       ///< Of each format.
};

/// Audit logs of the clouds, for the author of a difference.
struct AttributionConfig {
  std::filesystem::path directory;  ///< Of exports; empty: none.
  std::chrono::milliseconds interval = std::chrono::seconds(10);
  bool operator==(const AttributionConfig&) const = default;
};

struct RetentionConfig {
  std::chrono::milliseconds events = std::chrono::hours(24 * 90);
  int revisions = 100;  ///< Of each target.
};

/// The source of a key's value. A default value has none.
struct ConfigSource {
  int line = 0;  ///< In the file, from 1; 0: it is not from the file.
  int column = 0;
  /// The environment variable that overrides the file or, with a line, is named by the value in the
  /// file; several are separated by ", ".
  std::string variable;
};

/// A whole, valid configuration. Every path is absolute (when the file's folder is) and every
/// default is filled in.
struct Config {
  std::filesystem::path file;  ///< Where it was read from.
  ManifestsConfig manifests;
  StoreLocation store = "state/bindery.db";
  std::filesystem::path store_witness;  ///< Empty: in the state folder of the unit or the user.
  ReconcileConfig reconcile;
  TargetRules targets;  ///< Tried in order, before the defaults.
  ProtectedPrincipals protected_principals;
  JustInTimeProof just_in_time = JustInTimeProof::kGrant;  ///< Of all providers.
  std::vector<std::string> kinds;                          ///< Files with rows of further kinds.
  /// The rows of these files differ from the rows in force, which were read at the start of the
  /// process.
  bool kinds_differ = false;
  GuardConfig guard;
  std::map<std::string, providers::ProviderConfig> providers;  ///< By name.
  TransportConfig transport;
  EmbeddedCloudConfig embedded_cloud;
  ServerConfig server;
  LoggingConfig logging;
  TracingConfig tracing;
  DriftConfig drift;
  ReportsConfig reports;
  AttributionConfig attribution;
  NotificationsConfig notifications;
  RetentionConfig retention;
  std::map<std::string, ConfigSource> sources;  ///< By key: "reconcile.interval".

  /// True when some provider is served by the embedded cloud.
  [[nodiscard]] bool UsesEmbeddedCloud() const;
};

/// One error of a configuration file.
struct ConfigProblem {
  std::string file;
  int line = 0;  ///< From 1; 0 when it concerns the whole file.
  int column = 0;
  std::string path;  ///< "server.listen"; empty when it concerns the document.
  std::string message;
  std::string variable = {};  ///< The environment variable that is wrong, instead of the file.

  /// "file:line:column: key.path: message", or "$VARIABLE: key.path: message", leaving out what is
  /// unknown.
  [[nodiscard]] std::string Text() const;
};

/// A configuration, or all errors, in the order of the file.
using ConfigResult = tl::expected<Config, std::vector<ConfigProblem>>;

/// Environment variables by name.
using Environment = std::map<std::string, std::string>;

/// The variables of the process.
[[nodiscard]] Environment ProcessEnvironment();

/// The variable that overrides a key: "BINDERY_RECONCILE_SHORTEST_INTERVAL" for
/// "reconcile.shortestInterval".
[[nodiscard]] std::string GetVariable(std::string_view key);

/// Reads a configuration text, and the overriding variables. Relative paths start from `base_dir`.
/// Pure.
[[nodiscard]] ConfigResult ParseConfig(std::string_view text, const std::string& file_name,
                                       const std::filesystem::path& base_dir,
                                       const Environment& environment);

/// The configuration of a file that may have faults, with the default of every setting that has
/// one: for clients of a daemon that runs with an earlier state of the file. The error, when the
/// listening address is uncertain.
[[nodiscard]] ConfigResult SalvageConfig(const std::filesystem::path& file);

/// Reads a configuration file, relative paths from its folder, variables from the process'
/// environment. An unreadable file is one problem without a line and a path.
[[nodiscard]] ConfigResult LoadConfig(const std::filesystem::path& file);

}  // namespace bindery::config
