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
};

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
  std::unordered_map<std::string, Claimed> targets;
  for (const auto& manifest : input.manifests) {
    linked = linked || manifest->linked();
    tl::expected<Resolved, Unplaced> resolved = resolve(manifest);
    if (!resolved || !names.insert(manifest->name).second) return std::nullopt;
    result.accepted.push_back(std::move(*resolved));
    const Placement& placement = result.accepted.back().placement;
    const auto [at, first] = targets.try_emplace(placement.target.Key());
    Claimed& claimed = at->second;
    if (first) claimed.provider = placement.provider;
    const bool taken = std::find(claimed.roles.begin(), claimed.roles.end(), placement.role) !=
                       claimed.roles.end();
    if (taken || claimed.provider != placement.provider) return std::nullopt;
    claimed.roles.emplace_back(placement.role);
  }
  if (linked && !CheckLinks(input).empty()) return std::nullopt;
  for (const InForce& resource : input.in_force) {
    if (!names.contains(resource.name)) result.missing.push_back(resource.name);
  }
  std::sort(
      result.accepted.begin(), result.accepted.end(),
      [](const Admitted& a, const Admitted& b) { return a.manifest->name < b.manifest->name; });
  return result;
}

}  // namespace bindery
