#pragma once

#include <string>
#include <utility>
#include <vector>

#include "controller/claims/catalog_settings.h"
#include "core/access/inventory.h"
#include "core/access/target.h"
#include "core/base/expected.h"
#include "core/text/digest.h"
#include "store/ports/report_reader.h"

namespace bindery::inventory {

/// How declared targets look in a scan, compared with bindery's last read of each. An exact read
/// decides: the index may be older than the last read. Targets that were never read, or that the
/// scan does not show, are in neither list: the daemon reads such targets anyway.
struct ComparedTargets {
  /// The resources on targets with other grants in the scan, each once, by name.
  std::vector<std::string> changed;
  /// Targets whose grants are the same, with the digest of the policy that was read. A policy with
  /// an entry that is no binding is never the same.
  std::vector<std::pair<Target, Sha256Digest>> unchanged;
};

[[nodiscard]] Expected<ComparedTargets> CompareTargets(const store::ReportReader& store,
                                                       const InventoryFacts& facts,
                                                       const controller::CatalogSettings& settings);

}  // namespace bindery::inventory
