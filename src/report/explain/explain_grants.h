#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/access/grant.h"
#include "report/access/condition_judge.h"
#include "report/access/observed_access.h"
#include "report/values/attributions.h"
#include "report/values/explain_values.h"
#include "store/ports/records.h"

namespace bindery::report {

/// The resource and its target on record.
struct ExplainedEvidence {
  store::ResourceRecord resource;
  std::optional<store::TargetRecord> target;  ///< Once it was read.
  std::vector<Grant> declared;
  std::vector<Grant> observed;  ///< Of what the resource claims there.
  std::size_t elsewhere = 0;    ///< Observed grants that it does not claim.
  std::vector<store::DriftRecord> drift;
  std::map<Grant, std::string> kept = {};  ///< Undeclared grants that stay, with the reason.
  GrantSources others = {};                ///< What other manifests in force declare there.
};

/// The parts that make the rows.
struct ExplainedRows {
  const ExplainedEvidence& evidence;
  const DriftByGrant& drift;  ///< Of the evidence.
  ConditionJudge& judge;
  Attributions& attributions;
};

/// Those of the observed grants that the resource does not declare.
[[nodiscard]] std::vector<Grant> ListUndeclared(const ExplainedEvidence& evidence);

/// Two scans missed the manifest: the manifest's grants go, or wait for removal.
[[nodiscard]] bool IsLeaving(const store::ResourceRecord& resource);

/// Each declared grant of the resource, and each grant in the policy that the resource claims:
/// the state, and why. The row of a difference that no pass repairs says so.
[[nodiscard]] std::vector<ExplainedGrant> GrantRows(const ExplainedRows& made_with);

}  // namespace bindery::report
