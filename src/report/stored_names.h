#pragma once

#include <vector>

#include "core/grant.h"
#include "core/target.h"
#include "store/records.h"

namespace bindery::report {

// Of notes that a service stores a declared principal under another name.

/// The note of that declared grant; null: none of `records`, which are of one target.
[[nodiscard]] const DriftRecord* StoredNameOf(const Target& target, const Grant& declared,
                                              const std::vector<DriftRecord>& records);

/// The note that says which declared grant is stored as `observed`; null: none.
[[nodiscard]] const DriftRecord* DeclaredNameOf(const Target& target, const Grant& observed,
                                                const std::vector<DriftRecord>& records);

}  // namespace bindery::report
