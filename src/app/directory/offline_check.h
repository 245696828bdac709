#pragma once

#include <vector>

#include "config/config.h"
#include "controller/claims/scan_input.h"
#include "manifests/schema/problem.h"
#include "providers/registry/kinds.h"

namespace bindery::app {

/// All errors of a scan's manifests, alone and between manifests, as far as known without a
/// cloud.
[[nodiscard]] std::vector<manifests::Problem> CheckOffline(const config::Config& config,
                                                           const providers::Kinds& kinds,
                                                           const controller::ScanInput& scan);

/// Adds an error for each file without a document, in place: such a file counts as a file
/// with an error, because a failed write is more likely than an intended empty
/// declaration.
void AddEmptiedFiles(const controller::ScanInput& scan, std::vector<manifests::Problem>& problems);

}  // namespace bindery::app
