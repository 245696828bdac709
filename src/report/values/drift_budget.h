#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "report/values/drift_document.h"

namespace bindery::report {

/// Of one target, the differences that a report only counts.
struct UnlistedTarget {
  std::string kind;
  std::string target;
  std::int64_t standing = 0;            ///< Open, held, or just-in-time access.
  std::int64_t corrected = 0;           ///< Over.
  Severity severity = Severity::kLow;   ///< The worst.
  std::optional<WallTime> resolved_at;  ///< When the last of them was over.
};

/// Entries counted and not listed in a report, because a report of everything would be out of
/// proportion.
struct UnlistedDrift {
  std::int64_t standing = 0;
  std::int64_t corrected = 0;
  std::int64_t accepted = 0;
  std::int64_t notes = 0;
  std::int64_t failing = 0;
  std::int64_t expiring = 0;
  std::vector<UnlistedTarget> targets;  ///< Those with the most first.
  std::int64_t more_targets = 0;        ///< Not among these.

  [[nodiscard]] bool empty() const {
    return standing + corrected + accepted + notes + failing + expiring == 0;
  }
};

/// How much one report lists.
struct DriftBudget {
  std::size_t items = 20'000;    ///< What stands goes first; then what was over last.
  std::size_t others = 5'000;    ///< Each of the other lists.
  std::size_t targets = 10'000;  ///< Of UnlistedDrift.
};

/// A report that lists as much as its budget allows, and counts the rest by target. The summary
/// covers everything.
class BudgetedDrift final : public DriftDocument {
 public:
  /// Errors are the store's. `whole` must outlive the object.
  [[nodiscard]] static Expected<BudgetedDrift> Of(DriftDocument& whole,
                                                  const DriftBudget& budget = {});

  [[nodiscard]] const DriftHead& head() const override { return head_; }
  [[nodiscard]] const Entries& entries() const override { return entries_; }
  [[nodiscard]] bool attributed() const override { return whole_.attributed(); }
  [[nodiscard]] const UnlistedDrift* unlisted() const override {
    return unlisted_.empty() ? nullptr : &unlisted_;
  }
  std::optional<SourceLine> SourceNear(const std::string& kind,
                                       const std::string& target) override {
    return whole_.SourceNear(kind, target);
  }
  [[nodiscard]] Expected<void> Each(const Entries& entries, const TakeItem& take) override {
    return whole_.Each(entries, take);
  }

 private:
  explicit BudgetedDrift(DriftDocument& whole) : whole_(whole), head_(whole.head()) {}
  void CutHead(std::size_t most);
  /// Gives the unlisted entries.
  [[nodiscard]] Entries CutEntries(std::size_t most);
  [[nodiscard]] Expected<void> Count(const Entries& rest, std::size_t most);

  DriftDocument& whole_;
  DriftHead head_;
  Entries entries_;
  UnlistedDrift unlisted_;
};

template <>
inline constexpr auto kFields<UnlistedTarget> =
    std::tuple{Field{"kind", &UnlistedTarget::kind},
               Field{"target", &UnlistedTarget::target},
               Field{"standing", &UnlistedTarget::standing},
               Field{"corrected", &UnlistedTarget::corrected},
               Field{"severity", &UnlistedTarget::severity},
               Field{"resolvedAt", &UnlistedTarget::resolved_at}};

template <>
inline constexpr auto kFields<UnlistedDrift> =
    std::tuple{Field{"standing", &UnlistedDrift::standing},
               Field{"corrected", &UnlistedDrift::corrected},
               Field{"accepted", &UnlistedDrift::accepted},
               Field{"notes", &UnlistedDrift::notes},
               Field{"failing", &UnlistedDrift::failing},
               Field{"expiring", &UnlistedDrift::expiring},
               Field{"targets", &UnlistedDrift::targets},
               Field{"moreTargets", &UnlistedDrift::more_targets}};

}  // namespace bindery::report
