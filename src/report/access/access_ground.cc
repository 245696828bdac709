#include "report/access/access_ground.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/text/time_text.h"
#include "providers/resource_place.h"
#include "report/access/access_limits.h"
#include "report/access/target_match.h"

namespace bindery::report {
namespace {

bool IsPattern(const std::string& word) { return word.find('*') != std::string::npos; }

/// The targets of the word: of those that bindery read or that manifests name; else of all.
Expected<std::vector<Target>> ListTargets(const store::ReportReader& store,
                                          const std::vector<ObservedPolicy>& policies,
                                          const std::string& word,
                                          const std::string& default_project) {
  std::vector<const Target*> read;
  std::vector<const Target*> all;
  for (const ObservedPolicy& policy : policies) {
    all.push_back(&policy.target);
    if (policy.scanned == nullptr) read.push_back(&policy.target);
  }
  if (IsPattern(word)) return FindTargets(store, all, word, default_project);
  auto found = FindTargets(store, read, word, default_project);
  if (found || found.error().code != Code::kNotFound || read.size() == all.size()) return found;
  return FindTargets(store, all, word, default_project);
}

/// Which policies that a target inherits are not known.
class UnknownPolicies {
 public:
  explicit UnknownPolicies(const KnownPolicies& known) : known_(known) {}

  void Note(const access::Ancestry& ancestry) {
    if (!ancestry.inherits) return;
    if (!known_.scanned_at()) {
      Add(kNothingScanned);
      return;
    }
    for (const Target& above : ancestry.above) {
      if (known_.Find(above) != nullptr || known_.IsScanned(above)) continue;
      Add("the policy of " + above.name + ": neither read nor found by a scan");
    }
    for (const std::string& gap : ancestry.gaps) Add(gap);
  }

  [[nodiscard]] std::vector<std::string> Lines() && {
    constexpr std::size_t kMost = 10;
    if (lines_.size() > kMost) {
      const std::string more = std::to_string(lines_.size() - kMost);
      lines_.resize(kMost);
      lines_.push_back(more + " more of the kind");
    }
    return std::move(lines_);
  }

  void Add(const std::string& line) {
    if (std::ranges::find(lines_, line) == lines_.end()) lines_.push_back(line);
  }

 private:
  const KnownPolicies& known_;
  std::vector<std::string> lines_;
};

/// Makes the views of a question.
class GroundWork {
 public:
  GroundWork(const AccessRecords& records, const AccessQuery& query, WallTime as_of,
             AccessGround& ground)
      : records_(records), query_(query), as_of_(as_of), ground_(ground), unknown_(ground.known) {}

  Expected<void> Run() {
    const KnownPolicies& known = ground_.known;
    if (query_.at && known.scanned_at() && *known.scanned_at() > *query_.at) {
      ground_.notes.push_back("folders and organizations are those of the scan of " +
                              FormatRfc3339(*known.scanned_at()) +
                              "; policies that only scans show are left out");
    }
    // An empty store knows no target: that is the answer, not a misspelling.
    Expected<void> done;
    if (query_.target.empty() || known.all().empty()) {
      AddAll();
    } else if (IsPattern(query_.target)) {
      done = AddMatching();
    } else {
      done = AddAsked();
    }
    ground_.unknown = std::move(unknown_).Lines();
    return done;
  }

 private:
  void NotePlaces() {
    if (!ground_.known.scanned_at()) {
      unknown_.Add(kNothingScanned);
    } else if (!ground_.views.empty()) {
      ground_.notes.emplace_back(
          "each grant is shown where it stands; what is below inherits the grant");
    }
  }

  void AddAll() {
    for (const ObservedPolicy& policy : ground_.known.all()) ground_.views.push_back({&policy});
    NotePlaces();
  }

  Expected<void> AddMatching() {
    const KnownPolicies& known = ground_.known;
    const auto found =
        ListTargets(records_.store, known.all(), query_.target, query_.default_project);
    if (!found) return Fail(found.error());
    std::set<const ObservedPolicy*> wanted;
    for (const Target& target : *found) {
      wanted.insert(known.Find(target));
      const access::Ancestry ancestry = known.FindAncestry(target);
      if (known.scanned_at()) unknown_.Note(ancestry);
      for (const Target& above : ancestry.above) wanted.insert(known.Find(above));
    }
    for (const ObservedPolicy& policy : known.all()) {
      if (wanted.contains(&policy)) ground_.views.push_back({&policy});
    }
    NotePlaces();
    return {};
  }

  Expected<void> AddAsked() {
    auto found =
        ListTargets(records_.store, ground_.known.all(), query_.target, query_.default_project);
    if (!found && found.error().code == Code::kNotFound) {
      const auto named = providers::TargetNamed(query_.target);
      if (!named) return Fail(found.error());
      if (!IsSomethingKnown(*named)) {
        return Fail(Code::kNotFound,
                    found.error().message + "; neither its policy nor one above it is known");
      }
      // The own policy may be on record under the second name of the project.
      const KnownPolicies& known = ground_.known;
      if (known.Find(*named) == nullptr && !known.IsScanned(*named)) {
        ground_.notes.push_back(found.error().message);
      }
      found = std::vector{*named};
    }
    if (!found) return Fail(found.error());
    for (const Target& target : *found) {
      if (auto added = AddTarget(target); !added) return added;
    }
    return {};
  }

  /// The policy of the target, an inherited policy, or the fact that scans show neither.
  [[nodiscard]] bool IsSomethingKnown(const Target& target) const {
    const KnownPolicies& known = ground_.known;
    if (known.Find(target) != nullptr || known.IsScanned(target)) return true;
    const access::Ancestry ancestry = known.FindAncestry(target);
    return std::ranges::any_of(ancestry.above, [&known](const Target& above) {
      return known.Find(above) != nullptr || known.IsScanned(above);
    });
  }

  Expected<void> AddTarget(const Target& target) {
    const KnownPolicies& known = ground_.known;
    const access::Ancestry ancestry = known.FindAncestry(target);
    const std::size_t before = ground_.views.size();
    const ObservedPolicy* own = known.Find(target);
    if (own != nullptr) ground_.views.push_back({own});
    auto judge =
        HeirJudge::Make({target.name, ancestry, query_.attributes, query_.permission}, as_of_);
    if (!judge) return Fail(judge.error());
    ground_.heirs.push_back(std::make_unique<Heir>(Heir{target, *std::move(judge)}));
    Heir& heir = *ground_.heirs.back();
    for (const Target& above : ancestry.above) {
      if (const ObservedPolicy* policy = known.Find(above)) {
        ground_.views.push_back({policy, &heir.target, &heir.judge});
      }
    }
    unknown_.Note(ancestry);
    if (own == nullptr) NoteWithoutPolicy(target, ancestry, ground_.views.size() > before);
    return {};
  }

  /// `inherits`: there are policies above.
  void NoteWithoutPolicy(const Target& target, const access::Ancestry& ancestry, bool inherits) {
    const auto known_container = std::ranges::find_if(
        ancestry.above, [this](const Target& above) { return ground_.known.IsScanned(above); });
    const bool scanned = known_container != ancestry.above.end() || ground_.known.IsScanned(target);
    if (!inherits && !scanned) return;
    ground_.is_found = true;
    ground_.notes.push_back(target.name + " was not read" +
                            (scanned ? ", and scans show no policy of it" : "") +
                            (inherits ? ": the answer is what it inherits" : ""));
  }

  const AccessRecords& records_;
  const AccessQuery& query_;
  const WallTime as_of_;
  AccessGround& ground_;
  UnknownPolicies unknown_;
};

/// `targets`: sorted.
bool Contains(const std::vector<const Target*>& targets, const Target& target) {
  const auto by_value = [](const Target* one) -> const Target& { return *one; };
  return std::ranges::binary_search(targets, target, {}, by_value);
}

/// Adds those of `targets` that are above the target.
void AddAncestors(const KnownPolicies& known, const Target& target,
                  const std::vector<const Target*>& targets, std::set<Target>& wanted,
                  UnknownPolicies& unknown) {
  const access::Ancestry ancestry = known.FindAncestry(target);
  unknown.Note(ancestry);
  for (const Target& above : ancestry.above) {
    const ObservedPolicy* policy = known.Find(above);
    const Target& recorded = policy == nullptr ? above : policy->target;
    if (Contains(targets, recorded)) wanted.insert(recorded);
  }
}

}  // namespace

Expected<AccessGround> FindGround(const AccessRecords& records, const AccessQuery& query,
                                  WallTime as_of) {
  auto known = KnownPolicies::Read(records, query.at);
  if (!known) return Fail(known.error());
  AccessGround ground{*std::move(known)};
  if (auto done = GroundWork(records, query, as_of, ground).Run(); !done) return Fail(done.error());
  return ground;
}

Expected<HeirsAndAncestors> TargetsWithAncestors(const AccessRecords& records,
                                                 const KnownPolicies& known,
                                                 const std::vector<const Target*>& targets,
                                                 const std::string& word,
                                                 const std::string& default_project) {
  UnknownPolicies unknown(known);
  if (!known.scanned_at()) unknown.Add(kNothingScanned);
  HeirsAndAncestors found;
  if (word.empty() || (targets.empty() && word == "*")) {
    for (const Target* target : targets) found.targets.push_back(*target);
    found.unknown = std::move(unknown).Lines();
    return found;
  }
  const auto asked = FindTargets(records.store, targets, word, default_project);
  std::vector<Target> heirs = asked ? *asked : std::vector<Target>();
  std::set<Target> wanted(heirs.begin(), heirs.end());
  if (const auto named = providers::TargetNamed(word); !asked && named) {
    heirs.push_back(*named);
    unknown.Add("the policy of " + named->name + ": no reads of it are on record");
  }
  for (const Target& heir : heirs) AddAncestors(known, heir, targets, wanted, unknown);
  if (!asked && (wanted.empty() || asked.error().code != Code::kNotFound)) {
    Error missing = asked.error();
    if (targets.empty()) {
      missing.message += ": no policy was observed yet (bindery run observes the targets)";
    }
    return Fail(std::move(missing));
  }
  found.targets.assign(wanted.begin(), wanted.end());
  found.unknown = std::move(unknown).Lines();
  return found;
}

}  // namespace bindery::report
