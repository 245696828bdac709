// What holds for any policy and any directory.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "reconcilers/bindings.h"
#include "reconcilers/policy_diff.h"
#include "unit/reconcilers/iam_rules.h"

namespace bindery::reconcilers {
namespace {

using testing::kWords;
using testing::Rules;
using testing::Same;

constexpr int kRounds = 1500;

class RandomPolicies {
 public:
  explicit RandomPolicies(unsigned seed) : random_(seed) {}

  Json Bindings() {
    Json bindings = Json::array();
    for (int i = Pick(6); i > 0; --i) {
      Json entry = {{"role", Role()}, {"members", Json::array()}};
      for (int j = Pick(4); j > 0; --j) entry["members"].push_back(Member(true));
      if (const auto condition = MaybeCondition()) entry["condition"] = ToJson(*condition);
      if (Pick(3) == 0) entry["futureField"] = {{"z", Pick(9)}, {"a", "ä"}};
      bindings.push_back(std::move(entry));
    }
    if (Pick(4) == 0) bindings.push_back({{"role", "odd"}});
    return bindings;
  }

  Desired Wanted() {
    Desired desired;
    desired.keep_undeclared = Pick(2) == 0;
    for (int i = 0; i < 4; ++i) {
      if (Pick(2) == 0) continue;
      const std::string role = "r" + std::to_string(i);
      Claim claim{"m" + role, {"t", role, {}}, ManagementPolicy::kEnforce};
      const auto condition = MaybeCondition();
      for (int j = Pick(4); j > 0; --j) {
        claim.declaration.grants.push_back({role, Member(false), condition});
      }
      if (Pick(4) == 0) claim.treatment = ManagementPolicy::kPause;
      if (Pick(6) == 0) claim.treatment = ManagementPolicy::kRemove;
      if (Pick(6) == 0) claim.treatment = ManagementPolicy::kObserve;
      desired.claims.push_back(std::move(claim));
    }
    return desired;
  }

  void Shuffle(Json& list) { std::shuffle(list.begin(), list.end(), random_); }

 private:
  int Pick(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }
  std::string Role() { return "r" + std::to_string(Pick(5)); }
  std::string Member(bool live) {
    const std::string name =
        std::string(1, static_cast<char>((Pick(2) == 0 ? 'a' : 'A') + Pick(4)));
    if (live && Pick(6) == 0) return "deleted:user:" + name + "@x?uid=" + std::to_string(Pick(3));
    return "user:" + name + "@x";
  }
  std::optional<Condition> MaybeCondition() {
    if (Pick(3) != 0) return std::nullopt;
    return Condition{"e" + std::to_string(Pick(2)), "t", ""};
  }
  std::mt19937 random_;
};

TEST(PolicyProperty, APlanThatWasCarriedOutLeavesNothingToDo) {
  RandomPolicies random(1);
  int writes = 0;
  for (int round = 0; round < kRounds; ++round) {
    SCOPED_TRACE(round);
    const Json before = random.Bindings();
    const Desired desired = random.Wanted();
    const TargetPlan plan = DiffGrants(desired, ListGrants(before, kWords), Rules());
    const Json after = EditBindings(before, kWords, plan.adds(), plan.removes(), Same);
    const TargetPlan again = DiffGrants(desired, ListGrants(after, kWords), Rules());
    ASSERT_FALSE(again.writes()) << before.dump() << "\n" << after.dump();
    writes += plan.writes() ? 1 : 0;
  }
  EXPECT_GT(writes, kRounds / 2);
}

TEST(PolicyProperty, ARestoredPolicyIsTheRecordedOne) {
  RandomPolicies random(2);
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<Grant> wanted = ListGrants(random.Bindings(), kWords);
    const Json before = random.Bindings();
    const TargetPlan plan = DiffExactly({}, wanted, ListGrants(before, kWords), Rules());
    const Json after = EditBindings(before, kWords, plan.adds(), plan.removes(), Same);
    ASSERT_FALSE(DiffExactly({}, wanted, ListGrants(after, kWords), Rules()).writes()) << round;
  }
}

TEST(PolicyProperty, RolesThatAreKeptStayByteForByte) {
  RandomPolicies random(3);
  for (int round = 0; round < kRounds; ++round) {
    const Json before = random.Bindings();
    Desired desired = random.Wanted();
    desired.keep_undeclared = true;
    std::set<std::string> mine;
    for (const Claim& claim : desired.claims) {
      if (claim.treatment != ManagementPolicy::kPause) mine.insert(claim.declaration.role);
    }
    const TargetPlan plan = DiffGrants(desired, ListGrants(before, kWords), Rules());
    const Json after = EditBindings(before, kWords, plan.adds(), plan.removes(), Same);
    const auto foreign = [&](const Json& bindings) {
      std::string text;
      for (const Json& entry : bindings) {
        if (!mine.contains(StringMember(entry, "role"))) text += entry.dump() + "\n";
      }
      return text;
    };
    ASSERT_EQ(foreign(before), foreign(after)) << round;
  }
}

TEST(PolicyProperty, TheOrderOfTheObservedPolicyDecidesNoDifference) {
  RandomPolicies random(4);
  for (int round = 0; round < kRounds; ++round) {
    Json bindings = random.Bindings();
    const Desired desired = random.Wanted();
    const TargetPlan one = DiffGrants(desired, ListGrants(bindings, kWords), Rules());
    random.Shuffle(bindings);
    const TargetPlan other = DiffGrants(desired, ListGrants(bindings, kWords), Rules());
    ASSERT_EQ(one.drift().size(), other.drift().size()) << round;
    ASSERT_EQ(one.writes(), other.writes()) << round;
    ASSERT_EQ(one.adds().size(), other.adds().size()) << round;
    ASSERT_EQ(one.removes().size(), other.removes().size()) << round;
  }
}

}  // namespace
}  // namespace bindery::reconcilers
