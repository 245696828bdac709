#pragma once

#include <string>
#include <vector>

#include "controller/claims/catalog_settings.h"
#include "core/access/inventory.h"
#include "core/base/expected.h"
#include "store/ports/report_reader.h"

namespace bindery {

/// The resources on declared targets whose grants in the scan differ from bindery's last read,
/// each once, by name. An exact read decides: the index may be older than
/// the last read. Never read targets are left out: the daemon reads such targets anyway.
[[nodiscard]] Expected<std::vector<std::string>> ResourcesToCheck(const ReportReader& store,
                                                                  const InventoryFacts& facts,
                                                                  const CatalogSettings& settings);

}  // namespace bindery
