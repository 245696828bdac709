#pragma once

#include "controller/engine.h"

namespace bindery {

/// Refuses two providers that reach one account, where names of targets mean something within an
/// account: what manifests declare through the one and through the other would be written in turn,
/// and no conflict seen. Reads credential files. kFailedPrecondition names both.
///
/// Where names are global, one target is written through one provider, whatever providers there
/// are.
[[nodiscard]] Expected<void> RefuseTwins(const Engine::Connections& connections);

}  // namespace bindery
