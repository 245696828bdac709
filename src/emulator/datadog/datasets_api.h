#pragma once

#include "emulator/call.h"
#include "emulator/cloud.h"
#include "httpd/message.h"

namespace bindery::emulator {

/// Answers a call of /api/v2/datasets, from an authorized caller.
[[nodiscard]] httpd::Response ServeDatasets(Cloud& cloud, const Call& call,
                                            const httpd::Request& request, Staleness staleness);

}  // namespace bindery::emulator
