#pragma once

#include <string_view>

#include "emulator/call.h"
#include "emulator/cloud.h"
#include "emulator/credentials.h"
#include "emulator/google/error.h"
#include "httpd/message.h"

namespace bindery::emulator {

/// Classifies a read of Cloud Identity (v1); leaves `call` unchanged for any other request. `path`
/// has no leading slash. The target is the address of a lookup, or the name of a group.
void ClassifyGroups(const httpd::Request& request, std::string_view path, Call& call);

/// `groups:lookup` and `groups.memberships.list`. A group that does not exist is refused like one
/// that the caller may not see. Rules of permissions name the group by its address. The searches of
/// transitive memberships are refused as in editions without them.
[[nodiscard]] GoogleResult<Json> ServeGroups(Cloud& cloud, const Call& call,
                                             const httpd::Request& request, const Access& access);

}  // namespace bindery::emulator
