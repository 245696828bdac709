#pragma once

#include <chrono>
#include <string>
#include <utility>

#include "cloud/connection.h"
#include "controller/calls/call_gate.h"
#include "reconcilers/kind.h"

namespace bindery::controller {

/// How the calls for targets of the kind are counted, as QuotaKey::api. Pure.
[[nodiscard]] inline std::string NameApi(const reconcilers::Kind& kind,
                                         const cloud::Connection& connection,
                                         const std::string& target) {
  constexpr std::chrono::seconds kAnyTimeout(1);
  Expected<cloud::PolicyCall> reading = kind.BuildGet(connection, target, kAnyTimeout);
  if (!reading) return kind.traits().service;
  return std::move(reading->request.service);
}

/// The shared quota of calls for the target through `provider`. `api`: as NameApi returns. Pure.
[[nodiscard]] inline QuotaKey ChooseLane(std::string provider, const reconcilers::Kind& kind,
                                         const cloud::Connection& connection,
                                         const std::string& target, std::string api) {
  QuotaKey lane;
  lane.provider = std::move(provider);
  lane.host = kind.BaseUrl(connection, target);
  lane.api = std::move(api);
  lane.quota_project = connection.quota_project;
  if (lane.quota_project.empty()) lane.quota_project = kind.QuotaProject(target);
  return lane;
}

}  // namespace bindery::controller
