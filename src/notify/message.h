#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "config/webhook_config.h"
#include "core/access/event.h"
#include "core/base/clock.h"
#include "core/base/json.h"
#include "store/ports/records.h"

namespace bindery::notify {

/// One request to a receiver. Unchanged until accepted, so that a receiver recognises repetitions
/// by the id.
struct Message {
  std::string id;
  std::string content_type;
  std::string body;
};

/// An event with the description of its subject: a target may have thousands of resources, and many
/// events may wait.
struct Notice {
  std::int64_t id = 0;
  Event event;
  std::vector<store::ResourceMention> resources;  ///< The first ones.
  std::size_t more_resources = 0;
};

[[nodiscard]] Notice MakeNotice(store::JournalEntry entry);

/// Maximum number of events in a message.
inline constexpr std::size_t kMostJoined = 100;

/// The id of events in messages, the same for every attempt: of one event, or of several
/// together.
[[nodiscard]] std::string MessageId(std::span<const Notice> entries);

/// A message with `entries`, at least one and at most kMostJoined. `source` is the sender's
/// name.
[[nodiscard]] Message Compose(config::WebhookFormat format, std::span<const Notice> entries,
                              const std::string& source);

/// A message for trying out whether messages arrive.
[[nodiscard]] Message ComposeTest(config::WebhookFormat format, const std::string& source,
                                  WallTime now);

/// The event by the JSON format of CloudEvents 1.0.
[[nodiscard]] Json CloudEvent(std::span<const Notice> entries, const std::string& source);

/// The format of Slack's incoming webhooks: a text, and blocks for clients with support.
[[nodiscard]] Json SlackMessage(std::span<const Notice> entries, const std::string& source);

}  // namespace bindery::notify
