#pragma once

#include "config/webhook_config.h"
#include "store/records.h"

namespace bindery::notify {

/// Whether a webhook with the filter is to be told of the event. Labels, kinds and names are those
/// of the resources that are declared now: of what is gone there are none.
[[nodiscard]] bool Passes(const WebhookFilter& filter, const JournalEntry& entry);

}  // namespace bindery::notify
