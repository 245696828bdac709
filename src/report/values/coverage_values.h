#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/base/clock.h"
#include "report/codec/json_codec.h"

namespace bindery {

/// Grants by who answers for them: each is counted once.
struct CoverageClasses {
  std::int64_t declared = 0;
  std::int64_t accepted = 0;
  std::int64_t just_in_time = 0;
  std::int64_t service_agents = 0;
  std::int64_t undeclared = 0;
  std::int64_t unmanaged = 0;
  std::int64_t tombstones = 0;

  [[nodiscard]] std::int64_t All() const {
    return declared + accepted + just_in_time + service_agents + undeclared + unmanaged +
           tombstones;
  }
};

/// The grants of one project, role, …
struct CoverageGroup {
  std::string name;
  std::int64_t grants = 0;
  CoverageClasses classes;
};

/// Who answers for the access in a scope.
struct Coverage {
  std::string scope;
  std::string provider;
  WallTime as_of{};                   ///< When the scan began.
  std::int64_t index_hours = 0;       ///< What the scan found may be older by this.
  std::int64_t policies = 0;          ///< With at least one grant.
  std::int64_t grants = 0;            ///< All of `classes`.
  std::int64_t ended_conditions = 0;  ///< Of `grants`, those whose condition has ended.
  CoverageClasses classes;
  std::string by = {};                     ///< What `groups` are; empty: there are none.
  std::vector<CoverageGroup> groups = {};  ///< What nobody declares comes first.
  std::vector<std::string> not_looked_at = {};
};

template <>
inline constexpr auto report::kFields<CoverageClasses> =
    std::tuple{report::Field{"declared", &CoverageClasses::declared},
               report::Field{"accepted", &CoverageClasses::accepted},
               report::Field{"justInTime", &CoverageClasses::just_in_time},
               report::Field{"serviceAgents", &CoverageClasses::service_agents},
               report::Field{"undeclared", &CoverageClasses::undeclared},
               report::Field{"unmanaged", &CoverageClasses::unmanaged},
               report::Field{"tombstones", &CoverageClasses::tombstones}};

template <>
inline constexpr auto report::kFields<CoverageGroup> = std::tuple{
    report::Field{"name", &CoverageGroup::name}, report::Field{"grants", &CoverageGroup::grants},
    report::Field{"classes", &CoverageGroup::classes}};

template <>
inline constexpr auto report::kFields<Coverage> =
    std::tuple{report::Field{"scope", &Coverage::scope},
               report::Field{"provider", &Coverage::provider},
               report::Field{"asOf", &Coverage::as_of},
               report::Field{"indexHours", &Coverage::index_hours},
               report::Field{"policies", &Coverage::policies},
               report::Field{"grants", &Coverage::grants},
               report::Field{"endedConditions", &Coverage::ended_conditions},
               report::Field{"classes", &Coverage::classes},
               report::FieldIfSet{"by", &Coverage::by},
               report::FieldIfSet{"groups", &Coverage::groups},
               report::Field{"notLookedAt", &Coverage::not_looked_at}};

}  // namespace bindery
