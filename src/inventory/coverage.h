#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "controller/catalog_settings.h"
#include "core/clock.h"
#include "core/expected.h"
#include "report/coverage_values.h"
#include "store/inventory_store.h"
#include "store/report_reader.h"

namespace bindery {

/// What the groups of a coverage are.
enum class CoverageBy { kProject, kFolder, kKind, kRole, kPrincipal, kSeverity };

/// "project", "folder", …; nothing for any other word.
[[nodiscard]] std::optional<CoverageBy> ParseCoverageBy(std::string_view text);
[[nodiscard]] std::string_view ToString(CoverageBy by);

struct CoverageQuery {
  std::string scope = {};     ///< As it was scanned; empty: that of the last finished scan.
  std::string provider = {};  ///< Likewise.
  std::optional<CoverageBy> by = {};
};

/// What a coverage is made from. All of it outlives the call.
struct CoverageParts {
  const ReportReader& store;
  const InventoryStore& inventory;
  const CatalogSettings& settings;
};

/// Tells of every grant in a scope who answers for it, by the last finished scan of that scope. Of
/// a target that manifests are declared on, the policy that bindery itself read counts, unless the
/// scan began later than that by more than its index may be old; this includes targets that the
/// scan did not show. Asks no cloud.
///
/// kNotFound: there is no finished scan, with the scopes that have one.
[[nodiscard]] Expected<Coverage> CoverageReport(const CoverageParts& parts,
                                                const CoverageQuery& query, WallTime now);

}  // namespace bindery
