#pragma once

#include "config/config_keys.h"
#include "core/base/json.h"

namespace bindery::config {

/// The value of a setting, spelled as in the file.
[[nodiscard]] Json GetValue(const Slot& slot);

/// The configuration in force: {"file", "config": every key with its value, in the file's form,
/// "sources": {"reconcile.interval": {"from": "default|file|environment", "line", "column",
/// "variable"}}}. Secrets are shown as "********".
[[nodiscard]] Json ConfigReport(const Config& config);

/// JSON Schema (2020-12) of the configuration file, for editors.
[[nodiscard]] Json ConfigSchema();

}  // namespace bindery::config
