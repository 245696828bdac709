#pragma once

#include <vector>

#include "core/access/grant.h"
#include "core/access/target.h"
#include "store/ports/records.h"

namespace bindery::report {

// Notes about declared principals that a service stores under a different name.

/// The note of the declared grant; null: none of `records`, which belong to one target.
[[nodiscard]] const store::DriftRecord* FindStoredName(
    const Target& target, const Grant& declared, const std::vector<store::DriftRecord>& records);

/// The note with the declared grant of the stored grant `observed`; null: none.
[[nodiscard]] const store::DriftRecord* FindDeclaredName(
    const Target& target, const Grant& observed, const std::vector<store::DriftRecord>& records);

}  // namespace bindery::report
