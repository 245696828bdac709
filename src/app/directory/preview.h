#pragma once

#include <string>
#include <vector>

#include "config/config.h"
#include "controller/engine/dry_run.h"
#include "core/base/expected.h"
#include "providers/registry/kinds.h"
#include "server/requests/plan_upload.h"

namespace bindery::app {

/// Some resource is in force.
[[nodiscard]] bool HasManifestsInForce(const controller::Catalog& catalog);

/// Takes a second directory as the next state of the directory in force: its place needs no
/// confirmation, and nothing waits for the directory to settle. kFailedPrecondition for a directory
/// without manifests.
[[nodiscard]] Expected<void> TakeAsNext(controller::ScanInput scan, controller::DryRun& run);

/// Takes a directory as the former state in force, without further state; the outputs that its
/// manifests refer to are read. Manifests with errors were not in force.
void TakeAsInForce(const controller::ScanInput& scan, const controller::DryRun::Reads& reads,
                   controller::DryRun& run);

/// What a scan of the uploaded directory would find.
[[nodiscard]] controller::ScanInput ScanOfUpload(const server::PlanUpload& upload,
                                                 const providers::Kinds& kinds);

/// Reads a directory as a scan does: the body of a request to plan the targets of the resources,
/// all if none exists. kFailedPrecondition where it is too large; else as ReadOnce.
[[nodiscard]] Expected<std::string> UploadText(const config::ManifestsConfig& config,
                                               const providers::Kinds& kinds,
                                               const std::vector<std::string>& names);

}  // namespace bindery::app
