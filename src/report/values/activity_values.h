#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/codec/json_codec.h"

namespace bindery::report {

/// How things stood at a moment since the start.
struct ActivitySample {
  WallTime time{};
  std::size_t open = 0;
  std::size_t held = 0;
  std::size_t resources = 0;
  std::size_t ready = 0;
  std::size_t checks = 0;   ///< Targets worked on since the sample before.
  double pass_seconds = 0;  ///< The longest pass since then.
  double budget = 1;        ///< Of all providers the least, from 0 to 1.
};

/// The rest of the calls that a provider allows.
struct ActivityBudget {
  std::string provider;
  std::string quota_project;
  double per_second = 0;
  double left = 0;  ///< From 0 to 1.
  double paused_seconds = 0;
  std::uint64_t refusals = 0;  ///< Since the start.
};

/// The measurements since the start, for charts.
struct ActivityReport {
  std::optional<WallTime> since;
  std::int64_t period_seconds = 1;
  std::vector<ActivitySample> samples;  ///< Oldest first.
  std::vector<ActivityBudget> budgets;
};

template <>
inline constexpr auto kFields<ActivitySample> =
    std::tuple{Field{"time", &ActivitySample::time},
               Field{"open", &ActivitySample::open},
               Field{"held", &ActivitySample::held},
               Field{"resources", &ActivitySample::resources},
               Field{"ready", &ActivitySample::ready},
               Field{"checks", &ActivitySample::checks},
               Field{"passSeconds", &ActivitySample::pass_seconds},
               Field{"budget", &ActivitySample::budget}};

template <>
inline constexpr auto kFields<ActivityBudget> =
    std::tuple{Field{"provider", &ActivityBudget::provider},
               Field{"quotaProject", &ActivityBudget::quota_project},
               Field{"perSecond", &ActivityBudget::per_second},
               Field{"left", &ActivityBudget::left},
               Field{"pausedSeconds", &ActivityBudget::paused_seconds},
               Field{"refusals", &ActivityBudget::refusals}};

template <>
inline constexpr auto kFields<ActivityReport> = std::tuple{
    Field{"since", &ActivityReport::since}, Field{"periodSeconds", &ActivityReport::period_seconds},
    Field{"samples", &ActivityReport::samples}, Field{"budgets", &ActivityReport::budgets}};

}  // namespace bindery::report
