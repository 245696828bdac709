#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/access/hold.h"
#include "report/codec/json_codec.h"
#include "report/codec/staleness.h"

namespace bindery::report {

/// A grant with a withheld removal.
struct HeldRemoval : GrantLine {
  Word<Severity> severity;  ///< Of the loss.
  Word<DriftCause> cause;   ///< What made it one.
};

/// The withheld removals of a hold on one target.
struct HeldTarget {
  std::string target;
  std::string kind;
  std::string reason;
  std::vector<std::string> resources;  ///< Those that are declared there.
  std::vector<HeldRemoval> removes;

  /// "a, b, c and 7 more": the declarers are context, not the subject.
  [[nodiscard]] std::string FirstResources() const;
};

[[nodiscard]] std::string UnknownWord(const Json& json, GetType<HoldPurpose> type);

/// Withheld removals.
struct HoldLine {
  std::string digest;
  WallTime created_at{};
  HoldState state = HoldState::kOpen;
  std::string reason;
  HoldPurpose purpose;
  std::string actor;  ///< Who approved or denied it.
  std::vector<HeldTarget> targets;
  std::size_t removals = 0;
};

/// A removal of a hold, with its target.
struct GuardRow {
  const HeldTarget* target = nullptr;
  const HeldRemoval* held = nullptr;
};

/// An order of the removals of a hold.
struct GuardSort {
  enum class By { kSeverity, kPrincipal, kRole, kTarget, kResources };
  By by = By::kSeverity;  ///< Of severities the worst comes first.
  bool descending = false;

  /// "severity", "principal", "role", "target", "resources", perhaps after a "-"; nothing for other
  /// words.
  [[nodiscard]] static std::optional<GuardSort> Parse(std::string_view text);
};

/// The removals of the hold in that order; equal ones in the order of the hold. The hold outlives
/// the list.
[[nodiscard]] std::vector<GuardRow> ListRemovals(const HoldLine& hold, const GuardSort& sort);

/// Puts the removals of each target into that order, and the targets into that of their first
/// removals.
void SortRemovals(HoldLine& hold, const GuardSort& sort);

struct HoldList {
  std::vector<HoldLine> holds;     ///< Oldest first.
  std::optional<Staleness> stale;  ///< Of a command, where no daemon runs.
};

/// The outcome of a hold that was approved or denied.
struct HoldDecision {
  std::string digest;  ///< In full.
  std::size_t targets = 0;
  std::size_t removals = 0;
};

template <>
inline constexpr auto kAllOf<HoldState> = kAllHoldStates;

template <>
inline constexpr auto kFields<HeldRemoval> =
    std::tuple{Field{"severity", &HeldRemoval::severity}, Field{"cause", &HeldRemoval::cause}};

template <>
inline constexpr auto kFields<HeldTarget> =
    std::tuple{Field{"target", &HeldTarget::target}, Field{"kind", &HeldTarget::kind},
               Field{"reason", &HeldTarget::reason}, Field{"resources", &HeldTarget::resources},
               Field{"removes", &HeldTarget::removes}};

template <>
inline constexpr auto kFields<HoldLine> =
    std::tuple{Field{"digest", &HoldLine::digest},   Field{"createdAt", &HoldLine::created_at},
               Field{"state", &HoldLine::state},     Field{"reason", &HoldLine::reason},
               Field{"purpose", &HoldLine::purpose}, Field{"actor", &HoldLine::actor},
               Field{"targets", &HoldLine::targets}, Field{"removals", &HoldLine::removals}};

template <>
inline constexpr auto kFields<HoldList> =
    std::tuple{Field{"holds", &HoldList::holds}, FieldIfSet{"stale", &HoldList::stale}};

template <>
inline constexpr auto kFields<HoldDecision> =
    std::tuple{Field{"digest", &HoldDecision::digest}, Field{"targets", &HoldDecision::targets},
               Field{"removals", &HoldDecision::removals}};

}  // namespace bindery::report
