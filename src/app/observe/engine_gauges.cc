#include "app/observe/engine_gauges.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string_view>
#include <utility>

#include "core/settings/accepted_drift.h"
#include "core/text/time_text.h"
#include "report/reports/known_targets.h"

namespace bindery::app {
namespace {

/// All resources of the target are suspended: the target is not read any more.
bool IsLeftAlone(const controller::TargetEntry& target) {
  return std::all_of(target.resources.begin(), target.resources.end(),
                     [](const controller::ResourceEntry* entry) { return entry->suspended(); });
}

}  // namespace

EngineGauges::KindGauges& EngineGauges::AllKinds::Get(const std::string& name) {
  KindGauges*& gauges = by_address[&name];
  if (gauges == nullptr) gauges = &by_name[name];
  return *gauges;
}

void EngineGauges::CountResources(const controller::Engine& engine, AllKinds& kinds) {
  for (const auto& [name, entry] : engine.catalog().claims().resources()) {
    if (entry.kind == nullptr) continue;
    KindGauges& gauges = kinds.Get(entry.kind->traits().policy);
    ++gauges.statuses[&*entry.standing.status];
    if (entry.accepted) gauges.grants += static_cast<std::size_t>(entry.grants);
  }
  for (auto& [name, gauges] : kinds.by_name) {
    for (const auto& [status, resources] : gauges.statuses) {
      gauges.resources.Take(*status, resources);
    }
  }
}

void EngineGauges::PublishCounts(const controller::Engine& engine) {
  AllKinds all;
  CountResources(engine, all);
  std::map<std::string, KindGauges>& kinds = all.by_name;
  CountExpiry(engine, kinds);
  for (const auto& [key, target] : engine.catalog().claims().targets()) {
    if (!report::CountsAsTarget(*target.target)) continue;
    KindGauges& gauges = all.Get(target.target->kind.str());
    ++gauges.targets;
    gauges.undeclared += static_cast<std::size_t>(target.reading.undeclared);
    for (const auto& [item, drift] : *target.drift.open) {
      ++gauges.drift[{drift.drift_class, drift.severity, drift.cause}];
    }
    for (const auto& [item, drift] : *target.drift.accepted) ++gauges.accepted[drift.drift_class];
    if (!target.reading.observed || IsLeftAlone(target)) continue;
    gauges.oldest =
        std::min(gauges.oldest.value_or(target.reading.observed_at), target.reading.observed_at);
  }
  for (const std::string& name : metrics_.kinds()) shown_[name];
  for (const auto& [name, gauges] : kinds) shown_[name];
  for (const auto& [name, differences] : shown_) PublishKind(engine, name, kinds[name]);
}

void EngineGauges::Publish(const controller::Engine& engine) {
  const controller::Claims& claims = engine.catalog().claims();
  const std::size_t entries = claims.resources().size() + claims.targets().size();
  if (pause_.MayCount(entries, clock_.Mono())) PublishCounts(engine);
  PublishQueue(engine);
  const controller::ClockJudgement judged = engine.time().Judge({clock_.Mono(), clock_.Wall()});
  metrics_.grant_times.clock_disagreement.Set(judged.ahead);
  metrics_.grant_times.clock_confirmed.Set(judged.confirmed());
  metrics_.grant_times.awaiting_removals.Set(engine.time().awaiting());
  metrics_.observations.oscillating_targets.Set(engine.oscillation().Tripped());
  const controller::AwaitingEvidence::Summary withheld = engine.removals().awaiting().Summarise();
  metrics_.removals.withheld_targets.Set(withheld.pending, {"pending"});
  metrics_.removals.withheld_targets.Set(withheld.blocked, {"blocked"});
  metrics_.removals.holds.Set(engine.removals().guard().held().Digest().empty() ? 0 : 1);
  metrics_.removals.held.Set(engine.removals().guard().held().Grants());
  metrics_.removals.denied.Set(engine.removals().guard().answers().DeniedGrants());
}

void EngineGauges::CountExpiry(const controller::Engine& engine,
                               std::map<std::string, KindGauges>& kinds) {
  const controller::Catalog& catalog = engine.catalog();
  const WallTime now = clock_.Wall();
  for (const auto lead : catalog.claims().times().leads())
    expiry_labels_.insert(FormatDuration(lead));
  catalog.claims().times().ForEach(
      now, [&](const std::string& name, const controller::GrantTimes::Standing& standing) {
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

void EngineGauges::PublishExpiry(const std::string& name, const KindGauges& gauges) {
  metrics_.grant_times.expired.Set(gauges.expired, {name});
  if (gauges.next_expiry) {
    metrics_.grant_times.next_expiry.Set(*gauges.next_expiry, {name});
  } else {
    metrics_.grant_times.next_expiry.Set(std::numeric_limits<double>::infinity(), {name});
  }
  for (const std::string& within : expiry_labels_) {
    const auto count = gauges.expiring.find(within);
    metrics_.grant_times.expiring.Set(count == gauges.expiring.end() ? 0 : count->second,
                                      {name, within});
  }
}

void EngineGauges::PublishQueue(const controller::Engine& engine) {
  // controller-runtime's numbers: greater is more urgent.
  constexpr std::pair<Priority, std::string_view> kLabels[] = {
      {Priority::kChange, "2"}, {Priority::kRetry, "1"}, {Priority::kPeriodic, "0"}};
  const MonoTime now = clock_.Mono();
  for (const auto& [priority, label] : kLabels) {
    const auto due = controller::CountDue(engine.schedule(), priority, now);
    for (const auto& [name, differences] : shown_) {
      const auto found = due.find(name);
      metrics_.queue.depth.Set(found == due.end() ? 0 : found->second, {name, label});
    }
  }
}

void EngineGauges::PublishKind(const controller::Engine& engine, const std::string& name,
                               KindGauges& gauges) {
  const report::ResourceCounts& resources = gauges.resources;
  const auto set = [&](std::string_view state, std::int64_t count) {
    metrics_.declared.resources.Set(count, {name, state});
  };
  set(ToString(ResourceState::kReady), resources.ready);
  set(ToString(ResourceState::kSuspended), resources.suspended);
  set(ToString(ResourceState::kReconciling), resources.reconciling);
  // Held removals have a separate alert, and denied removals need none.
  set(ToString(ResourceState::kStalled), resources.stalled - resources.held);
  set("held", resources.held);
  metrics_.reconciles.max_concurrent.Set(concurrency_, {name});
  metrics_.declared.targets.Set(gauges.targets, {name});
  metrics_.declared.grants.Set(gauges.grants, {name});
  PublishExpiry(name, gauges);
  if (gauges.targets > 0) {
    metrics_.observations.oldest.Set(gauges.oldest.value_or(WallTime()), {name});
  }
  metrics_.drift.undeclared.Set(gauges.undeclared, {name});
  metrics_.drift.just_in_time.Set(gauges.accepted[DriftClass::kJustInTime], {name});
  for (const DriftClass drift_class : kAllDriftClasses) {
    if (IsAcceptable(drift_class)) {
      metrics_.drift.accepted.Set(gauges.accepted[drift_class], {name, ToString(drift_class)});
    }
  }
  auto& differences = shown_[name];
  for (const auto& [difference, count] : gauges.drift) differences.insert(difference);
  for (const auto& difference : differences) {
    metrics_.drift.open.Set(gauges.drift[difference],
                            {name, ToString(difference.drift_class), ToString(difference.severity),
                             ToString(difference.cause)});
  }
  const controller::WorkTable::Unfinished unfinished =
      engine.schedule().work().UnfinishedOn(name, clock_.Mono());
  metrics_.queue.unfinished.Set(unfinished.total, {name});
  metrics_.queue.longest.Set(unfinished.longest, {name});
}

}  // namespace bindery::app
