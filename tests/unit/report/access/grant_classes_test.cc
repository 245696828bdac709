// Who answers for a grant: each is of exactly one class.

#include "report/access/grant_classes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "core/text/time_text.h"
#include "providers/registry/kinds.h"

namespace bindery::report {
namespace {

constexpr const char* kProject = "projects/acme";
constexpr const char* kNumber = "415104041262";
constexpr const char* kViewer = "roles/viewer";
constexpr const char* kAna = "user:ana@example.com";
constexpr const char* kAgent =
    "serviceAccount:service-415104041262@compute-system.iam.gserviceaccount.com";

/// The time of the check.
WallTime ClassingTime() { return ParseRfc3339("2026-11-29T12:00:00Z").value_or(WallTime()); }

Condition Until(const std::string& time, const std::string& title) {
  return {"request.time < timestamp(\"" + time + "\")", title, ""};
}

class GrantClasses : public ::testing::Test {
 protected:
  GrantClasses() {
    target_.target = {"cloudresourcemanager:Project", "", kProject};
    target_.kind = providers::KnownKinds().FindByTargets("cloudresourcemanager:Project");
    target_.project_number = kNumber;
  }

  ClassedGrant ClassOf(const Grant& grant) {
    target_.grants = {grant};
    const auto classed = ClassGrants(target_, {keeping_, accepted_, ClassingTime()});
    EXPECT_EQ(classed.size(), 1U);
    return classed.empty() ? ClassedGrant() : classed.front();
  }

  TargetGrants target_;
  KeepingRules keeping_;
  AcceptedDriftRules accepted_;
};

TEST_F(GrantClasses, WhatNobodyDeclaresIsUnmanagedUntilSomethingIsDeclaredThere) {
  const Grant grant{kViewer, kAna};
  EXPECT_EQ(ClassOf(grant).grant_class, GrantClass::kUnmanaged);
  target_.managed = true;
  EXPECT_EQ(ClassOf(grant).grant_class, GrantClass::kUndeclared);
  target_.declared = {grant};
  EXPECT_EQ(ClassOf(grant).grant_class, GrantClass::kDeclared);
  EXPECT_EQ(ClassOf({kViewer, "user:Ana@Example.com"}).grant_class, GrantClass::kDeclared)
      << "one principal in two spellings";
  EXPECT_EQ(ClassOf({kViewer, kAna, Condition{"true", "t", ""}}).grant_class,
            GrantClass::kUndeclared)
      << "another condition is another grant";
}

TEST_F(GrantClasses, DeletedPrincipalsAreTombstonesEvenWhereTheyAreDeclared) {
  const Grant grant{kViewer, "deleted:user:ana@example.com?uid=123"};
  target_.declared = {grant};
  EXPECT_EQ(ClassOf(grant).grant_class, GrantClass::kTombstone);
}

TEST_F(GrantClasses, GrantsOfTheCloudItselfAreItsAgents) {
  const Grant agent{"roles/compute.serviceAgent", kAgent};
  EXPECT_EQ(ClassOf(agent).grant_class, GrantClass::kServiceAgent);
  EXPECT_EQ(ClassOf({"roles/owner", kAgent}).grant_class, GrantClass::kUnmanaged)
      << "not a role that the cloud gives";
  auto removed = std::make_shared<ProtectedPrincipals>();
  removed->remove = {"*@compute-system.iam.gserviceaccount.com"};
  keeping_.protected_principals = removed;
  EXPECT_EQ(ClassOf(agent).grant_class, GrantClass::kUnmanaged) << "by the configuration";
}

TEST_F(GrantClasses, DefaultAccountsCountWhereTheConfigurationPutsThem) {
  const Grant account{"roles/editor",
                      "serviceAccount:415104041262-compute@developer.gserviceaccount.com"};
  EXPECT_EQ(ClassOf(account).grant_class, GrantClass::kServiceAgent);
  auto drift = std::make_shared<ProtectedPrincipals>();
  drift->default_accounts = DefaultAccounts::kDrift;
  keeping_.protected_principals = drift;
  EXPECT_EQ(ClassOf(account).grant_class, GrantClass::kUnmanaged);
}

TEST_F(GrantClasses, WhatMayStayByTheConfigurationIsAccepted) {
  const Grant grant{kViewer, kAna};
  auto kept = std::make_shared<ProtectedPrincipals>();
  kept->add = {"user:ana@*"};
  keeping_.protected_principals = kept;
  EXPECT_EQ(ClassOf(grant).grant_class, GrantClass::kAccepted);
  keeping_.protected_principals = nullptr;
  AcceptedDriftRule rule;
  rule.member = kAna;
  rule.acceptance.until = ClassingTime() + std::chrono::hours(1);
  accepted_ = {rule};
  EXPECT_EQ(ClassOf(grant).grant_class, GrantClass::kAccepted);
  accepted_.front().acceptance.until = ClassingTime() - std::chrono::hours(1);
  EXPECT_EQ(ClassOf(grant).grant_class, GrantClass::kUnmanaged) << "the acceptance is over";
}

TEST_F(GrantClasses, WhatStaysIsExplained) {
  const Grant grant{kViewer, kAna};
  AcceptedDriftRule rule;
  rule.member = kAna;
  rule.acceptance = {"incident 42", "ana", {}};
  accepted_ = {rule};
  EXPECT_THAT(ExplainKept(ClassOf(grant)), ::testing::HasSubstr("incident 42"));
  EXPECT_THAT(ExplainKept(ClassOf({"roles/compute.serviceAgent", kAgent})),
              ::testing::HasSubstr("service agent"));
  auto kept = std::make_shared<ProtectedPrincipals>();
  kept->add = {"user:ana@*"};
  keeping_.protected_principals = kept;
  EXPECT_EQ(ExplainKept(ClassOf(grant)), "the configuration protects it");
}

TEST_F(GrantClasses, WhatIsOnRecordAsAcceptedOfADeclaredTargetIsAccepted) {
  target_.managed = true;
  target_.declared = {{kViewer, kAna}};
  DriftItem item;
  item.drift_class = DriftClass::kConditionChanged;
  item.state = DriftState::kAccepted;
  item.grant = {kViewer, kAna};
  item.before = Grant{kViewer, kAna, Condition{"true", "t", ""}};
  target_.open = {item};
  EXPECT_EQ(ClassOf(*item.before).grant_class, GrantClass::kAccepted);
}

TEST_F(GrantClasses, AWiderGrantBesideADeclaredOneIsNoUndeclaredGrant) {
  const Grant narrow{kViewer, kAna, Until("2027-01-01T00:00:00Z", "short")};
  const Grant wide{kViewer, kAna, Until("2030-01-01T00:00:00Z", "until")};
  AcceptedDriftRule rule;
  rule.member = kAna;
  rule.drift_class = DriftClass::kUndeclared;
  accepted_ = {rule};
  target_.managed = true;
  target_.declared = {narrow};
  target_.grants = {narrow, wide};
  for (const std::string& part : {std::string(kViewer), std::string("*")}) {
    target_.parts = {part};
    const auto classed = ClassGrants(target_, {keeping_, accepted_, ClassingTime()});
    ASSERT_EQ(classed.size(), 2U);
    EXPECT_EQ(classed[0].grant_class, GrantClass::kDeclared);
    EXPECT_EQ(classed[1].grant_class, GrantClass::kUndeclared) << part << ": a changed condition";
  }
  target_.declared = {wide};
  EXPECT_EQ(ClassGrants(target_, {keeping_, accepted_, ClassingTime()})[0].grant_class,
            GrantClass::kAccepted)
      << "it permits less than what is declared";
}

TEST_F(GrantClasses, AccessOnRequestIsToldByItsMarkAndByWhatIsOnRecord) {
  const Grant marked{kViewer, kAna, Until("2026-11-29T13:00:00Z", "Created by: PAM")};
  const ClassedGrant by_form = ClassOf(marked);
  EXPECT_EQ(by_form.grant_class, GrantClass::kJustInTime);
  EXPECT_TRUE(by_form.unproven);
  DriftItem item;
  item.grant = marked;
  item.drift_class = DriftClass::kJustInTime;
  item.state = DriftState::kAccepted;
  target_.managed = true;
  target_.open = {item};
  EXPECT_FALSE(ClassOf(marked).unproven) << "the service was asked";
  item.drift_class = DriftClass::kUndeclared;
  item.state = DriftState::kOpen;
  item.rest = DriftRest::kImitation;
  target_.open = {item};
  EXPECT_EQ(ClassOf(marked).grant_class, GrantClass::kUndeclared) << "it knows no such access";
}

TEST_F(GrantClasses, EndsAndSeverityAreToldOfEveryGrant) {
  EXPECT_TRUE(ClassOf({kViewer, kAna, Until("2026-11-28T00:00:00Z", "t")}).ended);
  EXPECT_FALSE(ClassOf({kViewer, kAna, Until("2026-11-30T00:00:00Z", "t")}).ended);
  target_.declared = {{"roles/owner", kAna}};
  EXPECT_EQ(ClassOf({"roles/owner", kAna}).severity, Severity::kCritical);
}

}  // namespace
}  // namespace bindery::report
