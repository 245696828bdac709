#pragma once

#include <memory>

#include "cloud/authorizer.h"
#include "cloud/credentials/token_source.h"
#include "core/clock.h"

namespace bindery::cloud_internal {

/// `Authorization: Bearer TOKEN` with a token that is kept and renewed in time.
[[nodiscard]] std::shared_ptr<Authorizer> TokenAuthorizer(std::unique_ptr<TokenSource> tokens,
                                                          std::shared_ptr<const Clock> clock);

}  // namespace bindery::cloud_internal
