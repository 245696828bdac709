#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "controller/claims/catalog_settings.h"
#include "core/base/clock.h"
#include "core/base/expected.h"
#include "report/values/coverage_values.h"
#include "report/values/drift_values.h"
#include "store/ports/inventory_store.h"
#include "store/ports/report_reader.h"

namespace bindery::inventory {

/// The kind of the groups of a coverage.
enum class CoverageBy { kProject, kFolder, kKind, kRole, kPrincipal, kSeverity };

/// "project", "folder", …; nothing for an unknown word.
[[nodiscard]] std::optional<CoverageBy> ParseCoverageBy(std::string_view text);
[[nodiscard]] std::string_view ToString(CoverageBy by);

struct CoverageQuery {
  std::string scope = {};     ///< As it was scanned; empty: that of the last finished scan.
  std::string provider = {};  ///< Likewise.
  std::optional<CoverageBy> by = {};
};

/// The sources of a coverage. All sources outlive the call.
struct CoverageParts {
  const store::ReportReader& store;
  const store::InventoryStore& inventory;
  const controller::CatalogSettings& settings;
};

/// Classifies every grant in a scope, by the last finished scan of the scope. For a target with
/// manifests, the policy that bindery itself read counts, unless the scan began later by more than
/// the age that the index may have; targets that the scan did not show are included. Asks no
/// cloud.
///
/// kNotFound: no finished scan of the scope; the message names the scopes with a finished scan.
[[nodiscard]] Expected<report::Coverage> CoverageReport(const CoverageParts& parts,
                                                        const CoverageQuery& query, WallTime now);

/// The grants that count as CoverageClasses::unmanaged in the coverages of the last finished scan
/// of each provider in the settings, together. Null: none is finished. Asks no cloud.
[[nodiscard]] Expected<std::shared_ptr<const report::UnmanagedGrants>> ReadUnmanaged(
    const CoverageParts& parts, WallTime now);

}  // namespace bindery::inventory
