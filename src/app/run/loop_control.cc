#include "app/run/loop_control.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <variant>

#include "controller/catalog/kept_claims.h"
#include "controller/catalog/resource_not_found.h"
#include "controller/outbox/recheck_schedule.h"
#include "core/text/time_text.h"
#include "report/reports/plan_report.h"
#include "report/reports/problem_lines.h"
#include "report/values/change_values.h"
#include "report/values/guard_values.h"

namespace bindery::app {
namespace {

/// A loop that did not turn for this time counts as dead.
constexpr std::chrono::seconds kLoopPatience(30);

/// Collects the answers for several names and replies when the last is there. Shared by the
/// callbacks; used on the loop thread only.
struct Gathered {
  report::ReconcileAnswer answer;
  std::size_t awaited = 0;
  server::Control::Reply reply;
};

/// `kept`: as WhyKept. A hold of the guard names itself.
report::ChangeResult MakeResult(const std::string& name, const controller::WorkAnswer& answer,
                                const std::string& kept = {}) {
  report::ChangeResult result{name, answer.done, answer.held, answer.message};
  if (kept.empty() || !answer.held.empty()) return result;
  if (answer.done)
    result.message = "a removal is blocked: " + kept + "; otherwise " + answer.message;
  result.done = false;
  result.blocked = kept;
  return result;
}

std::string WhyKept(const controller::Engine& engine, const std::string& name,
                    const controller::Now& now) {
  const controller::ResourceEntry* entry = engine.catalog().claims().FindResource(name);
  return entry == nullptr ? "" : controller::WhyKept(engine.catalog(), *entry, now);
}

std::vector<std::string> NamesInForce(controller::Engine& engine) {
  std::vector<std::string> names;
  for (const auto& [name, entry] : engine.catalog().claims().resources()) {
    if (entry.accepted) names.push_back(name);
  }
  return names;
}

/// The resources among these that their manifests suspend, whatever an operator says: with the
/// place.
std::vector<report::StillSuspended> SuspendedByManifest(const controller::Catalog& catalog,
                                                        const std::vector<std::string>& names) {
  std::vector<report::StillSuspended> suspended;
  for (const std::string& name : names) {
    const auto found = catalog.claims().resources().find(name);
    if (found == catalog.claims().resources().end() || !found->second.options().suspend) continue;
    const manifests::SourceRef& source = found->second.source();
    suspended.push_back({name, {source.file.str(), source.line}});
  }
  return suspended;
}

/// The resources of the target that no operator has suspended: a rollback suspends these.
std::vector<std::string> EnforcedBeside(const controller::Catalog& catalog,
                                        const std::string& name) {
  std::vector<std::string> names;
  const auto found = catalog.claims().resources().find(name);
  if (found == catalog.claims().resources().end() || found->second.place.target.empty())
    return names;
  const auto target = catalog.claims().targets().find(found->second.place.target);
  if (target == catalog.claims().targets().end()) return names;
  for (const controller::ResourceEntry* entry : target->second.resources) {
    // A former claim goes with the resource of the name.
    const bool own = entry->name.find(controller::kFormerClaim) == std::string::npos;
    if (own && !entry->suspended_by_operator) names.push_back(entry->name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

Expected<Json> DecidedJson(const Expected<controller::Engine::Decided>& decided) {
  if (!decided) return Fail(decided.error());
  return report::ToJson(
      report::HoldDecision{decided->digest, decided->targets.size(), decided->grants});
}

/// Has every one of them checked and replies when the last is done; all or nothing for unknown
/// names.
void CheckNow(controller::Engine& engine, const controller::Now& now,
              const std::vector<std::string>& names, const std::string& actor,
              const server::Control::Reply& reply) {
  for (const std::string& name : names) {
    if (engine.catalog().claims().FindResource(name) != nullptr) continue;
    return reply(Fail(controller::ResourceNotFound(engine.catalog(), name)));
  }
  if (names.empty()) return reply(report::ToJson(report::ReconcileAnswer()));
  engine.commands().CheckRequested(names, actor, now);
  auto gathered = std::make_shared<Gathered>();
  gathered->awaited = names.size();
  gathered->reply = reply;
  for (const std::string& name : names) {
    const auto answer = [gathered, name, &engine, now](const controller::WorkAnswer& result) {
      gathered->answer.results.push_back(MakeResult(name, result, WhyKept(engine, name, now)));
      if (--gathered->awaited == 0) gathered->reply(report::ToJson(gathered->answer));
    };
    const Expected<void> asked = engine.commands().Reconcile({name}, now, answer);
    if (!asked) answer({false, "", asked.error().message});
  }
}

}  // namespace

LoopControl::LoopControl(controller::Loop& loop, Storage store, RunObserver& observer,
                         telemetry::Metrics& metrics, const Clock& clock)
    : loop_(loop),
      store_(store),
      observer_(observer),
      metrics_(metrics),
      clock_(clock),
      plans_([&loop](auto task) { loop.Post(std::move(task)); },
             [&observer] { return observer.loads().error(); },
             [store](const std::string& digest) { return store.reader.Policy(digest); },
             [this](report::PassPlan& plan, const std::vector<std::string>& names) {
               return AddProblemsOnRecord(plan, names);
             }) {}

server::Control::Reply LoopControl::AfterCommit(Reply reply) {
  return [this, reply = std::move(reply)](Expected<Json> answer) {
    // Never copied: it may be about ten thousand names.
    const auto kept = std::make_shared<Expected<Json>>(std::move(answer));
    loop_.Post([this, reply, kept](controller::Engine& engine, const controller::Now& /*now*/) {
      engine.RecordTouches();
      // One turn of the loop later, the changes of the turn wait for the store's writer already.
      loop_.Post(
          [this, reply, kept](controller::Engine& /*engine*/, const controller::Now& /*now*/) {
            store_.writer.Submit({}, [reply, kept](const Expected<void>& stored) {
              if (stored || !*kept) return reply(std::move(*kept));
              reply(Fail(stored.error().Wrap("it is not recorded, ask again later")));
            });
          });
    });
  };
}

void LoopControl::Execute(server::OperatorCommand command, std::string actor, Reply reply) {
  std::visit([&](auto& wanted) { Start(std::move(wanted), std::move(actor), std::move(reply)); },
             command);
}

void LoopControl::Start(server::command::Reconcile wanted, std::string actor, Reply reply) {
  loop_.Post([names = std::move(wanted.names), actor = std::move(actor),
              reply = AfterCommit(std::move(reply))](controller::Engine& engine,
                                                     const controller::Now& now) {
    CheckNow(engine, now, names.empty() ? NamesInForce(engine) : names, actor, reply);
  });
}

void LoopControl::Start(server::command::WaiveSettling wanted, std::string actor, Reply reply) {
  loop_.Post([this, names = std::move(wanted.names), actor = std::move(actor),
              reply = AfterCommit(std::move(reply))](controller::Engine& engine,
                                                     const controller::Now& now) {
    if (Expected<void> done = engine.commands().MakeUrgent(names, actor, now); !done) {
      reply(Fail(done.error()));
      return;
    }
    loop_.RequestScan();
    reply(report::ToJson(report::NamesAnswer{names}));
  });
}

void LoopControl::Start(server::command::Suspend wanted, std::string actor, Reply reply) {
  loop_.Post([names = std::move(wanted.names), suspend = wanted.suspend, actor = std::move(actor),
              reply = AfterCommit(std::move(reply))](controller::Engine& engine,
                                                     const controller::Now& now) {
    if (Expected<void> done = engine.commands().Suspend(names, suspend, actor, now); !done) {
      reply(Fail(done.error()));
      return;
    }
    report::SuspendAnswer answer{names, suspend, std::nullopt};
    if (!suspend) answer.still_suspended = SuspendedByManifest(engine.catalog(), names);
    reply(report::ToJson(answer));
  });
}

void LoopControl::Start(server::command::Forget wanted, std::string actor, Reply reply) {
  loop_.Post([names = std::move(wanted.names), actor = std::move(actor),
              reply = AfterCommit(std::move(reply))](controller::Engine& engine,
                                                     const controller::Now& now) {
    if (Expected<void> done = engine.commands().Forget(names, actor, now); !done) {
      reply(Fail(done.error()));
      return;
    }
    reply(report::ToJson(report::NamesAnswer{names}));
  });
}

void LoopControl::Start(server::command::Approve wanted, std::string actor, Reply reply) {
  loop_.Post([digest = std::move(wanted.digest), actor = std::move(actor),
              reply = AfterCommit(std::move(reply))](controller::Engine& engine,
                                                     const controller::Now& now) {
    reply(DecidedJson(engine.commands().Approve(digest, actor, now)));
  });
}

void LoopControl::Start(server::command::Deny wanted, std::string actor, Reply reply) {
  loop_.Post([digest = std::move(wanted.digest), actor = std::move(actor),
              reply = AfterCommit(std::move(reply))](controller::Engine& engine,
                                                     const controller::Now& now) {
    reply(DecidedJson(engine.commands().Deny(digest, actor, now)));
  });
}

void LoopControl::Start(server::command::Rollback wanted, std::string actor, Reply reply) {
  Expected<store::RevisionRecord> record = store_.reader.Revision(wanted.revision);
  if (!record) {
    // The name may be of something without revisions at all.
    loop_.Post([name = std::move(wanted.name), error = record.error(), reply = std::move(reply)](
                   controller::Engine& engine, const controller::Now& /*now*/) {
      const Expected<void> may = engine.commands().MayRollBack(name);
      reply(Fail(may ? error : may.error()));
    });
    return;
  }
  loop_.Post([name = std::move(wanted.name), record = std::move(*record), actor = std::move(actor),
              reply = AfterCommit(std::move(reply))](controller::Engine& engine,
                                                     const controller::Now& now) {
    const auto answer = [name, id = record.id, suspends = EnforcedBeside(engine.catalog(), name),
                         reply](const controller::WorkAnswer& result) {
      reply(report::ToJson(report::RollbackAnswer{MakeResult(name, result), id, suspends}));
    };
    if (Expected<void> asked = engine.commands().Rollback(name, record, actor, now, answer);
        !asked) {
      reply(Fail(asked.error()));
    }
  });
}

void LoopControl::Plan(std::vector<std::string> names, server::PlanAsker asker,
                       std::shared_ptr<server::PlanLines> lines, Reply reply) {
  plans_.Ask(std::move(names), asker, std::move(lines),
             [reply = std::move(reply)](const Expected<report::PassPlan>& plan) {
               reply(plan ? Expected<Json>(report::ToJson(*plan)) : Fail(plan.error()));
             });
}

void LoopControl::PlanDirectory(server::PlanUpload upload, server::PlanAsker asker, Reply reply) {
  plans_.AskAboutUpload(std::move(upload), asker,
                        [reply = std::move(reply)](const Expected<report::PassPlan>& plan) {
                          reply(plan ? Expected<Json>(report::ToJson(*plan)) : Fail(plan.error()));
                        });
}

Expected<void> LoopControl::AddProblemsOnRecord(report::PassPlan& plan,
                                                const std::vector<std::string>& names) const {
  // Memory of the last load may still be on the way to the disk. If the flush fails, the older
  // memory is better than none.
  std::ignore = store_.writer.Flush();
  const auto problems = report::ProblemsOnRecord(store_.reader, names);
  if (!problems) return Fail(problems.error().Wrap("problems of the manifests"));
  report::AddProblems(plan, *problems, names, [this](const std::string& name) {
    const auto record = store_.reader.Resource(name);
    return record && *record && (*record)->accepted;
  });
  return {};
}

void LoopControl::Metrics(std::function<void(std::string)> reply) {
  loop_.Post([this, reply = std::move(reply)](controller::Engine& engine,
                                              const controller::Now& now) {
    observer_.gauges().Publish(engine);
    const controller::RecheckPlan& recheck = engine.schedule().recheck().plan();
    metrics_.rechecks.detection_bound.Set(recheck.Bound());
    metrics_.rechecks.detection_expected.Set(recheck.Expected());
    metrics_.rechecks.requests_per_minute.Set(recheck.RequestsPerMinute());
    metrics_.rechecks.watched.Set(static_cast<double>(engine.schedule().recheck().watched()));
    metrics_.rechecks.helpers.Set(static_cast<double>(engine.flow().lending().helpers()));
    for (const controller::CallGate::BudgetView& budget :
         engine.schedule().calls().gate().Budgets(now.mono)) {
      const telemetry::LabelValues quota = {budget.provider, budget.quota_project};
      metrics_.clouds.quota_headroom.Set(budget.headroom, quota);
      metrics_.clouds.quota_rate.Set(budget.rate, quota);
      metrics_.clouds.quota_paused.Set(budget.paused, quota);
      metrics_.clouds.quota_refusals.RaiseTo(budget.refusals, quota);
    }
    for (const controller::CallGate::HostView& host : engine.schedule().calls().gate().Hosts()) {
      metrics_.clouds.circuit_open.Set(host.away, {host.host});
      metrics_.clouds.circuit_openings.RaiseTo(host.openings, {host.host});
    }
    reply(metrics_.Render());
  });
}

report::ActivityReport LoopControl::Activity() const {
  return observer_.work().activity().Report();
}

void LoopControl::SetReportSettings(report::DriftSettings settings) {
  const MutexLock lock(mutex_);
  report_settings_ = std::move(settings);
}

report::DriftSettings LoopControl::ReportSettings() const {
  const MutexLock lock(mutex_);
  return report_settings_;
}

std::vector<server::HealthCheck> LoopControl::Health() const {
  const auto silent = clock_.Mono() - loop_.LastTurn();
  std::vector<server::HealthCheck> checks = observer_.health().Checks();
  checks.insert(checks.begin(),
                server::HealthCheck{
                    "loop", silent < kLoopPatience,
                    "the controller's loop has not turned for " +
                        FormatAge(std::chrono::duration_cast<std::chrono::milliseconds>(silent)),
                    /*liveness=*/true});
  return checks;
}

}  // namespace bindery::app
