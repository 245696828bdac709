#pragma once

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "report/access/access_report.h"
#include "unit/report/report_fixture.h"

namespace bindery::testing {

/// {"role", "members", "condition"}
inline Json Role(const std::string& role, std::vector<std::string> members,
                 const std::string& expression = "") {
  Json binding = {{"role", role}, {"members", std::move(members)}};
  if (!expression.empty()) binding["condition"] = {{"title", "t"}, {"expression", expression}};
  return binding;
}

class AccessTest : public ReportTest {
 protected:
  /// What was read of a target then; the last of these is what is in force now.
  void Read(const Target& target, const std::vector<Json>& bindings, const std::string& time) {
    const bool restriction = target.kind.str() == "RestrictionPolicy";
    Json policy;
    (restriction ? policy["data"]["attributes"] : policy)["bindings"] = bindings;
    store::RevisionRecord revision;
    revision.target = target;
    revision.time = At(time);
    revision.policy = policy.dump();
    revision.digest = "digest of " + revision.policy;
    store::TargetRecord record;
    record.target = target;
    record.observed = true;
    record.exists = true;
    record.observed_at = revision.time;
    record.policy_digest = revision.digest;
    store::StoreChange change;
    change.revisions.push_back(revision);
    change.upsert_targets.push_back(record);
    Apply(std::move(change));
  }
  /// Each verdict with who and what: "granted user:ana@example.com roles/viewer".
  std::vector<std::string> Answers(const report::AccessQuery& query) {
    auto report = report::AccessReport({*store_}, query, Now());
    EXPECT_THAT(report, IsOk());
    std::vector<std::string> answers;
    if (!report) return answers;
    report_ = std::move(*report);
    for (const report::AccessAnswer& answer : report_.answers) {
      const Grant& grant = answer.grant.grant;
      answers.push_back(std::string(ToString(answer.verdict)) + " " + grant.principal + " " +
                        grant.role);
    }
    return answers;
  }
  std::string Note() { return report_.notes.empty() ? "" : report_.notes[0]; }

  report::AccessAnswers report_;
};

}  // namespace bindery::testing
