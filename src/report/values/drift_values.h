#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "core/access/drift.h"
#include "core/base/clock.h"
#include "core/base/json.h"
#include "report/codec/json_codec.h"
#include "report/codec/list_slice.h"
#include "report/codec/source_line.h"
#include "report/codec/time_bounds.h"
#include "report/values/attributions.h"

namespace bindery::report {

/// The version of the drift report's form; docs/drift-report.schema.json describes it.
inline constexpr int kDriftReportVersion = 1;

/// The state of a difference compared with the last report.
enum class DriftChange { kNew, kGone, kStill };
[[nodiscard]] std::string_view ToString(DriftChange change);  ///< "new", "gone", "still"

/// A difference as a report tells of it. Times that are not set are not known, or yet to come.
struct DriftReportItem {
  std::int64_t id = 0;
  DriftClass drift_class = DriftClass::kMissing;
  Severity severity = Severity::kLow;
  DriftState state = DriftState::kOpen;
  DriftCause cause = DriftCause::kUnknown;
  std::string target;
  std::string kind;
  std::string resource;              ///< Empty: no manifest declares it.
  std::optional<SourceLine> source;  ///< Where that is.
  std::optional<GrantLine> grant;    ///< Not set: it is about the target, or about a lookup.
  std::string field;                 ///< Of kLookupChanged: the output.
  std::string desired;
  std::string observed;
  std::optional<WallTime> first_seen;
  std::optional<WallTime> last_seen;
  std::optional<WallTime> resolved_at;
  std::string resolved_by;
  std::string action;                      ///< What was done about it, or will be, in words.
  std::optional<DriftChange> change;       ///< Not set: it was over by the last report.
  std::optional<TimeBounds> time_bounds;   ///< Of the grant's condition.
  std::optional<Acceptance> acceptance;    ///< Of kAccepted, just-in-time access too.
  std::optional<Attribution> attribution;  ///< Set where reports say who made differences.
};

/// A resource that cannot be kept as declared.
struct FailingResource {
  std::string resource;
  std::string target;
  std::string reason;
  std::string message;
  std::optional<SourceLine> source;
};

/// Declared grants that will end soon.
struct ExpiringGrants {
  std::string resource;
  std::string target;
  std::string role;
  std::int64_t grants = 0;
  cel::Timestamp ends_at;
  std::optional<SourceLine> source;
};

/// The counts of each value of an enum; the JSON has them in order.
template <const auto& kOrder>
struct CountsBy {
  using Enum = typename std::remove_cvref_t<decltype(kOrder)>::value_type;

  [[nodiscard]] std::int64_t& Of(Enum value) { return counts.at(static_cast<std::size_t>(value)); }
  [[nodiscard]] std::int64_t Of(Enum value) const {
    return counts.at(static_cast<std::size_t>(value));
  }

  std::array<std::int64_t, kOrder.size()> counts = {};
};

template <const auto& kOrder>
[[nodiscard]] Json ToJson(const CountsBy<kOrder>& counts) {
  Json json = Json::object();
  for (const auto value : kOrder) json.emplace(ToString(value), counts.Of(value));
  return json;
}

/// Reads the counts; false when `json` is no object.
template <const auto& kOrder>
bool ReadJson(const Json& json, CountsBy<kOrder>& counts) {
  for (const auto value : kOrder) {
    const Json* member = FindMember(json, ToString(value));
    if (member != nullptr) report::ReadJson(*member, counts.Of(value));
  }
  return json.is_object();
}

/// The worst first.
inline constexpr std::array kWorstFirst = {Severity::kCritical, Severity::kHigh, Severity::kMedium,
                                           Severity::kLow};
inline constexpr std::array kForeignFirst = {DriftCause::kForeign, DriftCause::kUnknown,
                                             DriftCause::kExpiry, DriftCause::kManifest};

/// How many differences came, went and stayed since the last report.
struct DriftTurns {
  std::int64_t appeared = 0;
  std::int64_t gone = 0;
  std::int64_t still = 0;
};

/// The counts of a report.
struct DriftSummary {
  std::int64_t targets = 0;
  std::int64_t grants = 0;
  std::int64_t open = 0;
  std::int64_t corrected = 0;
  std::int64_t held = 0;
  std::int64_t accepted = 0;
  std::int64_t just_in_time = 0;  ///< Access on request that is there now; no difference.
  std::int64_t undeclared = 0;    ///< Grants that no manifest declares, as CountUndeclared().
  std::int64_t notes = 0;
  std::int64_t in_sync = 0;  ///< Targets.
  std::int64_t drifted = 0;  ///< Targets.
  std::int64_t failing = 0;
  std::int64_t expiring = 0;
  CountsBy<kWorstFirst> by_severity;  ///< Of current ones.
  CountsBy<kForeignFirst> by_cause;   ///< Of current ones.
  DriftTurns since_last;

  /// The current differences.
  [[nodiscard]] std::int64_t Standing() const { return open + held; }
};

/// The grants in one role on one target that no manifest is declared on.
struct UnmanagedRole {
  std::string target;  ///< The full name of the index if no kind manages such resources.
  std::string kind;    ///< Target::kind, or the type of the index.
  std::string role;
  std::int64_t grants = 0;
  Severity severity = Severity::kLow;  ///< The worst, of the grants if nobody declared the grants.
};

/// What the last scan of each provider shows on targets that nobody manages: the class `unmanaged`
/// of the coverage. No differences.
struct UnmanagedGrants {
  WallTime as_of{};  ///< When the oldest of the scans began.
  std::int64_t grants = 0;
  std::int64_t targets = 0;
  CountsBy<kWorstFirst> by_severity;  ///< Of the grants.
  std::vector<UnmanagedRole> roles;   ///< The worst first; then those with the most grants.
  std::int64_t more_roles = 0;        ///< Not among these.
};

/// A report without its items.
struct DriftHead {
  int version = kDriftReportVersion;
  WallTime generated_at{};
  std::optional<WallTime> previous_at;  ///< Of the last report.
  Severity least = Severity::kLow;      ///< What is below is left out.
  DriftSummary summary;
  std::vector<DriftReportItem> accepted;          ///< What is drift again the soonest first.
  std::vector<DriftReportItem> notes;             ///< No differences; by target.
  std::vector<FailingResource> failing;           ///< By resource.
  std::vector<ExpiringGrants> expiring;           ///< The first to end first.
  std::optional<UnmanagedGrants> unmanaged = {};  ///< Not set: nothing was scanned.
};

/// A report with its items, in the form of docs/drift-report.schema.json.
struct WholeDrift : DriftHead {
  std::vector<DriftReportItem> items;
};

/// A report with a page of items.
struct DriftListing : WholeDrift, ListSlice {};

template <>
inline constexpr auto kAllOf<DriftState> =
    std::array{DriftState::kOpen, DriftState::kCorrected, DriftState::kHeld, DriftState::kAccepted,
               DriftState::kNoted};
template <>
inline constexpr auto kAllOf<DriftChange> =
    std::array{DriftChange::kNew, DriftChange::kGone, DriftChange::kStill};

template <>
inline constexpr auto kFields<Acceptance> =
    std::tuple{Field{"reason", &Acceptance::reason}, Field{"owner", &Acceptance::owner},
               Field{"until", &Acceptance::until}};

template <>
inline constexpr auto kFields<DriftReportItem> =
    std::tuple{Field{"id", &DriftReportItem::id},
               Field{"class", &DriftReportItem::drift_class},
               Field{"severity", &DriftReportItem::severity},
               Field{"state", &DriftReportItem::state},
               Field{"cause", &DriftReportItem::cause},
               Field{"target", &DriftReportItem::target},
               Field{"kind", &DriftReportItem::kind},
               Field{"resource", &DriftReportItem::resource},
               Field{"source", &DriftReportItem::source},
               Field{"grant", &DriftReportItem::grant},
               Field{"desired", &DriftReportItem::desired},
               Field{"observed", &DriftReportItem::observed},
               Field{"firstSeen", &DriftReportItem::first_seen},
               Field{"lastSeen", &DriftReportItem::last_seen},
               Field{"resolvedAt", &DriftReportItem::resolved_at},
               Field{"resolvedBy", &DriftReportItem::resolved_by},
               Field{"action", &DriftReportItem::action},
               Field{"change", &DriftReportItem::change},
               FieldIfSet{"timeBounds", &DriftReportItem::time_bounds},
               FieldIfSet{"field", &DriftReportItem::field},
               FieldIfSet{"acceptance", &DriftReportItem::acceptance},
               FieldIfSet{"attribution", &DriftReportItem::attribution}};

template <>
inline constexpr auto kFields<FailingResource> = std::tuple{
    Field{"resource", &FailingResource::resource}, Field{"target", &FailingResource::target},
    Field{"reason", &FailingResource::reason}, Field{"message", &FailingResource::message},
    Field{"source", &FailingResource::source}};

template <>
inline constexpr auto kFields<ExpiringGrants> = std::tuple{
    Field{"resource", &ExpiringGrants::resource}, Field{"target", &ExpiringGrants::target},
    Field{"role", &ExpiringGrants::role},         Field{"grants", &ExpiringGrants::grants},
    Field{"endsAt", &ExpiringGrants::ends_at},    Field{"source", &ExpiringGrants::source}};

template <>
inline constexpr auto kFields<DriftTurns> =
    std::tuple{Field{"new", &DriftTurns::appeared}, Field{"gone", &DriftTurns::gone},
               Field{"still", &DriftTurns::still}};

template <>
inline constexpr auto kFields<DriftSummary> =
    std::tuple{Field{"targets", &DriftSummary::targets},
               Field{"grants", &DriftSummary::grants},
               Field{"open", &DriftSummary::open},
               Field{"corrected", &DriftSummary::corrected},
               Field{"held", &DriftSummary::held},
               Field{"accepted", &DriftSummary::accepted},
               Field{"justInTime", &DriftSummary::just_in_time},
               Field{"undeclared", &DriftSummary::undeclared},
               Field{"notes", &DriftSummary::notes},
               Field{"inSync", &DriftSummary::in_sync},
               Field{"drifted", &DriftSummary::drifted},
               Field{"failing", &DriftSummary::failing},
               Field{"expiring", &DriftSummary::expiring},
               Field{"bySeverity", &DriftSummary::by_severity},
               Field{"byCause", &DriftSummary::by_cause},
               Field{"sinceLast", &DriftSummary::since_last}};

template <>
inline constexpr auto kFields<UnmanagedRole> =
    std::tuple{Field{"kind", &UnmanagedRole::kind}, Field{"target", &UnmanagedRole::target},
               Field{"role", &UnmanagedRole::role}, Field{"grants", &UnmanagedRole::grants},
               Field{"severity", &UnmanagedRole::severity}};

template <>
inline constexpr auto kFields<UnmanagedGrants> = std::tuple{
    Field{"asOf", &UnmanagedGrants::as_of},      Field{"grants", &UnmanagedGrants::grants},
    Field{"targets", &UnmanagedGrants::targets}, Field{"bySeverity", &UnmanagedGrants::by_severity},
    Field{"roles", &UnmanagedGrants::roles},     Field{"moreRoles", &UnmanagedGrants::more_roles}};

template <>
inline constexpr auto kFields<WholeDrift> = std::tuple{
    Field{"version", &WholeDrift::version},         Field{"generatedAt", &WholeDrift::generated_at},
    Field{"previousAt", &WholeDrift::previous_at},  Field{"leastSeverity", &WholeDrift::least},
    Field{"summary", &WholeDrift::summary},         Field{"items", &WholeDrift::items},
    Field{"accepted", &WholeDrift::accepted},       Field{"notes", &WholeDrift::notes},
    Field{"failing", &WholeDrift::failing},         Field{"expiring", &WholeDrift::expiring},
    FieldIfSet{"unmanaged", &WholeDrift::unmanaged}};

template <>
inline constexpr auto kFields<DriftListing> = std::tuple_cat(kFields<WholeDrift>,
                                                             kFields<ListSlice>);

}  // namespace bindery::report
