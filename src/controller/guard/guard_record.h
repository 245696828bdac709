#pragma once

#include <string>
#include <vector>

#include "controller/claims/removal.h"
#include "controller/guard/guard_reason.h"
#include "controller/guard/held_removals.h"
#include "core/base/json.h"
#include "store/ports/records.h"

namespace bindery::controller {

/// One target of a hold: {"target", "kind", "scope", "provider", "resources", "reason", "removes":
/// [grant…]}, for the store and for people; a grant with "severity" and "cause". "reasons" has the
/// numbers of "reason", if any.
[[nodiscard]] Json HeldItem(const Removals& removals, const std::vector<GuardReason>& reasons);

/// The HeldItem()s of a hold, read back. What cannot be read is left out.
[[nodiscard]] std::vector<HeldRemovals::Entry> HeldOnRecordIn(const store::HoldRecord& hold);

}  // namespace bindery::controller
