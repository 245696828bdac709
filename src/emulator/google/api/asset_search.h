#pragma once

#include <string_view>

#include "emulator/call.h"
#include "emulator/cloud.h"
#include "emulator/credentials.h"
#include "emulator/google/error.h"
#include "httpd/message.h"

namespace bindery::emulator {

/// Classifies a search of Cloud Asset (v1); leaves `call` unchanged for any other request. `path`
/// has no leading slash.
void ClassifyAssetSearch(const httpd::Request& request, std::string_view path, Call& call);

/// searchAllIamPolicies: the allow policies in a scope that grant something, as they were
/// `staleness` ago, with their bindings alone. searchAllResources: the containers, the resources
/// with a policy here, and the grants of Privileged Access Manager. Both know only types that the
/// real search knows. A `query` is refused: this cloud evaluates none.
[[nodiscard]] GoogleResult<Json> SearchAssets(Cloud& cloud, const Call& call,
                                              const httpd::Request& request, const Access& access,
                                              Staleness staleness);

}  // namespace bindery::emulator
