// What may not be removed yet, as the directory does not say for sure that it is not declared.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "controller/engine.h"
#include "controller/guard_record.h"
#include "controller/no_resource.h"

namespace bindery {
namespace {

using Answer = RemovalEvidence::Answer;
using Verdict = RemovalEvidence::Verdict;

/// The one that keeps a removal waiting longer.
const Verdict& Worse(const Verdict& a, const Verdict& b) { return b.answer > a.answer ? b : a; }

Verdict WorstOf(const std::vector<Verdict>& verdicts) {
  Verdict worst;
  for (const Verdict& verdict : verdicts) worst = Worse(worst, verdict);
  return worst;
}

std::string GrantCount(std::size_t count) {
  return fmt::format("{} grant{}", count, count == 1 ? "" : "s");
}

/// A manifest that is gone, and of whose grants the reading shows nothing, has nothing to remove.
/// It is kept while the evidence is not settled: after it is forgotten, grants that a wrong reading
/// hid would be nobody's.
Verdict WeighForgetting(const Catalog& catalog, const TargetEntry& target, TargetUnderWork& work,
                        const Now& now) {
  Verdict worst;
  for (const ResourceEntry* entry : target.resources) {
    if (!entry->leaving()) continue;
    const auto& claims = work.desired.claims;
    const auto& drift = work.plan.drift;
    const bool gone = std::any_of(claims.begin(), claims.end(), [&](const Claim& claim) {
      return claim.resource == entry->name && IsGone(claim);
    });
    const bool left = std::any_of(drift.begin(), drift.end(), [&](const DriftItem& item) {
      return item.resource == entry->name;
    });
    if (!gone || left) continue;
    Verdict verdict = catalog.evidence().Judge(entry->age, now);
    if (verdict.answer == Answer::kYes) continue;
    worst = Worse(worst, verdict);
    work.withheld.by_resource[entry->name] = std::move(verdict);
  }
  return worst;
}

/// Its reading tells all that is to be removed there: nothing that the question is about is only
/// observed, suspended or unreadable, and would be removed later.
bool TellsAllRemovals(const Catalog& catalog, const TargetEntry& target,
                      const TargetUnderWork& work, const Now& now) {
  if (target.AwaitsLook()) return false;
  return std::all_of(target.resources.begin(), target.resources.end(), [&](const auto* entry) {
    const Options& options = entry->options();
    const bool stays = entry->leaving() && (options.protect || options.retain_on_delete);
    if (stays) return true;
    if (catalog.evidence().Judge(entry->age, now).answer != Answer::kAsk) return true;
    return std::any_of(
        work.desired.claims.begin(), work.desired.claims.end(), [&](const Claim& claim) {
          return claim.resource == entry->name &&
                 (claim.treatment == Treatment::kEnforce || claim.treatment == Treatment::kRemove);
        });
  });
}

}  // namespace

/// What became due now is judged together, once it was read.
void Engine::BeginPass(std::size_t targets, const Now& now) {
  TracePass(targets, now);
  pass_deadline_ = now.mono + kPassPatience;
}

void Engine::Remember(const ScanInput& scan, const Now& now) {
  catalog_.evidence().Looked(scan.facts, scan.digest, now);
  StoreChange change;
  catalog_.RememberFiles(scan, change);
  if (!change.empty()) actions_.changes.push_back(std::move(change));
  LookEnded({}, now);
}

/// `resource`: the one that claims the grant's role; "" where nobody does.
Verdict Engine::JudgeRemoval(const Work& work, const Grant& grant, std::string& resource,
                             const Now& now) const {
  const TargetEntry& target = catalog_.targets().find(work.job->target)->second;
  for (const ResourceEntry* entry : target.resources) {
    const std::string& role = entry->role.str();
    if (role != grant.role && role != kWholePolicy) continue;
    resource = entry->name;
    return catalog_.evidence().Judge(entry->age, now);
  }
  resource.clear();
  return WorstOf(catalog_.JudgeClaims(target, now));
}

/// Takes out of the plan the removals that the evidence does not allow yet. Those that an operator
/// must allow stay in it, for the guard to hold.
void Engine::WeighRemovals(const TargetKey& key, Work& work, const Now& now) {
  if (unread_since_question_ && TellsAllRemovals(catalog_, *catalog_.FindTarget(key), work, now)) {
    unread_since_question_->erase(key);
  }
  work.withheld = {};
  work.ask.clear();
  withheld_.erase(key);
  if (work.desired.restore) return;
  Verdict worst = WeighForgetting(catalog_, *catalog_.FindTarget(key), work, now);
  std::vector<Grant> allowed;
  for (Grant& grant : work.plan.removes) {
    std::string resource;
    Verdict verdict = JudgeRemoval(work, grant, resource, now);
    worst = Worse(worst, verdict);
    if (verdict.answer == Answer::kYes || verdict.answer == Answer::kAsk) {
      if (verdict.answer == Answer::kAsk) work.ask = verdict.why;
      allowed.push_back(std::move(grant));
      continue;
    }
    work.withheld.grants.push_back(std::move(grant));
    Verdict& told = work.withheld.by_resource[resource];
    told = Worse(told, verdict);
  }
  work.plan.removes = std::move(allowed);
  if (worst.answer == Answer::kYes) {
    AnswerQuestionIfMoot(now);
    return;
  }
  withheld_[key] = {std::move(worst), catalog_.JudgeClaims(*catalog_.FindTarget(key), now)};
}

std::optional<ResourceStatus> Engine::StatusOfWithheld(const ResourceEntry& entry,
                                                       const Work& work) const {
  const auto& by_resource = work.withheld.by_resource;
  auto told = by_resource.find(entry.name);
  if (told == by_resource.end()) told = by_resource.find("");
  if (told == by_resource.end()) return std::nullopt;
  const std::string& why = told->second.why;
  const std::size_t waiting = work.withheld.grants.size();
  const std::string what =
      waiting == 0 ? "its manifest is gone, and nothing it granted is seen; it is not forgotten "
                     "yet (at once: bindery forget \"" +
                         entry.name + "\"): " + why
                   : GrantCount(waiting) + " on its target " + (waiting == 1 ? "waits" : "wait") +
                         " to be removed: " + why;
  if (told->second.answer == Answer::kPending) {
    return ResourceStatus{ResourceState::kReconciling, std::string(reason::kRemovalPending), what};
  }
  return ResourceStatus{ResourceState::kStalled, std::string(reason::kRemovalBlocked), what};
}

/// Of one on whose target grants are left alone that no manifest declares, as far as the directory
/// could be read.
std::optional<ResourceStatus> Engine::StatusOfDoubt(const Work& work) const {
  if (!work.desired.undeclared_in_doubt) return std::nullopt;
  const auto left = std::count_if(
      work.plan.unjudged.begin(), work.plan.unjudged.end(), [](const DriftItem& item) {
        return item.resource.empty() && item.drift_class == DriftClass::kUndeclared;
      });
  const std::string why = catalog_.evidence().UnreadText();
  if (left == 0 || why.empty()) return std::nullopt;
  return ResourceStatus{ResourceState::kStalled, std::string(reason::kRemovalBlocked),
                        GrantCount(static_cast<std::size_t>(left)) +
                            " on its target that no manifest declares " +
                            (left == 1 ? "is" : "are") + " left alone: " + why +
                            " and may declare " + (left == 1 ? "it" : "them")};
}

/// A look at the directory came into force, or changed nothing: what waited for it is weighed
/// again.
void Engine::LookEnded(const std::vector<TargetKey>& changed, const Now& now) {
  catalog_.SettleClaims(now);
  RemovalEvidence& evidence = catalog_.evidence();
  if (evidence.question().empty()) {
    unread_since_question_.reset();
  } else if (!unread_since_question_) {
    unread_since_question_.emplace();
    for (const auto& [key, target] : catalog_.targets()) {
      const bool asks = WorstOf(catalog_.JudgeClaims(target, now)).answer == Answer::kAsk;
      if (asks || target.AwaitsLook()) unread_since_question_->insert(key);
    }
  } else {
    unread_since_question_->insert(changed.begin(), changed.end());
    std::erase_if(*unread_since_question_,
                  [this](const TargetKey& key) { return catalog_.FindTarget(key) == nullptr; });
  }
  AnswerQuestionIfMoot(now);
  CheckWithheld(now);
  if (!evidence.TakeNews() && changed.empty()) return;
  StoreChange change;
  change.evidence = catalog_.EvidenceNow();
  actions_.changes.push_back(std::move(change));
}

/// An operator approved removals that the question was about. What it is about besides, there and
/// elsewhere, still waits: nobody was shown that.
void Engine::AnswerQuestionFor(const HoldRecord& approved) {
  for (const HeldOnRecord& held : HeldOnRecordIn(approved)) {
    for (const Removal& removal : held.removals.grants) {
      catalog_.AnswerQuestionFor(held.removals.target, removal.grant.role);
    }
  }
}

/// Nothing is to be removed that the question is about.
void Engine::AnswerQuestionIfMoot(const Now& now) {
  if (!unread_since_question_ || !unread_since_question_->empty()) return;
  const bool asked = std::any_of(withheld_.begin(), withheld_.end(), [](const auto& item) {
    return item.second.told.answer == Answer::kAsk;
  });
  if (asked) return;
  // What cannot be read may bring a target that nothing is known of yet.
  if (!catalog_.evidence().IsQuiet(now) || catalog_.evidence().HasUnread()) return;
  catalog_.evidence().CloseQuestion();
  unread_since_question_.reset();
}

/// Targets whose removals wait for something else than when they were read are read again, as one
/// pass.
void Engine::CheckWithheld(const Now& now) {
  std::vector<TargetKey> again;
  for (auto it = withheld_.begin(); it != withheld_.end();) {
    const TargetEntry* target = catalog_.FindTarget(it->first);
    if (target == nullptr) {
      it = withheld_.erase(it);
      continue;
    }
    std::vector<Verdict> each = catalog_.JudgeClaims(*target, now);
    if (each != it->second.each) again.push_back(it->first);
    it->second.each = std::move(each);
    ++it;
  }
  if (again.empty()) return;
  std::sort(again.begin(), again.end());
  for (const TargetKey& key : again) {
    // What waits for the pass it belongs to would wait for its own next turn.
    const auto work = work_.find(key);
    if (work != work_.end() && work->second.phase == Phase::kParked) Release(key);
    pass_pending_.insert(key);
    Enqueue(key, Priority::kChange, now.mono);
  }
  // One look a second must not put off the end of a pass for ever.
  if (!pass_deadline_) BeginPass(again.size(), now);
}

void Engine::ScanFailed(const std::string& why, const Now& now) {
  if (why.empty()) {
    catalog_.evidence().Disturbed(now);
  } else {
    catalog_.evidence().Failed(why, now);
  }
  CheckWithheld(now);
}

Engine::Withheld Engine::WithheldNow() const {
  Withheld all;
  for (const auto& [key, target] : withheld_) {
    const Verdict& verdict = target.told;
    const bool pending = verdict.answer == Answer::kPending;
    ++(pending ? all.pending : all.blocked);
    if (all.why.empty() || !pending) all.why = verdict.why;
  }
  return all;
}

std::optional<MonoTime> Engine::NextLook(const Now& now) const {
  const bool waits = std::any_of(withheld_.begin(), withheld_.end(), [](const auto& item) {
    return item.second.told.answer == Answer::kPending;
  });
  const bool asks = !catalog_.evidence().question().empty();
  if (!waits && !asks) return std::nullopt;
  const auto next = catalog_.evidence().NextLook();
  // A question that is not moot once all is quiet waits for an answer, not for a look.
  return next && (waits || *next > now.mono) ? next : std::nullopt;
}

Expected<void> Engine::MakeUrgent(const std::vector<std::string>& names, const std::string& actor,
                                  const Now& now) {
  for (const std::string& name : names) {
    if (catalog_.FindResource(name) == nullptr) return Fail(NoResource(catalog_, name));
  }
  StoreChange change;
  for (const std::string& name : names) {
    catalog_.MakeUrgent(name);
    const ResourceEntry& entry = *catalog_.FindResource(name);
    Emit(change, {now.wall, EventType::kNormal, "SettlingWaived", name,
                  entry.target.empty() ? std::string() : entry.target->name,
                  "removals do not wait for the manifests directory to settle", actor});
  }
  actions_.changes.push_back(std::move(change));
  CheckWithheld(now);
  return {};
}

}  // namespace bindery
