#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/access/target.h"
#include "core/base/expected.h"
#include "report/values/revision_values.h"
#include "store/ports/report_reader.h"

namespace bindery::report {

/// A revision with its changes against the former revision; null without one.
[[nodiscard]] RevisionLine LineOfRevision(const store::RevisionRecord& record,
                                          const store::RevisionRecord* before);

/// The newest revisions of a target's policy, newest first, at most `most`.
[[nodiscard]] Expected<std::vector<RevisionLine>> RevisionList(const store::ReportReader& store,
                                                               const Target& target,
                                                               std::size_t most);

/// One recorded policy of a resource's target, with the effect of writing the policy back.
/// kNotFound as FindResource, and for a revision of a different target.
[[nodiscard]] Expected<RevisionDetail> RevisionReport(const store::ReportReader& store,
                                                      const std::string& name, std::int64_t id);

}  // namespace bindery::report
