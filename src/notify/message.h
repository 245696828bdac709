#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "config/webhook_config.h"
#include "core/clock.h"
#include "core/event.h"
#include "core/json.h"
#include "store/records.h"

namespace bindery::notify {

/// One request to a receiver. The same until it is accepted, so that a receiver knows repetitions
/// by its id.
struct Message {
  std::string id;
  std::string content_type;
  std::string body;
};

/// An event and what a message tells of whom it concerns: a target may have thousands of resources,
/// and many events may wait.
struct Notice {
  std::int64_t id = 0;
  Event event;
  std::vector<ResourceMention> resources;  ///< The first ones.
  std::size_t more_resources = 0;
};

[[nodiscard]] Notice NoticeOf(JournalEntry entry);

/// The longest list of events in one message.
inline constexpr std::size_t kMostJoined = 100;

/// What stands for events in messages, the same whenever and however often it is made: of one
/// event, or of several together.
[[nodiscard]] std::string MessageId(std::span<const Notice> entries);

/// A message that tells of `entries`, at least one and at most kMostJoined. `source` says who
/// speaks.
[[nodiscard]] Message Compose(WebhookFormat format, std::span<const Notice> entries,
                              const std::string& source);

/// A message for trying out whether messages arrive.
[[nodiscard]] Message ComposeTest(WebhookFormat format, const std::string& source, WallTime now);

/// The event by the JSON format of CloudEvents 1.0.
[[nodiscard]] Json CloudEvent(std::span<const Notice> entries, const std::string& source);

/// What Slack's incoming webhooks take: a text, and blocks for those that show them.
[[nodiscard]] Json SlackMessage(std::span<const Notice> entries, const std::string& source);

}  // namespace bindery::notify
