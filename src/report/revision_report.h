#pragma once

#include <cstdint>
#include <string>

#include "core/expected.h"
#include "core/json.h"
#include "core/target.h"
#include "store/report_reader.h"

namespace bindery {

/// {"added": [grant…], "removed": [grant…]} of a revision against the one before it; null without
/// one.
[[nodiscard]] Json RevisionChanges(const RevisionRecord& record, const RevisionRecord* before);

/// The newest revisions of a target's policy, newest first, at most `most`: [{"id", "time",
/// "origin", "etag", "digest", "actor", "changes"}], the last as RevisionChanges.
[[nodiscard]] Expected<Json> RevisionList(const ReportReader& store, const Target& target,
                                          std::size_t most);

/// One recorded policy of a resource's target: {"name", "kind", "target", "revision" (as in the
/// list, with "policy" and "previous", the id of the one before or null), "rollback"}. "rollback"
/// is what writing it back would do to the policy as it was last read: {"observedAt", "added",
/// "removed"}; null when nothing was read. "suspends": the resources of the target that it would
/// suspend, so that it stays. kNotFound as FindResource, and for a revision that is
/// not one of that target.
[[nodiscard]] Expected<Json> RevisionReport(const ReportReader& store, const std::string& name,
                                            std::int64_t id);

}  // namespace bindery
