#pragma once

#include <array>
#include <boost/container/set.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/access/target_key.h"
#include "core/access/work.h"
#include "core/base/clock.h"

namespace bindery::controller {

inline constexpr std::size_t kPriorities = 3;

/// Which target is next, and when. Holds a key once. States of a key: absent → waiting → taken →
/// absent, or waiting again when it was added while taken. A taken key is not handed out before
/// Done(): never two at once on one target.
///
/// Belongs to the loop thread. Knows no clock: callers pass the time.
class WorkQueue {
 public:
  struct Taken {
    TargetKey key;
    Priority priority = Priority::kPeriodic;
    MonoTime due;  ///< When it became due; the queue's latency is measured from here.
  };

  /// Makes `key` due at `due`. A key that waits already keeps the earlier time and the higher
  /// priority.
  void Add(const TargetKey& key, Priority priority, MonoTime due);

  /// The due key of the highest priority, the longest due first; nothing when none is due.
  [[nodiscard]] std::optional<Taken> Take(MonoTime now);

  /// Ends the work on a taken key; if it was added meanwhile it waits again from now on.
  void Done(const TargetKey& key);

  /// Puts a taken key back: it is handed out again no earlier than `not_before`, and is as long due
  /// as it was. What was added meanwhile goes before.
  void PutOff(const Taken& taken, MonoTime not_before);

  /// Forgets a waiting key, and the additions for a taken key.
  void Remove(const TargetKey& key);

  /// When the next waiting key is due; nothing when none waits.
  [[nodiscard]] std::optional<MonoTime> NextDue() const;

  /// From when on a waiting key may be taken; nothing when it does not wait.
  [[nodiscard]] std::optional<MonoTime> NotBefore(const TargetKey& key) const;
  [[nodiscard]] bool IsTaken(const TargetKey& key) const;
  /// The target waits only for its next periodic check, at the given time.
  [[nodiscard]] bool WaitsOnlyFor(const TargetKey& key, MonoTime due) const;
  /// The key was added again since it was taken: the work under way is no longer the last word.
  [[nodiscard]] bool AddedWhileTaken(const TargetKey& key) const;
  /// Calls `visit` with every key that waits at the priority and is due, put off or not.
  template <typename Visit>
  void ForEachDue(Priority priority, MonoTime now, const Visit& visit) const {
    for (const auto& [not_before, key] : waiting_[Index(priority)]) {
      // Only postponed targets may be due before their time.
      if (not_before > now && put_off_ == 0) break;
      if (not_before <= now || entries_.at(*key).due <= now) visit(*key);
    }
  }
  [[nodiscard]] std::size_t Waiting(Priority priority) const {
    return waiting_[Index(priority)].size();
  }
  [[nodiscard]] std::size_t TakenCount() const { return taken_; }

 private:
  /// The first three fields are only for a waiting target.
  struct Entry {
    MonoTime due = {};
    MonoTime not_before = {};  ///< Later than `due` only where it was put off.
    Priority priority = Priority::kPeriodic;
    bool waits = false;
    bool taken = false;
  };
  using Slot = std::pair<MonoTime, const TargetKey*>;  ///< The key of an entry.
  struct Sooner {
    bool operator()(const Slot& a, const Slot& b) const {
      return a.first != b.first ? a.first < b.first : *a.second < *b.second;
    }
  };
  using Entries = std::unordered_map<TargetKey, Entry, TargetKey::Hash>;

  static std::size_t Index(Priority priority) { return static_cast<std::size_t>(priority); }
  void Insert(const Entries::value_type& item);
  void Erase(const Entries::value_type& item);

  Entries entries_;
  /// Waiting targets, by the time when they may be taken. Boost's set: the nodes are smaller than
  /// the nodes of the standard's, and a hundred thousand are possible.
  std::array<boost::container::set<Slot, Sooner>, kPriorities> waiting_;
  std::size_t taken_ = 0;
  std::size_t put_off_ = 0;  ///< Of those that wait.
};

}  // namespace bindery::controller
