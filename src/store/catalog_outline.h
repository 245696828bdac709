#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/base/clock.h"
#include "core/base/expected.h"
#include "core/settings/store_location.h"

namespace bindery::store {

// Facts about all resources and targets of a store, for commands that otherwise read a few of them.
// Each call opens the store for reading, in its present state. Errors: as of OpenStore() with
// kReadOnly, and of ReportReader.

/// The names of the resources with manifests on record in these files, in no particular order.
/// Visits all resources.
[[nodiscard]] Expected<std::vector<std::string>> ResourcesDeclaredIn(
    const StoreLocation& location, const std::set<std::string>& files);

/// Some target is, or was until a short time ago, on record by the number of its project.
[[nodiscard]] Expected<bool> NamesProjectsByNumber(const StoreLocation& location);

/// When a target was last read with success; the epoch where none was. Visits all targets.
[[nodiscard]] Expected<WallTime> LastObservation(const StoreLocation& location);

}  // namespace bindery::store
