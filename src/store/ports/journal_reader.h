#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/expected.h"
#include "store/ports/records.h"

namespace bindery::store {

struct JournalPage {
  std::int64_t after_id = 0;
  std::size_t limit = 100;  ///< The oldest ones.
};

/// What webhooks read: the events, and how far each webhook was told of them. That moves by
/// StoreChange::webhooks and webhook_progress.
///
/// Threads: any. Ids grow in the order of the changes, and an event is visible as soon as its
/// change is done: a reader that has read up to an id finds all later events behind the id.
///
/// Errors: kUnavailable when the store cannot be read now, kInternal "…is damaged…" when its
/// content cannot be understood.
class JournalReader {
 public:
  virtual ~JournalReader() = default;

  /// Oldest first. An id that is missing was deleted, or never given: a database skips some.
  [[nodiscard]] virtual Expected<std::vector<JournalEntry>> Journal(
      const JournalPage& page) const = 0;
  /// By name.
  [[nodiscard]] virtual Expected<std::vector<WebhookRecord>> Webhooks() const = 0;
};

}  // namespace bindery::store
