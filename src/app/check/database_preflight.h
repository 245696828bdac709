#pragma once

#include <vector>

#include "report/checks/preflight_report.h"
#include "store/postgres/database_facts.h"

namespace bindery::app {

/// The problems of a database as the place of a store, one check each, for `subject`. Pure.
[[nodiscard]] std::vector<report::PreflightCheck> ChecksOfDatabase(
    const std::string& subject, const store::DatabaseFacts& facts);

/// The same of the database at `url`; a failed check where it cannot be looked at.
[[nodiscard]] std::vector<report::PreflightCheck> PreflightOfDatabase(const std::string& url);

}  // namespace bindery::app
