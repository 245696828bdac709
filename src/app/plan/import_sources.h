#pragma once

#include <string>
#include <vector>

#include "core/access/inventory.h"
#include "core/base/expected.h"
#include "providers/inventory_source.h"
#include "store/ports/inventory_store.h"

namespace bindery::app {

/// The policies in the outputs of the cloud's own tool. A file is the result of a search, or
/// "//HOST/NAME=FILE" with the policy of that resource: the policy itself names no resource.
/// `containers` has projects known under both names. "-" is standard input. kNotFound: a file
/// cannot be read. kInvalidArgument: it is something else, with the file.
[[nodiscard]] Expected<InventoryFacts> FactsOfExports(const providers::InventorySource& source,
                                                      const std::vector<std::string>& files);

/// kNotFound: no scan of the scope is finished; the message names the command that makes one.
[[nodiscard]] Error MakeNoScanError(const std::string& scope);

/// The findings of the last finished scan of the scope with the provider; MakeNoScanError() if none
/// is on record.
[[nodiscard]] Expected<InventoryFacts> FactsOfScan(const store::InventoryStore& inventory,
                                                   const std::string& provider,
                                                   const std::string& scope);

}  // namespace bindery::app
