#pragma once

#include <vector>

#include "core/expected.h"
#include "core/target.h"
#include "store/report_reader.h"

namespace bindery {

/// The target is a policy, or what a lookup reads. Manifests of bindery's own kinds, such as
/// AcceptedDrift, stand on a name that is no target of a cloud: nothing counts or lists that.
[[nodiscard]] bool CountsAsTarget(const Target& target);

/// What is on record, and what `resources` in force stand on that was never read: by target. What
/// does not count as a target is among them.
[[nodiscard]] Expected<std::vector<TargetRecord>> KnownTargets(
    const ReportReader& store, const std::vector<ResourceRecord>& resources);

}  // namespace bindery
