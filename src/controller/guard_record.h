#pragma once

#include <string>
#include <vector>

#include "controller/removal.h"
#include "core/json.h"
#include "store/records.h"

namespace bindery {

/// What a hold on record withholds on one target, and why.
struct HeldOnRecord {
  Removals removals;
  std::string reason;
};

/// One target of a hold: {"target", "kind", "scope", "provider", "resources", "reason", "removes":
/// [grant…]}, for the store and for people; a grant with "severity" and "cause".
[[nodiscard]] Json HeldItem(const Removals& removals, const std::string& reason);

/// The HeldItem()s of a hold, read back. What cannot be read is left out.
[[nodiscard]] std::vector<HeldOnRecord> HeldOnRecordIn(const HoldRecord& hold);

}  // namespace bindery
