// How bad a difference is: the table that comes with the program, and what comes before it.

#include "core/settings/severity_rules.h"

#include <gtest/gtest.h>

#include <set>

#include "core/text/glob.h"
#include "providers/registry/kinds.h"

namespace bindery::providers {
namespace {

/// As the kind of that name judges.
Severity Judge(DriftClass drift_class, const std::string& kind, const Grant& grant,
               const SeverityRules* own = nullptr, bool title_only = false) {
  const reconcilers::Kind* known = KnownKinds().FindByName(kind);
  return JudgeSeverity({drift_class, kind, grant, title_only, known->traits().widening}, own);
}

struct SeverityCase {
  const char* why;
  DriftClass drift_class;
  const char* role;
  const char* principal;
  Severity iam;
  Severity restriction;
};
class Severities : public ::testing::TestWithParam<SeverityCase> {};

TEST_P(Severities, WhatWidensAccessIsWorse) {
  SCOPED_TRACE(GetParam().why);
  const Grant grant{GetParam().role, GetParam().principal};
  const DriftClass drift_class = GetParam().drift_class;
  EXPECT_EQ(Judge(drift_class, "AuthorizationPolicyIamBinding", grant), GetParam().iam);
  EXPECT_EQ(Judge(drift_class, "RestrictionPolicy", grant), GetParam().restriction);
}

using enum DriftClass;
INSTANTIATE_TEST_SUITE_P(
    Cases, Severities,
    ::testing::Values(SeverityCase{"a new viewer", kUndeclared, "viewer", "user:a", Severity::kHigh,
                                   Severity::kMedium},
                      SeverityCase{"a new owner", kUndeclared, "roles/owner", "user:a",
                                   Severity::kCritical, Severity::kHigh},
                      SeverityCase{"a new administrator", kUndeclared, "roles/backupdr.admin",
                                   "user:a", Severity::kHigh, Severity::kHigh},
                      SeverityCase{"the public", kUndeclared, "roles/viewer", "allUsers",
                                   Severity::kCritical, Severity::kHigh},
                      SeverityCase{"the whole organisation edits", kUndeclared, "editor", "org:o",
                                   Severity::kHigh, Severity::kCritical},
                      SeverityCase{"another condition", kConditionChanged, "roles/viewer", "user:a",
                                   Severity::kHigh, Severity::kHigh},
                      SeverityCase{"another condition of an owner", kConditionChanged,
                                   "roles/owner", "user:a", Severity::kCritical, Severity::kHigh},
                      SeverityCase{"someone lacks access", kMissing, "roles/owner", "user:a",
                                   Severity::kMedium, Severity::kMedium},
                      SeverityCase{"the target is gone", kTargetMissing, "", "", Severity::kHigh,
                                   Severity::kHigh},
                      SeverityCase{"someone was deleted", kPrincipalDeleted, "roles/viewer",
                                   "user:a", Severity::kLow, Severity::kLow},
                      SeverityCase{"a lookup changed", kLookupChanged, "", "", Severity::kLow,
                                   Severity::kLow}));

constexpr const char* kKind = "ManagementServerIamBinding";

TEST(SeverityRules, OnlyATitleThatDiffersIsLow) {
  const Grant owner{"roles/owner", "allUsers"};
  EXPECT_EQ(Judge(kConditionChanged, kKind, owner, nullptr, /*title_only=*/true), Severity::kLow);
}

TEST(SeverityRules, TheFirstThatFitsWins) {
  const SeverityRules own = {{kUndeclared, "", "roles/Viewer", "domain:*", false, Severity::kLow},
                             {kUndeclared, "", "*", "domain:*", false, Severity::kCritical},
                             {std::nullopt, "RestrictionPolicy", "", "", false, Severity::kHigh}};
  const Grant viewer{"roles/viewer", "domain:example.com"};
  const Grant other{"roles/browser", "domain:example.com"};
  EXPECT_EQ(Judge(kUndeclared, kKind, viewer, &own), Severity::kLow);
  EXPECT_EQ(Judge(kUndeclared, kKind, other, &own), Severity::kCritical);
  EXPECT_EQ(Judge(kMissing, kKind, other, &own), Severity::kMedium) << "the built-in one";
  EXPECT_EQ(Judge(kMissing, "RestrictionPolicy", {}, &own), Severity::kHigh);
}

TEST(SeverityRules, ARuleForTitlesSaysNothingOfExpressions) {
  const SeverityRules own = {
      {kConditionChanged, "", "", "", /*title_only=*/true, Severity::kMedium}};
  const Grant grant{"roles/viewer", "user:a"};
  EXPECT_EQ(Judge(kConditionChanged, kKind, grant, &own, true), Severity::kMedium);
  EXPECT_EQ(Judge(kConditionChanged, kKind, grant, &own, false), Severity::kHigh);
}

TEST(SeverityRules, TheBuiltInOnesKnowEveryClass) {
  std::set<DriftClass> unrestricted;
  for (const SeverityRule& rule : BuiltInSeverities()) {
    if (rule.kind.empty() && rule.role.empty() && rule.member.empty() && !rule.title_only) {
      unrestricted.insert(*rule.drift_class);
    }
  }
  EXPECT_EQ(unrestricted.size(), 6U);
}

TEST(SeverityRules, NamesAreReadExactly) {
  EXPECT_EQ(ParseSeverity("critical"), Severity::kCritical);
  EXPECT_EQ(ParseSeverity("low"), Severity::kLow);
  EXPECT_EQ(ParseSeverity("Low"), std::nullopt);
  EXPECT_EQ(ParseSeverity(""), std::nullopt);
}

}  // namespace
}  // namespace bindery::providers
