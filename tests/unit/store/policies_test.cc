#include "fixture.h"

namespace bindery::store {
namespace {

using testing::At;
using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::Observed;
using testing::PolicyTarget;
using testing::RevisionOf;
using ::testing::SizeIs;
using testing::StoreTest;

constexpr const char* kBody = R"({"bindings":[]})";

class StoreTargets : public StoreTest {
 protected:
  Expected<void> Upsert(std::vector<TargetRecord> targets,
                        std::vector<RevisionRecord> revisions = {}) {
    StoreChange change;
    change.upsert_targets = std::move(targets);
    change.revisions = std::move(revisions);
    return store().Apply(std::move(change));
  }
  Expected<void> Touch(const std::vector<Target>& targets, WallTime time) {
    StoreChange change;
    for (const Target& target : targets) change.touch_targets.emplace_back(target);
    change.touched_at = time;
    return store().Apply(std::move(change));
  }
  Expected<void> Forget(std::vector<Target> targets) {
    StoreChange change;
    change.forget_targets = std::move(targets);
    return store().Apply(std::move(change));
  }
};

using StoreRevisions = StoreTargets;

void ExpectEqual(const TargetRecord& left, const TargetRecord& right) {
  EXPECT_EQ(left.target, right.target);
  EXPECT_EQ(left.provider, right.provider);
  EXPECT_EQ(left.observed, right.observed);
  EXPECT_EQ(left.exists, right.exists);
  EXPECT_EQ(left.ever_written, right.ever_written);
  EXPECT_EQ(left.etag, right.etag);
  EXPECT_EQ(left.policy_digest, right.policy_digest);
  EXPECT_EQ(left.observed_at, right.observed_at);
  EXPECT_EQ(left.grants, right.grants);
}

TEST_F(StoreTargets, EveryFieldComesBackAndIsReplaced) {
  TargetRecord first = Observed(PolicyTarget("a"), kBody);
  first.ever_written = true;
  first.grants = 12;
  ASSERT_THAT(Upsert({first}, {RevisionOf(PolicyTarget("a"), kBody)}), IsOk());
  auto found = Value(store().Targets());
  ASSERT_THAT(found, SizeIs(1));
  ExpectEqual(found[0], first);

  TargetRecord gone;
  gone.target = PolicyTarget("a");
  gone.provider = "other";
  gone.observed_at = At(9);
  ASSERT_THAT(Upsert({gone}), IsOk());
  found = Value(store().Targets());
  ASSERT_THAT(found, SizeIs(1));
  ExpectEqual(found[0], gone);
}

TEST_F(StoreTargets, APolicyThatIsNotStoredCannotBeNamed) {
  const std::string digest = Observed(PolicyTarget("a"), kBody).policy_digest;
  const std::string missing = "target \"" + PolicyTarget("a").Key() + "\" names the policy \"" +
                              digest + "\", which is not stored";
  EXPECT_THAT(Upsert({Observed(PolicyTarget("a"), kBody)}), FailsWith(Code::kInternal, missing));
  EXPECT_THAT(Value(store().Targets()), IsEmpty());

  ASSERT_THAT(Upsert({}, {RevisionOf(PolicyTarget("b"), kBody)}), IsOk());
  EXPECT_THAT(Upsert({Observed(PolicyTarget("a"), kBody)}), IsOk())
      << "stored by an earlier change";
  TargetRecord changed = Observed(PolicyTarget("a"), "other");
  EXPECT_THAT(Upsert({changed}), FailsWith(Code::kInternal, ::testing::HasSubstr("not stored")));
}

TEST_F(StoreTargets, TouchingMovesOnlyTheTimeAndPassesOverWhatIsUnknown) {
  ASSERT_THAT(Upsert({Observed(PolicyTarget("a"), ""), Observed(PolicyTarget("b"), "")}), IsOk());
  ASSERT_THAT(Touch({PolicyTarget("b"), PolicyTarget("unknown")}, At(60)), IsOk());
  const auto found = Value(store().Targets());
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].observed_at, At(1));
  EXPECT_EQ(found[1].observed_at, At(60));
  EXPECT_EQ(found[1].etag, "etag");
}

TEST_F(StoreTargets, HaveNamesOfAnyLength) {
  std::string name;  // Of digests, as what compresses well is short for an index.
  while (name.size() < 6000) name += Sha256Hex(name);
  ASSERT_THAT(Upsert({Observed(PolicyTarget(name), "")}), IsOk());
  Reopen();
  ASSERT_THAT(Touch({PolicyTarget(name)}, At(60)), IsOk());
  const auto found = Value(store().Targets());
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].target, PolicyTarget(name));
  EXPECT_EQ(found[0].observed_at, At(60));
}

TEST_F(StoreTargets, TouchingManyMovesAllOfThemAndNoOther) {
  constexpr int kMost = 1100;
  std::vector<TargetRecord> records;
  for (int i = 0; i <= kMost; ++i) {
    records.push_back(Observed(PolicyTarget("t" + std::to_string(i)), ""));
  }
  ASSERT_THAT(Upsert(records), IsOk());
  int time = 1;
  for (const int count : {1, 2, 8, 9, 64, 65, 512, 513, kMost}) {
    std::vector<Target> touched = {PolicyTarget("unknown")};
    for (int i = 0; i < count; ++i) touched.push_back(PolicyTarget("t" + std::to_string(i)));
    if (count % 2 == 0) Reopen();  // So that the ids have to be asked for.
    ASSERT_THAT(Touch(touched, At(++time)), IsOk());
    const auto found = Value(store().Targets());
    EXPECT_EQ(std::count_if(found.begin(), found.end(),
                            [&](const auto& one) { return one.observed_at == At(time); }),
              count);
  }
  ASSERT_THAT(Touch({PolicyTarget("t0")}, At(2)), IsOk());
  const auto found = Value(store().Targets());
  EXPECT_TRUE(std::none_of(found.begin(), found.end(), [](const auto& one) {
    return one.observed_at == At(2);
  })) << "what was read later since stays so";
}

TEST_F(StoreTargets, ForgettingKeepsTheRevisionsAndClosesTheDrift) {
  StoreChange change;
  change.upsert_targets = {Observed(PolicyTarget("a"), kBody)};
  change.revisions = {RevisionOf(PolicyTarget("a"), kBody)};
  change.drift = {{PolicyTarget("a"), At(1), {DriftItem{}}}};
  ASSERT_THAT(store().Apply(change), IsOk());
  ASSERT_THAT(Forget({PolicyTarget("a"), PolicyTarget("unknown")}), IsOk());

  EXPECT_THAT(Value(store().Targets()), IsEmpty());
  EXPECT_THAT(Value(store().Revisions(PolicyTarget("a"), false)), SizeIs(1));
  const auto drift = Value(store().Drift({}));
  ASSERT_THAT(drift, SizeIs(1));
  EXPECT_EQ(drift[0].resolved_by, "elsewhere");
  EXPECT_EQ(drift[0].resolved_at, clock_.Wall());
}

TEST_F(StoreTargets, ForgottenAndSeenAgainInOneChangeIsInForce) {
  ASSERT_THAT(Upsert({Observed(PolicyTarget("a"), "")}), IsOk());
  StoreChange change;
  change.forget_targets = {PolicyTarget("a")};
  change.upsert_targets = {Observed(PolicyTarget("a"), "")};
  ASSERT_THAT(store().Apply(change), IsOk());
  EXPECT_THAT(Value(store().Targets()), SizeIs(1));
}

TEST_F(StoreRevisions, AreNumberedOverAllTargetsAndReadOldestFirst) {
  RevisionRecord written = RevisionOf(PolicyTarget("a"), R"({"b":1})", Origin::kWritten);
  written.actor = "ana";
  ASSERT_THAT(Upsert({}, {RevisionOf(PolicyTarget("a"), kBody, Origin::kForeign),
                          RevisionOf(PolicyTarget("b"), kBody), written}),
              IsOk());
  const auto found = Value(store().Revisions(PolicyTarget("a"), true));
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].origin, Origin::kForeign);
  EXPECT_EQ(found[0].policy, kBody);
  EXPECT_LT(found[0].id, found[1].id);
  EXPECT_EQ(found[1].origin, Origin::kWritten);
  EXPECT_EQ(found[1].target, PolicyTarget("a"));
  EXPECT_EQ(found[1].time, At(1));
  EXPECT_EQ(found[1].etag, "etag");
  EXPECT_EQ(found[1].digest, written.digest);
  EXPECT_EQ(found[1].policy, R"({"b":1})");
  EXPECT_EQ(found[1].actor, "ana");

  const auto bare = Value(store().Revisions(PolicyTarget("a"), false));
  ASSERT_THAT(bare, SizeIs(2));
  EXPECT_EQ(bare[1].digest, written.digest);
  EXPECT_EQ(bare[1].policy, "");

  const RevisionRecord one = Value(store().Revision(found[1].id));
  EXPECT_EQ(one.policy, written.policy);
  EXPECT_EQ(one.target, PolicyTarget("a"));
}

TEST_F(StoreRevisions, AHundredEqualOnesAddOnePolicy) {
  for (int i = 0; i < 10; ++i) {
    std::vector<RevisionRecord> revisions(10, RevisionOf(PolicyTarget(std::to_string(i)), kBody));
    ASSERT_THAT(Upsert({}, revisions), IsOk());
  }
  const StoreCounts counts = Value(store().Counts());
  EXPECT_EQ(counts.revisions, 100);
  EXPECT_EQ(counts.policies, 1);
}

TEST_F(StoreRevisions, TheDigestAloneNamesAStoredPolicy) {
  RevisionRecord again = RevisionOf(PolicyTarget("a"), kBody);
  again.policy.clear();
  EXPECT_THAT(Upsert({}, {again}),
              FailsWith(Code::kInternal, "a revision of \"" + PolicyTarget("a").Key() +
                                             "\" names the policy \"" + again.digest +
                                             "\", which is not stored"));
  ASSERT_THAT(Upsert({}, {RevisionOf(PolicyTarget("b"), kBody), again}), IsOk());
  EXPECT_EQ(Value(store().Revisions(PolicyTarget("a"), true)).at(0).policy, kBody);
}

TEST_F(StoreRevisions, ADeletedPolicyIsARevisionWithoutABody) {
  RevisionRecord deleted;
  deleted.target = PolicyTarget("a");
  deleted.origin = Origin::kWritten;
  ASSERT_THAT(Upsert({}, {deleted}), IsOk());
  const RevisionRecord found = Value(store().Revisions(PolicyTarget("a"), true)).at(0);
  EXPECT_EQ(found.digest, "");
  EXPECT_EQ(found.policy, "");
  EXPECT_EQ(Value(store().Revision(found.id)).origin, Origin::kWritten);
}

TEST_F(StoreRevisions, WhatIsNotThereIsNotFound) {
  EXPECT_THAT(store().Revision(7), FailsWith(Code::kNotFound, "there is no revision 7"));
  EXPECT_THAT(store().Policy("abc"), FailsWith(Code::kNotFound, "there is no policy \"abc\""));
  EXPECT_THAT(Value(store().Revisions(PolicyTarget("a"), true)), IsEmpty());
}

TEST_F(StoreRevisions, APolicyIsReadByItsDigest) {
  ASSERT_THAT(Upsert({}, {RevisionOf(PolicyTarget("a"), kBody)}), IsOk());
  EXPECT_EQ(Value(store().Policy(RevisionOf(PolicyTarget("a"), kBody).digest)), kBody);
}

}  // namespace
}  // namespace bindery::store
