#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "report/codec/json_codec.h"

namespace bindery {

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
inline constexpr auto report::kFields<WebhookTest> =
    std::tuple{report::Field{"name", &WebhookTest::name},
               report::Field{"destination", &WebhookTest::destination},
               report::Field{"format", &WebhookTest::format},
               report::Field{"signed", &WebhookTest::is_signed},
               report::Field{"accepted", &WebhookTest::accepted},
               report::Field{"status", &WebhookTest::status},
               report::Field{"latencyMs", &WebhookTest::latency_ms},
               report::FieldIfSet{"reason", &WebhookTest::reason}};

template <>
inline constexpr auto report::kFields<WebhookTests> =
    std::tuple{report::Field{"webhooks", &WebhookTests::webhooks}};

template <>
inline constexpr auto report::kFields<WebhookProgress> =
    std::tuple{report::Field{"name", &WebhookProgress::name},
               report::Field{"cursor", &WebhookProgress::cursor},
               report::Field{"pending", &WebhookProgress::pending},
               report::Field{"deliveredAt", &WebhookProgress::delivered_at},
               report::Field{"failingSince", &WebhookProgress::failing_since},
               report::Field{"reason", &WebhookProgress::reason}};

template <>
inline constexpr auto report::kFields<WebhookList> =
    std::tuple{report::Field{"webhooks", &WebhookList::webhooks}};

}  // namespace bindery
