#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "controller/gates/gate.h"
#include "providers/kinds.h"

namespace bindery {
namespace {

/// Everything that a gate can decide by, at random.
class GatesTest : public ::testing::Test {
 protected:
  GatesTest() {
    job_.kind = KnownKinds().Find({"cloudnative:cloudresourcemanager/v3", "ProjectIamBinding"});
    job_.target = {job_.kind->traits().policy, "", "projects/acme"};
  }

  int Draw(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }

  Grant AnyGrant() {
    Grant grant{Draw(2) == 0 ? "roles/owner" : "roles/viewer", "user:u" + std::to_string(Draw(3))};
    if (Draw(2) == 0) grant.condition = Condition{"true", "t" + std::to_string(Draw(2)), ""};
    return grant;
  }

  GrantChange AnyChange() {
    GrantChange change;
    change.action = static_cast<ChangeAction>(Draw(4));
    change.grant = AnyGrant();
    if (change.action == ChangeAction::kReplace || Draw(3) == 0) change.before = AnyGrant();
    change.resource = Draw(2) == 0 ? "m" : "";
    change.narrows = Draw(2) == 0;
    change.is_difference = Draw(4) != 0;
    change.verdict = static_cast<Verdict>(Draw(5));
    if (change.verdict != Verdict::kApply) change.decided_by = Gate::kManagementPolicy;
    return change;
  }

  void Shake() {
    plan_.changes.clear();
    for (int i = Draw(6); i > 0; --i) plan_.changes.push_back(AnyChange());
    job_.dropped.clear();
    if (Draw(2) == 0) {
      Grant timed = AnyGrant();
      timed.condition = Condition{"true", "t0", ""};
      job_.dropped.push_back({std::move(timed), Draw(2) == 0});
    }
    AcceptedDriftRule rule;
    rule.member = "user:u" + std::to_string(Draw(3));
    job_.accepted = std::make_shared<AcceptedDriftRules>(AcceptedDriftRules(1, rule));
    desired_.claims = {{"m", {"target", "roles/viewer", {AnyGrant()}}}};
    seen_.grants = {AnyGrant(), AnyGrant()};
    guard_.wait.grants = {{AnyGrant()}};
    guard_.denied.grants = {{AnyGrant()}};
  }

  std::mt19937 random_{7};
  CheckJob job_;
  Desired desired_;
  Observation seen_;
  Guard::Decision guard_;
  TargetPlan plan_;
};

TEST_F(GatesTest, NoGateRaisesAVerdictWhateverTheOrder) {
  std::vector<GateRow> rows(Gates().begin(), Gates().end());
  for (int round = 0; round < 3'000; ++round) {
    Shake();
    std::shuffle(rows.begin(), rows.end(), random_);
    const auto answer = static_cast<EvidenceAnswer>(Draw(4));
    const GateContext context{
        job_,         desired_,
        seen_,        [answer](const Grant&) { return EvidenceVerdict{answer, "why"}; },
        Draw(2) == 0, &guard_};
    for (const GateRow& row : rows) {
      const TargetPlan before = plan_;
      row.function(context, plan_);
      ASSERT_EQ(plan_.changes.size(), before.changes.size());
      for (std::size_t i = 0; i < before.changes.size(); ++i) {
        const GrantChange& was = before.changes[i];
        const GrantChange& is = plan_.changes[i];
        ASSERT_LE(is.verdict, was.verdict) << static_cast<int>(row.gate);
        if (is.verdict != was.verdict) {
          ASSERT_EQ(is.decided_by, row.gate);
          ASSERT_NE(is.reason.code, ReasonCode::kNone);
        }
        ASSERT_TRUE(was.is_written() || !is.is_written()) << "a write became larger";
        ASSERT_TRUE(was.added() != nullptr || is.added() == nullptr);
      }
    }
  }
}

TEST_F(GatesTest, TheTableNamesEachGateOnceInTheOrderOfTheGates) {
  const auto rows = Gates();
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end(), [](const GateRow& a, const GateRow& b) {
    return a.gate < b.gate && a.stage <= b.stage;
  }));
  const auto same = std::adjacent_find(
      rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.gate == b.gate; });
  EXPECT_EQ(same, rows.end());
}

}  // namespace
}  // namespace bindery
