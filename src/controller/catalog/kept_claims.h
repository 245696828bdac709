#pragma once

#include <string>

#include "controller/catalog/catalog.h"
#include "controller/clock/now.h"

namespace bindery::controller {

/// Why the manifest of `entry` is still in force, although the last scan found a changed, broken or
/// no manifest: in one line. Empty: the last scan found the same manifest. Also empty for a
/// resource that is not in force.
[[nodiscard]] std::string WhyInForce(const ResourceEntry& entry);

/// Why bindery does not remove the undeclared grants of `entry`, or of a former claim of `entry`:
/// in one line. Empty: no known reason.
///
/// Counts what cannot be read, a manifest that is not taken up, a directory that does not rest or
/// cannot be read, an operator who has to answer, and protection. A removal that was written and is
/// still to be confirmed by a reading is not kept. Reads the statuses: after the work on the target
/// is recorded. Pure.
[[nodiscard]] std::string WhyKept(const Catalog& catalog, const ResourceEntry& entry,
                                  const Now& now);

/// "2 resources are kept unchanged: NAME: WHY", of those of which WhyInForce is not empty; empty if
/// none exists. Visits all resources.
[[nodiscard]] std::string KeptSummary(const Catalog& catalog);

}  // namespace bindery::controller
