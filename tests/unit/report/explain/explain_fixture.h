#pragma once

#include <gmock/gmock.h>

#include <string>
#include <utility>
#include <vector>

#include "report/explain/explain_report.h"
#include "unit/report/report_fixture.h"

namespace bindery::testing {

/// A resource of payments, and the policy of its target.
class ExplainReportTest : public ReportTest {
 protected:
  void SetUp() override {
    ReportTest::SetUp();
    resource_ = Binding("payments-viewers");
    resource_.spec =
        R"({"members":["user:ana@example.com","user:bob@example.com"],"role":"roles/viewer"})";
  }
  void Read(const std::string& bindings) { ReadPolicy(R"({"bindings":)" + bindings + "}"); }
  void ReadPolicy(const std::string& policy) {
    store::RevisionRecord revision;
    revision.target = IamTarget();
    revision.time = At("2026-11-21T11:59:00Z");
    revision.policy = policy;
    revision.digest = "digest of " + policy;
    store::TargetRecord record;
    record.target = IamTarget();
    record.observed = true;
    record.exists = true;
    record.observed_at = revision.time;
    record.policy_digest = revision.digest;
    store::StoreChange change;
    change.revisions.push_back(revision);
    change.upsert_targets.push_back(record);
    Apply(std::move(change));
  }
  report::Explanation Explain() {
    Put({resource_});
    auto explained = report::ExplainReport(*store_, {"payments-viewers", Now(), false, 0, rules_});
    EXPECT_THAT(explained, IsOk());
    return explained ? std::move(*explained) : report::Explanation();
  }
  /// "in force user:ana@example.com"
  std::vector<std::string> States() {
    std::vector<std::string> states;
    const report::Explanation explained = Explain();
    for (const report::ExplainedGrant& row : explained.grants) {
      states.push_back(std::string(report::ToString(row.state)) + " " + row.grant.grant.principal);
    }
    return states;
  }

  store::ResourceRecord resource_;
  KeepingRules rules_;
};

}  // namespace bindery::testing
