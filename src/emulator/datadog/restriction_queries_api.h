#pragma once

#include "emulator/call.h"
#include "emulator/cloud.h"
#include "httpd/message.h"

namespace bindery::emulator {

/// Answers a call below /api/v2/logs/config/restriction_queries, from a caller who may make it.
[[nodiscard]] httpd::Response ServeRestrictionQueries(Cloud& cloud, const Call& call,
                                                      const httpd::Request& request,
                                                      Staleness staleness);

}  // namespace bindery::emulator
