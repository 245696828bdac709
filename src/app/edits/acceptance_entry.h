#pragma once

#include <string>

#include "core/access/drift.h"
#include "core/base/expected.h"
#include "core/base/json.h"
#include "core/settings/accepted_drift.h"

namespace bindery::app {

/// The rule that accepts exactly this difference of the target, also after a return.
[[nodiscard]] AcceptedDriftRule RuleFor(const std::string& target, const DriftItem& item,
                                        Acceptance acceptance);

/// The rule as an entry of `drift.accept`.
[[nodiscard]] Json MakeEntry(const AcceptedDriftRule& rule);

/// The text of a configuration with one entry more in `drift.accept`; all else stays unchanged
/// written. kFailedPrecondition where the text is not of a form in which that is safe to do. What
/// it means is for the caller to check. Pure.
[[nodiscard]] Expected<std::string> WithEntry(const std::string& text, const Json& entry);

}  // namespace bindery::app
