#include "admission/sound_directory.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "admission/links.h"

namespace bindery {
namespace {

/// Who claims what on one target.
struct Claimed {
  std::string_view provider;
  std::vector<std::string_view> roles;

  [[nodiscard]] bool Holds(const std::string& role) const {
    return std::find(roles.begin(), roles.end(), role) != roles.end();
  }
};
using ByTarget = std::unordered_map<std::string, Claimed>;

bool IsClaimed(const Placement& placement, const ByTarget& targets) {
  const auto target = targets.find(placement.target.Key());
  return target != targets.end() && target->second.Holds(placement.role);
}

/// Those in force that no file declares any more. Nothing where that must be weighed: somebody may
/// not take over, or not yet, what one of them claims, or its file does not say that it is gone.
std::optional<std::vector<std::string>> MissingFrom(
    const AdmissionInput& input, const std::unordered_set<std::string_view>& names,
    const ByTarget& targets) {
  std::vector<std::string> missing;
  for (const InForce& resource : input.in_force) {
    if (names.contains(resource.name)) continue;
    if (input.blank_files.contains(resource.source.file)) return std::nullopt;
    if (IsClaimed(resource.placement, targets)) return std::nullopt;
    if (!resource.gone) missing.push_back(resource.name);
  }
  return missing;
}

}  // namespace

std::optional<AdmissionResult> AdmitSound(const AdmissionInput& input,
                                          const PlacementResolver& resolve) {
  const bool faulty = std::any_of(
      input.problems.begin(), input.problems.end(),
      [](const Problem& problem) { return problem.severity == ProblemSeverity::kError; });
  if (faulty || !input.broken_files.empty()) return std::nullopt;
  AdmissionResult result;
  bool linked = false;
  result.accepted.reserve(input.manifests.size());  // The texts below are those of its elements.
  std::unordered_set<std::string_view> names(input.manifests.size());
  ByTarget targets;
  for (const auto& manifest : input.manifests) {
    linked = linked || manifest->linked();
    tl::expected<Resolved, Unplaced> resolved = resolve(manifest);
    if (!resolved || !names.insert(manifest->name).second) return std::nullopt;
    result.accepted.push_back(std::move(*resolved));
    const Placement& placement = result.accepted.back().placement;
    const auto [at, first] = targets.try_emplace(placement.target.Key());
    Claimed& claimed = at->second;
    if (first) claimed.provider = placement.provider;
    if (claimed.Holds(placement.role) || claimed.provider != placement.provider)
      return std::nullopt;
    claimed.roles.emplace_back(placement.role);
  }
  if (linked && !CheckLinks(input).empty()) return std::nullopt;
  auto missing = MissingFrom(input, names, targets);
  if (!missing) return std::nullopt;
  result.missing = std::move(*missing);
  std::sort(
      result.accepted.begin(), result.accepted.end(),
      [](const Admitted& a, const Admitted& b) { return a.manifest->name < b.manifest->name; });
  return result;
}

}  // namespace bindery
