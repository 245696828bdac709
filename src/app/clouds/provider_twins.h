#pragma once

#include "controller/engine/engine.h"

namespace bindery::app {

/// Refuses two providers of one account, if names of targets have a meaning within an account:
/// manifests of both providers would write to a target in turn, and no conflict would be seen.
/// Reads credential files. kFailedPrecondition names both.
///
/// With global names, one target is written through one provider, whatever the
/// providers.
[[nodiscard]] Expected<void> RefuseTwins(const controller::Engine::Connections& connections);

}  // namespace bindery::app
