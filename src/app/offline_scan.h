#pragma once

#include <string>
#include <vector>

#include "config/config.h"
#include "controller/catalog.h"
#include "core/expected.h"

namespace bindery {

/// Reads files and directories once, as `validate` and `plan` do: no watching, no second look.
/// Paths of problems are as the user named them. kNotFound for a path that is not there.
[[nodiscard]] Expected<ScanInput> ReadOnce(const ManifestsConfig& config, const Kinds& kinds,
                                           const std::vector<std::string>& paths);

}  // namespace bindery
