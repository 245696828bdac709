#pragma once

#include <string>
#include <vector>

#include "controller/removal.h"
#include "store/records.h"

namespace bindery {

/// What a hold on record withholds on one target, and why.
struct HeldOnRecord {
  Removals removals;
  std::string reason;
};

/// What Guard::Items() wrote, read back. What cannot be read is left out.
[[nodiscard]] std::vector<HeldOnRecord> HeldOnRecordIn(const HoldRecord& hold);

}  // namespace bindery
