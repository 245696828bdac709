#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "core/access/target.h"
#include "core/base/clock.h"
#include "core/base/expected.h"
#include "report/access/observed_access.h"
#include "store/ports/report_reader.h"

namespace bindery::report {

/// The policies at two times. There may be very many: of those that are the same at both times no
/// more is known than that.
class TwoTimes {
 public:
  /// `after`, by target, outlives the object.
  [[nodiscard]] static Expected<TwoTimes> Read(const store::ReportReader& store, WallTime before,
                                               const std::vector<ObservedPolicy>& after) {
    TwoTimes times(after);
    const auto read = store.ReadRevisionsInForce(before, [&](store::RevisionRecord&& revision) {
      times.TakeBefore(RecordPolicy(std::move(revision)));
    });
    if (!read) return Fail(read.error());
    return times;
  }

  [[nodiscard]] bool empty() const { return after_.empty() && gone_.empty(); }

  /// The targets with a policy at either time, sorted.
  [[nodiscard]] std::vector<const Target*> Targets() const {
    std::vector<const Target*> targets;
    for (const ObservedPolicy& policy : after_) targets.push_back(&policy.target);
    for (const auto& [target, policy] : gone_) targets.push_back(&target);
    std::ranges::sort(targets, [](const Target* a, const Target* b) { return *a < *b; });
    return targets;
  }

  struct Pair {
    const ObservedPolicy* before = nullptr;
    const ObservedPolicy* after = nullptr;
    bool same = false;  ///< At both times; `before` is not set then.
  };
  [[nodiscard]] Pair Find(const Target& target) const {
    const auto after = FindAfter(target);
    if (after == after_.end()) {
      const auto gone = gone_.find(target);
      return {gone == gone_.end() ? nullptr : &gone->second, nullptr};
    }
    const auto place = static_cast<std::size_t>(after - after_.begin());
    const auto before = before_.find(place);
    return {before == before_.end() ? nullptr : &before->second, &*after, same_[place]};
  }

 private:
  explicit TwoTimes(const std::vector<ObservedPolicy>& after)
      : after_(after), same_(after.size()) {}

  [[nodiscard]] std::vector<ObservedPolicy>::const_iterator FindAfter(const Target& target) const {
    const auto found = std::ranges::lower_bound(after_, target, {}, &ObservedPolicy::target);
    return found != after_.end() && found->target == target ? found : after_.end();
  }

  void TakeBefore(ObservedPolicy policy) {
    const auto after = FindAfter(policy.target);
    if (after == after_.end()) {
      Target target = policy.target;
      gone_.emplace(std::move(target), std::move(policy));
      return;
    }
    const auto place = static_cast<std::size_t>(after - after_.begin());
    if (policy.digest == after->digest && policy.exists == after->exists) {
      same_[place] = true;
    } else {
      before_.emplace(place, std::move(policy));
    }
  }

  const std::vector<ObservedPolicy>& after_;
  std::vector<bool> same_;                        ///< By place in `after_`.
  std::map<std::size_t, ObservedPolicy> before_;  ///< The same, of those that differ.
  std::map<Target, ObservedPolicy> gone_;         ///< At the first time alone.
};

}  // namespace bindery::report
