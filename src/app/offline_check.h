#pragma once

#include <vector>

#include "config/config.h"
#include "controller/scan_input.h"
#include "manifests/problem.h"
#include "providers/kinds.h"

namespace bindery {

/// All that is wrong with the manifests of a scan, with each one and between them, as far as it can
/// be told without a cloud.
[[nodiscard]] std::vector<Problem> CheckOffline(const Config& config, const Kinds& kinds,
                                                const ScanInput& scan);

/// Adds an error for each file that holds no document, in its place: it counts as a file with an
/// error, as its writing more likely went wrong than that it says that nothing is declared any
/// more.
void AddEmptiedFiles(const ScanInput& scan, std::vector<Problem>& problems);

}  // namespace bindery
