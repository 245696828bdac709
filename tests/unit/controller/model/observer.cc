#include "model/observer.h"

#include <algorithm>
#include <utility>

namespace bindery::model {
namespace {

std::set<GrantText> Without(const std::set<GrantText>& all, const std::set<GrantText>& others) {
  std::set<GrantText> rest;
  std::set_difference(all.begin(), all.end(), others.begin(), others.end(),
                      std::inserter(rest, rest.end()));
  return rest;
}

/// The same access for longer, or without an end, is no loss. The text ends with the time.
std::set<GrantText> WithoutExtended(std::set<GrantText> removed, const std::set<GrantText>& after) {
  std::erase_if(removed, [&](const GrantText& grant) {
    const std::string unending = grant.substr(0, grant.find(" if "));
    return after.contains(unending) || std::ranges::any_of(after, [&](const GrantText& other) {
             return other.starts_with(unending + " if ") && other > grant;
           });
  });
  return removed;
}

std::set<GrantText> GrantsInRevision(const std::string& target,
                                     const store::RevisionRecord& revision) {
  const Expected<Json> policy = ParseJson(revision.policy);
  std::set<GrantText> grants;
  if (!policy || !policy->contains("bindings")) return grants;
  for (const Json& binding : (*policy)["bindings"]) {
    const Json* condition = FindMember(binding, "condition");
    for (const Json& member : binding["members"]) {
      Grant grant{StringMember(binding, "role"), member.get<std::string>(), std::nullopt};
      if (condition != nullptr)
        grant.condition = Condition{"", StringMember(*condition, "title"), ""};
      grants.insert(GetText(target, grant));
    }
  }
  return grants;
}

std::set<GrantText> GrantsInHold(const std::string& items) {
  std::set<GrantText> grants;
  const Expected<Json> held = ParseJson(items);
  for (const Json& item : held && held->is_array() ? *held : Json::array()) {
    const std::string target = ShortName({"", "", StringMember(item, "target")});
    for (const Json& grant : item["removes"]) grants.insert(GetText(target, GrantFromJson(grant)));
  }
  return grants;
}

}  // namespace

GrantText GetText(const std::string& target, const Grant& grant) {
  return target + " " + grant.role + " " + grant.principal +
         (grant.condition ? " if " + grant.condition->title : "");
}

std::string ShortName(const Target& target) {
  return target.name == kBoardId ? kTargets[2] : target.name.substr(target.name.rfind('/') + 1);
}

void Observer::Meant(const Directory& directory, MonoTime now) {
  for (const Doc& doc : directory.Meant()) {
    for (const GrantText& grant : doc.Grants()) {
      Known& known = known_[grant];
      known.slots.insert(doc.slot);
      known.meant_last = now;
    }
  }
}

void Observer::Looked(const Directory& directory, MonoTime now, WallTime wall) {
  Meant(directory, now);
  if (std::exchange(starts_, false) && clock_set_at_) stamps_fail_before_ = clock_set_at_;
  meant_ = directory.Meant();
  ignored_ = directory.Ignored();
  unseen_ = directory.Unseen();
  under_way_ = directory.UnderWay();
  NoteGit(directory.GitAtWork(), now);
  away_ = directory.Away();
  auto& grounds = of_store_.grounds;
  if (grounds.empty() || away_.empty()) grounds.insert(directory.GroundNumber());
  if (mounts_.empty() || away_.empty()) mounts_.insert(directory.MountNumber());
  ground_is_known_ =
      grounds.contains(directory.GroundNumber()) && mounts_.contains(directory.MountNumber());
  of_store_.declared.insert(directory.Seen().begin(), directory.Seen().end());
  if (under_way_) disturbed_at_ = now;
  std::set<GrantText> all;
  std::set<GrantText> over;
  for (const Doc& doc : meant_) {
    for (const GrantText& grant : doc.Grants()) {
      all.insert(grant);
      if (doc.until && *doc.until <= wall) over.insert(grant);
    }
  }
  std::set<std::string> targets;
  for (const GrantText& grant : directory.Seen()) {
    restored_.erase(grant);
    denied_.erase(grant);
    targets.insert(grant.substr(0, grant.find(' ')));
  }
  // Where nothing is declared nothing is asked to go, and what was denied is not denied any more.
  std::erase_if(denied_, [&](const GrantText& grant) {
    return !targets.contains(grant.substr(0, grant.find(' ')));
  });
  for (auto& [grant, known] : known_) {
    if (all.contains(grant)) {
      known.gone_since.reset();
      if (!directory.Seen().contains(grant)) continue;
      known.settled = false;
      known.counted = known.counted && over.contains(grant);
      continue;
    }
    if (!known.gone_since) known.gone_since = known.meant_last;
    const bool rests = !under_way_ && RunningTime(*known.gone_since, now) >= settings_.settle;
    if (rests) known.settled = true;
  }
}

/// What was decided before the look may still wait for the pace of writes.
void Observer::NoteGit(bool at_work, MonoTime now) {
  if (at_work && !git_since_) urgent_before_git_ = urgent_;
  if (!at_work) git_since_.reset();
  if (at_work && !git_since_) git_since_ = now;
}

void Observer::Started() {
  urgent_.clear();
  urgent_before_git_.clear();
  NoteTeam();
  starts_ = true;
  mounts_.clear();
  // A new run goes by the stamps.
  stops_.clear();
  // How old the records of another run are only clocks tell.
  std::erase_if(removals_, [&](const Removal& removal) { return TooLate(removal); });
}

/// Both clocks make it older than it is, or one of them makes it one to come.
bool Observer::TooLate(const Removal& removal) const {
  return clocks_.services > removal.clocks.services && clocks_.local != removal.clocks.local;
}

void Observer::ClockSet(MonoTime now, bool local, Clocks clocks) {
  if (local) clock_set_at_ = now;
  clocks_ = clocks;
}

void Observer::Stopped(MonoTime now, MonoTime::duration lost) {
  if (lost.count() > 0) stops_.emplace_back(now, lost);
}

MonoTime::duration Observer::RunningTime(MonoTime from, MonoTime to) const {
  MonoTime::duration time = to - from;
  for (const auto& [at, lost] : stops_) {
    if (at > from && at <= to) time -= lost;
  }
  return time;
}

void Observer::StoreLost() {
  store_lost_ = true;
  knows_team_ = false;
  of_store_ = {};
  restored_.clear();
  denied_.clear();
  removals_.clear();
}

/// Of targets that neither it nor the directory knows it says nothing.
void Observer::Restored(const Directory& directory) {
  StoreLost();
  of_store_ = kept_;
  std::set<std::string> targets;
  for (const auto& [key, record] : store_.state.targets) targets.insert(ShortName(record.target));
  for (const Doc& doc : directory.Meant()) targets.insert(doc.Target());
  for (const std::string& target : targets) restored_.merge(cloud_.Grants(target));
}

void Observer::Approved(const std::string& items) {
  for (const GrantText& grant : GrantsInHold(items)) {
    approved_.insert(grant);
    denied_.erase(grant);
    restored_.erase(grant);
  }
}

void Observer::Denied(const std::string& items) { denied_.merge(GrantsInHold(items)); }

bool Observer::IsContested(const Doc& doc) const {
  return std::any_of(meant_.begin(), meant_.end(), [&](const Doc& other) {
    return other.slot != doc.slot && other.Target() == doc.Target() && other.Role() == doc.Role();
  });
}

void Observer::Rested(MonoTime now) {
  // What the service says for long is gone is another one's from then on.
  std::erase_if(granted_, [&](const GrantText& grant) {
    const auto emptied = cloud_.EmptiedSince(grant.substr(0, grant.find(' ')));
    const auto known = known_.find(grant);
    const bool given_up = known != known_.end() && known->second.gone_since.has_value();
    return given_up && emptied && now - *emptied >= settings_.confirm_emptied;
  });
  const auto since = cloud_.other_id_since();
  const bool knew = knows_team_;
  NoteTeam();
  const bool at_once = !since || now - *since < settings_.confirm_emptied;
  if (knew && at_once && Outputs().find(kOtherTeamId) != std::string::npos) {
    Breach("believes at once that a known name has another id");
  }
}

/// Of the lookup, on record.
std::string Observer::Outputs() const {
  const auto lookup = store_.state.resources.find(kTeam);
  return lookup == store_.state.resources.end() ? std::string() : lookup->second.outputs;
}

void Observer::NoteTeam() { knows_team_ = Outputs().find(kTeamId) != std::string::npos; }

void Observer::Decided(const controller::WriteJob& job, MonoTime now, WallTime wall) {
  const std::string target = ShortName(job.check->target);
  if (observe_) Breach("writes in mode observe: " + target);
  for (const reconcilers::GrantChange& change : job.plan.changes) {
    if (!change.takes_access()) continue;
    JudgeRemoval(GetText(target, *change.removed()), now, wall);
  }
  const auto emptied = cloud_.EmptiedSince(target);
  const bool lied_to = job.before.grants.empty() && emptied && cloud_.LastRead(target) > 0 &&
                       !cloud_.Grants(target).empty();
  if (lied_to && now - *emptied < settings_.confirm_emptied) {
    Breach("believes at once that the policy is empty: " + target);
  }
}

/// What is written over is on record, and so is what is about to be done.
void Observer::JudgeHistory(const Cloud::Change& change) {
  const auto& revisions = store_.state.revisions;
  const bool kept =
      std::any_of(revisions.rbegin(), revisions.rend(), [&](const store::RevisionRecord& revision) {
        return ShortName(revision.target) == change.target &&
               GrantsInRevision(change.target, revision) == change.before;
      });
  if (!kept) Breach("replaces a policy that is not on record: " + change.target);
}

/// What manifests gave up and no operator let go is within the guard's number, in any span. What
/// another writer puts back is another one's grant from then on. `believed`: the service said for
/// long that it is not there, so nobody could count it.
void Observer::JudgeNumber(const std::set<GrantText>& removed, bool believed, MonoTime now) {
  for (const GrantText& grant : removed) {
    const auto known = known_.find(grant);
    // Of what only a store knew that is lost nobody can tell that a manifest gave it up.
    const bool given_up = known != known_.end() && of_store_.declared.contains(grant) &&
                          !std::exchange(known->second.counted, true);
    if (approved_.erase(grant) == 0 && given_up && !believed) removals_.push_back({now, clocks_});
  }
  while (!removals_.empty() && now - removals_.front().at >= settings_.guard.window) {
    removals_.pop_front();
  }
  if (static_cast<std::int64_t>(removals_.size()) > settings_.guard.max_removed_grants) {
    Breach("removes more than the guard allows in its window");
  }
}

/// By itself it brings nothing about again and again, and against somebody else only rarely.
void Observer::JudgeRepeating(const Cloud::Change& change, MonoTime now) {
  constexpr int kOften = 3;
  constexpr std::size_t kMostAnHour = 12;
  if (!cloud_.raced().contains(change.target) &&
      ++written_[{change.target, change.after}] >= kOften) {
    Breach("writes the same again and again: " + change.target);
  }
  std::deque<MonoTime>& writes = writes_[change.target];
  writes.push_back(now);
  while (now - writes.front() >= std::chrono::hours(1)) writes.pop_front();
  if (writes.size() > kMostAnHour && written_[{change.target, change.after}] > 8) {
    Breach("writes against another one again and again: " + change.target);
  }
}

void Observer::Changed(const Cloud::Change& change, const controller::WriteJob& job, MonoTime now) {
  const auto& intents = store_.state.intents;
  const bool journaled = std::any_of(intents.begin(), intents.end(), [&](const auto& intent) {
    return ShortName(intent.second.target) == change.target;
  });
  if (!journaled) Breach("writes without an intent on record: " + change.target);
  if (!change.has_etag) Breach("writes without an etag: " + change.target);
  for (const GrantText& grant : Without(change.after, change.before)) granted_.insert(grant);
  const auto removed = Without(change.before, change.after);
  const bool believed = cloud_.EmptiedSince(change.target).has_value();
  JudgeNumber(WithoutExtended(removed, change.after), believed, now);
  if (change.before == change.after) return;
  JudgeRepeating(change, now);
  std::set<GrantText> planned;
  for (const Grant& grant : job.plan.removes()) planned.insert(GetText(change.target, grant));
  const bool may_race = IsBoard(change.target) && cloud_.raced().contains(change.target);
  const auto unplanned = Without(removed, planned);
  if (!unplanned.empty() && !may_race && !believed) {
    Breach("overwrites what it did not plan to remove: " + *unplanned.begin());
  }
  if (!removed.empty() && !IsBoard(change.target) && !believed) JudgeHistory(change);
}

/// What people changed in the directory is not told as what others did. An older store does not
/// know what was written since.
void Observer::JudgeCauses() {
  if (store_lost_) return;
  for (const store::DriftRecord& record : store_.state.drift) {
    const std::string target = ShortName(record.target);
    const bool theirs = record.item.drift_class == DriftClass::kUndeclared &&
                        record.item.cause == DriftCause::kForeign;
    const GrantText grant = GetText(target, record.item.grant);
    const bool seemed = cloud_.raced().contains(target) || cloud_.WasShortened(target);
    if (theirs && known_.contains(grant) && !seemed) {
      Breach("tells as foreign what the directory gave up: " + grant);
    }
  }
}

void Observer::AtRest(const Directory& directory, WallTime wall, bool keeps) {
  meant_ = directory.Meant();
  JudgeCauses();
  const std::set<GrantText> there = cloud_.All();
  std::set<GrantText> meant;
  std::set<std::string> targets;
  for (const Doc& doc : meant_) {
    targets.insert(doc.Target());
    const bool over = doc.until && *doc.until <= wall;
    for (const GrantText& grant : doc.Grants()) {
      if (over) continue;
      meant.insert(grant);
      if (!IsContested(doc) && !there.contains(grant)) {
        Breach("is declared, and not there in the end: " + grant);
      }
    }
  }
  for (const GrantText& grant : granted_) {
    // A store that was lost, or is older, does not know what was granted in names that are gone.
    const std::string target = grant.substr(0, grant.find(' '));
    const bool known = !store_lost_ || (!keeps && targets.contains(target));
    const bool gone = !there.contains(grant) || meant.contains(grant);
    if (known && !gone) Breach("was granted, is not declared, and is there in the end: " + grant);
  }
}

}  // namespace bindery::model
