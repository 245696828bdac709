#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/access/target.h"
#include "core/base/clock.h"
#include "core/base/expected.h"
#include "report/access/access_findings.h"
#include "report/access/access_records.h"
#include "report/access/heir_judge.h"
#include "report/access/known_policies.h"

namespace bindery::report {

/// A target that inherits policies.
struct Heir {
  Target target;
  HeirJudge judge;
};

/// The policies behind an answer about access.
struct AccessGround {
  KnownPolicies known;
  std::vector<std::unique_ptr<Heir>> heirs = {};
  bool is_found = false;                  ///< Without `views`: scans show no policy.
  std::vector<PolicyView> views = {};     ///< By target, the nearest policy first.
  std::vector<std::string> notes = {};    ///< For the reader, about `views`.
  std::vector<std::string> unknown = {};  ///< Inherited policies that are not known.
};

/// The policies that the question is about. Errors as FindTargets and HeirJudge::Make. A full name
/// without a policy on record is answered from inherited policies, and the notes say so. kNotFound
/// if no inherited policy is known either, and no scan shows the absence of policies.
[[nodiscard]] Expected<AccessGround> FindGround(const AccessRecords& records,
                                                const AccessQuery& query, WallTime as_of);

/// For comparisons of two times.
struct HeirsAndAncestors {
  std::vector<Target> targets;
  std::vector<std::string> unknown;  ///< As AccessGround::unknown.
};
/// The targets of a word with their ancestors, as far as both are among `targets`, which are
/// sorted; all for an empty word. Errors as FindTargets.
[[nodiscard]] Expected<HeirsAndAncestors> TargetsWithAncestors(
    const AccessRecords& records, const KnownPolicies& known,
    const std::vector<const Target*>& targets, const std::string& word,
    const std::string& default_project);

}  // namespace bindery::report
