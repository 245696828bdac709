#pragma once

#include <string_view>

#include "emulator/call.h"
#include "emulator/cloud.h"
#include "emulator/credentials.h"
#include "emulator/google/error.h"
#include "httpd/message.h"

namespace bindery::emulator {

/// Says whether that is a call of Resource Manager about containers: get, list, search (v3) and
/// getAncestry (v1); leaves `call` as it is where it is not. `path` has no leading slash.
void ClassifyContainers(const httpd::Request& request, std::string_view path, Call& call);

/// Lists name the parent; searches show the visible part for the caller. A `query` is refused
/// except "parent:NAME": this cloud evaluates no further query.
[[nodiscard]] GoogleResult<Json> ServeContainers(Cloud& cloud, const Call& call,
                                                 const httpd::Request& request,
                                                 const Access& access);

}  // namespace bindery::emulator
