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

namespace bindery {

namespace report {

/// A time that is always known: also 1970-01-01T00:00:00Z, which elsewhere means none.
struct AskedTime {
  WallTime time{};
};
[[nodiscard]] inline Json ToJson(const AskedTime& asked) { return FormatRfc3339(asked.time); }
inline bool ReadJson(const Json& json, AskedTime& asked) { return ReadJson(json, asked.time); }

}  // namespace report

/// A grant, and whether it gives a principal access.
struct AccessAnswer {
  std::string target;
  std::string kind;
  report::GrantLine grant;
  std::string principal;  ///< Of the question, or of the grant where none was asked about.
  report::Verdict verdict = report::Verdict::kUnknown;
  std::vector<std::string> depends_on;  ///< Of kDepends.
  std::string reason;                   ///< Why, where the verdict does not say it all.
  std::optional<report::TimeBounds> time_bounds;
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
  report::AskedTime as_of;
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
  report::GrantLine grant;
  std::string principal;
  std::optional<report::TimeBounds> time_bounds;
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
  report::AskedTime since;
  report::AskedTime until;
  std::vector<AccessChange> changes;
  AccessDiffCounts summary;
  std::vector<std::string> notes;
  std::vector<std::string> not_considered;
};

template <>
inline constexpr auto report::kAllOf<report::Verdict> =
    std::array{report::Verdict::kGranted, report::Verdict::kNotGranted, report::Verdict::kDepends,
               report::Verdict::kUnknown};

template <>
inline constexpr auto report::kFields<AccessAnswer> =
    std::tuple{report::Field{"target", &AccessAnswer::target},
               report::Field{"kind", &AccessAnswer::kind},
               report::Field{"grant", &AccessAnswer::grant},
               report::Field{"principal", &AccessAnswer::principal},
               report::Field{"verdict", &AccessAnswer::verdict},
               report::Field{"dependsOn", &AccessAnswer::depends_on},
               report::Field{"reason", &AccessAnswer::reason},
               report::Field{"timeBounds", &AccessAnswer::time_bounds},
               report::Field{"observedAt", &AccessAnswer::observed_at},
               report::Field{"source", &AccessAnswer::source},
               report::Field{"via", &AccessAnswer::via},
               report::Field{"note", &AccessAnswer::note},
               report::FieldIfSet{"inheritedFrom", &AccessAnswer::inherited_from},
               report::FieldIfSet{"evidence", &AccessAnswer::evidence},
               report::FieldIfSet{"revision", &AccessAnswer::revision}};

template <>
inline constexpr auto report::kFields<AccessCounts> =
    std::tuple{report::Field{"answers", &AccessCounts::answers},
               report::Field{"granted", &AccessCounts::granted},
               report::Field{"notGranted", &AccessCounts::not_granted},
               report::Field{"depends", &AccessCounts::depends},
               report::Field{"unknown", &AccessCounts::unknown},
               report::Field{"targets", &AccessCounts::targets}};

template <>
inline constexpr auto report::kFields<AccessAnswers> =
    std::tuple{report::Field{"asOf", &AccessAnswers::as_of},
               report::Field{"requestTime", &AccessAnswers::request_time},
               report::Field{"answers", &AccessAnswers::answers},
               report::Field{"summary", &AccessAnswers::summary},
               report::Field{"notes", &AccessAnswers::notes},
               report::Field{"notConsidered", &AccessAnswers::not_considered},
               report::FieldIfSet{"principals", &AccessAnswers::principals},
               report::FieldIfSet{"stale", &AccessAnswers::stale}};

template <>
inline constexpr auto report::kFields<AccessListing> =
    std::tuple_cat(report::kFields<AccessAnswers>, report::kFields<ListSlice>);

template <>
inline constexpr auto report::kFields<AccessChange> =
    std::tuple{report::Field{"change", &AccessChange::change},
               report::Field{"target", &AccessChange::target},
               report::Field{"kind", &AccessChange::kind},
               report::Field{"grant", &AccessChange::grant},
               report::Field{"principal", &AccessChange::principal},
               report::Field{"timeBounds", &AccessChange::time_bounds},
               report::Field{"source", &AccessChange::source},
               report::FieldIfSet{"via", &AccessChange::via},
               report::FieldIfSet{"note", &AccessChange::note}};

template <>
inline constexpr auto report::kFields<AccessDiffCounts> =
    std::tuple{report::Field{"gained", &AccessDiffCounts::gained},
               report::Field{"lost", &AccessDiffCounts::lost},
               report::Field{"targets", &AccessDiffCounts::targets}};

template <>
inline constexpr auto report::kFields<AccessDiff> =
    std::tuple{report::Field{"since", &AccessDiff::since},
               report::Field{"until", &AccessDiff::until},
               report::Field{"changes", &AccessDiff::changes},
               report::Field{"summary", &AccessDiff::summary},
               report::Field{"notes", &AccessDiff::notes},
               report::Field{"notConsidered", &AccessDiff::not_considered}};

}  // namespace bindery
