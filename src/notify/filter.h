#pragma once

#include "config/webhook_config.h"
#include "store/ports/records.h"

namespace bindery::notify {

/// Whether a webhook with the filter gets the event. Labels, kinds and names are from the presently
/// declared resources: a deleted resource has none.
[[nodiscard]] bool Passes(const config::WebhookFilter& filter, const store::JournalEntry& entry);

}  // namespace bindery::notify
