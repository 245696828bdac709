#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/webhook_config.h"
#include "core/base/clock.h"
#include "core/base/expected.h"
#include "notify/message.h"
#include "notify/repetitions.h"
#include "store/ports/journal_reader.h"

namespace bindery::notify {

/// The pending events of one webhook: reads the journal from the webhook's position and keeps
/// the next wanted events, at most kMostJoined. The journal is the queue; nothing is kept
/// twice.
class Outbox {
 public:
  Outbox(const config::WebhookConfig& webhook, const store::JournalReader& journal)
      : webhook_(webhook), journal_(journal), repetitions_(webhook.repeat_interval) {}

  /// The result of reading on.
  struct Found {
    std::size_t repeated = 0;  ///< Events that were told already.
    std::int64_t deleted = 0;  ///< Events that the retention deleted before they were looked at.
  };

  /// Reads on until enough wait or the journal ends.
  [[nodiscard]] Expected<Found> Fill();

  [[nodiscard]] bool empty() const { return waiting_.empty(); }
  /// The oldest first.
  [[nodiscard]] const std::vector<Notice>& waiting() const { return waiting_; }
  /// Unprocessed events of the journal, as far as known.
  [[nodiscard]] std::int64_t pending() const;

  /// The oldest `count` need no more work.
  void Done(std::size_t count);
  /// What was told did not arrive: the same is no repetition.
  void ForgetTold() { repetitions_.Forget(); }

  /// The position of the webhook now.
  [[nodiscard]] std::int64_t cursor() const;

  /// False until Fill succeeded once, or when no such webhook exists on record.
  [[nodiscard]] bool loaded() const { return loaded_; }
  /// As it was on record at the first Fill.
  [[nodiscard]] const store::WebhookRecord& record() const { return record_; }

 private:
  [[nodiscard]] Expected<std::optional<store::WebhookRecord>> ReadRecord() const;
  [[nodiscard]] Expected<void> Load(const store::WebhookRecord& record);
  [[nodiscard]] Expected<std::int64_t> DeletedBefore(std::int64_t id) const;
  /// The next entry, added to the waiting entries if wanted.
  [[nodiscard]] Expected<void> Take(store::JournalEntry entry, Found& found);
  [[nodiscard]] bool Wanted(const store::JournalEntry& entry) const;

  config::WebhookConfig webhook_;
  const store::JournalReader& journal_;
  Repetitions repetitions_;
  std::vector<Notice> waiting_;
  store::WebhookRecord record_;
  bool loaded_ = false;
  std::int64_t read_ = 0;        ///< The last event that was looked at.
  std::int64_t last_event_ = 0;  ///< Of the journal, as far as it is known.
};

/// How many events of the journal the webhook is still to be told of: it goes through all.
[[nodiscard]] Expected<std::size_t> CountWaiting(const config::WebhookConfig& webhook,
                                                 const store::JournalReader& journal);

/// The beginning of messages about a webhook itself: the webhook does not get these.
[[nodiscard]] std::string AboutWebhook(const std::string& name);

}  // namespace bindery::notify
