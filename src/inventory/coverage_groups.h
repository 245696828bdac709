#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "access/places.h"
#include "inventory/coverage.h"
#include "report/access/grant_classes.h"
#include "report/values/coverage_values.h"

namespace bindery::inventory {

/// Where grants are counted.
struct CoveragePlace {
  std::string place;        ///< As Places::GetName.
  std::string kind;         ///< Target::kind, or the type of the index.
  std::string target = {};  ///< Target::name, or the full name of the index.
};

/// Counts grants, each once.
class CoverageTally {
 public:
  CoverageTally(const access::Places& places, std::optional<CoverageBy> by)
      : places_(places), by_(by) {}

  void Add(const CoveragePlace& place, const reconcilers::Kind& kind,
           const std::vector<report::ClassedGrant>& grants);

  /// Puts the counts into `coverage`.
  void Tell(report::Coverage& coverage) const;
  [[nodiscard]] std::int64_t unproven() const { return unproven_; }

 private:
  [[nodiscard]] std::string NameGroup(CoverageBy by, const CoveragePlace& place,
                                      const reconcilers::Kind& kind,
                                      const report::ClassedGrant& grant) const;

  const access::Places& places_;
  const std::optional<CoverageBy> by_;
  report::CoverageClasses all_;
  std::int64_t policies_ = 0;
  std::int64_t ended_ = 0;
  std::int64_t unproven_ = 0;
  std::map<std::string, report::CoverageClasses> groups_;
};

}  // namespace bindery::inventory
