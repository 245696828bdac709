#pragma once

#include <memory>

#include "cloud/authorizer.h"
#include "core/base/clock.h"
#include "providers/google/credentials/interruption.h"
#include "providers/google/credentials/token_source.h"

namespace bindery::google {

/// `Authorization: Bearer TOKEN` with a token that is kept and renewed in time. `stop` is stopped
/// when it is destroyed; null: nothing to stop.
[[nodiscard]] std::shared_ptr<cloud::Authorizer> TokenAuthorizer(
    std::unique_ptr<TokenSource> tokens, std::shared_ptr<const Clock> clock,
    std::shared_ptr<Interruption> stop);

}  // namespace bindery::google
