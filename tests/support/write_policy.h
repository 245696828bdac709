#pragma once

#include <chrono>
#include <string>
#include <utility>

#include "reconcilers/kind.h"

namespace bindery::testing {

/// Writes as the kind says how, and gives what it makes of the answer. Blocks.
[[nodiscard]] inline Expected<reconcilers::Observation> WritePolicy(
    const reconcilers::Kind& kind, const cloud::Connection& connection, const std::string& target,
    const reconcilers::TargetPlan& plan, const reconcilers::Observation& now) {
  const auto call = kind.BuildSet(connection, target, plan, now, std::chrono::seconds(1));
  if (!call) return Fail(call.error());
  const auto body = cloud::Send(*call, *connection.transport, *connection.authorizer);
  if (!body) return Fail(body.error());
  return kind.ParseResponse(*call, *body);
}

}  // namespace bindery::testing
