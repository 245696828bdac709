#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "controller/calls/call_budget.h"
#include "controller/claims/catalog_settings.h"
#include "controller/claims/recheck_plan.h"
#include "controller/guard/guard.h"

namespace bindery::controller {

/// What the configuration says of how the engine works.
struct EngineSettings {
  CatalogSettings catalog;
  GuardLimits guard;
  RecheckLimits recheck;
  /// How often a target is read that scans of the cloud watch; 0: as any other target.
  std::chrono::milliseconds exact_interval{0};
  /// As DirectoryRest::SetDistance.
  MonoTime::duration look_distance = MonoTime::duration::max();
  std::chrono::milliseconds settle{0};  ///< As DirectoryRest::SetSettle.
  double jitter = 0.1;                  ///< Of the interval, either way; 0 to 1.
  std::size_t concurrency = 32;         ///< Targets worked on at once.
  std::chrono::milliseconds call_timeout{30'000};
  std::map<std::string, CallLimits> quotas;  ///< By provider.
  /// How long before the end of a condition people are told.
  std::vector<std::chrono::milliseconds> expiry_warnings;
  double trace_sample_ratio = 0;  ///< Of the traces, how many are to be exported.
  /// How long a policy must be answered without most of its former content, or a lookup with a
  /// changed id, before the answer is believed; 0: no wait.
  std::chrono::milliseconds confirm_emptied{10'000};
  /// One check of this number reads the whole policy; the remaining checks may read only the etag.
  /// 1 to 100; 1: every check reads the policy.
  int full_read_every = 10;
  /// How long a target must be answered with NOT_FOUND before the grants of a deleted manifest on
  /// the target count as gone.
  std::chrono::milliseconds release_missing{std::chrono::hours(24)};
};

}  // namespace bindery::controller
