#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "cel/evaluation/time.h"
#include "core/text/time_text.h"
#include "report/access/condition_judge.h"
#include "report/codec/json_codec.h"
#include "report/codec/list_slice.h"
#include "report/codec/source_line.h"
#include "report/codec/staleness.h"
#include "report/codec/time_bounds.h"

namespace bindery::report {

/// A time that is always known: also 1970-01-01T00:00:00Z, which elsewhere means none.
struct AskedTime {
  WallTime time{};
};
[[nodiscard]] inline Json ToJson(const AskedTime& asked) { return FormatRfc3339(asked.time); }
inline bool ReadJson(const Json& json, AskedTime& asked) { return ReadJson(json, asked.time); }

/// A grant, and whether it gives a principal access.
struct AccessAnswer {
  std::string target;
  std::string kind;
  GrantLine grant;
  std::string principal;  ///< Of the question, or of the grant where none was asked about.
  Verdict verdict = Verdict::kUnknown;
  std::vector<std::string> depends_on;  ///< Of kDepends.
  std::string reason;                   ///< Why, where the verdict does not say it all.
  std::optional<TimeBounds> time_bounds;
  WallTime observed_at{};
  std::optional<DeclaringManifest> source;    ///< Not set: no manifest declares it.
  std::optional<std::string> via;             ///< The principal that may contain the one asked.
  std::string note;                           ///< Who that stands for, in words.
  std::optional<std::string> inherited_from;  ///< The place of the grant, if not the target.
  std::optional<std::string> evidence;        ///< "scan" for a policy that only a scan shows.
  std::optional<std::int64_t> revision;       ///< Of an answer from the history.
};

/// Answers by verdict.
struct AccessCounts {
  std::size_t answers = 0;
  std::int64_t granted = 0;
  std::int64_t not_granted = 0;
  std::int64_t depends = 0;
  std::int64_t unknown = 0;
  std::size_t targets = 0;  ///< With an answer.
};

/// The answers to a question about access: certain grants first, then conditional or unknown
/// grants; each by target.
struct AccessAnswers {
  AskedTime as_of;
  cel::Timestamp request_time;  ///< What conditions were judged at.
  std::vector<AccessAnswer> answers;
  AccessCounts summary;
  std::vector<std::string> notes;  ///< Why there may be no answers.
  std::vector<std::string> not_considered;
  std::optional<std::vector<std::string>> principals;  ///< Meant by a question that names one.
  std::optional<Staleness> stale;                      ///< Of a command, where no daemon runs.
};

/// A page of the answers.
struct AccessListing : AccessAnswers, ListSlice {};

enum class AccessTurn { kGained, kLost };
[[nodiscard]] inline std::string_view ToString(AccessTurn turn) {
  return turn == AccessTurn::kGained ? "gained" : "lost";
}

/// A new or a lost grant, of the grant's principal or of a member of the grant's group.
struct AccessChange {
  AccessTurn change = AccessTurn::kGained;
  std::string target;
  std::string kind;
  GrantLine grant;
  std::string principal;
  std::optional<TimeBounds> time_bounds;
  std::optional<DeclaringManifest> source;  ///< Not set: no manifest declares it.
  std::optional<std::string> via;           ///< The group that the principal is a member of.
  std::optional<std::string> note;          ///< Which group gives the same at the other time.
};

struct AccessDiffCounts {
  std::int64_t gained = 0;
  std::int64_t lost = 0;
  std::int64_t targets = 0;
};

/// Access gained and lost between two times, by target.
struct AccessDiff {
  AskedTime since;
  AskedTime until;
  std::vector<AccessChange> changes;
  AccessDiffCounts summary;
  std::vector<std::string> notes;
  std::vector<std::string> not_considered;
};

/// A page of the changes.
struct AccessDiffListing : AccessDiff, ListSlice {};

template <>
inline constexpr auto kAllOf<Verdict> =
    std::array{Verdict::kGranted, Verdict::kNotGranted, Verdict::kDepends, Verdict::kUnknown};

template <>
inline constexpr auto kFields<AccessAnswer> =
    std::tuple{Field{"target", &AccessAnswer::target},
               Field{"kind", &AccessAnswer::kind},
               Field{"grant", &AccessAnswer::grant},
               Field{"principal", &AccessAnswer::principal},
               Field{"verdict", &AccessAnswer::verdict},
               Field{"dependsOn", &AccessAnswer::depends_on},
               Field{"reason", &AccessAnswer::reason},
               Field{"timeBounds", &AccessAnswer::time_bounds},
               Field{"observedAt", &AccessAnswer::observed_at},
               Field{"source", &AccessAnswer::source},
               Field{"via", &AccessAnswer::via},
               Field{"note", &AccessAnswer::note},
               FieldIfSet{"inheritedFrom", &AccessAnswer::inherited_from},
               FieldIfSet{"evidence", &AccessAnswer::evidence},
               FieldIfSet{"revision", &AccessAnswer::revision}};

template <>
inline constexpr auto kFields<AccessCounts> = std::tuple{
    Field{"answers", &AccessCounts::answers},        Field{"granted", &AccessCounts::granted},
    Field{"notGranted", &AccessCounts::not_granted}, Field{"depends", &AccessCounts::depends},
    Field{"unknown", &AccessCounts::unknown},        Field{"targets", &AccessCounts::targets}};

template <>
inline constexpr auto kFields<AccessAnswers> =
    std::tuple{Field{"asOf", &AccessAnswers::as_of},
               Field{"requestTime", &AccessAnswers::request_time},
               Field{"answers", &AccessAnswers::answers},
               Field{"summary", &AccessAnswers::summary},
               Field{"notes", &AccessAnswers::notes},
               Field{"notConsidered", &AccessAnswers::not_considered},
               FieldIfSet{"principals", &AccessAnswers::principals},
               FieldIfSet{"stale", &AccessAnswers::stale}};

template <>
inline constexpr auto kFields<AccessListing> = std::tuple_cat(kFields<AccessAnswers>,
                                                              kFields<ListSlice>);

template <>
inline constexpr auto kFields<AccessChange> = std::tuple{
    Field{"change", &AccessChange::change},       Field{"target", &AccessChange::target},
    Field{"kind", &AccessChange::kind},           Field{"grant", &AccessChange::grant},
    Field{"principal", &AccessChange::principal}, Field{"timeBounds", &AccessChange::time_bounds},
    Field{"source", &AccessChange::source},       FieldIfSet{"via", &AccessChange::via},
    FieldIfSet{"note", &AccessChange::note}};

template <>
inline constexpr auto kFields<AccessDiffCounts> =
    std::tuple{Field{"gained", &AccessDiffCounts::gained}, Field{"lost", &AccessDiffCounts::lost},
               Field{"targets", &AccessDiffCounts::targets}};

template <>
inline constexpr auto kFields<AccessDiff> = std::tuple{
    Field{"since", &AccessDiff::since},     Field{"until", &AccessDiff::until},
    Field{"changes", &AccessDiff::changes}, Field{"summary", &AccessDiff::summary},
    Field{"notes", &AccessDiff::notes},     Field{"notConsidered", &AccessDiff::not_considered}};

template <>
inline constexpr auto kFields<AccessDiffListing> = std::tuple_cat(kFields<AccessDiff>,
                                                                  kFields<ListSlice>);

}  // namespace bindery::report
