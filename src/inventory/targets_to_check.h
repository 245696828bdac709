#pragma once

#include <string>
#include <vector>

#include "controller/catalog_settings.h"
#include "core/expected.h"
#include "core/inventory.h"
#include "store/report_reader.h"

namespace bindery {

/// The resources on declared targets whose grants the scan shows otherwise than bindery last read
/// them, each once, by name. Who is right is for an exact read to say: the index may be the older
/// one. Targets that were never read are not among them: the daemon reads those anyway.
[[nodiscard]] Expected<std::vector<std::string>> ResourcesToCheck(const ReportReader& store,
                                                                  const InventoryFacts& facts,
                                                                  const CatalogSettings& settings);

}  // namespace bindery
