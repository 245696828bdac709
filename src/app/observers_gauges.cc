// What the metrics show of the state of all resources and targets.

#include <algorithm>
#include <utility>

#include "app/observers.h"
#include "core/accepted_drift.h"
#include "core/time_text.h"

namespace bindery {
namespace {

/// What the guard holds has an alert of its own, and what was denied needs none.
bool IsHeld(const ResourceStatus& status) {
  return status.reason == reason::kGuardHeld || status.reason == reason::kRemovalDenied;
}

/// Somebody suspended all that is declared on it: it is not read any more.
bool IsLeftAlone(const TargetEntry& target) {
  return std::all_of(target.resources.begin(), target.resources.end(),
                     [](const ResourceEntry* entry) { return entry->suspended(); });
}

}  // namespace

void RunObserver::PublishGauges(const Engine& engine) {
  std::map<std::string, KindGauges> kinds;
  for (const auto& [name, entry] : engine.catalog().claims().resources()) {
    if (entry.kind == nullptr) continue;
    KindGauges& gauges = kinds[entry.kind->traits().policy];
    ++(IsHeld(*entry.status) ? gauges.held : gauges.states[entry.status->state]);
    if (entry.accepted) gauges.grants += static_cast<std::size_t>(entry.grants);
  }
  CountExpiry(engine, kinds);
  for (const auto& [key, target] : engine.catalog().claims().targets()) {
    KindGauges& gauges = kinds[target.target->kind];
    ++gauges.targets;
    for (const auto& [item, drift] : *target.open_drift) ++gauges.drift[drift];
    for (const auto& [item, drift] : *target.accepted_drift) ++gauges.accepted[drift.drift_class];
    if (!target.observed || IsLeftAlone(target)) continue;
    gauges.oldest = std::min(gauges.oldest.value_or(target.observed_at), target.observed_at);
  }
  for (const Kind* kind : engine.catalog().AllKinds()) {
    const std::string& name = kind->traits().policy;
    PublishKind(engine, name, kinds[name]);
  }
  PublishQueue(engine);
  const ClockJudgement judged = engine.time().Judge({clock_.Mono(), clock_.Wall()});
  metrics_.SetClock(judged.ahead, judged.confirmed(), engine.time().awaiting());
  metrics_.SetOscillating(engine.oscillation().Tripped());
  const WithheldTargets::Summary withheld = engine.removals().withheld().Summarise();
  metrics_.SetWithheld(withheld.pending, withheld.blocked);
  metrics_.SetGuard({engine.guard().Digest().empty() ? 0U : 1U,
                     static_cast<std::size_t>(engine.guard().HeldGrants()),
                     static_cast<std::size_t>(engine.guard().DeniedGrants())});
}

void RunObserver::CountExpiry(const Engine& engine, std::map<std::string, KindGauges>& kinds) {
  const Catalog& catalog = engine.catalog();
  const WallTime now = clock_.Wall();
  for (const auto lead : catalog.claims().times().leads())
    expiry_labels_.insert(FormatDuration(lead));
  catalog.claims().times().ForEach(
      now, [&](const std::string& name, const GrantTimes::Standing& standing) {
        const auto found = catalog.claims().resources().find(name);
        if (found == catalog.claims().resources().end() || found->second.kind == nullptr) return;
        KindGauges& gauges = kinds[found->second.kind->traits().policy];
        const auto grants = static_cast<std::size_t>(found->second.grants);
        if (standing.expired) gauges.expired += grants;
        if (standing.expired || !standing.ends) return;
        gauges.next_expiry = std::min(gauges.next_expiry.value_or(*standing.ends), *standing.ends);
        for (const auto lead : catalog.claims().times().leads()) {
          if (*standing.ends - lead <= now) gauges.expiring[FormatDuration(lead)] += grants;
        }
      });
}

void RunObserver::PublishExpiry(const std::string& name, const KindGauges& gauges) {
  metrics_.SetGrantExpiry(name, gauges.expired, gauges.next_expiry);
  for (const std::string& within : expiry_labels_) {
    const auto count = gauges.expiring.find(within);
    metrics_.SetGrantsExpiring(name, within, count == gauges.expiring.end() ? 0 : count->second);
  }
}

void RunObserver::PublishQueue(const Engine& engine) {
  constexpr std::pair<Priority, QueuePriority> kLabels[] = {
      {Priority::kChange, QueuePriority::kChange},
      {Priority::kRetry, QueuePriority::kRetry},
      {Priority::kPeriodic, QueuePriority::kPeriodic}};
  const MonoTime now = clock_.Mono();
  for (const auto& [priority, label] : kLabels) {
    const auto due = engine.schedule().DueTargets(priority, now);
    for (const Kind* kind : engine.catalog().AllKinds()) {
      const std::string& name = kind->traits().policy;
      const auto found = due.find(name);
      metrics_.SetQueueDepth(name, label, found == due.end() ? 0 : found->second);
    }
  }
}

void RunObserver::PublishKind(const Engine& engine, const std::string& name, KindGauges& gauges) {
  for (const ResourceState state : kAllResourceStates) {
    metrics_.SetResources(name, state, gauges.states[state]);
  }
  metrics_.SetHeld(name, gauges.held);
  metrics_.SetTargets(name, gauges.targets);
  metrics_.SetGrants(name, gauges.grants);
  PublishExpiry(name, gauges);
  if (gauges.targets > 0) {
    metrics_.SetOldestObservation(name, gauges.oldest.value_or(WallTime()));
  }
  constexpr DriftClass kClasses[] = {DriftClass::kMissing,          DriftClass::kUndeclared,
                                     DriftClass::kConditionChanged, DriftClass::kPrincipalDeleted,
                                     DriftClass::kTargetMissing,    DriftClass::kLookupChanged};
  constexpr Severity kSeverities[] = {Severity::kLow, Severity::kMedium, Severity::kHigh,
                                      Severity::kCritical};
  constexpr DriftCause kCauses[] = {DriftCause::kUnknown, DriftCause::kManifest,
                                    DriftCause::kForeign, DriftCause::kExpiry};
  for (const DriftClass drift_class : kClasses) {
    if (IsAcceptable(drift_class)) {
      metrics_.SetAcceptedDrift(name, drift_class, gauges.accepted[drift_class]);
    }
    for (const Severity severity : kSeverities) {
      for (const DriftCause cause : kCauses) {
        metrics_.SetOpenDrift(name, drift_class, severity, cause,
                              gauges.drift[{drift_class, severity, cause}]);
      }
    }
  }
  const WorkTable::Unfinished unfinished =
      engine.schedule().work().UnfinishedOn(name, clock_.Mono());
  metrics_.SetUnfinishedWork(name, unfinished.total, unfinished.longest);
}

}  // namespace bindery
