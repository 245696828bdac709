#include "inventory/coverage_groups.h"

#include <algorithm>
#include <array>
#include <utility>

namespace bindery::inventory {
namespace {

constexpr std::array<std::string_view, 6> kWords = {"project", "folder",    "kind",
                                                    "role",    "principal", "severity"};

std::int64_t& CountIn(report::CoverageClasses& classes, report::GrantClass grant_class) {
  switch (grant_class) {
    case report::GrantClass::kDeclared:
      return classes.declared;
    case report::GrantClass::kAccepted:
      return classes.accepted;
    case report::GrantClass::kJustInTime:
      return classes.just_in_time;
    case report::GrantClass::kServiceAgent:
      return classes.service_agents;
    case report::GrantClass::kUndeclared:
      return classes.undeclared;
    case report::GrantClass::kTombstone:
      return classes.tombstones;
    case report::GrantClass::kUnmanaged:
      break;
  }
  return classes.unmanaged;
}

}  // namespace

std::string_view ToString(CoverageBy by) { return kWords.at(static_cast<std::size_t>(by)); }

std::optional<CoverageBy> ParseCoverageBy(std::string_view text) {
  const auto* const found = std::ranges::find(kWords, text);
  if (found == kWords.end()) return std::nullopt;
  return static_cast<CoverageBy>(found - kWords.begin());
}

void CoverageTally::Add(const CoveragePlace& place, const reconcilers::Kind& kind,
                        const std::vector<report::ClassedGrant>& grants) {
  if (!grants.empty()) ++policies_;
  for (const report::ClassedGrant& grant : grants) {
    ++CountIn(all_, grant.grant_class);
    if (grant.ended) ++ended_;
    if (grant.unproven) ++unproven_;
    if (by_) ++CountIn(groups_[NameGroup(*by_, place, kind, grant)], grant.grant_class);
  }
}

std::string CoverageTally::NameGroup(CoverageBy by, const CoveragePlace& place,
                                     const reconcilers::Kind& kind,
                                     const report::ClassedGrant& grant) const {
  switch (by) {
    case CoverageBy::kProject:
      return place.place;
    case CoverageBy::kFolder:
      return places_.GetFolder(place.place);
    case CoverageBy::kKind:
      return place.kind;
    case CoverageBy::kRole:
      return grant.grant.role;
    case CoverageBy::kPrincipal:
      return kind.traits().principals->normal(grant.grant.principal);
    case CoverageBy::kSeverity:
      break;
  }
  return std::string(ToString(grant.severity));
}

void CoverageTally::Tell(report::Coverage& coverage) const {
  coverage.policies = policies_;
  coverage.classes = all_;
  coverage.grants = all_.All();
  coverage.ended_conditions = ended_;
  if (!by_) return;
  coverage.by = ToString(*by_);
  for (const auto& [name, classes] : groups_) {
    coverage.groups.push_back({name, classes.All(), classes});
  }
  const auto undeclared = [](const report::CoverageGroup& group) {
    return group.classes.undeclared + group.classes.unmanaged;
  };
  std::ranges::stable_sort(
      coverage.groups, [&](const report::CoverageGroup& one, const report::CoverageGroup& other) {
        return undeclared(one) > undeclared(other);
      });
}

}  // namespace bindery::inventory
