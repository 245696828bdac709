#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "controller/gates/gate.h"
#include "providers/registry/kinds.h"

namespace bindery::controller {
namespace {

/// Everything that a gate can decide by, at random.
class GatesTest : public ::testing::Test {
 protected:
  GatesTest() {
    job_.kind =
        providers::KnownKinds().Find({"cloudnative:cloudresourcemanager/v3", "ProjectIamBinding"});
    job_.target = {job_.kind->traits().policy, "", "projects/acme"};
  }

  int Draw(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }

  static std::shared_ptr<const manifests::Manifest> Ignoring(std::vector<std::string> paths) {
    auto manifest = std::make_shared<manifests::Manifest>();
    manifest->name = "m";
    manifest->spec = R"({"members":["user:u0"],"role":"roles/viewer"})";
    manifests::ExtraOptions options;
    options.ignore_changes = std::move(paths);
    manifest->options.rare = std::make_shared<manifests::ExtraOptions>(std::move(options));
    return manifest;
  }

  Grant AnyGrant() {
    Grant grant{Draw(2) == 0 ? "roles/owner" : "roles/viewer", "user:u" + std::to_string(Draw(3))};
    if (Draw(2) == 0) grant.condition = Condition{"true", "t" + std::to_string(Draw(2)), ""};
    return grant;
  }

  reconcilers::GrantChange AnyChange() {
    reconcilers::GrantChange change;
    change.action = static_cast<reconcilers::ChangeAction>(Draw(4));
    change.grant = AnyGrant();
    if (change.action == reconcilers::ChangeAction::kReplace || Draw(3) == 0)
      change.before = AnyGrant();
    change.resource = Draw(2) == 0 ? "m" : "";
    change.narrows = Draw(2) == 0;
    change.is_difference = Draw(4) != 0;
    change.verdict = static_cast<reconcilers::Verdict>(Draw(5));
    if (change.verdict != reconcilers::Verdict::kApply)
      change.decided_by = reconcilers::Gate::kManagementPolicy;
    if (Draw(3) == 0) change.reason = {reconcilers::ReasonCode::kImitation};
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
    job_.declared.clear();
    if (Draw(2) == 0) job_.declared = {{Ignoring({"members"}), "roles/viewer"}};
    desired_.claims = {{"m", {"target", "roles/viewer", {AnyGrant()}}}};
    seen_.grants = {AnyGrant(), AnyGrant()};
    guard_.wait.grants = {{AnyGrant()}};
    guard_.denied.grants = {{AnyGrant()}};
  }

  std::mt19937 random_{7};
  CheckJob job_;
  reconcilers::Desired desired_;
  reconcilers::Observation seen_;
  Guard::Decision guard_;
  reconcilers::TargetPlan plan_;
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
      const reconcilers::TargetPlan before = plan_;
      row.function(context, plan_);
      ASSERT_EQ(plan_.changes.size(), before.changes.size());
      for (std::size_t i = 0; i < before.changes.size(); ++i) {
        const reconcilers::GrantChange& was = before.changes[i];
        const reconcilers::GrantChange& is = plan_.changes[i];
        ASSERT_LE(is.verdict, was.verdict) << static_cast<int>(row.gate);
        if (is.verdict != was.verdict) {
          ASSERT_EQ(is.decided_by, row.gate);
          ASSERT_NE(is.reason.code, reconcilers::ReasonCode::kNone);
        }
        ASSERT_TRUE(was.is_written() || !is.is_written()) << "a write became larger";
        ASSERT_TRUE(was.added() != nullptr || is.added() == nullptr);
      }
    }
  }
}

struct IgnoredCase {
  const char* name;
  std::vector<std::string> ignored;
  const char* role;
  reconcilers::ReasonCode reason;
  reconcilers::Verdict verdict;
};

void PrintTo(const IgnoredCase& tested, std::ostream* out) { *out << tested.name; }

class IgnoredMembers : public GatesTest, public ::testing::WithParamInterface<IgnoredCase> {};

TEST_P(IgnoredMembers, DecideWhetherAnImitationOfJustInTimeAccessGoes) {
  job_.declared = {{Ignoring(GetParam().ignored), "roles/viewer"}};
  reconcilers::GrantChange change;
  change.action = reconcilers::ChangeAction::kRemove;
  change.grant = {GetParam().role, "user:eve"};
  change.reason = {GetParam().reason};
  plan_.changes = {change};
  LeaveIgnoredMembers({job_, desired_, seen_}, plan_);
  EXPECT_EQ(plan_.changes[0].verdict, GetParam().verdict);
  EXPECT_EQ(reconcilers::GetRecordKind(plan_.changes[0]), reconcilers::DriftRecordKind::kOpen)
      << "told either way";
}

INSTANTIATE_TEST_SUITE_P(All, IgnoredMembers,
                         ::testing::Values(IgnoredCase{"All",
                                                       {"members"},
                                                       "roles/viewer",
                                                       reconcilers::ReasonCode::kImitation,
                                                       reconcilers::Verdict::kReport},
                                           IgnoredCase{"NotThese",
                                                       {"condition"},
                                                       "roles/viewer",
                                                       reconcilers::ReasonCode::kImitation,
                                                       reconcilers::Verdict::kApply},
                                           IgnoredCase{"None",
                                                       {},
                                                       "roles/viewer",
                                                       reconcilers::ReasonCode::kImitation,
                                                       reconcilers::Verdict::kApply},
                                           IgnoredCase{"OfAnotherRole",
                                                       {"members"},
                                                       "roles/owner",
                                                       reconcilers::ReasonCode::kImitation,
                                                       reconcilers::Verdict::kApply},
                                           IgnoredCase{"NoImitation",
                                                       {"members"},
                                                       "roles/viewer",
                                                       reconcilers::ReasonCode::kNone,
                                                       reconcilers::Verdict::kApply}),
                         [](const auto& tested) { return std::string(tested.param.name); });

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
}  // namespace bindery::controller
