#include "model/world.h"

#include <algorithm>
#include <utility>

#include "controller/catalog/missed_once.h"
#include "controller/claims/resource_record.h"
#include "core/text/time_text.h"

namespace bindery::model {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::EngineWorld;

constexpr seconds kSettle(10);
constexpr seconds kLookDistance(2);
constexpr seconds kRescan(60);
constexpr milliseconds kDebounce(200);

/// What its manifest and people want of it is on record as the daemon has it, whatever becomes of
/// it: work on its target puts on record only how it stands.
bool IsOnRecord(const testing::FakeStore::State& state, const controller::Claims& claims,
                const controller::ResourceEntry& entry) {
  const auto found = state.resources.find(entry.name);
  if (found == state.resources.end()) return false;
  store::ResourceRecord wanted = controller::MakeRecord(claims, entry);
  const store::ResourceRecord& on_record = found->second;
  wanted.observed_generation = on_record.observed_generation;
  wanted.status = on_record.status;
  wanted.status_since = on_record.status_since;
  wanted.outputs = on_record.outputs;
  wanted.untouched = on_record.untouched;
  wanted.age = on_record.age;  // What settled is told by the evidence.
  return wanted == on_record;
}

}  // namespace

World::World()
    : cloud_(std::make_shared<Cloud>(world_.cloud, world_.now.mono)),
      observer_(*cloud_, world_.store) {
  world_.settings.settle = kSettle;
  world_.settings.look_distance = kLookDistance;
  world_.settings.confirm_emptied = kSettle;
  // Within a window only so many may go, and none is too grave or too large a part.
  world_.settings.guard.max_removed_grants = 8;
  world_.settings.guard.max_removed_fraction = 1.0;
  world_.settings.recheck.interval = seconds(60);
  world_.settings.full_read_every = 4;
  cloud_->before_write = [this] { CrashPoint(); };
  cloud_->changed = [this](const Cloud::Change& change) {
    observer_.Changed(change, *writing_, Mono());
    CrashPoint();
  };
  Configure();
  rescan_at_ = Mono() + kRescan;
}

void World::Configure() {
  observer_.SetSettings(world_.settings);
  world_.Configure();
  controller::Engine::Connections connections = world_.Connections();
  for (auto& [provider, connection] : connections) {
    auto mine = std::make_shared<cloud::Connection>(*connection);
    mine->transport = cloud_;
    connection = std::move(mine);
  }
  world_.engine->SetConnections(std::move(connections));
  world_.engine->flow().lending().SetHelpers(1, 4);
}

std::string World::EventsText() const {
  std::string text;
  for (const auto& [id, event] : world_.store.state.events) {
    text += FormatRfc3339(event.time) + " " + event.reason + " " + event.resource + " " +
            event.target + ": " + event.message + "\n";
  }
  for (const auto& [name, entry] : world_.engine->catalog().claims().resources()) {
    text += name + " is " + entry.standing.status->reason + " on " +
            ShortName(*entry.place.target) + " " + entry.place.role.str() + ": " +
            entry.standing.status->message + "\n";
  }
  for (const GrantText& grant : cloud_->All()) text += "there: " + grant + "\n";
  return text;
}

// The directory ----------------------------------------------------------------------------------

/// As the loop ends a scan.
void World::LookOnce(bool hinted) {
  confirm_at_.reset();
  rescan_at_ = Mono() + kRescan;
  controller::Engine& engine = *world_.engine;
  std::optional<controller::ScanInput> input;
  if (bad_scans_ == 0) input = directory_.Look(hinted && loaded_, world_.now.wall);
  if (!input) {
    const bool changing = bad_scans_ > 0 && !bad_scans_fail_;
    bad_scans_ = std::max(0, bad_scans_ - 1);
    observer_.LookFailed(Mono());
    engine.scans().ScanFailed(changing ? "" : "the manifests directory cannot be read", world_.now);
    return;
  }
  observer_.Looked(directory_, Mono(), TrueTime());
  if (loaded_ && input->digest == digest_ && !controller::HasMissedOnce(engine.catalog())) {
    engine.scans().Remember(*input, world_.now);
    return;
  }
  if (const auto refused = engine.catalog().directory().WouldEmpty(*input)) {
    edits_ = false;
    observer_.LookFailed(Mono());
    engine.scans().ScanFailed(refused->message, world_.now);
    return;
  }
  if (!std::exchange(edits_, true)) input->edit.reset();
  const controller::Engine::Scanned scanned = engine.scans().Scan(*input, world_.now);
  loaded_ = true;
  digest_ = scanned.confirm ? "" : input->digest;
  if (scanned.confirm) confirm_at_ = Mono() + kDebounce;
}

void World::Look(bool hinted) {
  LookOnce(hinted);
  Turn();
}

// Time -------------------------------------------------------------------------------------------

std::optional<MonoTime> World::NextMoment() const {
  MonoTime next = rescan_at_;
  const auto sooner = [&next](const std::optional<MonoTime>& time) {
    if (time) next = std::min(next, *time);
  };
  sooner(confirm_at_);
  sooner(world_.engine->NextWake());
  sooner(world_.engine->removals().awaiting().NextLook(world_.now));
  for (const Delivery& delivery : deliveries_) sooner(delivery.due);
  return next;
}

void World::MeetMoment() {
  const auto settles = world_.engine->removals().awaiting().NextLook(world_.now);
  const bool looks = Mono() >= rescan_at_ || (confirm_at_ && Mono() >= *confirm_at_) ||
                     (settles && Mono() >= *settles);
  if (looks) LookOnce(/*hinted=*/false);
  std::vector<Delivery> due;
  const auto later = std::partition(deliveries_.begin(), deliveries_.end(),
                                    [&](const Delivery& one) { return one.due > Mono(); });
  due.assign(std::make_move_iterator(later), std::make_move_iterator(deliveries_.end()));
  deliveries_.erase(later, deliveries_.end());
  for (Delivery& delivery : due) delivery.run();
  Turn();
}

/// Nothing runs, and time passes.
void World::Stop(milliseconds time) {
  world_.MoveOn(time);
  observer_.Stopped(Mono(), time - kLookDistance);
}

void World::Wait(MonoTime::duration time) {
  const MonoTime end = Mono() + time;
  Turn();
  for (auto next = NextMoment(); next && *next <= end; next = NextMoment()) {
    world_.MoveOn(std::chrono::ceil<milliseconds>(
        std::max<MonoTime::duration>(*next - Mono(), milliseconds(1))));
    if (Mono() > end) break;
    MeetMoment();
  }
  if (Mono() < end) world_.MoveOn(std::chrono::ceil<milliseconds>(end - Mono()));
  Turn();
}

// Work -------------------------------------------------------------------------------------------

/// The process may die here.
void World::CrashPoint() {
  if (crash_in_ && --*crash_in_ <= 0) throw Crash();
}

void World::Turn() {
  constexpr int kMost = 2'000;
  for (int i = 0; i < kMost; ++i) {
    controller::Engine::Actions actions = world_.engine->Step(world_.now);
    if (actions.empty()) break;
    Step(std::move(actions));
    if (i == kMost - 1) observer_.Breach("the engine does not come to rest");
  }
  observer_.Rested(Mono());
  const controller::Claims& claims = world_.engine->catalog().claims();
  for (const auto& [name, entry] : claims.resources()) {
    if (IsOnRecord(world_.store.state, claims, entry)) continue;
    observer_.Breach("\"" + name + "\" is not on record as it is declared");
  }
  // Of a target on which nothing is left the daemon keeps nothing.
  std::set<std::string> known;
  for (const auto& [key, target] : claims.targets()) {
    known.insert(ShortName(*target.target));
  }
  for (const char* target : kTargets) {
    if (!known.contains(target)) cloud_->ForgetReading(target);
  }
}

void World::Step(controller::Engine::Actions actions) {
  for (const controller::Engine::WriteTask& task : actions.writes) {
    observer_.Decided(task.job, Mono(), TrueTime());
  }
  for (store::StoreChange& change : actions.changes) {
    CrashPoint();
    const Expected<void> stored = world_.store.Apply(std::move(change));
    if (!stored) observer_.Breach("the store refuses a change: " + ToString(stored.error()));
  }
  for (auto& reply : actions.replies) reply();
  for (const auto& asked : actions.questions) {
    world_.engine->scans().Identified(asked.question, controller::AskForProject(asked), world_.now);
  }
  for (const auto& task : actions.checks) StartCheck(task);
  for (const auto& check : actions.lent) StartLent(check);
  for (const auto& task : actions.writes) StartWrite(task);
}

void World::Deliver(const std::string& target, std::function<void()> run) {
  const auto slow = slow_.find(target);
  if (slow == slow_.end() || Mono() >= slow->second.until) return run();
  deliveries_.push_back({Mono() + slow->second.delay, std::move(run)});
}

void World::StartCheck(const controller::Engine::CheckTask& task) {
  const controller::PolicyReader stored = [this](const std::string& digest) {
    return world_.store.Policy(digest);
  };
  auto result = std::make_shared<controller::CheckResult>(
      controller::CheckFetched(*task.job, controller::FetchPolicy(*task.job), stored));
  if (result->unchanged || result->observed) world_.TellTime();
  Deliver(ShortName(task.job->target), [this, key = task.key, result] {
    world_.engine->flow().Checked(key, std::move(*result), world_.now);
  });
}

/// Another replica reads. One answer in four is lost, and others take their time.
void World::StartLent(const controller::LentCheck& check) {
  if (check.loan % 4 == 3) return;
  const cloud::Connection& connection = *check.connection;
  const auto call = check.kind->BuildGet(connection, check.key->name, seconds(30));
  const auto body = cloud::Send(*call, *connection.transport, *connection.authorizer);
  controller::LentAnswer answer = controller::LentAnswer::kFailed;
  if (body) {
    answer = Sha256Digest::Of(*body) == check.known_body ? controller::LentAnswer::kSame
                                                         : controller::LentAnswer::kOther;
  }
  const controller::LentResult result{check.loan, check.key, answer};
  deliveries_.push_back({Mono() + seconds(check.loan % 3), [this, result] {
                           world_.engine->flow().lending().End(result, world_.now);
                         }});
}

void World::StartWrite(const controller::Engine::WriteTask& task) {
  auto result = std::make_shared<controller::WriteResult>(RunWrite(task.job));
  Deliver(ShortName(task.job.check->target), [this, key = task.key, result] {
    world_.engine->flow().Written(key, std::move(*result), world_.now);
  });
}

controller::WriteResult World::RunWrite(const controller::WriteJob& job) {
  controller::WriteResult result;
  const Expected<cloud::PolicyCall> call = controller::MakeWriting(job);
  if (!call) {
    result.written = Fail(call.error());
    return result;
  }
  const store::IntentRecord record = controller::MakeIntent(job);
  CrashPoint();
  const Expected<std::int64_t> intent = testing::BeginWrite(world_.store, record);
  CrashPoint();
  writing_ = &job;
  result = EngineWorld::CarryOut(job, *call);
  writing_ = nullptr;
  result.intent = *intent;
  result.digest_desired = record.digest_desired;
  return result;
}

/// The process ends, at whatever it was, and starts again on what the store holds.
void World::Start() {
  deliveries_.clear();
  confirm_at_.reset();
  crash_in_.reset();
  loaded_ = false;
  edits_ = true;
  digest_.clear();
  directory_.ForgetEdits();
  cloud_->ForgetReadings();
  observer_.Started();
  world_.Restart();
  Configure();
}

void World::Do(const Move& move) {
  observer_.Meant(directory_, Mono());
  const bool passes =
      move.kind == Kind::kWait || move.kind == Kind::kLook || move.kind == Kind::kStop;
  if (!passes) observer_.Acted();
  try {
    if (move.kind <= Kind::kMount) {
      ChangeDirectory(move);
    } else if (move.kind <= Kind::kKeep) {
      DriveDaemon(move);
    } else if (move.kind <= Kind::kRestore) {
      ChangeStore(move);
    } else {
      TroubleClouds(move);
    }
  } catch (const Crash&) {
    Start();
    observer_.Acted();
  }
}

}  // namespace bindery::model
