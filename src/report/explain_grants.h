#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/grant.h"
#include "report/attributions.h"
#include "report/condition_judge.h"
#include "report/explain_values.h"
#include "report/observed_access.h"
#include "store/records.h"

namespace bindery::report {

/// What is on record of the resource and its target.
struct ExplainedEvidence {
  ResourceRecord resource;
  std::optional<TargetRecord> target;  ///< Once it was read.
  std::vector<Grant> declared;
  std::vector<Grant> observed;  ///< Of what the resource claims there.
  std::size_t elsewhere = 0;    ///< Observed grants that it does not claim.
  std::vector<DriftRecord> drift;
  GrantSources others = {};  ///< What other manifests in force declare there.
};

/// What the rows are made with.
struct ExplainedRows {
  const ExplainedEvidence& evidence;
  ConditionJudge& judge;
  Attributions& attributions;
};

/// Two scans missed its manifest: what it granted goes, or waits for that.
[[nodiscard]] bool IsLeaving(const ResourceRecord& resource);

/// Each grant that the resource declares, and each that the policy has of what the resource claims:
/// its state, and why. A difference that no pass repairs says so.
[[nodiscard]] std::vector<ExplainedGrant> GrantRows(const ExplainedRows& made_with);

}  // namespace bindery::report
