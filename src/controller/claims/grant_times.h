#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cel/expiry/time_bounds.h"
#include "core/base/clock.h"

namespace bindery::reason {
inline constexpr std::string_view kExpired = "Expired";
}  // namespace bindery::reason

namespace bindery::controller {

/// The effect of time on a resource with a time limit in its condition.
struct TimeCrossing {
  enum class What { kExpiring, kExpired, kReturned };
  std::string name;
  What what = What::kExpired;
  std::optional<WallTime> ends = {};  ///< Nothing where it never held.
  bool told = false;                  ///< It was so already when it was told the last time.
};

/// The resources with a time limit in their conditions: the effects of time, and the moments.
/// Pure: callers pass the time. Conditions without a time limit cost nothing.
class GrantTimes {
 public:
  /// Takes over the state of `other` about the resources of the names alone.
  void CopyFrom(const GrantTimes& other, const std::set<std::string>& names);

  /// How long before their end resources are told of; the longest first.
  void SetLeads(std::vector<std::chrono::milliseconds> leads);
  [[nodiscard]] const std::vector<std::chrono::milliseconds>& leads() const { return leads_; }

  /// A manifest in force, by its spec. Moments passed until `told` were reported already; a known
  /// condition keeps the record of reports.
  void Put(const std::string& name, const std::string& spec, WallTime told);
  void Erase(const std::string& name);

  /// The moments passed since the last call, at most one of each resource. After a step back of the
  /// clock everything is judged again.
  [[nodiscard]] std::vector<TimeCrossing> Advance(WallTime now);
  [[nodiscard]] bool empty() const { return timed_.empty(); }
  /// When the next thing is passed; nothing when time changes nothing any more.
  [[nodiscard]] std::optional<WallTime> NextMoment() const;

  /// When the last Advance was, its condition had ended for good.
  [[nodiscard]] bool HasExpired(const std::string& name) const { return expired_.contains(name); }

  /// The time is uncertain, between `earliest` and `latest`. Holds until the next
  /// Advance.
  void Doubt(WallTime earliest, WallTime latest) { doubt_ = {earliest, latest}; }
  [[nodiscard]] bool doubted() const { return doubt_.has_value(); }
  /// Its condition has ended for good at one of the two times, or when the last Advance was.
  [[nodiscard]] bool MayHaveExpired(const std::string& name) const;
  /// The resources whose state is uncertain for this reason.
  [[nodiscard]] std::vector<std::string> InDoubt() const;

  /// The state of a resource's time bounds at a time.
  struct Standing {
    bool expired = false;          ///< Or holds at no time.
    std::optional<WallTime> ends;  ///< When it ends, or ended.
  };
  /// Calls `visit(name, standing)` for every resource.
  template <typename Visit>
  void ForEach(WallTime now, const Visit& visit) const {
    for (const auto& [name, timed] : timed_) visit(name, MakeStanding(timed, now));
  }
  /// Nothing if time does not limit the resource.
  [[nodiscard]] std::optional<Standing> Find(const std::string& name, WallTime now) const;

 private:
  struct Timed {
    std::string expression;
    cel::TimeBounds bounds;
    WallTime told;
    WallTime next;  ///< Its place in the agenda, when it has one.
  };

  /// Each is judged again, and then waits for its next moment.
  void LookAgain();
  [[nodiscard]] bool MayBeOver(const std::string& name, const Timed& timed) const;
  [[nodiscard]] static Standing MakeStanding(const Timed& timed, WallTime now);
  [[nodiscard]] std::optional<TimeCrossing> Passed(const std::string& name, const Timed& timed,
                                                   WallTime now) const;
  [[nodiscard]] std::optional<WallTime> FindNext(const Timed& timed, WallTime now) const;

  std::vector<std::chrono::milliseconds> leads_;
  std::map<std::string, Timed> timed_;
  std::set<std::pair<WallTime, std::string>> agenda_;
  std::set<std::string> expired_;
  WallTime advanced_ = WallTime::min();  ///< To where.
  std::optional<std::pair<WallTime, WallTime>> doubt_;
};

}  // namespace bindery::controller
