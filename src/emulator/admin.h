#pragma once

#include "emulator/call.h"
#include "emulator/cloud.h"
#include "emulator/faults.h"
#include "httpd/message.h"

namespace bindery::emulator {

/// Answers what is under /_emulator: request counts, the seed, the faults, issued tokens.
[[nodiscard]] httpd::Response ServeAdmin(Cloud& cloud, Faults& faults, RequestCounts& counts,
                                         const httpd::Request& request);

}  // namespace bindery::emulator
