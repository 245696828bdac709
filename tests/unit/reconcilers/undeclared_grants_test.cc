// What becomes of grants that no manifest declares: removed, kept and counted, or reported.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reconcilers/policy_diff.h"
#include "unit/reconcilers/iam_rules.h"

namespace bindery::reconcilers {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Rules;
using ::testing::SizeIs;

constexpr const char* kJune = "request.time < timestamp('2027-06-01T00:00:00Z')";

const Grant kDeclared{"v", "user:a"};
const Grant kInUndeclaredRole{"owner", "user:eve"};
const Grant kBesideMember{"v", "user:bob"};
const Grant kTimed{"owner", "user:eve", Condition{kJune, "temp", ""}};

Claim OfPart(const std::string& part, ManagementPolicy treatment = ManagementPolicy::kEnforce) {
  return {"m", {"target", part, {kDeclared}}, treatment};
}

Desired Asking(UndeclaredRoles undeclared, Claim claim = OfPart("v")) {
  Desired desired;
  desired.claims = {std::move(claim)};
  desired.keep_undeclared = undeclared != UndeclaredRoles::kRemove;
  desired.report_undeclared = undeclared == UndeclaredRoles::kReport;
  return desired;
}

struct UndeclaredCase {
  const char* name;
  UndeclaredRoles undeclared;
  const char* part;  ///< That the manifest declares.
  Grant found;       ///< Beside what is declared.
  std::size_t removed;
  std::size_t open;
  std::size_t count;
};

class UndeclaredGrant : public ::testing::TestWithParam<UndeclaredCase> {};

TEST_P(UndeclaredGrant, IsTreatedAsTheSettingSays) {
  const UndeclaredCase& c = GetParam();
  const TargetPlan plan =
      DiffGrants(Asking(c.undeclared, OfPart(c.part)), {kDeclared, c.found}, Rules());
  EXPECT_THAT(plan.adds(), IsEmpty());
  EXPECT_THAT(plan.removes(), SizeIs(c.removed));
  EXPECT_THAT(plan.drift(), SizeIs(c.open));
  EXPECT_EQ(CountUndeclared(plan), c.count);
}

INSTANTIATE_TEST_SUITE_P(
    Of, UndeclaredGrant,
    ::testing::Values(
        UndeclaredCase{"ARoleThatIsRemoved", UndeclaredRoles::kRemove, "v", kInUndeclaredRole, 1, 1,
                       1},
        UndeclaredCase{"ARoleThatIsKept", UndeclaredRoles::kKeep, "v", kInUndeclaredRole, 0, 0, 1},
        UndeclaredCase{"ARoleThatIsReported", UndeclaredRoles::kReport, "v", kInUndeclaredRole, 0,
                       1, 1},
        UndeclaredCase{"ADeclaredRole", UndeclaredRoles::kReport, "v", kBesideMember, 1, 1, 1},
        UndeclaredCase{"AMemberBesideUnderRemove", UndeclaredRoles::kRemove, "v user:a if -",
                       kBesideMember, 0, 0, 1},
        UndeclaredCase{"AMemberBesideUnderKeep", UndeclaredRoles::kKeep, "v user:a if -",
                       kBesideMember, 0, 0, 1},
        UndeclaredCase{"AMemberBesideUnderReport", UndeclaredRoles::kReport, "v user:a if -",
                       kBesideMember, 0, 1, 1}),
    [](const auto& param) { return std::string(param.param.name); });

TEST(ReportedGrants, AreOpenDriftThatAGateKeepsFromBeingWritten) {
  const TargetPlan plan =
      DiffGrants(Asking(UndeclaredRoles::kReport), {kDeclared, kInUndeclaredRole}, Rules());
  ASSERT_THAT(plan.changes, SizeIs(1));
  EXPECT_TRUE(plan.changes[0].IsStoppedBy(Gate::kUndeclaredRoles));
  EXPECT_EQ(plan.changes[0].verdict, Verdict::kReport);
  EXPECT_FALSE(plan.writes());
  const std::vector<DriftItem> drift = plan.drift();
  ASSERT_THAT(drift, SizeIs(1));
  EXPECT_EQ(drift[0].drift_class, DriftClass::kUndeclared);
  EXPECT_EQ(drift[0].state, DriftState::kOpen);
  EXPECT_EQ(drift[0].rest, DriftRest::kUndeclaredRoles);
  EXPECT_EQ(drift[0].resource, "");
  EXPECT_EQ(CountOnlyReported(plan), 1U);
}

TEST(ReportedGrants, AreNotJudgedWhileManifestsCannotBeRead) {
  Desired desired = Asking(UndeclaredRoles::kReport, OfPart("v user:a if -"));
  desired.undeclared_in_doubt = true;
  const TargetPlan plan =
      DiffGrants(desired, {kDeclared, kBesideMember, kInUndeclaredRole}, Rules());
  EXPECT_THAT(plan.drift(), IsEmpty());
  EXPECT_THAT(plan.unjudged(), SizeIs(2));
  EXPECT_EQ(CountUndeclared(plan), 2U);
}

TEST(ReportedGrants, InModeObserveAreLeftByTheModeAlone) {
  const Desired desired = Asking(UndeclaredRoles::kReport, OfPart("v", ManagementPolicy::kObserve));
  const TargetPlan plan = DiffGrants(desired, {kDeclared, kInUndeclaredRole}, Rules());
  ASSERT_THAT(plan.drift(), SizeIs(1));
  EXPECT_EQ(plan.drift().at(0).rest, DriftRest::kNone);
}

TEST(ReportedGrants, OfProtectedPrincipalsAreNoDriftAndDoNotCount) {
  for (const UndeclaredRoles undeclared : {UndeclaredRoles::kKeep, UndeclaredRoles::kReport}) {
    Desired desired = Asking(undeclared);
    ProtectedPrincipals protect;
    protect.add = {"user:eve"};
    desired.protected_principals = std::make_shared<const ProtectedPrincipals>(protect);
    const TargetPlan plan = DiffGrants(desired, {kDeclared, kInUndeclaredRole}, Rules());
    EXPECT_THAT(plan.drift(), IsEmpty());
    EXPECT_EQ(CountUndeclared(plan), 0U);
  }
}

TEST(ReportedGrants, MayBeThoseUnderSomeConditionsInDeclaredRolesToo) {
  for (const char* role : {"owner", "v"}) {
    Desired desired = Asking(UndeclaredRoles::kRemove);
    desired.by_condition = {{{"temp", "", {}}, UndeclaredRoles::kReport}};
    Grant timed = kTimed;
    timed.role = role;
    const Grant lasting{role, "user:other"};
    const TargetPlan plan = DiffGrants(desired, {kDeclared, timed, lasting}, Rules());
    EXPECT_THAT(plan.removes(), ElementsAre(lasting)) << role;
    EXPECT_THAT(plan.drift(), SizeIs(2)) << role;
    EXPECT_EQ(CountUndeclared(plan), 2U) << role;
  }
}

TEST(ReportedGrants, LetADeclaredGrantOfTheSamePrincipalComeAtOnce) {
  Desired desired = Asking(UndeclaredRoles::kReport, OfPart("v if -"));
  const Grant other{"v", "user:a", Condition{kJune, "temp", ""}};
  const TargetPlan plan = DiffGrants(desired, {other}, Rules());
  EXPECT_THAT(plan.adds(), ElementsAre(kDeclared));
  EXPECT_THAT(plan.removes(), IsEmpty());
  EXPECT_EQ(CountUndeclared(plan), 1U);
}

}  // namespace
}  // namespace bindery::reconcilers
