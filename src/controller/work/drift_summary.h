#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/access/drift.h"

namespace bindery::controller {

/// Of the worst of them; none for an empty list.
[[nodiscard]] std::optional<Severity> FindWorst(const std::vector<const DriftItem*>& items);

/// All differences are new declarations of the manifests: no other writer changed anything.
[[nodiscard]] bool AreOwnEdits(const std::vector<const DriftItem*>& items);

/// "2 differences: 1 missing, 1 undeclared (worst: high, cause: foreign); undeclared roles/owner
/// for allUsers, missing roles/viewer for user:ana@example.com": the worst are named, so that two
/// findings read the same only when they are. With `first` the missing part is not named: before
/// the first write that is all that is declared.
[[nodiscard]] std::string DriftSummary(const std::vector<const DriftItem*>& items, bool first);

}  // namespace bindery::controller
