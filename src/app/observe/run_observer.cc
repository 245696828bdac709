#include "app/observe/run_observer.h"

#include <fmt/format.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "controller/catalog/kept_claims.h"
#include "core/text/count.h"
#include "report/reports/known_targets.h"
#include "report/values/resource_counts.h"

namespace bindery::app {
namespace {

/// A resource with a drift severity counts by the severity.
bool IsJudgedByItsDrift(const ResourceStatus& status) {
  return status.reason == reason::kDriftObserved || status.reason == reason::kPrincipalDeleted;
}

}  // namespace

RunObserver::RunObserver(telemetry::Logger& log, telemetry::Metrics& metrics, const Clock& clock,
                         ProgressBar& progress)
    : log_(log),
      metrics_(metrics),
      clock_(clock),
      progress_(progress),
      health_(log, metrics),
      loads_(log, metrics, clock, health_),
      work_(log, metrics, clock),
      gauges_(metrics, clock) {}

void RunObserver::Began(bool inotify, int concurrency) {
  metrics_.inputs.watcher_mode.Set(inotify, {"inotify"});
  metrics_.inputs.watcher_mode.Set(!inotify, {"poll"});
  for (const std::string& kind : metrics_.kinds()) {
    metrics_.reconciles.max_concurrent.Set(concurrency, {kind});
  }
  gauges_.SetConcurrency(concurrency);
}

void RunObserver::ConfigLoaded(bool successful) {
  metrics_.inputs.last_config_reload_successful.Set(successful);
  if (successful) metrics_.inputs.last_config_reload.Set(clock_.Wall());
}

void RunObserver::TellOfPass(const controller::Engine& engine) {
  changed_ = work_.TakeChanged() || changed_;
  if (!changed_ && !first_) return;
  if (!pass_over_ || !health_.first_pass_done() || !engine.Settled(0)) return;
  first_ = false;
  pass_over_(clock_.Wall(), std::exchange(changed_, false));
}

void RunObserver::Progress(const controller::Engine& engine) {
  NoteWithheld(engine);
  NoteClock(engine);
  NoteFirstPass(engine);
  TellOfPass(engine);
}

void RunObserver::NoteClock(const controller::Engine& engine) {
  const controller::ClockJudgement judged = engine.time().Judge({clock_.Mono(), clock_.Wall()});
  health_.SetClockNote(judged.disputed() ? judged.Why() + ": nothing is removed by time" : "");
}

void RunObserver::NoteWithheld(const controller::Engine& engine) {
  const controller::AwaitingEvidence::Summary withheld = engine.removals().awaiting().Summarise();
  const std::size_t targets = withheld.pending + withheld.blocked;
  std::vector<std::string> notes;
  if (targets > 0) {
    notes.push_back(Count(targets, "target") + (targets == 1 ? " has" : " have") +
                    " removals that wait: " + withheld.why);
  }
  const controller::RemovalEvidence& evidence = engine.catalog().evidence();
  if (evidence.question().open()) notes.push_back(evidence.question().text());
  const controller::HeldRemovals& held = engine.removals().guard().held();
  if (held.Grants() > 0) {
    notes.push_back(std::to_string(held.Grants()) + " held by the guard (bindery guard approve " +
                    held.Digest() + "): " + held.Reason());
  }
  if (const std::string kept = KeptNow(engine); !kept.empty()) notes.push_back(kept);
  health_.SetWithheld(fmt::format("{}", fmt::join(notes, "; ")));
}

/// A visit of all resources, which may be a hundred thousand: after a scan, and now and then after
/// further changes because a scan may come into force otherwise later.
const std::string& RunObserver::KeptNow(const controller::Engine& engine) {
  constexpr std::chrono::seconds kAgain(10);
  const MonoTime now = clock_.Mono();
  const std::int32_t look = engine.catalog().evidence().look();
  const std::uint64_t changes = engine.changes();
  if (kept_.look != look || (kept_.changes != changes && now - kept_.at >= kAgain)) {
    kept_ = {look, changes, now, controller::KeptSummary(engine.catalog())};
  }
  return kept_.text;
}

void RunObserver::NoteFirstPass(const controller::Engine& engine) {
  if (health_.first_pass_done()) return;  // What follows looks at every target.
  std::size_t checked = 0;
  std::size_t all = 0;
  for (const auto& [key, target] : engine.catalog().claims().targets()) {
    if (!report::CountsAsTarget(*target.target)) continue;
    ++all;
    if (target.calls.checked) ++checked;
  }
  const bool first = health_.NoteFirstPass(checked == all && engine.Settled(0));
  first_ = first_ || first;
  progress_.Show(checked, all);
  if (first) log_.Info("first pass done", {{"targets", all}});
}

int RunObserver::ExitCode(const controller::Engine& engine, Severity least) const {
  // A refusal before the name is known has no resource to report it.
  if (loads_.refused()) return 2;
  int code = engine.removals().guard().held().Digest().empty() ? 0 : 1;
  for (const auto& [name, entry] : engine.catalog().claims().resources()) {
    const ResourceStatus& status = *entry.standing.status;
    if (status.state == ResourceState::kReady || status.state == ResourceState::kSuspended)
      continue;
    if (report::IsFailure(status)) return 2;
    if (!IsJudgedByItsDrift(status)) code = 1;
  }
  for (const auto& [key, target] : engine.catalog().claims().targets()) {
    for (const auto& [item, drift] : *target.drift.open) {
      if (drift.severity >= least) code = 1;
    }
  }
  return code;
}

}  // namespace bindery::app
