#include "admission/sound_directory.h"

#include <algorithm>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
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

/// Few enough that threads would cost more than they save.
constexpr std::size_t kFew = 4'096;
constexpr std::size_t kMostThreads = 8;

/// Where each manifest belongs, in their order: on all cores, as most of a first start that is not
/// reading is this. Nothing when one of them has no place.
std::optional<std::vector<Admitted>> PlaceAll(
    const std::vector<std::shared_ptr<const Manifest>>& manifests,
    const PlacementResolver& resolve) {
  std::vector<Admitted> placed(manifests.size());
  const auto place = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      tl::expected<Resolved, Unplaced> resolved = resolve(manifests[i]);
      if (!resolved) return false;
      placed[i] = std::move(*resolved);
    }
    return true;
  };
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t threads =
      std::clamp<std::size_t>(manifests.size() / kFew, 1, std::min(cores, kMostThreads));
  const std::size_t share = manifests.size() / threads;
  std::vector<std::future<bool>> others;
  bool all = true;
  for (std::size_t i = 1; i < threads; ++i) {
    const std::size_t from = i * share;
    const std::size_t to = i + 1 == threads ? manifests.size() : from + share;
    try {
      others.push_back(std::async(std::launch::async, place, from, to));
    } catch (const std::system_error&) {  // There are no more threads.
      all = place(from, to) && all;
    }
  }
  all = place(0, threads == 1 ? manifests.size() : share) && all;
  for (std::future<bool>& other : others) all = other.get() && all;
  if (!all) return std::nullopt;
  return placed;
}

/// By name. Only numbers are moved while they are sorted: there may be a hundred thousand.
std::vector<Admitted> InOrder(std::vector<Admitted> placed) {
  std::vector<std::pair<std::string_view, std::size_t>> order;
  order.reserve(placed.size());
  for (std::size_t i = 0; i < placed.size(); ++i) order.emplace_back(placed[i].manifest->name, i);
  std::sort(order.begin(), order.end());
  std::vector<Admitted> sorted;
  sorted.reserve(placed.size());
  for (const auto& [name, i] : order) sorted.push_back(std::move(placed[i]));
  return sorted;
}

}  // namespace

std::optional<AdmissionResult> AdmitSound(const AdmissionInput& input,
                                          const PlacementResolver& resolve) {
  const bool faulty = std::any_of(
      input.problems.begin(), input.problems.end(),
      [](const Problem& problem) { return problem.severity == ProblemSeverity::kError; });
  if (faulty || !input.broken_files.empty()) return std::nullopt;
  std::optional<std::vector<Admitted>> placed = PlaceAll(input.manifests, resolve);
  if (!placed) return std::nullopt;
  bool linked = false;
  std::unordered_set<std::string_view> names(input.manifests.size());
  ByTarget targets;
  for (const Admitted& admitted : *placed) {
    const Placement& placement = admitted.placement;
    linked = linked || admitted.manifest->linked();
    if (!names.insert(admitted.manifest->name).second) return std::nullopt;
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
  AdmissionResult result;
  result.missing = std::move(*missing);
  result.accepted = InOrder(std::move(*placed));
  return result;
}

}  // namespace bindery
