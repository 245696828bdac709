#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/expected.h"
#include "core/target.h"
#include "report/revision_values.h"
#include "store/report_reader.h"

namespace bindery {

/// A revision with what it changed against the one before it; null without one.
[[nodiscard]] RevisionLine LineOfRevision(const RevisionRecord& record,
                                          const RevisionRecord* before);

/// The newest revisions of a target's policy, newest first, at most `most`.
[[nodiscard]] Expected<std::vector<RevisionLine>> RevisionList(const ReportReader& store,
                                                               const Target& target,
                                                               std::size_t most);

/// One recorded policy of a resource's target, and what writing it back would do. kNotFound as
/// FindResource, and for a revision that is not one of the target.
[[nodiscard]] Expected<RevisionDetail> RevisionReport(const ReportReader& store,
                                                      const std::string& name, std::int64_t id);

}  // namespace bindery
