// What each move does to the model's world.

#include <array>
#include <utility>

#include "model/world.h"
#include "store/postgres/postgres_ground.h"

namespace bindery::model {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// The slots of moves: slot 4, which is in the way of slot 0, is met less often.
int ChooseSlot(const Move& move) {
  if (move.which == 4 && move.amount < 48) return 0;
  return move.which % kSlots;
}

int FileIn(const Move& move) { return move.which % 4; }

std::string ToTarget(const Move& move) {
  return kTargets.at(static_cast<std::size_t>(move.which) % kTargets.size());
}

/// From a moment to about half an hour.
milliseconds GetTime(int amount) {
  constexpr std::array<int, 8> kTimes{200, 1'000, 4'000, 9'000, 11'000, 30'000, 70'000, 1'900'000};
  return milliseconds(kTimes.at(static_cast<std::size_t>(amount) % kTimes.size()));
}

}  // namespace

/// Of two slots the grants may end.
Doc World::DocOf(const Move& move) const {
  const int slot = ChooseSlot(move);
  Doc doc{slot, 1 + move.amount % 15, (move.amount / 16) % 4 == 3, std::nullopt};
  const bool ends = (slot == 2 || slot == 3) && (move.amount / 16) % 4 == 1;
  if (ends) {
    const auto end = TrueTime() + seconds(move.amount % 2 == 0 ? 40 : 400);
    doc.until = std::chrono::floor<seconds>(end);
  }
  return doc;
}

void World::ChangeDirectory(const Move& move) {
  const WallTime at = world_.now.wall;
  switch (move.kind) {
    case Kind::kDeclare:
      return directory_.Put(DocOf(move), at);
    case Kind::kDelete:
      return directory_.Delete(ChooseSlot(move), at);
    case Kind::kTransfer:
      return directory_.Transfer(ChooseSlot(move), move.amount % 4, at);
    case Kind::kRename:
      return directory_.Rename(FileIn(move), at);
    case Kind::kDrop:
      return directory_.Drop(FileIn(move), at);
    case Kind::kBreak:
      return directory_.Break(FileIn(move), move.amount, at);
    case Kind::kMend:
      return directory_.Mend(at);
    case Kind::kHide: {
      const int file = (move.amount / 8) % 4;
      directory_.Transfer(ChooseSlot(move), file, at);
      return directory_.Break(file, move.amount % 5, at);
    }
    case Kind::kOpen:
      return directory_.Open(FileIn(move), move.amount % 5, at);
    case Kind::kClose:
      return directory_.Close(at);
    case Kind::kCut:
      return directory_.Cut(FileIn(move), move.amount % 5, at);
    case Kind::kGit:
      return directory_.Git(move.amount % 16, at);
    case Kind::kAside:
      return directory_.Aside(FileIn(move), move.amount, at);
    case Kind::kBackup:
      return directory_.Backup(FileIn(move));
    case Kind::kTwin:
      return directory_.Twin(FileIn(move), move.amount, at);
    case Kind::kSwap:
      return directory_.Swap(DocOf(move), move.amount % 3 == 0);
    case Kind::kLibrary:
      return directory_.Library(move.amount % 32, at);
    case Kind::kRemount:
      return directory_.Remount(move.amount);
    default:
      return directory_.Mount(move.amount % 2 == 0 ? 0 : move.amount / 2);
  }
}

/// What waits, and what was denied.
void World::Approve() {
  for (const auto& [digest, hold] : world_.store.state.holds) {
    if (hold.state != HoldState::kOpen && hold.state != HoldState::kDenied) continue;
    if (!world_.engine->commands().Approve(digest, "ops", world_.now)) continue;
    observer_.Approved(hold.items);
    directory_.AcceptView(world_.now.wall);
  }
  Turn();
}

void World::Deny() {
  for (const auto& [digest, hold] : world_.store.state.holds) {
    if (hold.state != HoldState::kOpen) continue;
    if (world_.engine->commands().Deny(digest, "ops", world_.now)) observer_.Denied(hold.items);
  }
  Turn();
}

void World::DriveDaemon(const Move& move) {
  const std::string name = GetName(ChooseSlot(move));
  controller::Engine& engine = *world_.engine;
  switch (move.kind) {
    case Kind::kBadScan:
      bad_scans_ = 1 + move.amount % 3;
      bad_scans_fail_ = move.amount % 2 == 0;
      return;
    case Kind::kLook:
      Look(move.amount % 2 == 1);
      if (confirm_at_ && move.amount % 4 < 2) Wait(milliseconds(300));
      return;
    case Kind::kWait:
      return Wait(GetTime(move.amount));
    case Kind::kStop:
      return Stop(GetTime(move.amount));
    case Kind::kRestart:
      Start();
      if (move.amount % 4 != 0) Look(false);
      return;
    case Kind::kCrash:
      crash_in_ = 1 + move.amount % 24;
      return;
    case Kind::kUrgent:
      if (engine.commands().MakeUrgent({name}, "ops", world_.now))
        observer_.Urgent(ChooseSlot(move));
      return Turn();
    case Kind::kReconcile:
      (void)engine.commands().Reconcile({name}, world_.now, nullptr);
      if (ChooseSlot(move) == 5) (void)engine.commands().Reconcile({kTeam}, world_.now, nullptr);
      return Turn();
    case Kind::kSuspend:
    case Kind::kResume:
      (void)engine.commands().Suspend({name}, move.kind == Kind::kSuspend, "ops", world_.now);
      return Turn();
    case Kind::kApprove:
      return Approve();
    case Kind::kDeny:
      return Deny();
    case Kind::kObserve:
      world_.settings.catalog.mode = move.amount % 2 == 0 ? Mode::kEnforce : Mode::kObserve;
      break;
    default:
      world_.settings.catalog.keep_undeclared = move.amount % 2 == 1;
      break;
  }
  Configure();
  observer_.SetMode(world_.settings.catalog.mode == Mode::kObserve);
  digest_.clear();
  Look(false);
}

/// A pooler gives a reading of the store to the standby, and the standby answers. Requires a server
/// of another name to be the primary.
bool World::ReadsStandby(bool knows_comments) const {
  const std::string sql = store::OnServer("SELECT name FROM resources", "primary");
  const bool told = sql.find("NO LOAD BALANCE") != std::string::npos;
  const bool refused = sql.find("pg_is_in_recovery()") != std::string::npos;
  return !(told && knows_comments) && !refused;
}

void World::ChangeStore(const Move& move) {
  auto& state = world_.store.state;
  if (move.kind == Kind::kStandby) {
    if (move.amount % 2 == 1) {
      behind_ = state;
      return;
    }
    // What is refused is read again, until the primary answers.
    const bool old = behind_ && ReadsStandby(move.which % 2 == 0);
    if (old) std::swap(state, *behind_);
    Start();
    if (old) std::swap(state, *behind_);
    return Look(false);
  }
  if (move.kind == Kind::kSnapshot) {
    snapshot_ = state;
    observer_.StoreKept();
    return;
  }
  if (move.kind == Kind::kRestore && !snapshot_) return;
  if (move.kind == Kind::kRestore) {
    state = *snapshot_;
    state.evidence.question = "the store was restored from a backup";
    observer_.Restored(directory_);
  } else {
    state = {};
    observer_.StoreLost();
  }
  Start();
  Look(false);
}

void World::SetClocks(seconds local, seconds services) {
  world_.SetClock(local - std::chrono::duration_cast<seconds>(skew_));
  observer_.ClockSet(Mono(), skew_ != local, {local, services});
  skew_ = local;
  world_.cloud_ahead = services - local;
}

/// Never both by the same: then nobody could tell.
void World::SetClock(int amount) {
  constexpr std::array<std::int64_t, 6> kSteps{0, 86'400 * 300LL, -86'400, 90, -90, 3'600};
  constexpr std::array<std::int64_t, 4> kOfServices{0, 0, 7'200, -7'200};
  const auto which = static_cast<std::size_t>(amount);
  SetClocks(seconds(kSteps.at(which % kSteps.size())),
            seconds(kOfServices.at(which / 8 % kOfServices.size())));
}

void World::TroubleClouds(const Move& move) {
  const std::string target = ToTarget(move);
  constexpr std::array<int, 4> kTimes{3, 8, 30, 120};
  const seconds time(kTimes.at(static_cast<std::size_t>(move.amount) / 16));
  const int how = move.amount % 16;
  switch (move.kind) {
    case Kind::kForeign:
      return cloud_->Foreign(target, how);
    case Kind::kStrip:
      return cloud_->Strip(target, move.amount);
    case Kind::kLie:
      return cloud_->Tell(target, static_cast<Lie>(how % kLies), Mono() + time);
    case Kind::kRefuse:
      return cloud_->Refuse(target, static_cast<Refusal>(how % kRefusals), Mono() + time);
    case Kind::kSlow:
      slow_[target] = {seconds(how), Mono() + time};
      return;
    case Kind::kRace:
      return cloud_->Race(target, move.amount % 2 == 1, how);
    case Kind::kRival:
      return cloud_->Rival(target, Mono() + std::chrono::minutes(move.amount));
    default:
      return SetClock(move.amount);
  }
}

void World::ComeToRest() {
  crash_in_.reset();
  bad_scans_ = 0;
  slow_.clear();
  cloud_->EndFaults();
  SetClocks(seconds(0), seconds(0));
  // While two are in each other's way, what they declared before stays in force.
  directory_.Delete(4, world_.now.wall);
  directory_.Heal(world_.now.wall);
  // A directory without any manifest is taken for a mistake, and all stays.
  if (directory_.Meant().empty()) directory_.Put({1, 1, false, std::nullopt}, world_.now.wall);
  observer_.Acted();
  std::vector<std::string> names;
  for (const auto& [name, entry] : world_.engine->catalog().claims().resources())
    names.push_back(name);
  if (!world_.engine->commands().Suspend(names, false, "ops", world_.now)) {
    observer_.Breach("what the catalog holds cannot be resumed");
  }
  world_.settings.catalog.mode = Mode::kEnforce;
  observer_.SetMode(false);
  Configure();
  digest_.clear();
  Look(false);
  constexpr seconds kLong(2'400);  // A re-check after the longest wait that a service can ask for.
  for (int i = 0; i < 3; ++i) {
    Wait(kLong);
    Approve();
  }
  Wait(kLong);
  observer_.AtRest(directory_, TrueTime(), world_.settings.catalog.keep_undeclared);
  const int writes = cloud_->writes;
  Wait(world_.settings.recheck.interval + seconds(1));
  if (cloud_->writes != writes) observer_.Breach("an idle pass writes");
}

}  // namespace bindery::model
