#pragma once

#include "controller/engine.h"

namespace bindery {

/// Refuses two Datadog providers that reach one organization: the same service with the same API
/// key or token. Names mean something within a provider there, so what manifests declare through
/// the one and through the other would be written in turn, and no conflict seen. Reads the key
/// files. kFailedPrecondition names both.
///
/// Names on Google's side are global: there one target is written through one provider, whatever
/// providers there are.
[[nodiscard]] Expected<void> RefuseTwins(const Engine::Connections& connections);

}  // namespace bindery
