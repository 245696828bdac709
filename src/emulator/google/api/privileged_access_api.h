#pragma once

#include <string_view>

#include "emulator/call.h"
#include "emulator/cloud.h"
#include "emulator/credentials.h"
#include "emulator/google/error.h"
#include "httpd/message.h"

namespace bindery::emulator {

/// Classifies a call of Privileged Access Manager (v1); leaves `call` unchanged for any other
/// request. `path` has no leading slash.
void ClassifyPrivilegedAccess(const httpd::Request& request, std::string_view path, Call& call);

/// Entitlements: list, get, create. Grants: list, get, create, approve, deny, revoke. An operation
/// that the service makes a long-running one is done when it is answered.
[[nodiscard]] GoogleResult<Json> ServePrivilegedAccess(Cloud& cloud, const Call& call,
                                                       const httpd::Request& request,
                                                       const Access& access);

}  // namespace bindery::emulator
