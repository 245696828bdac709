// Which removals would take bindery's own access, or the last owner.

#include "providers/google/roles/lockout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/access/status.h"
#include "unit/providers/subjects.h"

namespace bindery::google {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Project;

constexpr const char* kOwn = "serviceAccount:bindery@acme.iam.gserviceaccount.com";
constexpr const char* kAna = "user:ana@example.com";
constexpr const char* kBen = "user:ben@example.com";
constexpr const char* kOwner = "roles/owner";
constexpr const char* kIamAdmin = "roles/resourcemanager.projectIamAdmin";
constexpr const char* kCustom = "projects/acme/roles/writer";
const Condition kUntilMay{"request.time < timestamp(\"2027-05-01T00:00:00Z\")", "may", ""};
const Condition kUntilMayRenamed{kUntilMay.expression, "until May", "all of April"};
const Condition kUntilJune{"request.time < timestamp(\"2027-06-01T00:00:00Z\")", "june", ""};

const Condition kUntilMarch{"request.time < timestamp(\"2027-03-01T00:00:00Z\")", "march", ""};
const Condition kFromJune{"request.time >= timestamp(\"2027-06-01T00:00:00Z\")", "summer", ""};
const Condition kUntil2020{"request.time.getFullYear() < 2020", "long ago", ""};
const TimeSpan kInApril = {WallTime(std::chrono::seconds(1'807'000'000)),
                           WallTime(std::chrono::seconds(1'807'000'060))};

const IamRow& Topic() { return *FindIamRow("pubsub/v1:Topic"); }

/// "SelfLockout roles/owner user:a" of each refused grant.
std::vector<std::string> Refused(const IamRow& row, const std::vector<Grant>& now,
                                 const std::vector<Grant>& adds, const std::vector<Grant>& removes,
                                 const std::string& own) {
  reconcilers::Observation seen;
  seen.grants = now;
  const reconcilers::TargetPlan plan = reconcilers::ComposePlan(adds, removes);
  std::vector<std::string> texts;
  for (const RefusedRemovals& refused : RefuseLockout(row, plan, seen, own, kInApril)) {
    for (const Grant& grant : refused.grants) {
      const bool last_owner = refused.reason == reconcilers::ReasonCode::kLastOwner;
      texts.push_back((last_owner ? "LastOwner " : "SelfLockout ") + grant.role + " " +
                      grant.principal);
    }
  }
  return texts;
}

struct OwnCase {
  const char* why;
  std::vector<Grant> now;
  std::vector<Grant> adds;
  std::vector<Grant> removes;
  bool refused;
};

TEST(RefuseLockout, KeepsTheSurestAccessOfItsOwnPrincipal) {
  const OwnCase cases[] = {
      {"its only role", {{kIamAdmin, kOwn}}, {}, {{kIamAdmin, kOwn}}, true},
      {"another spelling",
       {{kIamAdmin, "serviceAccount:Bindery@acme.iam.gserviceaccount.com"}},
       {},
       {{kIamAdmin, "serviceAccount:Bindery@acme.iam.gserviceaccount.com"}},
       true},
      {"another one's role",
       {{kIamAdmin, kAna}, {kIamAdmin, kOwn}},
       {},
       {{kIamAdmin, kAna}},
       false},
      {"a role that sets no policy",
       {{"roles/viewer", kOwn}, {kIamAdmin, kOwn}},
       {},
       {{"roles/viewer", kOwn}},
       false},
      {"a role that sets policies of topics only",
       {{"roles/pubsub.admin", kOwn}},
       {},
       {{"roles/pubsub.admin", kOwn}},
       false},
      {"one of two",
       {{kIamAdmin, kOwn}, {"roles/iam.securityAdmin", kOwn}},
       {},
       {{kIamAdmin, kOwn}},
       false},
      {"both",
       {{kIamAdmin, kOwn}, {"roles/iam.securityAdmin", kOwn}},
       {},
       {{kIamAdmin, kOwn}, {"roles/iam.securityAdmin", kOwn}},
       true},
      {"another one comes",
       {{kIamAdmin, kOwn}},
       {{"roles/iam.securityAdmin", kOwn}},
       {{kIamAdmin, kOwn}},
       false},
      {"only a custom role would stay",
       {{kIamAdmin, kOwn}, {kCustom, kOwn}},
       {},
       {{kIamAdmin, kOwn}},
       true},
      {"the only custom role", {{kCustom, kOwn}}, {}, {{kCustom, kOwn}}, true},
      {"one of two custom roles",
       {{kCustom, kOwn}, {"organizations/1/roles/b", kOwn}},
       {},
       {{kCustom, kOwn}},
       false},
      {"a role of which not all types are known",
       {{"roles/iam.networkAdmin", kOwn}},
       {},
       {{"roles/iam.networkAdmin", kOwn}},
       true},
      {"only under a condition from now on",
       {{kIamAdmin, kOwn}},
       {{kIamAdmin, kOwn, kUntilMay}},
       {{kIamAdmin, kOwn}},
       true},
      {"a condition under other words",
       {{kIamAdmin, kOwn, kUntilMay}},
       {{kIamAdmin, kOwn, kUntilMayRenamed}},
       {{kIamAdmin, kOwn, kUntilMay}},
       false},
      {"another condition",
       {{kIamAdmin, kOwn, kUntilMay}},
       {{kIamAdmin, kOwn, kUntilJune}},
       {{kIamAdmin, kOwn, kUntilMay}},
       true},
      {"it holds nothing there, and others who can stay",
       {{kIamAdmin, kAna}, {kIamAdmin, kBen}},
       {},
       {{kIamAdmin, kAna}},
       false},
  };
  for (const OwnCase& one : cases) {
    const auto refused = Refused(Project(), one.now, one.adds, one.removes, kOwn);
    EXPECT_EQ(!refused.empty(), one.refused) << one.why;
  }
  EXPECT_THAT(
      Refused(Topic(), {{"roles/pubsub.admin", kOwn}}, {}, {{"roles/pubsub.admin", kOwn}}, kOwn),
      ElementsAre(std::string("SelfLockout roles/pubsub.admin ") + kOwn));
}

TEST(RefuseLockout, NothingIsTakenFromItsOwnPrincipalThen) {
  EXPECT_THAT(Refused(Project(), {{kIamAdmin, kOwn}, {"roles/viewer", kOwn}, {kIamAdmin, kAna}}, {},
                      {{kIamAdmin, kOwn}, {"roles/viewer", kOwn}, {kIamAdmin, kAna}}, kOwn),
              ElementsAre(std::string("SelfLockout ") + kIamAdmin + " " + kOwn,
                          std::string("SelfLockout roles/viewer ") + kOwn));
}

TEST(RefuseLockout, TheLastThatMayWriteAPolicyStayWhereBinderyMayBeOneOfThem) {
  constexpr const char* kProject = "cloudresourcemanager/v3:Project";
  constexpr const char* kOrganization = "cloudresourcemanager/v3:Organization";
  constexpr const char* kGroup = "group:platform@example.com";
  constexpr const char* kSecurity = "roles/iam.securityAdmin";
  struct Case {
    const char* why;
    const char* row;
    std::vector<Grant> now;
    std::vector<Grant> removes;
    const char* own;
    bool refused;
  };
  const Case cases[] = {
      {"unknown who bindery is", kProject, {{kIamAdmin, kAna}}, {{kIamAdmin, kAna}}, "", true},
      {"one of two stays",
       kProject,
       {{kIamAdmin, kAna}, {kSecurity, kBen}},
       {{kIamAdmin, kAna}},
       "",
       false},
      {"the other one was deleted",
       kProject,
       {{kIamAdmin, kAna}, {kSecurity, "deleted:user:ben@example.com?uid=1"}},
       {{kIamAdmin, kAna}},
       "",
       true},
      {"the other one has a condition",
       kProject,
       {{kIamAdmin, kAna}, {kSecurity, kBen, kUntilMay}},
       {{kIamAdmin, kAna}},
       "",
       true},
      {"a role that sets no policy",
       kProject,
       {{"roles/viewer", kAna}},
       {{"roles/viewer", kAna}},
       "",
       false},
      {"a resource, whose access comes from its project as a rule",
       "pubsub/v1:Topic",
       {{"roles/pubsub.admin", kAna}},
       {{"roles/pubsub.admin", kAna}},
       "",
       false},
      {"a project: it may be the group",
       kProject,
       {{kIamAdmin, kGroup}},
       {{kIamAdmin, kGroup}},
       kOwn,
       true},
      {"an organization: it is the group",
       kOrganization,
       {{kSecurity, kGroup}},
       {{kSecurity, kGroup}},
       kOwn,
       true},
      {"bindery has a grant of its own",
       kOrganization,
       {{kSecurity, kGroup}, {kSecurity, kOwn}},
       {{kSecurity, kGroup}},
       kOwn,
       false},
  };
  for (const Case& one : cases) {
    const auto refused = Refused(*FindIamRow(one.row), one.now, {}, one.removes, one.own);
    EXPECT_EQ(!refused.empty(), one.refused) << one.why;
    for (const std::string& text : refused) EXPECT_THAT(text, HasSubstr("SelfLockout")) << one.why;
  }
  EXPECT_THAT(Refused(Project(), {{kOwner, kAna}}, {}, {{kOwner, kAna}}, ""),
              ElementsAre(std::string("LastOwner ") + kOwner + " " + kAna))
      << "said once";
}

TEST(RefuseLockout, AGrantThatDoesNotHoldAtThatTimeCountsForNothing) {
  for (const Condition& other : {kUntilMarch, kFromJune, kUntil2020}) {
    EXPECT_THAT(
        Refused(Project(), {{kOwner, kAna}, {kOwner, kBen, other}}, {}, {{kOwner, kAna}}, ""),
        ElementsAre(std::string("LastOwner ") + kOwner + " " + kAna));
    EXPECT_THAT(Refused(Project(), {{kOwner, kAna, kUntilMay}, {kOwner, kBen, other}}, {},
                        {{kOwner, kAna, kUntilMay}}, ""),
                ElementsAre(std::string("LastOwner ") + kOwner + " " + kAna));
    EXPECT_THAT(Refused(Project(), {{kOwner, kAna}, {kOwner, kBen, other}}, {},
                        {{kOwner, kBen, other}}, ""),
                IsEmpty());
    EXPECT_THAT(Refused(Project(), {{kOwner, kBen, other}}, {}, {{kOwner, kBen, other}}, ""),
                IsEmpty());
    EXPECT_THAT(Refused(Project(), {{kOwner, kAna}, {kOwner, kBen, other}}, {},
                        {{kOwner, kAna}, {kOwner, kBen, other}}, ""),
                ElementsAre(std::string("LastOwner ") + kOwner + " " + kAna));
    EXPECT_THAT(Refused(Topic(), {{kCustom, kOwn, other}, {kCustom, kOwn, kUntilMay}}, {},
                        {{kCustom, kOwn, kUntilMay}}, kOwn),
                ElementsAre(std::string("SelfLockout ") + kCustom + " " + kOwn));
  }
}

TEST(RefuseLockout, AnOwnerWhoseConditionIsFalseAtThatTimeIsNoneThatStays) {
  const auto with = [](const std::string& expression) { return Condition{expression, "c", ""}; };
  for (const char* expression :
       {"request.time.getMonth() == 11", "request.time.getFullYear() / 0 == 1",
        "request.time.getMonth() == 11 && resource.name.startsWith(\"a\")"}) {
    EXPECT_THAT(Refused(Project(), {{kOwner, kAna, kUntilMay}, {kOwner, kBen, with(expression)}},
                        {}, {{kOwner, kAna, kUntilMay}}, ""),
                ElementsAre(std::string("LastOwner ") + kOwner + " " + kAna))
        << expression;
    EXPECT_THAT(Refused(Project(), {{kOwner, kBen, with(expression)}}, {},
                        {{kOwner, kBen, with(expression)}}, ""),
                ElementsAre(std::string("LastOwner ") + kOwner + " " + kBen))
        << expression << ": it may be true again";
  }
  for (const char* expression :
       {"request.time.getFullYear() > 2020", "resource.name.startsWith(\"a\")",
        "request.time.getFullYear() < 2020 || resource.name.startsWith(\"a\")"}) {
    EXPECT_THAT(Refused(Project(), {{kOwner, kAna, kUntilMay}, {kOwner, kBen, with(expression)}},
                        {}, {{kOwner, kAna, kUntilMay}}, ""),
                IsEmpty())
        << expression;
  }
}

TEST(RefuseLockout, TheMessageOfTheLastThatMayWriteSaysWhatToDo) {
  reconcilers::Observation seen;
  seen.grants = {{kIamAdmin, kAna}};
  const reconcilers::TargetPlan plan = reconcilers::ComposePlan({}, seen.grants);
  const auto refused = RefuseLockout(Project(), plan, seen, "", kInApril);
  ASSERT_EQ(refused.size(), 1U);
  EXPECT_EQ(
      refused[0].message,
      "roles/resourcemanager.projectIamAdmin is not removed from user:ana@example.com: "
      "nothing else in the policy lets anybody write it, and bindery may have its access from "
      "there; name bindery's principal (providers: principal), or allow it (targets: "
      "selfLockout: allow)");
}

TEST(RefuseLockout, TheMessageSaysWhatStaysAndWhatToDo) {
  reconcilers::Observation seen;
  seen.grants = {{kIamAdmin, kOwn}, {kOwner, kAna}};
  const reconcilers::TargetPlan plan = reconcilers::ComposePlan({}, seen.grants);
  const auto refused = RefuseLockout(Project(), plan, seen, kOwn, kInApril);
  ASSERT_EQ(refused.size(), 2U);
  EXPECT_EQ(refused[0].message,
            "roles/resourcemanager.projectIamAdmin is not removed from "
            "serviceAccount:bindery@acme.iam.gserviceaccount.com: bindery signs in as this "
            "principal and could not write the policy any more; declare a role for it that can, or "
            "allow it (targets: selfLockout: allow)");
  EXPECT_EQ(refused[1].message,
            "roles/owner is not removed: user:ana@example.com is the last holder; declare another "
            "holder, or allow it (targets: lastOwner: allow)");
}

TEST(RefuseLockout, AContainerKeepsAnOwner) {
  struct Case {
    const char* why;
    const char* row;
    const char* role;
    std::vector<Grant> now;
    std::vector<Grant> adds;
    std::vector<Grant> removes;
    bool refused;
  };
  constexpr const char* kProject = "cloudresourcemanager/v3:Project";
  constexpr const char* kOrgAdmin = "roles/resourcemanager.organizationAdmin";
  constexpr const char* kBilling = "roles/billing.admin";
  const Case cases[] = {
      {"the last owner", kProject, kOwner, {{kOwner, kAna}}, {}, {{kOwner, kAna}}, true},
      {"one of two",
       kProject,
       kOwner,
       {{kOwner, kAna}, {kOwner, kBen}},
       {},
       {{kOwner, kAna}},
       false},
      {"another one comes",
       kProject,
       kOwner,
       {{kOwner, kAna}},
       {{kOwner, kBen}},
       {{kOwner, kAna}},
       false},
      {"the other one was deleted",
       kProject,
       kOwner,
       {{kOwner, kAna}, {kOwner, "deleted:user:ben@example.com?uid=1"}},
       {},
       {{kOwner, kAna}},
       true},
      {"only one that was deleted goes",
       kProject,
       kOwner,
       {{kOwner, "deleted:user:ben@example.com?uid=1"}},
       {},
       {{kOwner, "deleted:user:ben@example.com?uid=1"}},
       false},
      {"the other one holds it for a time",
       kProject,
       kOwner,
       {{kOwner, kAna}, {kOwner, kBen, kUntilMay}},
       {},
       {{kOwner, kAna}},
       true},
      {"all hold it for a time",
       kProject,
       kOwner,
       {{kOwner, kAna, kUntilMay}, {kOwner, kBen, kUntilMay}},
       {},
       {{kOwner, kAna, kUntilMay}},
       false},
      {"another role",
       kProject,
       kIamAdmin,
       {{kIamAdmin, kAna}, {kIamAdmin, kOwn}},
       {},
       {{kIamAdmin, kAna}},
       false},
      {"an organization",
       "cloudresourcemanager/v3:Organization",
       kOrgAdmin,
       {{kOrgAdmin, kAna}},
       {},
       {{kOrgAdmin, kAna}},
       true},
      {"a billing account",
       "cloudbilling/v1:BillingAccount",
       kBilling,
       {{kBilling, kAna}},
       {},
       {{kBilling, kAna}},
       true},
      {"no container", "pubsub/v1:Topic", kOwner, {{kOwner, kAna}}, {}, {{kOwner, kAna}}, false},
  };
  for (const Case& one : cases) {
    const auto refused = Refused(*FindIamRow(one.row), one.now, one.adds, one.removes, kOwn);
    EXPECT_EQ(!refused.empty(), one.refused) << one.why;
    if (!refused.empty()) {
      EXPECT_THAT(refused.front(), HasSubstr("LastOwner")) << one.why;
    }
  }
}

}  // namespace
}  // namespace bindery::google
