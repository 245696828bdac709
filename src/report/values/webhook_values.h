#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "report/codec/json_codec.h"

namespace bindery::report {

/// The outcome of a test message.
struct WebhookTest {
  std::string name;
  std::string destination;  ///< Scheme, host and port: the rest of a URL may be a secret.
  std::string format;       ///< "slack" or "cloudevents"
  bool is_signed = false;
  bool accepted = false;
  int status = 0;  ///< Of HTTP; 0: no answer.
  std::int64_t latency_ms = 0;
  std::string reason;  ///< Why it was not accepted.
};

struct WebhookTests {
  std::vector<WebhookTest> webhooks;
};

/// How far a webhook is.
struct WebhookProgress {
  std::string name;
  std::int64_t cursor = 0;   ///< The last event that needs no more work.
  std::int64_t pending = 0;  ///< What it is still to be told.
  WallTime delivered_at{};
  WallTime failing_since{};  ///< Not set while messages are accepted.
  std::string reason;
};

struct WebhookList {
  std::vector<WebhookProgress> webhooks;
};

template <>
inline constexpr auto kFields<WebhookTest> =
    std::tuple{Field{"name", &WebhookTest::name},
               Field{"destination", &WebhookTest::destination},
               Field{"format", &WebhookTest::format},
               Field{"signed", &WebhookTest::is_signed},
               Field{"accepted", &WebhookTest::accepted},
               Field{"status", &WebhookTest::status},
               Field{"latencyMs", &WebhookTest::latency_ms},
               FieldIfSet{"reason", &WebhookTest::reason}};

template <>
inline constexpr auto kFields<WebhookTests> =
    std::tuple{Field{"webhooks", &WebhookTests::webhooks}};

template <>
inline constexpr auto kFields<WebhookProgress> =
    std::tuple{Field{"name", &WebhookProgress::name},
               Field{"cursor", &WebhookProgress::cursor},
               Field{"pending", &WebhookProgress::pending},
               Field{"deliveredAt", &WebhookProgress::delivered_at},
               Field{"failingSince", &WebhookProgress::failing_since},
               Field{"reason", &WebhookProgress::reason}};

template <>
inline constexpr auto kFields<WebhookList> = std::tuple{Field{"webhooks", &WebhookList::webhooks}};

}  // namespace bindery::report
