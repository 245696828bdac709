#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/access/revision.h"
#include "report/codec/json_codec.h"

namespace bindery::report {

/// Gained and lost grants.
struct GrantChanges {
  std::vector<GrantLine> added;
  std::vector<GrantLine> removed;
};

/// A policy on record, without the policy.
struct RevisionLine {
  std::int64_t id = 0;
  WallTime time{};
  Origin origin = Origin::kObserved;
  std::string etag;
  std::string digest;
  std::string actor;
  std::optional<GrantChanges> changes;  ///< Against the one before it; not set without one.
};

struct RecordedRevision : RevisionLine {
  Json policy;
};

/// The policies on record for the target of a resource.
struct TargetHistory {
  std::string name;
  std::string kind;
  std::string target;
  std::vector<RecordedRevision> revisions;  ///< Oldest first.
  std::string note;                         ///< Why there are none, where there can be none.
};

struct ComparedRevision : RecordedRevision {
  std::optional<std::int64_t> previous;  ///< The one before it.
};

/// The effect of writing a policy back, on the last read policy.
struct RollbackPreview : GrantChanges {
  WallTime observed_at{};
};

/// One policy on record for the target of a resource.
struct RevisionDetail {
  std::string name;
  std::string kind;
  std::string target;
  ComparedRevision revision;
  std::optional<RollbackPreview> rollback;  ///< Not set: nothing was read.
  std::vector<std::string> suspends;        ///< The resources that a rollback suspends.
};

template <>
inline constexpr auto kAllOf<Origin> =
    std::array{Origin::kObserved, Origin::kWritten, Origin::kForeign, Origin::kRollback};

template <>
inline constexpr auto kFields<GrantChanges> =
    std::tuple{Field{"added", &GrantChanges::added}, Field{"removed", &GrantChanges::removed}};

template <>
inline constexpr auto kFields<RevisionLine> =
    std::tuple{Field{"id", &RevisionLine::id},          Field{"time", &RevisionLine::time},
               Field{"origin", &RevisionLine::origin},  Field{"etag", &RevisionLine::etag},
               Field{"digest", &RevisionLine::digest},  Field{"actor", &RevisionLine::actor},
               Field{"changes", &RevisionLine::changes}};

template <>
inline constexpr auto kFields<RecordedRevision> = std::tuple{
    Field{"id", &RecordedRevision::id},         Field{"time", &RecordedRevision::time},
    Field{"origin", &RecordedRevision::origin}, Field{"etag", &RecordedRevision::etag},
    Field{"digest", &RecordedRevision::digest}, Field{"policy", &RecordedRevision::policy},
    Field{"actor", &RecordedRevision::actor},   Field{"changes", &RecordedRevision::changes}};

template <>
inline constexpr auto kFields<TargetHistory> = std::tuple{
    Field{"name", &TargetHistory::name}, Field{"kind", &TargetHistory::kind},
    Field{"target", &TargetHistory::target}, Field{"revisions", &TargetHistory::revisions},
    FieldIfSet{"note", &TargetHistory::note}};

template <>
inline constexpr auto kFields<ComparedRevision> =
    std::tuple_cat(kFields<RevisionLine>, std::tuple{Field{"previous", &ComparedRevision::previous},
                                                     Field{"policy", &ComparedRevision::policy}});

template <>
inline constexpr auto kFields<RollbackPreview> = std::tuple_cat(
    std::tuple{Field{"observedAt", &RollbackPreview::observed_at}}, kFields<GrantChanges>);

template <>
inline constexpr auto kFields<RevisionDetail> = std::tuple{
    Field{"name", &RevisionDetail::name},         Field{"kind", &RevisionDetail::kind},
    Field{"target", &RevisionDetail::target},     Field{"revision", &RevisionDetail::revision},
    Field{"rollback", &RevisionDetail::rollback}, Field{"suspends", &RevisionDetail::suspends}};

}  // namespace bindery::report
