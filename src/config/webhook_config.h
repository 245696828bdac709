#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/access/event.h"
#include "core/base/expected.h"

namespace bindery::config {

/// The body of a message: an event by the rules of CloudEvents, or what Slack's incoming webhooks
/// take.
enum class WebhookFormat { kCloudEvents, kSlack };

/// The minimum severity of events that pass. kAny: also events without a severity.
enum class LeastSeverity { kAny, kLow, kMedium, kHigh, kCritical };

/// The events for a webhook: an event must match every field. An empty field does not
/// restrict. Patterns have `*` and `?`; a pattern that begins with `!` excludes
/// matches.
struct WebhookFilter {
  std::vector<std::string> reasons;  ///< Patterns.
  std::vector<EventType> types;
  LeastSeverity least_severity = LeastSeverity::kAny;
  /// For one and the same resource of the event.
  std::map<std::string, std::string> labels;
  std::vector<std::string> kinds;      ///< Patterns; of a resource that the event concerns.
  std::vector<std::string> resources;  ///< Patterns; the same.
  std::vector<std::string> targets;    ///< Patterns.

  bool operator==(const WebhookFilter&) const = default;
};

/// One receiver of notifications. Either `url` or `url_file` is set.
struct WebhookConfig {
  std::string name;
  std::string url;  ///< A secret: with some receivers it is all one needs to send.
  std::filesystem::path url_file;
  WebhookFormat format = WebhookFormat::kCloudEvents;
  std::filesystem::path secret_file;  ///< Empty: messages are not signed.
  WebhookFilter filter;
  std::chrono::milliseconds timeout{10'000};
  int per_minute = 30;  ///< Messages.
  int burst = 10;
  std::chrono::milliseconds repeat_interval{3'600'000};  ///< 0: nothing counts as a repetition.
  std::chrono::milliseconds give_up_after{86'400'000};
  std::filesystem::path ca_file;  ///< Empty: that of the transport.
  bool insecure = false;          ///< Permits plain http beyond this machine.

  bool operator==(const WebhookConfig&) const = default;
};

struct NotificationsConfig {
  std::string source;                             ///< Empty: /bindery/HOST.
  std::map<std::string, WebhookConfig> webhooks;  ///< By name.
};

/// kInvalidArgument, without the URL, for one that messages must not be sent to: not https (http
/// only to the machine, unless `insecure`), or with a user, a password or a fragment.
[[nodiscard]] Expected<void> CheckWebhookUrl(std::string_view url, bool insecure);

}  // namespace bindery::config
