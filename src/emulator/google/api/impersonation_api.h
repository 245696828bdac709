#pragma once

#include "emulator/call.h"
#include "emulator/google/error.h"
#include "emulator/identities.h"

namespace bindery::emulator {

/// The body of generateAccessToken, answered: a token of the service account `call.target` for a
/// caller who may act as it, perhaps through delegates.
[[nodiscard]] GoogleResult<Json> GenerateAccessToken(Identities& identities, const Call& call,
                                                     const Json& body, const Access& caller);

}  // namespace bindery::emulator
