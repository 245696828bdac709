// Deleted principals that are left in policies: what a write takes along, and what is noted.

#include "reconcilers/tombstones.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/reconcilers/iam_rules.h"

namespace bindery::reconcilers {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

const Grant kAnaLives{"v", "user:ana@x"};
const Grant kEveLives{"v", "user:eve@x"};
const Condition kSoon{"request.time < x", "soon", ""};

Grant Deleted(const std::string& role, const std::string& name, const std::string& uid = "1",
              std::optional<Condition> condition = std::nullopt) {
  return {role, "deleted:user:" + name + "@x?uid=" + uid, std::move(condition)};
}

Claim FindClaim(const std::string& part, std::vector<Grant> grants,
                ManagementPolicy treatment = ManagementPolicy::kEnforce) {
  return {"m", {"target", part, std::move(grants)}, treatment};
}

Desired Wanting(std::vector<Claim> claims) {
  Desired desired;
  desired.claims = std::move(claims);
  desired.keep_undeclared = true;
  return desired;
}

struct TakenCase {
  const char* name;
  Desired desired;
  std::vector<Grant> adds;
  std::vector<Grant> removes;
  std::vector<Grant> seen;
  std::vector<Grant> taken;
};

class TombstonesTaken : public ::testing::TestWithParam<TakenCase> {};

TEST_P(TombstonesTaken, AreThoseThatTheWriteMayOrHasToDrop) {
  const TakenCase& one = GetParam();
  const TargetPlan plan = ComposePlan(one.adds, one.removes);
  EXPECT_EQ(TombstonesTakenBy(plan, one.desired, one.seen, google::MemberRules()), one.taken);
}

INSTANTIATE_TEST_SUITE_P(
    Writes, TombstonesTaken,
    ::testing::Values(TakenCase{"NoWriteTakesNone",
                                Wanting({FindClaim("v", {kAnaLives})}),
                                {},
                                {},
                                {kAnaLives, Deleted("v", "bob")},
                                {}},
                      TakenCase{"OfTheSameAddressInEveryRole",
                                Wanting({FindClaim("v user:ana@x if -", {kAnaLives})}),
                                {kAnaLives},
                                {},
                                {Deleted("v", "Ana"), Deleted("w", "ana", "2"), Deleted("w", "bob"),
                                 Deleted("w", "ana", "1", kSoon)},
                                {Deleted("v", "Ana"), Deleted("w", "ana", "2"),
                                 Deleted("w", "ana", "1", kSoon)}},
                      TakenCase{"OfAnAddressThatHoldsSomethingElse",
                                Wanting({FindClaim("v", {kAnaLives})}),
                                {kAnaLives},
                                {},
                                {{"x", "user:bob@x"}, Deleted("y", "bob")},
                                {Deleted("y", "bob")}},
                      TakenCase{"OfTheRoleThatIsWritten",
                                Wanting({FindClaim("v", {kAnaLives})}),
                                {},
                                {kEveLives},
                                {kAnaLives, kEveLives, Deleted("v", "bob"),
                                 Deleted("v", "bob", "2"), Deleted("w", "bob")},
                                {Deleted("v", "bob"), Deleted("v", "bob", "2")}},
                      TakenCase{"NotOfARoleOfWhichOneMemberIsDeclared",
                                Wanting({FindClaim("v user:ana@x if -", {kAnaLives})}),
                                {kAnaLives},
                                {},
                                {Deleted("v", "bob")},
                                {}},
                      TakenCase{"NotOfARoleThatIsOnlyObserved",
                                Wanting({FindClaim("v", {kAnaLives}, ManagementPolicy::kObserve),
                                         FindClaim("w", {{"w", "user:b"}})}),
                                {{"w", "user:b"}},
                                {},
                                {Deleted("v", "bob")},
                                {}},
                      TakenCase{"OfTheWrittenRolesOfAWholePolicy",
                                Wanting({FindClaim("*", {kAnaLives})}),
                                {kAnaLives},
                                {},
                                {Deleted("v", "bob"), Deleted("w", "bob")},
                                {Deleted("v", "bob")}},
                      TakenCase{"OfARoleUnderItsCondition",
                                Wanting({FindClaim("v if -", {kAnaLives})}),
                                {kAnaLives},
                                {},
                                {Deleted("v", "bob"), Deleted("v", "bob", "1", kSoon)},
                                {Deleted("v", "bob")}},
                      TakenCase{"OfARoleThatNobodyDeclares",
                                Wanting({FindClaim("v", {kAnaLives})}),
                                {},
                                {{"w", "user:eve@x"}},
                                {{"w", "user:eve@x"}, Deleted("w", "bob"), Deleted("z", "bob")},
                                {Deleted("w", "bob")}},
                      TakenCase{"NotTwice",
                                Wanting({FindClaim("v", {kAnaLives}, ManagementPolicy::kRemove)}),
                                {},
                                {kAnaLives, Deleted("v", "bob")},
                                {kAnaLives, Deleted("v", "bob")},
                                {}}),
    [](const auto& one) { return one.param.name; });

TEST(Tombstones, OfAPrincipalThatDoesNotGetItsRoleBackStays) {
  TargetPlan plan = ComposePlan({kEveLives, kAnaLives}, {});
  GrantChange& ana = plan.changes.back();
  ana.drift_class = DriftClass::kPrincipalDeleted;
  ana.Lower(Verdict::kRefuse, Gate::kRefusedGrants, {ReasonCode::kServiceRefuses});
  const Desired desired = Wanting({FindClaim("v", {kEveLives, kAnaLives})});
  EXPECT_THAT(TombstonesTakenBy(plan, desired, {Deleted("v", "ana"), Deleted("v", "bob")},
                                google::MemberRules()),
              ElementsAre(Deleted("v", "bob")));
}

TEST(Tombstones, AreNotedInRolesThatAreDeclaredOrJudged) {
  const auto noted = [](const Desired& desired, const std::vector<Grant>& seen) {
    std::vector<std::string> texts;
    for (const DriftItem& note : NotesOfTombstones(desired, seen, google::MemberRules())) {
      EXPECT_EQ(note.drift_class, DriftClass::kTombstone);
      EXPECT_EQ(note.state, DriftState::kNoted);
      texts.push_back(note.grant.role + " " + note.grant.principal);
    }
    return texts;
  };
  const std::vector<Grant> seen = {kAnaLives, Deleted("v", "bob"), Deleted("v", "ana"),
                                   Deleted("w", "bob")};
  Desired desired = Wanting({FindClaim("v", {kAnaLives})});
  EXPECT_THAT(noted(desired, seen), ElementsAre("v deleted:user:bob@x?uid=1"))
      << "that of a declared principal is a difference";
  desired.keep_undeclared = false;
  EXPECT_EQ(noted(desired, seen).size(), 2U);
  EXPECT_THAT(noted(Wanting({FindClaim("*", {kAnaLives})}), seen),
              UnorderedElementsAre("v deleted:user:bob@x?uid=1", "w deleted:user:bob@x?uid=1"));
  EXPECT_THAT(noted(Wanting({}), seen), IsEmpty());
}

TEST(Tombstones, AnExemptionOfADeletedMemberIsOne) {
  const Grant exemption{"auditConfigs/allServices", "DATA_READ exempts deleted:user:Ana@x?uid=1"};
  EXPECT_TRUE(IsTombstone(exemption, google::MemberRules()));
  EXPECT_EQ(google::DeletedMember(exemption.principal), "DATA_READ exempts user:ana@x");
  EXPECT_FALSE(
      IsTombstone({exemption.role, "DATA_READ exempts user:ana@x"}, google::MemberRules()));
}

}  // namespace
}  // namespace bindery::reconcilers
