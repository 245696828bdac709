#include "admission/fast_path.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "admission/links.h"
#include "core/access/target_key.h"
#include "core/base/parallel_for.h"

namespace bindery::admission {
namespace {

/// A claim and its claimant on a target.
struct Claimed {
  std::string_view provider;
  std::vector<std::string_view> parts;

  [[nodiscard]] bool OverlapWith(const std::string& part) const {
    return std::any_of(parts.begin(), parts.end(),
                       [&](std::string_view one) { return Overlap(one, part); });
  }
};

/// By the names; the targets are kept elsewhere.
struct SameTarget {
  std::size_t operator()(const Target* target) const { return TargetKey::Hash()(*target); }
  bool operator()(const Target* a, const Target* b) const { return *a == *b; }
};
using ByTarget = std::unordered_map<const Target*, Claimed, SameTarget, SameTarget>;

bool IsClaimed(const Placement& placement, const ByTarget& targets) {
  const auto target = targets.find(&placement.target);
  return target != targets.end() && target->second.OverlapWith(placement.role);
}

/// Manifests in force that no file declares any more. Nothing if the case needs the full admission:
/// a newcomer may not, or not yet, take over a claim, or the file does not prove the deletion.
std::optional<std::vector<std::string>> MissingFrom(const AdmissionInput& input,
                                                    const std::vector<Admitted>& accepted,
                                                    const ByTarget& targets) {
  std::vector<std::string> missing;
  for (const InForce& resource : input.in_force) {
    // Only a kept-out manifest could bring the resource back, and the fast path has none.
    if (resource.gone && !resource.is_protected) continue;
    const auto at = std::lower_bound(accepted.begin(), accepted.end(), resource.name,
                                     [](const Admitted& admitted, const std::string& name) {
                                       return admitted.manifest->name < name;
                                     });
    if (at != accepted.end() && at->manifest->name == resource.name) continue;
    if (input.blank_files.contains(resource.source.file)) return std::nullopt;
    if (!resource.gone && !resource.held_by.empty()) return std::nullopt;
    if (IsClaimed(resource.placement, targets)) return std::nullopt;
    if (!resource.gone) missing.push_back(resource.name);
  }
  return missing;
}

struct Placed {
  std::vector<Admitted> manifests;  ///< In the order of what was placed.
  bool linked = false;              ///< One of them at least.
};

/// The place of each manifest: on all cores, because most of a first start apart from reading is
/// spent here. Nothing if a manifest has no place.
std::optional<Placed> PlaceAll(
    const std::vector<std::shared_ptr<const manifests::Manifest>>& manifests,
    const PlacementResolver& resolve) {
  Placed placed;
  placed.manifests.resize(manifests.size());
  std::atomic<bool> all = true;
  std::atomic<bool> linked = false;
  ParallelFor(manifests.size(), [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to && all; ++i) {
      tl::expected<Resolved, Unplaced> resolved = resolve(manifests[i]);
      if (resolved) {
        placed.manifests[i] = std::move(*resolved);
        if (manifests[i]->linked()) linked = true;
      } else {
        all = false;
      }
    }
  });
  if (!all) return std::nullopt;
  placed.linked = linked;
  return placed;
}

/// Sorts names by their beginnings, as numbers, and names with equal beginnings as texts.
struct Named {
  std::uint64_t head = 0;
  std::string_view name;
  std::size_t at = 0;

  Named(std::string_view text, std::size_t index) : name(text), at(index) {
    for (std::size_t i = 0; i < sizeof(head); ++i) {
      head = head << 8U | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0U);
    }
  }
  bool operator<(const Named& other) const {
    return head != other.head ? head < other.head : name < other.name;
  }
};

/// By name. The sort moves only numbers: a hundred thousand manifests are possible.
std::vector<Admitted> InOrder(std::vector<Admitted> placed) {
  std::vector<Named> order;
  order.reserve(placed.size());
  for (std::size_t i = 0; i < placed.size(); ++i) order.emplace_back(placed[i].manifest->name, i);
  std::sort(order.begin(), order.end());
  std::vector<Admitted> sorted;
  sorted.reserve(placed.size());
  for (const Named& named : order) sorted.push_back(std::move(placed[named.at]));
  return sorted;
}

bool HasTwins(const std::vector<Admitted>& sorted) {
  return std::adjacent_find(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
           return a.manifest->name == b.manifest->name;
         }) != sorted.end();
}

}  // namespace

std::optional<AdmissionResult> AdmitFastPath(const AdmissionInput& input,
                                             const PlacementResolver& resolve) {
  const bool faulty =
      std::any_of(input.problems.begin(), input.problems.end(),
                  [](const manifests::Problem& problem) { return problem.is_error(); });
  if (faulty || !input.broken_files.empty()) return std::nullopt;
  std::optional<Placed> placed = PlaceAll(input.manifests, resolve);
  if (!placed) return std::nullopt;
  AdmissionResult result;
  result.accepted = InOrder(std::move(placed->manifests));
  if (HasTwins(result.accepted)) return std::nullopt;
  ByTarget targets;
  for (const Admitted& admitted : result.accepted) {
    const Placement& placement = admitted.placement;
    const auto [at, first] = targets.try_emplace(&placement.target);
    Claimed& claimed = at->second;
    if (first) claimed.provider = placement.provider;
    if (claimed.provider != placement.provider) return std::nullopt;
    if (claimed.OverlapWith(placement.role)) return std::nullopt;
    claimed.parts.emplace_back(placement.role);
  }
  if (placed->linked && !CheckLinks(input).empty()) return std::nullopt;
  auto missing = MissingFrom(input, result.accepted, targets);
  if (!missing) return std::nullopt;
  result.missing = std::move(*missing);
  return result;
}

}  // namespace bindery::admission
