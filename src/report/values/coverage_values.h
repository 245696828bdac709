#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/base/clock.h"
#include "report/codec/json_codec.h"

namespace bindery::report {

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
inline constexpr auto kFields<CoverageClasses> =
    std::tuple{Field{"declared", &CoverageClasses::declared},
               Field{"accepted", &CoverageClasses::accepted},
               Field{"justInTime", &CoverageClasses::just_in_time},
               Field{"serviceAgents", &CoverageClasses::service_agents},
               Field{"undeclared", &CoverageClasses::undeclared},
               Field{"unmanaged", &CoverageClasses::unmanaged},
               Field{"tombstones", &CoverageClasses::tombstones}};

template <>
inline constexpr auto kFields<CoverageGroup> =
    std::tuple{Field{"name", &CoverageGroup::name}, Field{"grants", &CoverageGroup::grants},
               Field{"classes", &CoverageGroup::classes}};

template <>
inline constexpr auto kFields<Coverage> =
    std::tuple{Field{"scope", &Coverage::scope},
               Field{"provider", &Coverage::provider},
               Field{"asOf", &Coverage::as_of},
               Field{"indexHours", &Coverage::index_hours},
               Field{"policies", &Coverage::policies},
               Field{"grants", &Coverage::grants},
               Field{"endedConditions", &Coverage::ended_conditions},
               Field{"classes", &Coverage::classes},
               FieldIfSet{"by", &Coverage::by},
               FieldIfSet{"groups", &Coverage::groups},
               Field{"notLookedAt", &Coverage::not_looked_at}};

}  // namespace bindery::report
