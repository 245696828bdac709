// Access gained and lost between two times.

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "access/group_source.h"
#include "access/known_groups.h"
#include "core/text/time_text.h"
#include "providers/registry/kinds.h"
#include "report/access/access_ground.h"
#include "report/access/access_limits.h"
#include "report/access/access_report.h"
#include "report/access/condition_judge.h"
#include "report/access/held_grants.h"
#include "report/access/known_policies.h"
#include "report/access/observed_access.h"
#include "report/access/two_times.h"

namespace bindery::report {
namespace {

/// Notes of one sort: each of few, or how many there are.
class Notes {
 public:
  void Add(const std::string& note) {
    if (++count_ <= kMost) first_.push_back(note);
  }
  void MoveTo(std::vector<std::string>& notes, const char* all) && {
    if (count_ > kMost) first_ = {std::to_string(count_) + " targets " + all};
    std::ranges::move(first_, std::back_inserter(notes));
  }

 private:
  static constexpr std::size_t kMost = 5;
  std::size_t count_ = 0;
  std::vector<std::string> first_;
};

/// The two times of a comparison.
struct Span {
  WallTime since;
  WallTime until;
};

/// Compares the policies of some targets at a time; gives the changes away.
class Comparison {
 public:
  /// All but `span` must outlive the object.
  Comparison(const store::ReportReader& store, access::GroupSource& groups, const Span& span,
             const TakeChange& take)
      : store_(store),
        groups_(groups),
        take_(take),
        judges_{span.since, ConditionJudge::At(span.since), ConditionJudge::At(span.until)} {
    diff_.since = {span.since};
    diff_.until = {span.until};
  }

  /// Reads the first readings of the targets next to compare without a `before`.
  Expected<void> ReadFirst(const std::vector<Target>& targets) {
    ahead_.first.clear();
    auto revisions = store_.FirstRevisions(targets);
    if (!revisions) return Fail(revisions.error());
    for (store::RevisionRecord& first : *revisions) {
      Target known = first.target;
      ahead_.first.emplace(std::move(known), RecordPolicy(std::move(first)));
    }
    return {};
  }

  /// Finds the unchanged policies, among the next to compare, whose access time may change.
  Expected<void> ReadUnchanged(const std::vector<const ObservedPolicy*>& policies) {
    ahead_.timed.clear();
    if (policies.empty()) return {};
    std::vector<std::string> digests;
    for (const ObservedPolicy* policy : policies) digests.push_back(policy->digest);
    const auto bodies = store_.Policies(digests);
    if (!bodies) return Fail(bodies.error());
    for (std::size_t i = 0; i < policies.size(); ++i) {
      // A condition on `request.time` holds the word.
      constexpr const char* kRequest = "request";
      if ((*bodies)[i].find(kRequest) != std::string::npos) ahead_.timed.insert(digests[i]);
    }
    return {};
  }

  /// The first reading of the target, if ReadFirst found the reading; else null.
  [[nodiscard]] const ObservedPolicy* FindFirst(const Target& target) const {
    const auto first = ahead_.first.find(target);
    return first == ahead_.first.end() ? nullptr : &first->second;
  }

  Expected<void> Compare(const ObservedPolicy* before, const ObservedPolicy& after) {
    WallTime since = judges_.since;
    if (before == nullptr) {
      const auto first = ahead_.first.find(after.target);
      // The history of the target is not kept.
      if (first == ahead_.first.end()) return {};
      before = &first->second;
      since = before->observed_at;
      first_read_.Add(after.target.name + " was first read " + FormatRfc3339(before->observed_at) +
                      ": what was before is not known");
    }
    const bool unchanged = before->digest == after.digest && before->exists == after.exists;
    if (unchanged && !ahead_.timed.contains(after.digest)) return {};
    differing_.push_back({*before, after, since});
    return differing_.size() < kAtOnce ? Expected<void>() : CompareGrants();
  }

  void Note(std::string text) { diff_.notes.push_back(std::move(text)); }
  void NoteGone(const Target& target) { gone_.Add(target.name + " is not observed any more"); }

  [[nodiscard]] Expected<AccessDiff> Report() && {
    if (auto compared = CompareGrants(); !compared) return Fail(compared.error());
    std::move(first_read_)
        .MoveTo(diff_.notes, "were first read since then: what was before is not known");
    std::move(gone_).MoveTo(diff_.notes, "are not observed any more");
    if (has_members_) Note("members of groups are those of now, at both times");
    return std::move(diff_);
  }

 private:
  static constexpr std::size_t kAtOnce = 32;

  struct Judges {
    WallTime since;
    ConditionJudge before;  ///< Of `since`.
    ConditionJudge after;
  };

  /// Readings of the targets next to compare.
  struct Ahead {
    std::map<Target, ObservedPolicy> first = {};  ///< First readings.
    std::set<std::string> timed = {};  ///< Digests of policies with conditions on requests.
  };

  /// Two policies of a target whose access may differ.
  struct Pair {
    ObservedPolicy before;
    ObservedPolicy after;
    WallTime since;  ///< Of `before`.
  };

  /// Compares the policies that wait for that.
  Expected<void> CompareGrants() {
    std::vector<const ObservedPolicy*> policies;
    for (const Pair& pair : differing_) {
      policies.push_back(&pair.before);
      policies.push_back(&pair.after);
    }
    const auto grants = GrantsUnderEach(store_, policies);
    if (!grants) return Fail(grants.error());
    std::vector<Target> targets;
    for (std::size_t i = 0; i < differing_.size(); ++i) {
      const Pair& pair = differing_[i];
      const Target& target = pair.before.target;
      std::optional<ConditionJudge> judge_first;
      if (pair.since != judges_.since) judge_first = ConditionJudge::At(pair.since);
      Add(target,
          HeldDirectly(target, (*grants)[2 * i], judge_first ? *judge_first : judges_.before),
          HeldDirectly(target, (*grants)[2 * i + 1], judges_.after));
      targets.resize(changes_.size(), target);
    }
    differing_.clear();
    return GiveChanges(targets);
  }

  /// The changes of grants, then what these give to members of groups, or take from them.
  void Add(const Target& target, GrantsThen before, GrantsThen after) {
    const std::vector<MemberGrant> gained = GrantsBeyond(after.held, before.held);
    const std::vector<MemberGrant> lost = GrantsBeyond(before.held, after.held);
    if (gained.empty() && lost.empty()) return;
    ++diff_.summary.targets;
    std::set<RoleAndCondition> roles;
    for (const auto* changed : {&gained, &lost}) {
      for (const MemberGrant& held : *changed) roles.emplace(held.grant.role, held.grant.condition);
    }
    report::AddMembers(target, roles, groups_, before.held);
    report::AddMembers(target, roles, groups_, after.held);
    AddTurn(AccessTurn::kGained, target, gained, before, after.held);
    AddTurn(AccessTurn::kLost, target, lost, after, before.held);
  }

  /// `held`: with the access in question; `other`: without. `grants`: only in the policy of `held`.
  void AddTurn(AccessTurn turn, const Target& target, const std::vector<MemberGrant>& grants,
               const GrantsThen& other, const MemberGrants& held) {
    for (const MemberGrant& grant : grants) {
      Add(turn, target, grant,
          Explain(turn, KeyOfHeld(target, grant.grant, grant.principal), other));
    }
    for (const MemberGrant& member : GrantsBeyond(held, other.held)) {
      if (!member.via) continue;
      has_members_ = true;
      Add(turn, target, member, "");
    }
  }

  /// The reason why the policy of the second time does not give the same access, or the group
  /// through which the policy does. Empty: the policy does not have the grant.
  std::string Explain(AccessTurn turn, const HeldKey& key, const GrantsThen& other) {
    const bool gained = turn == AccessTurn::kGained;
    const auto through = other.held.find(key);
    if (through != other.held.end() && through->second.via) {
      has_members_ = true;
      return (gained ? "held before through " : "still held through ") + *through->second.via;
    }
    if (other.deleted.contains(key)) {
      return gained ? "the principal was deleted before" : "the principal was deleted";
    }
    if (!other.out_of_force.contains(key)) return {};
    return gained ? "its condition was false before" : "its condition is false now";
  }

  /// With the manifests that declare them; `targets`: of each.
  Expected<void> GiveChanges(const std::vector<Target>& targets) {
    if (changes_.empty()) return {};
    if (auto turned = sources_.TurnTo(store_, {targets.begin(), targets.end()}); !turned) {
      return turned;
    }
    for (std::size_t i = 0; i < changes_.size(); ++i) {
      changes_[i].source = sources_.Of(targets[i], changes_[i].grant.grant);
      take_(std::move(changes_[i]));
    }
    changes_.clear();
    return {};
  }

  void Add(AccessTurn turn, const Target& target, const MemberGrant& held, std::string note) {
    ++(turn == AccessTurn::kGained ? diff_.summary.gained : diff_.summary.lost);
    AccessChange& change = changes_.emplace_back();
    change.change = turn;
    change.target = target.name;
    change.kind = target.kind.str();
    change.grant = {held.grant, providers::GetTraits(target).words};
    change.principal = held.principal;
    change.via = held.via;
    change.time_bounds = judges_.after.Judge(held.grant.condition).bounds;
    if (!note.empty()) change.note = std::move(note);
  }

  const store::ReportReader& store_;
  access::GroupSource& groups_;
  const TakeChange& take_;
  bool has_members_ = false;  ///< A change is about a member of a group.
  Ahead ahead_;
  std::vector<Pair> differing_;  ///< Wait for a comparison.
  GrantSources sources_;
  Judges judges_;
  AccessDiff diff_;
  std::vector<AccessChange> changes_;  ///< Of the policies in work.
  Notes first_read_;
  Notes gone_;
};

/// A target whose last manifest went is not read any more: its last revision has the rest.
Expected<std::map<Target, ObservedPolicy>> LeftOnRecord(const store::ReportReader& store,
                                                        const std::set<Target>& gone,
                                                        WallTime now) {
  std::map<Target, ObservedPolicy> left;
  if (gone.empty()) return left;
  const auto read = store.ReadRevisionsInForce(now, [&](store::RevisionRecord&& revision) {
    if (!gone.contains(revision.target)) return;
    Target target = revision.target;
    left.emplace(std::move(target), RecordPolicy(std::move(revision)));
  });
  if (!read) return Fail(read.error());
  return left;
}

/// What is compared.
struct Compared {
  const TwoTimes& times;
  std::vector<const Target*> targets;
};

/// Of the `count` targets from `first` on, those without a policy of the first time.
std::vector<Target> NewAmong(const Compared& compared, std::size_t first, std::size_t count) {
  std::vector<Target> targets;
  for (std::size_t i = first; i < std::min(first + count, compared.targets.size()); ++i) {
    const TwoTimes::Pair pair = compared.times.Find(*compared.targets[i]);
    if (pair.before == nullptr && !pair.same) targets.push_back(*compared.targets[i]);
  }
  return targets;
}

/// Reads the input of the comparison of `count` targets from `first` on.
Expected<void> Prepare(const Compared& compared, std::size_t first, std::size_t count,
                       Comparison& comparison) {
  auto read = comparison.ReadFirst(NewAmong(compared, first, count));
  if (!read) return read;
  std::vector<const ObservedPolicy*> unchanged;
  for (std::size_t i = first; i < std::min(first + count, compared.targets.size()); ++i) {
    const TwoTimes::Pair pair = compared.times.Find(*compared.targets[i]);
    if (pair.after == nullptr || !pair.after->exists || pair.before != nullptr) continue;
    const ObservedPolicy* read_first = comparison.FindFirst(pair.after->target);
    const bool same = pair.same || (read_first != nullptr && read_first->exists &&
                                    read_first->digest == pair.after->digest);
    if (same) unchanged.push_back(pair.after);
  }
  return comparison.ReadUnchanged(unchanged);
}

Expected<void> CompareAll(const store::ReportReader& store, const Compared& compared,
                          std::optional<WallTime> left_at, Comparison& comparison) {
  std::set<Target> gone;
  for (const Target* target : compared.targets) {
    if (left_at && compared.times.Find(*target).after == nullptr) gone.insert(*target);
  }
  const auto left = LeftOnRecord(store, gone, left_at.value_or(WallTime()));
  if (!left) return Fail(left.error());
  constexpr std::size_t kAtOnce = 128;
  for (std::size_t i = 0; i < compared.targets.size(); ++i) {
    if (i % kAtOnce == 0) {
      auto prepared = Prepare(compared, i, kAtOnce, comparison);
      if (!prepared) return prepared;
    }
    const Target* target = compared.targets[i];
    const TwoTimes::Pair pair = compared.times.Find(*target);
    const ObservedPolicy* last = pair.after;
    if (last == nullptr) {
      comparison.NoteGone(*target);
      const auto found = left->find(*target);
      if (found == left->end()) continue;
      last = &found->second;
    }
    const ObservedPolicy* before = pair.same ? last : pair.before;
    if (auto done = comparison.Compare(before, *last); !done) return done;
  }
  return {};
}

}  // namespace

Expected<AccessDiff> AccessDiffReport(const AccessRecords& records, const AccessDiffQuery& query,
                                      WallTime now) {
  std::vector<AccessChange> changes;
  auto diff = EachAccessChange(
      records, query, now, [&](AccessChange&& change) { changes.push_back(std::move(change)); });
  if (diff) diff->changes = std::move(changes);
  return diff;
}

Expected<AccessDiff> EachAccessChange(const AccessRecords& records, const AccessDiffQuery& query,
                                      WallTime now, const TakeChange& take) {
  const store::ReportReader& store = records.store;
  const WallTime until = query.until.value_or(now);
  if (query.since > until) {
    return Fail(Code::kInvalidArgument,
                "since " + FormatRfc3339(query.since) + " is after until " + FormatRfc3339(until));
  }
  auto read = ObservedPolicies(store, query.until);
  if (!read) return Fail(read.error());
  // Of all targets the question is not which are above which.
  const bool all = query.target.empty();
  const auto known = KnownPolicies::With(
      records, query.until, all ? std::vector<ObservedPolicy>() : std::exchange(*read, {}));
  if (!known) return Fail(known.error());
  // One list is enough, but where scans have changed it.
  const bool is_known = !all && !known->scanned_at();
  if (!all && !is_known) read = ObservedPolicies(store, query.until);
  if (!read) return Fail(read.error());
  const auto times = TwoTimes::Read(store, query.since, is_known ? known->all() : *read);
  if (!times) return Fail(times.error());
  Compared compared{*times, times->Targets()};
  const auto found =
      TargetsWithAncestors(records, *known, all ? std::vector<const Target*>() : compared.targets,
                           query.target, query.default_project);
  if (!found) return Fail(found.error());
  if (!all) {
    compared.targets.clear();
    for (const Target& target : found->targets) compared.targets.push_back(&target);
  }
  access::KnownGroups groups(records.groups, records.group_asker);
  Comparison comparison(store, groups, {query.since, until}, take);
  if (times->empty()) {
    comparison.Note("no policy was observed yet: nothing is known about access");
  }
  const auto left_at = query.until ? std::nullopt : std::optional(now);
  if (auto done = CompareAll(store, compared, left_at, comparison); !done) {
    return Fail(done.error());
  }
  auto report = std::move(comparison).Report();
  if (!report) return Fail(report.error());
  AccessDiff& diff = *report;
  std::vector<std::string> unknown = found->unknown;
  std::ranges::move(groups.Gaps(), std::back_inserter(unknown));
  diff.not_considered = NotConsidered(std::move(unknown), SourceOfGroups(records));
  if (known->scanned_at()) diff.not_considered.emplace_back("policies that only scans show");
  return report;
}

}  // namespace bindery::report
