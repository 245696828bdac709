#include "notify/message.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/json_text.h"
#include "core/text/digest.h"
#include "core/text/time_text.h"

namespace bindery::notify {

Notice MakeNotice(store::JournalEntry entry) {
  constexpr std::size_t kMostResources = 20;
  Notice notice{entry.id, std::move(entry.event), {}, 0};
  const std::size_t shown = std::min(entry.resources.size(), kMostResources);
  notice.more_resources = entry.resources.size() - shown;
  const auto begin = std::make_move_iterator(entry.resources.begin());
  notice.resources.assign(begin, begin + static_cast<std::ptrdiff_t>(shown));
  return notice;
}

std::string MessageId(std::span<const Notice> entries) {
  // Ids of events begin again with a new store: their times do not.
  std::string text;
  for (const Notice& entry : entries) {
    text += std::to_string(entry.id) + " " + FormatRfc3339(entry.event.time) + " " +
            entry.event.reason + "\n" + entry.event.resource + "\n" + entry.event.target + "\n";
  }
  constexpr std::size_t kDigits = 32;
  return "evt_" + Sha256Hex(text).substr(0, kDigits);
}

Message Compose(config::WebhookFormat format, std::span<const Notice> entries,
                const std::string& source) {
  if (format == config::WebhookFormat::kSlack) {
    return {MessageId(entries), "application/json", CompactJson(SlackMessage(entries, source))};
  }
  return {MessageId(entries), "application/cloudevents+json",
          CompactJson(CloudEvent(entries, source))};
}

Message ComposeTest(config::WebhookFormat format, const std::string& source, WallTime now) {
  Notice entry;
  entry.event.time = now;
  entry.event.reason = "Test";
  entry.event.message = "bindery notify test: messages arrive";
  entry.event.actor = "bindery";
  return Compose(format, {&entry, 1}, source);
}

}  // namespace bindery::notify
