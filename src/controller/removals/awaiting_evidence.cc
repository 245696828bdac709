#include "controller/removals/awaiting_evidence.h"

#include <algorithm>
#include <utility>

#include "controller/gates/gate.h"
#include "controller/gates/stored_forms.h"

namespace bindery::controller {
namespace {

using Answer = EvidenceAnswer;

/// The verdict with the longer wait.
const EvidenceVerdict& Worse(const EvidenceVerdict& a, const EvidenceVerdict& b) {
  return b.answer > a.answer ? b : a;
}

EvidenceVerdict WorstVerdict(const std::vector<EvidenceVerdict>& verdicts) {
  EvidenceVerdict worst;
  for (const EvidenceVerdict& verdict : verdicts) worst = Worse(worst, verdict);
  return worst;
}

/// The manifest that is not in force, because several have its name, and that names one of the
/// principals; null: none does.
const manifests::Manifest* FindTwin(const ResourceEntry& entry, const std::vector<Grant>& grants) {
  if (!entry.standing.rejected) return nullptr;
  for (const auto& twin : *entry.standing.twins) {
    const bool names = std::any_of(grants.begin(), grants.end(), [&](const Grant& grant) {
      return twin->spec.find('"' + grant.principal + '"') != std::string::npos;
    });
    if (names) return twin.get();
  }
  return nullptr;
}

}  // namespace

/// A deleted manifest, and of whose grants the reading shows nothing, has nothing to remove. It is
/// kept while the evidence is not settled: after it is forgotten, grants that a wrong reading hid
/// would be nobody's.
EvidenceVerdict AwaitingEvidence::WeighForgetting(const TargetEntry& target, TargetUnderWork& work,
                                                  const Now& now) const {
  EvidenceVerdict worst;
  for (const ResourceEntry* entry : target.resources) {
    if (!entry->leaving()) continue;
    const reconcilers::Claim* claim = work.FindClaim(entry->name);
    if (claim == nullptr || !reconcilers::IsGone(*claim) || work.ListDifferences(entry->name) > 0)
      continue;
    EvidenceVerdict verdict = catalog_.evidence().Judge(entry->evidence.age, now);
    // An undeclared role stays unchanged, and hides the grants of the resource in the role.
    const auto& contested = *target.contested;
    const auto part = std::find_if(contested.begin(), contested.end(), [&](const auto& one) {
      return Overlap(one, entry->place.role.str());
    });
    if (part != contested.end()) {
      verdict = {Answer::kBlocked,
                 "no manifest that declares " + PartInWords(*part) + " is in force"};
    }
    if (verdict.answer == Answer::kYes) continue;
    worst = Worse(worst, verdict);
    work.awaits_evidence[entry->name] = std::move(verdict);
  }
  return worst;
}

/// `resource`: the claimant of the grant's role; "" if none.
EvidenceVerdict AwaitingEvidence::JudgeRemoval(const TargetEntry& target, const Grant& grant,
                                               std::string& resource, const Now& now) const {
  const std::vector<Grant> names = AsAskedFor(grant, *target.drift.forms);
  for (const ResourceEntry* entry : target.resources) {
    const bool covers = std::any_of(names.begin(), names.end(), [&](const Grant& name) {
      return reconcilers::CoversOn(entry->kind, entry->place.role.str(), name);
    });
    if (!covers) continue;
    resource = entry->name;
    if (const manifests::Manifest* const twin = FindTwin(*entry, names)) {
      return {Answer::kBlocked, "several manifests have the name \"" + entry->name + "\", and " +
                                    twin->source.file.str() + " may declare it"};
    }
    return catalog_.evidence().Judge(entry->evidence.age, now);
  }
  resource.clear();
  return WorstVerdict(catalog_.ages().Judge(target, now));
}

/// The reading tells all removals of the target: no part concerned by the question is only
/// observed, suspended or unreadable, and removed later.
bool AwaitingEvidence::TellsAllRemovals(const TargetEntry& target, const TargetUnderWork& work,
                                        const Now& now) const {
  if (target.AwaitsLook()) return false;
  return std::all_of(target.resources.begin(), target.resources.end(), [&](const auto* entry) {
    const bool stays = entry->leaving() && entry->stays_when_gone();
    if (stays || catalog_.evidence().Judge(entry->evidence.age, now).answer != Answer::kAsk)
      return true;
    const reconcilers::Claim* claim = work.FindClaim(entry->name);
    return claim != nullptr && IsCarriedOut(*claim);
  });
}

void AwaitingEvidence::Weigh(const TargetEntry& target, TargetUnderWork& work, bool oscillates,
                             const Now& now) {
  const TargetKey& key = target.target;
  if (unread_ && TellsAllRemovals(target, work, now)) unread_->erase(key);
  work.awaits_evidence.clear();
  work.ask.clear();
  awaiting_.erase(key);
  GateContext context{*work.job, work.reading.desired, work.reading.seen, {}, oscillates};
  if (work.reading.desired.restore) return RunGates(GateStage::kEvidence, context, work.plan);
  EvidenceVerdict worst = WeighForgetting(target, work, now);
  context.evidence = [&](const Grant& grant) {
    std::string resource;
    EvidenceVerdict verdict = JudgeRemoval(target, grant, resource, now);
    worst = Worse(worst, verdict);
    if (verdict.answer == Answer::kAsk) {
      work.ask = verdict.why;
    } else if (verdict.answer != Answer::kYes) {
      EvidenceVerdict& told = work.awaits_evidence[resource];
      told = Worse(told, verdict);
    }
    return verdict;
  };
  RunGates(GateStage::kEvidence, context, work.plan);
  if (worst.answer == Answer::kYes) {
    AnswerIfMoot(now);
    return;
  }
  awaiting_[key] = {std::move(worst), !work.ask.empty(), catalog_.ages().Judge(target, now)};
  AnswerIfMoot(now);
}

void AwaitingEvidence::NoteLook(const std::vector<TargetKey>& changed, const Now& now) {
  if (!catalog_.evidence().question().open()) {
    unread_.reset();
  } else if (!unread_) {
    unread_.emplace();
    for (auto& [key, target] : catalog_.claims().targets()) {
      const bool asks = WorstVerdict(catalog_.ages().Judge(target, now)).answer == Answer::kAsk;
      if (!asks && !target.AwaitsLook()) continue;
      unread_->insert(key);
      // The next answer is compared although it is the known one.
      target.last_synced_digest = {};
    }
  } else {
    unread_->insert(changed.begin(), changed.end());
    std::erase_if(*unread_, [this](const TargetKey& key) {
      return catalog_.claims().FindTarget(key) == nullptr;
    });
  }
  AnswerIfMoot(now);
}

void AwaitingEvidence::Approved(const std::set<std::pair<Target, std::string>>& roles) {
  for (const auto& [target, role] : roles) catalog_.ages().AnswerFor(target, role);
}

/// A removal waits for the question to be answered. A deleted manifest and has nothing left on its
/// target asks nothing: it is forgotten once the question is moot.
bool AwaitingEvidence::IsAsked() const {
  return std::any_of(awaiting_.begin(), awaiting_.end(),
                     [](const auto& item) { return item.second.asks; });
}

/// Nothing is to be removed that the question is about.
void AwaitingEvidence::AnswerIfMoot(const Now& now) {
  if (!unread_ || !unread_->empty() || IsAsked()) return;
  // An unreadable file may bring a target that is still unknown.
  if (!catalog_.evidence().rest().IsQuiet(now) || catalog_.evidence().unread().Any()) return;
  catalog_.evidence().question().Close();
  unread_.reset();
}

std::vector<TargetKey> AwaitingEvidence::TakeChanged(const Now& now) {
  std::vector<TargetKey> changed;
  for (auto it = awaiting_.begin(); it != awaiting_.end();) {
    const TargetEntry* target = catalog_.claims().FindTarget(it->first);
    if (target == nullptr) {
      it = awaiting_.erase(it);
      continue;
    }
    std::vector<EvidenceVerdict> each = catalog_.ages().Judge(*target, now);
    if (each != it->second.each) changed.push_back(it->first);
    it->second.each = std::move(each);
    ++it;
  }
  std::sort(changed.begin(), changed.end());
  return changed;
}

AwaitingEvidence::Summary AwaitingEvidence::Summarise() const {
  Summary all;
  for (const auto& [key, target] : awaiting_) {
    const EvidenceVerdict& verdict = target.told;
    const bool pending = verdict.answer == Answer::kPending;
    ++(pending ? all.pending : all.blocked);
    if (all.why.empty() || !pending) all.why = verdict.why;
  }
  return all;
}

std::optional<MonoTime> AwaitingEvidence::NextLook(const Now& now) const {
  const bool waits = std::any_of(awaiting_.begin(), awaiting_.end(), [](const auto& item) {
    return item.second.told.answer == Answer::kPending;
  });
  const bool asks = catalog_.evidence().question().open();
  if (!waits && !asks) return std::nullopt;
  const auto next = catalog_.evidence().rest().NextLook();
  // A question that is not moot once all is quiet waits for an answer, not for a look.
  return next && (waits || *next > now.mono) ? next : std::nullopt;
}

}  // namespace bindery::controller
