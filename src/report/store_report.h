#pragma once

#include <string>

#include "core/json.h"
#include "report/text.h"
#include "store/upkeep.h"

namespace bindery {

/// {"store", "sound": bool, "schemaVersion", "bytes", "walBytes", "freeBytes", "policies",
/// "events": {"oldest", "newest"}, "tables": [{"name", "rows", "bytes"}], "findings": [{"check",
/// "message"}]}; times are null when there is no event.
[[nodiscard]] Json StoreCheckReport(const std::string& store, const StoreCheck& check);
[[nodiscard]] std::string StoreCheckText(const Json& report, const TextStyle& style);

/// "512 bytes", "1.5 KiB", "12.3 MiB".
[[nodiscard]] std::string SizeText(std::int64_t bytes);

}  // namespace bindery
