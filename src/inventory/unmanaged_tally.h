#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/access/drift.h"
#include "core/base/clock.h"
#include "inventory/coverage_groups.h"
#include "report/access/grant_classes.h"
#include "report/values/drift_values.h"

namespace bindery::inventory {

/// Counts the grants on targets that nobody manages, by target and role.
class UnmanagedTally {
 public:
  /// The maximum number of listed roles; the rest is counted.
  static constexpr std::size_t kMostRoles = 100;

  /// The following grants are of a scan that began then.
  void BeginScan(WallTime started);
  void Add(const CoveragePlace& place, const std::vector<report::ClassedGrant>& grants);
  [[nodiscard]] report::UnmanagedGrants Counted() &&;

 private:
  struct Count {
    std::int64_t grants = 0;
    Severity severity = Severity::kLow;
  };

  std::optional<WallTime> as_of_;
  report::CountsBy<report::kWorstFirst> by_severity_;
  std::set<std::pair<std::string, std::string>> targets_;                     ///< By kind and name.
  std::map<std::tuple<std::string, std::string, std::string>, Count> roles_;  ///< And by role.
};

}  // namespace bindery::inventory
