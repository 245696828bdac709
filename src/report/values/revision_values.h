#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/access/revision.h"
#include "report/codec/json_codec.h"

namespace bindery {

/// Gained and lost grants.
struct GrantChanges {
  std::vector<report::GrantLine> added;
  std::vector<report::GrantLine> removed;
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
inline constexpr auto report::kAllOf<Origin> =
    std::array{Origin::kObserved, Origin::kWritten, Origin::kForeign, Origin::kRollback};

template <>
inline constexpr auto report::kFields<GrantChanges> = std::tuple{
    report::Field{"added", &GrantChanges::added}, report::Field{"removed", &GrantChanges::removed}};

template <>
inline constexpr auto report::kFields<RevisionLine> = std::tuple{
    report::Field{"id", &RevisionLine::id},          report::Field{"time", &RevisionLine::time},
    report::Field{"origin", &RevisionLine::origin},  report::Field{"etag", &RevisionLine::etag},
    report::Field{"digest", &RevisionLine::digest},  report::Field{"actor", &RevisionLine::actor},
    report::Field{"changes", &RevisionLine::changes}};

template <>
inline constexpr auto report::kFields<RecordedRevision> =
    std::tuple{report::Field{"id", &RecordedRevision::id},
               report::Field{"time", &RecordedRevision::time},
               report::Field{"origin", &RecordedRevision::origin},
               report::Field{"etag", &RecordedRevision::etag},
               report::Field{"digest", &RecordedRevision::digest},
               report::Field{"policy", &RecordedRevision::policy},
               report::Field{"actor", &RecordedRevision::actor},
               report::Field{"changes", &RecordedRevision::changes}};

template <>
inline constexpr auto report::kFields<TargetHistory> = std::tuple{
    report::Field{"name", &TargetHistory::name}, report::Field{"kind", &TargetHistory::kind},
    report::Field{"target", &TargetHistory::target},
    report::Field{"revisions", &TargetHistory::revisions},
    report::FieldIfSet{"note", &TargetHistory::note}};

template <>
inline constexpr auto report::kFields<ComparedRevision> =
    std::tuple_cat(report::kFields<RevisionLine>,
                   std::tuple{report::Field{"previous", &ComparedRevision::previous},
                              report::Field{"policy", &ComparedRevision::policy}});

template <>
inline constexpr auto report::kFields<RollbackPreview> =
    std::tuple_cat(std::tuple{report::Field{"observedAt", &RollbackPreview::observed_at}},
                   report::kFields<GrantChanges>);

template <>
inline constexpr auto report::kFields<RevisionDetail> =
    std::tuple{report::Field{"name", &RevisionDetail::name},
               report::Field{"kind", &RevisionDetail::kind},
               report::Field{"target", &RevisionDetail::target},
               report::Field{"revision", &RevisionDetail::revision},
               report::Field{"rollback", &RevisionDetail::rollback},
               report::Field{"suspends", &RevisionDetail::suspends}};

}  // namespace bindery
