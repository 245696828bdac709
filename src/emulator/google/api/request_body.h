#pragma once

#include "core/base/json.h"
#include "emulator/call.h"
#include "emulator/google/error.h"
#include "httpd/message.h"

namespace bindery::emulator {

/// The message in the body of a request, an object. A form (`curl -d` without a Content-Type) is
/// read as the services do: as parameters of the method, so that JSON in it is refused as the name
/// of one.
[[nodiscard]] GoogleResult<Json> ReadRequestBody(const Call& call, const httpd::Request& request);

}  // namespace bindery::emulator
