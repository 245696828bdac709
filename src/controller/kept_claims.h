#pragma once

#include <string>

#include "controller/catalog.h"
#include "controller/now.h"

namespace bindery {

/// What keeps the manifest that is in force for `entry` in force, although the last scan found a
/// different one, a broken one or none: in one line. Empty: the last scan found it as it is. Of a
/// resource that is not in force: empty.
[[nodiscard]] std::string WhyInForce(const ResourceEntry& entry);

/// What keeps bindery from removing what `entry`, or a claim that it had before, does not declare
/// any more: in one line. Empty: nothing is known to keep it.
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

}  // namespace bindery
