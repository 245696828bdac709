#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "controller/engine/engine.h"
#include "fakes/fake_store.h"
#include "model/cloud.h"
#include "model/directory.h"

namespace bindery::model {

/// Watches what the daemon does, and knows what people mean. It never asks the engine what is
/// allowed: it goes by what was in the directory, what the looks showed, what operators said, and
/// what became of the policies. Keeps the first breach.
class Observer {
 public:
  Observer(const Cloud& cloud, const testing::FakeStore& store) : cloud_(cloud), store_(store) {}

  /// What went wrong; empty: nothing did.
  [[nodiscard]] const std::string& breach() const { return breach_; }
  void Breach(const std::string& what) {
    if (breach_.empty()) breach_ = what;
  }

  // What happens around the daemon.

  /// What people mean until now.
  void Meant(const Directory& directory, MonoTime now);
  /// `wall` is the right time.
  void Looked(const Directory& directory, MonoTime now, WallTime wall);
  /// A look failed or found the directory changing.
  void LookFailed(MonoTime now) { disturbed_at_ = now; }
  void Started();
  /// How far clocks are ahead of the right time.
  struct Clocks {
    std::chrono::seconds local{0};
    std::chrono::seconds services{0};
  };
  /// Somebody set clocks. `local`: that of the daemon, too.
  void ClockSet(MonoTime now, bool local, Clocks clocks);
  /// Up to now all stood still. `lost`: what of that does not count.
  void Stopped(MonoTime now, MonoTime::duration lost);
  void StoreLost();
  void StoreKept() { kept_ = of_store_; }
  /// An older store is in place.
  void Restored(const Directory& directory);
  void Urgent(int slot) { urgent_.insert(slot); }
  /// The daemon rests: what lookups gave is on record.
  void Rested(MonoTime now);
  /// An operator let through what waits.
  void Approved(const std::string& items);
  void SetMode(bool observe) { observe_ = observe; }
  /// An operator wants what waits to stay.
  void Denied(const std::string& items);
  void SetSettings(const controller::EngineSettings& settings) { settings_ = settings; }
  /// Anything but time passed: what the daemon writes from here on may have another cause.
  void Acted() { written_.clear(); }

  // What the daemon does.

  /// It is going to write: it decided on that now. `wall` is the right time.
  void Decided(const controller::WriteJob& job, MonoTime now, WallTime wall);
  /// A write was carried out.
  void Changed(const Cloud::Change& change, const controller::WriteJob& job, MonoTime now);
  /// No faults, no doubts: what is meant must be there, and nothing else that the daemon granted.
  void AtRest(const Directory& directory, WallTime wall, bool keeps);

 private:
  /// What is known of a grant that was meant once.
  struct Known {
    std::set<int> slots;
    MonoTime meant_last;
    std::optional<MonoTime> gone_since;  ///< As far as looks can tell.
    bool settled = false;                ///< It was gone for long enough, with all at rest.
    bool counted = false;  ///< Its removal was, since it was seen to be declared last.
  };

  /// A removal of what was declared, without an operator's word.
  struct Removal {
    MonoTime at;
    Clocks clocks;
  };

  /// How long the daemon ran in between.
  [[nodiscard]] MonoTime::duration RunningTime(MonoTime from, MonoTime to) const;
  [[nodiscard]] bool TooLate(const Removal& removal) const;
  [[nodiscard]] bool IsUnderApproval(const GrantText& grant) const;
  void NoteGit(bool at_work, MonoTime now);
  void JudgeRemoval(const GrantText& grant, MonoTime now, WallTime wall);
  [[nodiscard]] std::string Outputs() const;
  void NoteTeam();
  [[nodiscard]] bool IsOfOtherId(const GrantText& grant, MonoTime now) const;
  [[nodiscard]] bool MayBeMeant(const GrantText& grant, WallTime wall) const;
  void JudgeNumber(const std::set<GrantText>& removed, bool believed, MonoTime now);
  void JudgeRepeating(const Cloud::Change& change, MonoTime now);
  void JudgeCauses();
  void JudgeHistory(const Cloud::Change& change);
  [[nodiscard]] bool IsContested(const Doc& doc) const;

  const Cloud& cloud_;
  const testing::FakeStore& store_;
  std::string breach_;
  controller::EngineSettings settings_;
  bool observe_ = false;
  bool store_lost_ = false;
  std::map<GrantText, Known> known_;
  std::vector<Doc> meant_;             ///< At the last look.
  std::set<int> ignored_;              ///< Likewise: in files that are none by their names.
  std::set<int> unseen_;               ///< Likewise: behind stamps that no look doubts yet.
  std::optional<MonoTime> git_since_;  ///< Of the first look that saw git at work.
  std::set<int> urgent_before_git_;    ///< Slots.
  bool under_way_ = false;             ///< Likewise.
  std::set<int> away_;  ///< Likewise: on volumes, or in a directory, that are not in place.
  bool ground_is_known_ = false;  ///< Likewise: of_store_ has its ground.
  /// What looks told the store.
  struct Told {
    std::set<std::uint64_t> grounds;  ///< The first, and those on which nothing was missing.
    std::set<GrantText> declared;     ///< At some time.
  };
  Told of_store_;
  Told kept_;  ///< With the copy of the store.
  /// Of this run, like Told::grounds.
  std::set<std::uint64_t> mounts_;
  /// Of this run: when it went on, and what did not count.
  std::vector<std::pair<MonoTime, MonoTime::duration>> stops_;
  Clocks clocks_;
  std::optional<MonoTime> disturbed_at_;
  std::set<int> urgent_;
  std::optional<MonoTime> clock_set_at_;
  bool starts_ = true;  ///< No look was made since the start.
  /// The first look of a run after that: what was changed before it has stamps of another clock.
  std::optional<MonoTime> stamps_fail_before_;
  std::set<GrantText> approved_;
  std::set<GrantText> restored_;  ///< Was there when an older store was put in place.
  std::set<GrantText> granted_;   ///< By the daemon.
  std::set<GrantText> denied_;
  std::deque<Removal> removals_;
  bool knows_team_ = false;  ///< The daemon has the id of the team on record.
  /// What was written since somebody else acted, and how often.
  std::map<std::pair<std::string, std::set<GrantText>>, int> written_;  ///< By target.
  std::map<std::string, std::deque<MonoTime>> writes_;                  ///< By target.
};

/// "t0 roles/viewer user:u1@example.com".
[[nodiscard]] GrantText GetText(const std::string& target, const Grant& grant);
[[nodiscard]] std::string ShortName(const Target& target);

}  // namespace bindery::model
