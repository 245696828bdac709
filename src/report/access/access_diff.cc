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

namespace bindery {
namespace {

using report::ConditionJudge;
using report::GrantSources;
using report::HeldGrant;
using report::HeldGrants;
using report::ObservedPolicy;

using Policies = std::map<Target, ObservedPolicy>;

Policies ByTarget(std::vector<ObservedPolicy> list) {
  Policies policies;
  for (ObservedPolicy& policy : list) {
    Target target = policy.target;
    policies.emplace(std::move(target), std::move(policy));
  }
  return policies;
}

Expected<Policies> PoliciesAt(const ReportReader& store, std::optional<WallTime> at) {
  auto list = report::ObservedPolicies(store, at);
  if (!list) return Fail(list.error());
  return ByTarget(*std::move(list));
}

ObservedPolicy PolicyOf(const RevisionRecord& revision) {
  return {revision.target, revision.time, revision.digest, revision.id};
}

/// The first readings of targets.
class FirstReadings {
 public:
  /// `many`: most are asked for. The store must outlive the object.
  FirstReadings(const ReportReader& store, bool many) : store_(store), many_(many) {}

  /// Nothing when the history of the target is not kept.
  Expected<std::optional<ObservedPolicy>> Of(const Target& target) {
    if (!many_) return ReadOne(target);
    if (all_.empty()) {
      const auto revisions = store_.FirstRevisions();
      if (!revisions) return Fail(revisions.error());
      for (const RevisionRecord& first : *revisions) all_.emplace(first.target, PolicyOf(first));
    }
    const auto found = all_.find(target);
    return found == all_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  Expected<std::optional<ObservedPolicy>> ReadOne(const Target& target) const {
    const auto revisions = store_.Revisions(target, false);
    if (!revisions) return Fail(revisions.error());
    if (revisions->empty()) return std::optional<ObservedPolicy>();
    return std::optional(PolicyOf(revisions->front()));
  }

  const ReportReader& store_;
  const bool many_;
  Policies all_;
};

class Comparison {
 public:
  /// Both must outlive the object. `many_new`: many targets have no policy of the first time.
  Comparison(const ReportReader& store, GroupSource& groups, WallTime until, bool many_new)
      : store_(store),
        groups_(groups),
        first_readings_(store, many_new),
        judge_(ConditionJudge::At(until)) {
    diff_.until = {until};
  }

  Expected<void> Compare(const ObservedPolicy* before, const ObservedPolicy& after) {
    std::optional<ObservedPolicy> first;
    if (before == nullptr) {
      auto found = first_readings_.Of(after.target);
      if (!found) return Fail(found.error());
      first = std::move(*found);
      if (!first) return {};
      first_read_.push_back(after.target.name + " was first read " +
                            FormatRfc3339(first->observed_at) + ": what was before is not known");
      before = &*first;
    }
    if (before->digest == after.digest && before->exists == after.exists) return {};
    differing_.emplace_back(*before, after);
    return differing_.size() < kAtOnce ? Expected<void>() : CompareGrants();
  }

  void Note(std::string text) { diff_.notes.push_back(std::move(text)); }
  void NoteGone(const Target& target) {
    gone_.push_back(target.name + " is not observed any more");
  }

  [[nodiscard]] Expected<AccessDiff> Report(WallTime since) && {
    if (auto compared = CompareGrants(); !compared) return Fail(compared.error());
    NoteAll(first_read_, "were first read since then: what was before is not known");
    NoteAll(gone_, "are not observed any more");
    if (has_members_) Note("members of groups are those of now, at both times");
    diff_.since = {since};
    return std::move(diff_);
  }

 private:
  /// Of two policies each.
  static constexpr std::size_t kAtOnce = 32;

  /// A note each, or a single note if many.
  void NoteAll(const std::vector<std::string>& notes, const char* all) {
    constexpr std::size_t kMany = 5;
    if (notes.size() > kMany) {
      Note(std::to_string(notes.size()) + " targets " + all);
    } else {
      for (const std::string& note : notes) Note(note);
    }
  }

  /// Compares the policies that wait for that.
  Expected<void> CompareGrants() {
    std::vector<const ObservedPolicy*> policies;
    for (const auto& [before, after] : differing_) {
      policies.push_back(&before);
      policies.push_back(&after);
    }
    const auto grants = report::GrantsUnderEach(store_, policies);
    if (!grants) return Fail(grants.error());
    const std::size_t known = diff_.changes.size();
    std::vector<Target> targets;
    for (std::size_t i = 0; i < policies.size(); i += 2) {
      const Target& target = policies[i]->target;
      Add(target, report::HeldDirectly(target, (*grants)[i]),
          report::HeldDirectly(target, (*grants)[i + 1]));
      targets.resize(diff_.changes.size() - known, target);
    }
    if (auto added = AddSources(targets, known); !added) return added;
    differing_.clear();
    return {};
  }

  /// The changes of grants, then what these give to members of groups, or take from them.
  void Add(const Target& target, HeldGrants before, HeldGrants after) {
    const std::vector<HeldGrant> gained = report::GrantsBeyond(after, before);
    const std::vector<HeldGrant> lost = report::GrantsBeyond(before, after);
    if (gained.empty() && lost.empty()) return;
    ++diff_.summary.targets;
    std::set<report::RoleAndCondition> roles;
    for (const auto* changed : {&gained, &lost}) {
      for (const HeldGrant& held : *changed) roles.emplace(held.grant.role, held.grant.condition);
    }
    report::AddMembers(target, roles, groups_, before);
    report::AddMembers(target, roles, groups_, after);
    AddTurn(AccessTurn::kGained, target, gained, before, after);
    AddTurn(AccessTurn::kLost, target, lost, after, before);
  }

  /// `held`: with the access in question; `other`: without. `grants`: what only `held` has in its
  /// policy.
  void AddTurn(AccessTurn turn, const Target& target, const std::vector<HeldGrant>& grants,
               const HeldGrants& other, const HeldGrants& held) {
    for (const HeldGrant& grant : grants) {
      const auto through = other.find(report::KeyOfHeld(target, grant.grant, grant.principal));
      const bool is_held = through != other.end() && through->second.via;
      Add(turn, target, grant, is_held ? *through->second.via : std::string());
    }
    for (const HeldGrant& member : report::GrantsBeyond(held, other)) {
      if (!member.via) continue;
      has_members_ = true;
      Add(turn, target, member, "");
    }
  }

  /// Says which manifests declare the changes from the given one on; `targets`: of each.
  Expected<void> AddSources(const std::vector<Target>& targets, std::size_t from) {
    if (targets.empty()) return {};
    if (auto turned = sources_.TurnTo(store_, {targets.begin(), targets.end()}); !turned) {
      return turned;
    }
    for (std::size_t i = 0; i < targets.size(); ++i) {
      AccessChange& change = diff_.changes[from + i];
      change.source = sources_.Of(targets[i], change.grant.grant);
    }
    return {};
  }

  /// `through`: the group that gives the same at the other time; may be empty.
  void Add(AccessTurn turn, const Target& target, const HeldGrant& held,
           const std::string& through) {
    const bool gained = turn == AccessTurn::kGained;
    ++(gained ? diff_.summary.gained : diff_.summary.lost);
    AccessChange& change = diff_.changes.emplace_back();
    change.change = turn;
    change.target = target.name;
    change.kind = target.kind.str();
    change.grant = {held.grant, TraitsOf(target).words};
    change.principal = held.principal;
    change.via = held.via;
    change.time_bounds = judge_.Judge(held.grant.condition).bounds;
    if (through.empty()) return;
    has_members_ = true;
    change.note = (gained ? "held before through " : "still held through ") + through;
  }

  const ReportReader& store_;
  GroupSource& groups_;
  bool has_members_ = false;  ///< A change is about a member of a group.
  FirstReadings first_readings_;
  std::vector<std::pair<ObservedPolicy, ObservedPolicy>> differing_;  ///< Wait for a comparison.
  GrantSources sources_;
  ConditionJudge judge_;
  AccessDiff diff_;
  std::vector<std::string> first_read_;
  std::vector<std::string> gone_;
};

/// The targets with a policy at either time.
std::vector<Target> TargetsAtEither(const Policies& before, const Policies& after) {
  std::set<Target> all;
  for (const Policies* policies : {&before, &after}) {
    for (const auto& [target, policy] : *policies) all.insert(target);
  }
  return {all.begin(), all.end()};
}

const ObservedPolicy* Find(const Policies& policies, const Target& target) {
  const auto found = policies.find(target);
  return found == policies.end() ? nullptr : &found->second;
}

/// Many of the targets have none of the policies.
bool AreMany(const std::vector<Target>& targets, const Policies& policies) {
  constexpr std::ptrdiff_t kMany = 200;
  const auto without = std::ranges::count_if(
      targets, [&](const Target& target) { return !policies.contains(target); });
  return without > kMany;
}

/// A target whose last manifest went is not read any more: its last revision has the rest.
Expected<Policies> LeftOnRecord(const ReportReader& store, const std::vector<Target>& wanted,
                                const Policies& after, WallTime now) {
  const bool all = std::all_of(wanted.begin(), wanted.end(),
                               [&](const Target& target) { return after.contains(target); });
  return all ? Expected<Policies>(Policies()) : PoliciesAt(store, now);
}

}  // namespace

Expected<AccessDiff> AccessDiffReport(const AccessRecords& records, const AccessDiffQuery& query,
                                      WallTime now) {
  const ReportReader& store = records.store;
  const WallTime until = query.until.value_or(now);
  if (query.since > until) {
    return Fail(Code::kInvalidArgument,
                "since " + FormatRfc3339(query.since) + " is after until " + FormatRfc3339(until));
  }
  const auto before = PoliciesAt(store, query.since);
  if (!before) return Fail(before.error());
  auto read = report::ObservedPolicies(store, query.until);
  if (!read) return Fail(read.error());
  const Policies after = ByTarget(*read);
  const auto known = report::KnownPolicies::With(records, query.until, *std::move(read));
  if (!known) return Fail(known.error());
  const auto compared = report::TargetsWithAncestors(
      records, *known, TargetsAtEither(*before, after), query.target, query.default_project);
  if (!compared) return Fail(compared.error());
  const std::vector<Target>& wanted = compared->targets;

  auto left =
      query.until ? Expected<Policies>(Policies()) : LeftOnRecord(store, wanted, after, now);
  if (!left) return Fail(left.error());

  KnownGroups groups(records.groups, records.group_asker);
  Comparison comparison(store, groups, until, AreMany(wanted, *before));
  if (before->empty() && after.empty()) {
    comparison.Note("no policy was observed yet: nothing is known about access");
  }
  for (const Target& target : wanted) {
    const ObservedPolicy* last = Find(after, target);
    if (last == nullptr) {
      comparison.NoteGone(target);
      last = Find(*left, target);
      if (last == nullptr) continue;
    }
    if (auto done = comparison.Compare(Find(*before, target), *last); !done) {
      return Fail(done.error());
    }
  }
  auto report = std::move(comparison).Report(query.since);
  if (!report) return Fail(report.error());
  AccessDiff& diff = *report;
  std::vector<std::string> unknown = compared->unknown;
  std::ranges::move(groups.Gaps(), std::back_inserter(unknown));
  diff.not_considered = report::NotConsidered(std::move(unknown), report::SourceOfGroups(records));
  if (known->scanned_at()) diff.not_considered.emplace_back("policies that only scans show");
  return report;
}

}  // namespace bindery
