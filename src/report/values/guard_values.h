#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/access/hold.h"
#include "report/codec/json_codec.h"
#include "report/codec/staleness.h"

namespace bindery {

/// A grant with a withheld removal.
struct HeldGrant : report::GrantLine {
  report::Word<Severity> severity;  ///< Of the loss.
  report::Word<DriftCause> cause;   ///< What made it one.
};

/// The withheld removals of a hold on one target.
struct HeldTarget {
  std::string target;
  std::string kind;
  std::string reason;
  std::vector<std::string> resources;  ///< Those that are declared there.
  std::vector<HeldGrant> removes;

  /// "a, b, c and 7 more": the declarers are context, not the subject.
  [[nodiscard]] std::string FirstResources() const;
};

[[nodiscard]] Json ToJson(const HoldPurpose& purpose);
bool ReadJson(const Json& json, HoldPurpose& purpose);
namespace report {
[[nodiscard]] std::string UnknownWord(const Json& json, GetType<HoldPurpose> type);
}  // namespace report

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
inline constexpr auto report::kAllOf<HoldState> = kAllHoldStates;

template <>
inline constexpr auto report::kFields<HeldGrant> = std::tuple{
    report::Field{"severity", &HeldGrant::severity}, report::Field{"cause", &HeldGrant::cause}};

template <>
inline constexpr auto report::kFields<HeldTarget> = std::tuple{
    report::Field{"target", &HeldTarget::target}, report::Field{"kind", &HeldTarget::kind},
    report::Field{"reason", &HeldTarget::reason},
    report::Field{"resources", &HeldTarget::resources},
    report::Field{"removes", &HeldTarget::removes}};

template <>
inline constexpr auto report::kFields<HoldLine> = std::tuple{
    report::Field{"digest", &HoldLine::digest},   report::Field{"createdAt", &HoldLine::created_at},
    report::Field{"state", &HoldLine::state},     report::Field{"reason", &HoldLine::reason},
    report::Field{"purpose", &HoldLine::purpose}, report::Field{"actor", &HoldLine::actor},
    report::Field{"targets", &HoldLine::targets}, report::Field{"removals", &HoldLine::removals}};

template <>
inline constexpr auto report::kFields<HoldList> = std::tuple{
    report::Field{"holds", &HoldList::holds}, report::FieldIfSet{"stale", &HoldList::stale}};

template <>
inline constexpr auto report::kFields<HoldDecision> =
    std::tuple{report::Field{"digest", &HoldDecision::digest},
               report::Field{"targets", &HoldDecision::targets},
               report::Field{"removals", &HoldDecision::removals}};

}  // namespace bindery
