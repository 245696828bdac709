#include <algorithm>

#include "config/reading.h"
#include "core/settings/address.h"

namespace bindery::config {
namespace {

constexpr std::size_t kMostWebhooks = 32;  // Each has a thread.

bool IsName(std::string_view name) {
  constexpr std::string_view kAllowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  constexpr std::size_t kLongest = 63;
  return !name.empty() && name.size() <= kLongest &&
         name.find_first_not_of(kAllowed) == std::string_view::npos;
}

void CheckPatterns(Reading& reading, const WebhookFilter& filter, const std::string& prefix) {
  const auto check = [&](const char* key, const std::vector<std::string>& patterns) {
    const std::string path = prefix + "filter." + key;
    const auto empty = [](const std::string& pattern) { return pattern.empty() || pattern == "!"; };
    if (std::ranges::any_of(patterns, empty)) {
      reading.Add(reading.Where(path), path, "holds an empty pattern");
    }
  };
  check("reasons", filter.reasons);
  check("kinds", filter.kinds);
  check("resources", filter.resources);
  check("targets", filter.targets);
}

void CheckWebhook(Reading& reading, const WebhookConfig& webhook) {
  const std::string place = "notifications.webhooks." + webhook.name;
  const std::string prefix = place + ".";
  if (!IsName(webhook.name)) {
    reading.Add(reading.Where(place), place,
                "is not a name: at most 63 letters, digits, -, _ and . are");
  }
  CheckPatterns(reading, webhook.filter, prefix);
  const std::string url_path = prefix + "url";
  if (reading.Faulty(url_path) || reading.Faulty(prefix + "urlFile")) return;
  if (webhook.url.empty() == webhook.url_file.empty()) {
    return reading.Add(reading.Where(url_path), url_path,
                       webhook.url.empty() ? "is missing: give url or urlFile"
                                           : "give either url or urlFile, not both");
  }
  if (webhook.url.empty()) return;
  if (auto checked = CheckWebhookUrl(webhook.url, webhook.insecure); !checked) {
    reading.Add(reading.Where(url_path), url_path, checked.error().message);
  }
}

/// CloudEvents want a URI or a part of one.
void CheckSource(Reading& reading) {
  const std::string& source = reading.config.notifications.source;
  const auto foreign = [](char c) {
    return c <= ' ' || c > '~' || std::string_view("\"<>\\^`{|}").find(c) != std::string_view::npos;
  };
  if (std::ranges::none_of(source, foreign)) return;
  const std::string path = "notifications.source";
  reading.Add(reading.Where(path), path,
              "is not a URI or a path, as CloudEvents want it: blanks, control characters, what is "
              "not ASCII and \"<>\\^`{|} must be written as %XX");
}

}  // namespace

void CheckNotifications(Reading& reading) {
  CheckSource(reading);
  const auto& webhooks = reading.config.notifications.webhooks;
  for (const auto& [name, webhook] : webhooks) CheckWebhook(reading, webhook);
  if (webhooks.size() <= kMostWebhooks) return;
  const std::string path = "notifications.webhooks";
  reading.Add(reading.Where(path), path,
              "holds " + std::to_string(webhooks.size()) + " webhooks: at most " +
                  std::to_string(kMostWebhooks) + " are possible");
}

Expected<void> CheckWebhookUrl(std::string_view url, bool insecure) {
  constexpr std::string_view kPlain = "http://";
  std::string base(url.substr(0, url.find('?')));
  if (insecure && base.starts_with(kPlain)) base = "https://" + base.substr(kPlain.size());
  const bool spaced = url.find_first_of(" \t\r\n\"\\#") != std::string_view::npos;
  if (!spaced && ParseServiceUrl(base)) return {};
  // The URL is not repeated: with some receivers the URL is the only secret.
  return Fail(
      Code::kInvalidArgument,
      "is not a URL that messages can be sent to: expected https://host/path, or http:// to "
      "this machine (insecure: true allows others), without user, password and #");
}

}  // namespace bindery::config
