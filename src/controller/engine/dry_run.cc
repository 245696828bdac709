#include "controller/engine/dry_run.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <chrono>
#include <limits>
#include <tuple>
#include <utility>

#include "controller/claims/status_code.h"
#include "controller/outbox/recheck_schedule.h"
#include "core/base/mutex.h"
#include "core/base/work_pool.h"
#include "reconcilers/tombstones.h"

namespace bindery::controller {
namespace {

/// How far time may go on: what the engine waits for longer is not part of the pass.
constexpr std::chrono::hours kLongestPass(1);

/// Nothing is sent, so nothing has to be put off.
void LetAllGo(Engine& engine, EngineSettings settings) {
  settings.concurrency = std::numeric_limits<std::size_t>::max();
  settings.quotas.clear();
  engine.SetSettings(settings);
  engine.schedule().calls().gate().LetAllGo();
  engine.schedule().recheck().EndRechecks();
}

}  // namespace

/// Reads targets, several at once, and compares each on the reading thread.
class DryRun::Readings {
 public:
  struct Done {
    TargetKey key;
    Expected<std::string> body = Fail(Code::kInternal, "not run");
    CheckResult result = {};
  };

  explicit Readings(const Reads& reads)
      : reads_(reads), pool_(std::max<std::size_t>(reads.at_once, 1)) {}

  void Begin(const TargetKey& key, const std::shared_ptr<const CheckJob>& job) {
    ++begun_;
    boost::asio::post(pool_, [this, key, job] {
      Done done{key};
      try {
        done.body = reads_.fetch(*job);
        done.result = CheckFetched(*job, done.body, reads_.stored);
      } catch (const std::exception& failure) {
        done.result.observed = Fail(FromException(failure));
      }
      const MutexLock lock(mutex_);
      done_.push_back(std::move(done));
      changed_.NotifyOne();
    });
  }
  [[nodiscard]] const PolicyReader& stored() const { return reads_.stored; }
  [[nodiscard]] bool any_under_way() const { return ended_ < begun_; }
  /// Blocks until some readings have ended. Requires: readings are under way.
  [[nodiscard]] std::vector<Done> Wait() {
    const MutexLock lock(mutex_);
    changed_.Wait(mutex_, [this]() REQUIRES(mutex_) { return !done_.empty(); });
    ended_ += done_.size();
    if (reads_.told) reads_.told(ended_, begun_);
    return std::exchange(done_, {});
  }

 private:
  const Reads& reads_;
  std::size_t begun_ = 0;
  std::size_t ended_ = 0;
  Mutex mutex_;
  CondVar changed_;
  std::vector<Done> done_ GUARDED_BY(mutex_);
  WorkPool pool_;  ///< Last: its threads use what is above.
};

DryRun::DryRun(const providers::Kinds& kinds, const EngineSettings& settings, const Now& now)
    : engine_(kinds, foreseen_, 1), now_(now) {
  LetAllGo(engine_, settings);
}

DryRun::DryRun(const Engine& running, const Now& now) : engine_(running, foreseen_), now_(now) {
  LetAllGo(engine_, running.settings());
  engine_.scans().CheckAll(now);
}

DryRun::DryRun(const Engine& running, const ClaimsPart& part, const Now& now)
    : engine_(running, foreseen_, &part), now_(now) {
  LetAllGo(engine_, running.settings());
  engine_.scans().CheckAll(now);
}

void DryRun::Scan(const ScanInput& scan) {
  if (engine_.scans().Scan(scan, now_).confirm) {
    ScanInput again = scan;
    if (again.edit) again.edit = ScanEdit{};  // Nothing has changed since.
    std::ignore = engine_.scans().Scan(again, now_);
  }
  NoteProblems(engine_.DrainRecords().changes);
}

void DryRun::AssumeInForce() {
  for (auto& [name, entry] : engine_.catalog().claims().resources()) {
    if (!entry.accepted) continue;
    entry.progress.untouched = false;
    entry.progress.settled = true;
    entry.evidence.age = {};
  }
}

std::vector<std::string> DryRun::AwaitingValues() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : catalog().claims().resources()) {
    const bool waits = GetCode(*entry.standing.status) == StatusCode::kDependencyNotReady;
    if (!entry.accepted && waits) names.push_back(name);
  }
  return names;
}

void DryRun::NoteProblems(std::vector<store::StoreChange> changes) {
  for (store::StoreChange& change : changes) {
    if (change.problems) problems_ = *std::move(change.problems);
  }
}

void DryRun::Work(const std::vector<std::string>& names, const Reads& reads) {
  names_ = names;
  Readings readings(reads);
  const MonoTime end = now_.mono + kLongestPass;
  while (true) {
    if (CarryOut(engine_.Step(now_), readings) || BeginWanted(readings)) continue;
    if (readings.any_under_way()) {
      for (Readings::Done& done : readings.Wait()) {
        answers_.insert_or_assign(done.key, Answer{std::move(done.body)});
        Checked(done.key, std::move(done.result));
      }
      continue;
    }
    const std::optional<MonoTime> wake = engine_.NextWake();
    if (engine_.Settled(/*patience=*/0) || !wake || *wake > end) break;
    const MonoTime next = std::max(*wake, now_.mono + std::chrono::milliseconds(1));
    now_.wall += std::chrono::duration_cast<WallTime::duration>(next - now_.mono);
    now_.mono = next;
  }
  foreseen_.AddUntouched(catalog().claims(), engine_.schedule().calls());
}

/// False when no action was to do.
bool DryRun::CarryOut(Engine::Actions actions, Readings& readings) {
  const bool any = !actions.checks.empty() || !actions.writes.empty() || !actions.questions.empty();
  NoteProblems(std::move(actions.changes));
  for (const ProjectQuestion& asked : actions.questions) {
    engine_.scans().Identified(asked.question, AskForProject(asked), now_);
  }
  for (Engine::CheckTask& task : actions.checks) Check(std::move(task), readings);
  for (Engine::WriteTask& task : actions.writes) Write(std::move(task));
  return any;
}

void DryRun::Check(Engine::CheckTask task, Readings& readings) {
  const CheckJob& job = *task.job;
  const auto known = answers_.find(task.key);
  if (known == answers_.end()) {
    foreseen_.NoteWanted(job);
    if (names_.empty()) {
      readings.Begin(task.key, task.job);
    } else {
      unwanted_.insert_or_assign(task.key, std::move(task.job));
    }
  } else if (known->second.written) {
    Checked(task.key, CheckKnown(job, *known->second.written));
  } else {
    Checked(task.key, CheckFetched(job, known->second.body, readings.stored()));
  }
}

/// Reads further targets that the named resources need. False when no target is left.
bool DryRun::BeginWanted(Readings& readings) {
  if (names_.empty() || unwanted_.empty()) return false;
  bool any = false;
  for (const TargetKey& key : NeededTargets()) {
    const auto found = unwanted_.find(key);
    if (found == unwanted_.end()) continue;
    readings.Begin(key, found->second);
    unwanted_.erase(found);
    any = true;
  }
  return any;
}

/// The targets of the named resources, of their needs, and of resources that must go before.
std::set<TargetKey> DryRun::NeededTargets() const {
  std::set<TargetKey> targets;
  std::set<std::string> seen;
  std::vector<std::string> open = names_;
  while (!open.empty()) {
    const std::string name = std::move(open.back());
    open.pop_back();
    const ResourceEntry* entry = catalog().claims().FindResource(name);
    if (entry == nullptr || !seen.insert(name).second) continue;
    for (const auto* need : catalog().links().NeedsInForce(*entry)) open.push_back(need->name);
    if (entry->leaving()) {
      const auto& dependents = catalog().links().ListDependents(name);
      open.insert(open.end(), dependents.begin(), dependents.end());
      open.push_back(GetSuccessor(name));
    }
    if (!entry->accepted || !targets.insert(entry->place.target).second) continue;
    const TargetEntry* target = catalog().claims().FindTarget(entry->place.target);
    if (target == nullptr) continue;
    for (const ResourceEntry* beside : target->resources) open.push_back(beside->name);
  }
  return targets;
}

void DryRun::Checked(const TargetKey& key, CheckResult result) {
  foreseen_.NoteRead(*key, result);
  engine_.flow().Checked(key, std::move(result), now_);
}

void DryRun::Write(Engine::WriteTask task) {
  reconcilers::TargetPlan plan = task.job.plan;
  // Tombstones go along with a write, and are no line of a plan.
  if (const reconcilers::PrincipalRules* rules = task.job.check->kind->traits().principals) {
    std::erase_if(plan.changes, [rules](const reconcilers::GrantChange& change) {
      return change.action == reconcilers::ChangeAction::kRemove &&
             reconcilers::IsTombstone(change.grant, *rules);
    });
  }
  WriteResult result = ForeseeWrite(std::move(task.job));
  foreseen_.NoteWritten(*task.key, plan, result);
  if (result.written) answers_.at(task.key).written = *result.written;
  engine_.flow().Written(task.key, std::move(result), now_);
}

}  // namespace bindery::controller
