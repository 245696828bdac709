// Grants that no manifest declares, and that stay.

#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <utility>

#include "unit/report/explain/explain_fixture.h"

namespace bindery::report {
namespace {

using testing::At;
using ::testing::HasSubstr;
using testing::IamTarget;

using ExplainKept = testing::ExplainReportTest;

TEST_F(ExplainKept, WhatTheRulesKeepStaysWhateverTheStatusIs) {
  ProtectedPrincipals principals;
  principals.add = {"user:safe@example.com"};
  rules_.protected_principals = std::make_shared<const ProtectedPrincipals>(principals);
  AcceptedDriftRules accepted(1);
  accepted[0].member = "user:guest@*";
  accepted[0].acceptance = {"audit", "ana", {}};
  rules_.accepted = std::make_shared<const AcceptedDriftRules>(accepted);
  struct Case {
    std::string role;
    std::string member;
    const char* state;
    const char* reason;
    bool on_record = false;  ///< As an open difference.
  };
  const Case kCases[] = {
      {"roles/viewer", "user:safe@example.com", "stays", "the configuration protects it"},
      {"roles/viewer", "user:eve@example.com", "undeclared", "no manifest declares it"},
      {"roles/viewer", "user:guest@example.com", "stays", "accepted without an end by ana: audit"},
      {"roles/viewer", "user:safe@example.com", "undeclared", "no manifest declares it", true},
  };
  for (const Case& one : kCases) {
    SCOPED_TRACE(one.role + " " + one.member);
    resource_.role = one.role;
    resource_.spec = Json{{"members", {"user:ana@example.com"}}, {"role", one.role}}.dump();
    resource_.status.state = ResourceState::kReconciling;
    resource_.status.reason = "DriftObserved";
    Read(Json::array({{{"role", one.role}, {"members", {one.member}}}}).dump());
    store::StoreChange change;
    DriftItem item;
    item.drift_class = DriftClass::kUndeclared;
    item.grant = {one.role, one.member};
    change.drift.push_back({IamTarget(), At("2026-11-21T11:59:30Z"), {}});
    if (one.on_record) change.drift.back().items = {item};
    Apply(std::move(change));
    const ExplainedGrant row = Explain().grants.back();
    ASSERT_EQ(row.grant.grant.principal, one.member);
    EXPECT_EQ(ToString(row.state), one.state);
    EXPECT_THAT(row.reason, HasSubstr(one.reason));
  }
}

}  // namespace
}  // namespace bindery::report
