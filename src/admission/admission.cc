#include "admission/admission.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "admission/conflict_text.h"
#include "admission/fast_path.h"
#include "admission/kept_claims.h"
#include "admission/links.h"
#include "admission/successors.h"
#include "core/access/status.h"

namespace bindery::admission {
namespace {

using manifests::Manifest;
using manifests::Problem;

std::optional<Placement> FindPlacement(tl::expected<Resolved, Unplaced> resolved) {
  return resolved ? std::move(resolved->placement) : std::move(resolved.error().placement);
}

class Admitter {
 public:
  Admitter(const AdmissionInput& input, const PlacementResolver& resolve)
      : input_(input), resolve_(resolve) {
    for (const InForce& resource : input.in_force) in_force_[resource.name] = &resource;
  }

  AdmissionResult Run() {
    RejectInvalid();
    FindBadLinks();
    CollectCandidates();
    SettleMissing();
    RejectSuccessors();
    while (RejectOneRound()) {
    }
    for (auto& [name, candidate] : candidates_) result_.accepted.push_back(std::move(candidate));
    FindContested();
    FindUnknownContent();
    return std::move(result_);
  }

 private:
  /// `places`: the error and where, when that is known better than for the whole manifest.
  void Reject(Rejected rejected, const std::string& code, std::vector<Problem> places = {}) {
    // Waiting is no fault.
    const bool fault = rejected.manifest != nullptr && rejected.state == ResourceState::kStalled;
    if (fault && !places.empty()) {
      std::move(places.begin(), places.end(), std::back_inserter(result_.problems));
    } else if (fault) {
      result_.problems.push_back({rejected.source.file.str(), rejected.source.line, /*column=*/1,
                                  /*path=*/"", manifests::ProblemSeverity::kError, code,
                                  rejected.message, rejected.name});
    }
    out_.insert(rejected.name);
    result_.rejected.push_back(std::move(rejected));
  }

  /// Invalid documents with a known name.
  void RejectInvalid() {
    for (const Problem& problem : input_.problems) {
      if (!problem.is_error() || problem.resource.empty()) continue;
      if (out_.contains(problem.resource)) continue;
      Rejected rejected;
      rejected.name = problem.resource;
      rejected.reason = reason::kManifestInvalid;
      rejected.message = problem.Text();
      rejected.source = {problem.file, problem.line};
      Reject(std::move(rejected), "");
    }
  }

  /// Invalid references and dependencies: reported for all manifests, kept-out ones included.
  void FindBadLinks() {
    for (LinkFault& fault : CheckLinks(input_)) {
      badly_linked_.try_emplace(fault.manifest, fault.problem.Text());
      result_.problems.push_back(std::move(fault.problem));
    }
  }

  void RejectBadlyLinked(const std::shared_ptr<const Manifest>& manifest, std::string message) {
    out_.insert(manifest->name);
    result_.rejected.push_back({manifest->name, std::string(reason::kManifestInvalid),
                                std::move(message), manifest->source, manifest,
                                FindPlacement(resolve_(manifest))});
  }

  void CollectCandidates() {
    std::map<std::string, std::vector<std::shared_ptr<const Manifest>>> by_name;
    for (const auto& manifest : input_.manifests) by_name[manifest->name].push_back(manifest);
    for (auto& [name, twins] : by_name) {
      if (twins.size() > 1) {
        RejectTwins(name, twins);
        continue;
      }
      if (out_.contains(name)) continue;  // a second document of that name is broken
      const auto& manifest = twins.front();
      if (const auto bad = badly_linked_.find(manifest.get()); bad != badly_linked_.end()) {
        RejectBadlyLinked(manifest, bad->second);
        continue;
      }
      tl::expected<Resolved, Unplaced> resolved = resolve_(manifest);
      if (!resolved) {
        RejectUnplaced(manifest, std::move(resolved.error()));
        continue;
      }
      candidates_[name] = std::move(*resolved);
    }
  }

  void RejectUnplaced(const std::shared_ptr<const Manifest>& manifest, Unplaced unplaced) {
    Rejected rejected{manifest->name,
                      std::string(reason::kManifestInvalid),
                      std::move(unplaced.error.message),
                      manifest->source,
                      manifest,
                      std::move(unplaced.placement)};
    std::string code = "InvalidReference";
    if (unplaced.error.code == Code::kFailedPrecondition) {
      rejected.reason = reason::kProtected;
      code = "Protected";
    } else if (unplaced.error.code == Code::kUnavailable) {
      rejected.reason = reason::kDependencyNotReady;
      rejected.state = ResourceState::kReconciling;
    }
    Reject(std::move(rejected), code, std::move(unplaced.error.problems));
  }

  /// A name has one status, so the status lists all places; each problem lists the other places.
  void RejectTwins(const std::string& name, std::vector<std::shared_ptr<const Manifest>> twins) {
    std::sort(twins.begin(), twins.end(),
              [](const auto& a, const auto& b) { return a->source < b->source; });
    const std::string rule =
        std::string(": names are unique in the whole directory, so none of them is applied") +
        (in_force_.contains(name) ? "; what was in force before stays in force" : "") +
        "; rename or delete all but one";
    for (const auto& manifest : twins) {
      Rejected rejected{name, std::string(reason::kDuplicateName),
                        "the name \"" + name + "\" is used at " + ListPlaces(twins, nullptr) + rule,
                        manifest->source, manifest};
      rejected.placement = FindPlacement(resolve_(manifest));
      if (rejected.placement) twins_.push_back({name, manifest->source, *rejected.placement});
      Reject(std::move(rejected), "DuplicateName");
      result_.problems.back().message =
          "the name \"" + name + "\" is also used at " + ListPlaces(twins, manifest) + rule;
    }
  }

  [[nodiscard]] bool FileInError(const std::string& file) const {
    // An unreadable folder is broken with everything in it.
    for (std::string path = file; !path.empty();) {
      if (input_.broken_files.contains(path)) return true;
      const auto slash = path.rfind('/');
      path.resize(slash == std::string::npos ? 0 : slash);
    }
    return std::any_of(input_.problems.begin(), input_.problems.end(), [&](const Problem& problem) {
      return problem.file == file && problem.is_error();
    });
  }

  /// The file was emptied: an empty file says nothing about the fate of its former declarations.
  void NoteEmptied(const std::map<std::string, std::size_t>& counts) {
    for (const auto& [file, count] : counts) {
      Problem problem;
      problem.file = file;
      problem.code = "EmptyFile";
      problem.message = EmptiedText(count);
      result_.problems.push_back(std::move(problem));
      result_.emptied.insert(file);
    }
  }

  void SettleMissing() {
    std::map<std::string, std::size_t> emptied;
    const PossibleSuccessors successors(input_, result_.rejected);
    for (const InForce& resource : input_.in_force) {
      if (candidates_.contains(resource.name) || out_.contains(resource.name)) continue;
      const std::string& file = resource.source.file.str();
      const bool blank = !resource.gone && input_.blank_files.contains(file);
      if (blank) ++emptied[file];
      const bool unread = blank || (!resource.gone && FileInError(file));
      SettleOne(resource, unread, unread ? "" : MayHold(resource, successors));
    }
    NoteEmptied(emptied);
  }

  /// `unread`: the file is unread. `holder`: a second cause that may hold the resource.
  void SettleOne(const InForce& resource, bool unread, std::string holder) {
    const bool held = !holder.empty();
    if (held) result_.held.emplace(resource.name, std::move(holder));
    if (held && resource.gone && IsTaken(resource, candidates_)) return;
    if (unread || held) {
      result_.frozen.push_back(resource.name);
      holding_.insert(resource.name);
      return;
    }
    if (resource.is_protected || (!resource.gone && !resource.missed)) kept_.Add(resource);
    if (!resource.gone) result_.missing.push_back(resource.name);
  }

  /// Newcomers that may not, or not yet, take over the claim of a missing manifest. A manifest that
  /// was kept out before is no rename of the missing one.
  void RejectSuccessors() {
    std::vector<std::pair<Holder, const InForce*>> successors;
    for (const auto& [name, candidate] : candidates_) {
      const InForce* kept = kept_.FindInTheWay(candidate.placement);
      if (kept == nullptr) continue;
      // Only the same claim looks like a rename; a wider claim would take foreign grants.
      const bool same = kept->placement.role == candidate.placement.role;
      if (!kept->is_protected && same && !input_.contested.contains(name)) continue;
      successors.push_back({{name, candidate.manifest->source, candidate.placement}, kept});
    }
    for (const auto& [successor, kept] : successors) {
      if (kept->is_protected) {
        RejectCandidate(successor, reason::kProtected, ProtectedText(*kept));
      } else {
        RejectCandidate(successor, reason::kRoleConflict, MissedText(*kept));
      }
    }
  }

  /// All claims, by target. A missing manifest claims nothing any more: a manifest that declares
  /// its role now, and was not rejected above, takes it over without a gap.
  [[nodiscard]] std::map<Target, std::vector<Holder>> Claims() const {
    std::map<Target, std::vector<Holder>> claims;
    for (const auto& [name, candidate] : candidates_) {
      claims[candidate.placement.target].push_back(
          {name, candidate.manifest->source, candidate.placement});
    }
    for (const auto& [name, resource] : in_force_) {
      if (!out_.contains(name) && !holding_.contains(name)) continue;
      claims[resource->placement.target].push_back({name, resource->source, resource->placement});
    }
    return claims;
  }

  /// Claims of manifests with a duplicate name count although none is applied: the duplicate must
  /// not decide a conflict. The holder in force stays in force.
  void AddTwins(std::map<Target, std::vector<Holder>>& claims) const {
    for (const Holder& twin : twins_) {
      const auto claim = claims.find(twin.placement.target);
      if (claim == claims.end()) continue;
      std::vector<Holder>& holders = claim->second;
      if (NameIncumbent(FindInTheWay(twin, holders), twin.placement.role).empty()) {
        holders.push_back(twin);
      }
    }
  }

  /// The former holder of the part of the policy: the holder stays in force. Empty: none.
  [[nodiscard]] std::string NameIncumbent(const Holders& holders, const std::string& part) const {
    for (const Holder* holder : holders) {
      const auto before = in_force_.find(holder->name);
      const bool same = before != in_force_.end() &&
                        before->second->placement.target == holder->placement.target &&
                        before->second->placement.role == holder->placement.role &&
                        Overlap(holder->placement.role, part);
      if (same) return holder->name;
    }
    return "";
  }

  /// Rejects the candidates of every conflict. True after a rejection: the version in force of a
  /// rejected manifest may conflict with a further candidate.
  bool RejectOneRound() {
    bool any = false;
    auto claims = Claims();
    AddTwins(claims);
    for (const auto& [target, holders] : claims) {
      for (const Holder& holder : holders) {
        const Holders conflict = FindInTheWay(holder, holders);
        if (conflict.size() < 2) continue;
        const std::string incumbent = NameIncumbent(conflict, holder.placement.role);
        const std::string text = ConflictText(conflict, holder, incumbent);
        any |= RejectCandidate(holder, reason::kRoleConflict, text);
        NoteConflictOfHolder(holder, text);
      }
    }
    for (const auto& [target, holders] : Claims()) any |= RejectOtherProviders(holders);
    return any;
  }

  /// One policy cannot be written through two providers: each would remove the grants of the other.
  bool RejectOtherProviders(const std::vector<Holder>& holders) {
    std::set<std::string> providers;
    for (const Holder& holder : holders) providers.insert(holder.placement.provider);
    if (providers.size() < 2) return false;
    std::set<std::string> held;
    for (const Holder& holder : holders) {
      const auto before = in_force_.find(holder.name);
      if (before != in_force_.end() &&
          before->second->placement.target == holder.placement.target) {
        held.insert(before->second->placement.provider);
      }
    }
    bool any = false;
    for (const Holder& holder : holders) {
      if (held.size() == 1 && held.contains(holder.placement.provider)) continue;
      any |=
          RejectCandidate(holder, reason::kProviderConflict, ProviderConflictText(holders, holder));
    }
    return any;
  }

  bool RejectCandidate(const Holder& holder, std::string_view why, const std::string& message) {
    const auto found = candidates_.find(holder.name);
    if (found == candidates_.end() || !(found->second.placement == holder.placement)) return false;
    Rejected rejected{holder.name,   std::string(why),       message,
                      holder.source, found->second.manifest, holder.placement};
    candidates_.erase(found);
    Reject(std::move(rejected), std::string(why));
    return true;
  }

  /// Adds the conflict to the status of a holder in force that is frozen or otherwise rejected.
  void NoteConflictOfHolder(const Holder& holder, const std::string& text) {
    if (!holding_.contains(holder.name) || out_.contains(holder.name)) return;
    Reject({holder.name, std::string(reason::kRoleConflict), text, holder.source},
           std::string(reason::kRoleConflict));
    // A resource has one status: a person has to look at the conflict first.
    std::erase(result_.frozen, holder.name);
  }

  /// Rejected claims without a holder.
  void FindContested() {
    std::multimap<Target, std::string> held;
    const auto hold = [&held](const Placement& placement) {
      held.emplace(placement.target, placement.role);
    };
    for (const Admitted& admitted : result_.accepted) hold(admitted.placement);
    for (const auto& [name, resource] : in_force_) {
      if (out_.contains(name) || holding_.contains(name)) hold(resource->placement);
    }
    for (const auto& [target, resource] : kept_.all()) hold(resource->placement);
    std::set<std::pair<Target, std::string>> noted;
    for (const Rejected& rejected : result_.rejected) {
      if (!rejected.placement) continue;
      const Placement& wanted = *rejected.placement;
      const auto [begin, end] = held.equal_range(wanted.target);
      const bool is_held = std::any_of(
          begin, end, [&](const auto& item) { return Contains(item.second, wanted.role); });
      if (!is_held && noted.emplace(wanted.target, wanted.role).second) {
        result_.contested.push_back(wanted);
      }
    }
  }

  void FindUnknownContent() {
    std::set<std::string> known_files;
    for (const InForce& resource : input_.in_force) {
      if (!resource.gone) known_files.insert(resource.source.file);
    }
    for (const auto* files : {&input_.broken_files, &input_.blank_files}) {
      for (const std::string& file : *files) {
        if (!known_files.contains(file)) result_.unknown_content = true;
      }
    }
    // A document without a name may be the broken successor of a frozen manifest.
    std::set<std::string> frozen_files;
    for (const std::string& name : holding_) {
      frozen_files.insert(in_force_.at(name)->source.file);
    }
    for (const Problem& problem : input_.problems) {
      if (!problem.is_error() || !problem.resource.empty()) continue;
      if (!frozen_files.contains(problem.file)) result_.unknown_content = true;
    }
    for (const Rejected& rejected : result_.rejected) {
      // A manifest that never was in force and has no known claim.
      if (!rejected.placement && !in_force_.contains(rejected.name)) result_.unknown_content = true;
    }
  }

  const AdmissionInput& input_;
  const PlacementResolver& resolve_;
  std::map<std::string, const InForce*> in_force_;
  std::map<std::string, Admitted> candidates_;
  std::set<std::string> out_;                                      ///< Names that were rejected.
  std::unordered_map<const Manifest*, std::string> badly_linked_;  ///< And what is wrong first.
  std::vector<Holder> twins_;      ///< Manifests that share their name with others.
  std::set<std::string> holding_;  ///< In force without a readable manifest.
  /// Claims of missing manifests with restrictions on the successor.
  KeptClaims kept_;
  AdmissionResult result_;
};

}  // namespace

AdmissionResult Admit(const AdmissionInput& input, const PlacementResolver& resolve) {
  if (auto sound = AdmitFastPath(input, resolve)) return std::move(*sound);
  return Admitter(input, resolve).Run();
}

}  // namespace bindery::admission
