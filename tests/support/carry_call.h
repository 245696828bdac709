#pragma once

#include <string>

#include "cloud/policy_call.h"
#include "core/base/json.h"

namespace bindery::testing {

/// Sends a call, if there is one, and gives what its client makes of the answer. Blocks.
[[nodiscard]] inline Expected<Json> CarryCall(const Expected<cloud::PolicyCall>& call,
                                              cloud::Transport& transport,
                                              cloud::Authorizer& authorizer,
                                              Expected<Json> (*understand)(const cloud::PolicyCall&,
                                                                           const std::string&)) {
  if (!call) return Fail(call.error());
  const auto body = cloud::Send(*call, transport, authorizer);
  if (!body) return Fail(body.error());
  return understand(*call, *body);
}

}  // namespace bindery::testing
