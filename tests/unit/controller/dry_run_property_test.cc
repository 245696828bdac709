// A dry run says what the pass after it writes: the same grants are added and removed on each
// target. Which removals the guard holds, and statuses, may come in another order.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "planned_world.h"

namespace bindery::controller {
namespace {

using testing::Happening;
using testing::kSceneNames;
using testing::kSceneRoles;
using testing::kSceneTargets;
using testing::PlannedWorld;
using testing::RunStart;

rc::Gen<Happening> AnyHappening() {
  using What = Happening::What;
  const auto what = rc::gen::weightedElement<What>({{24, What::kDeclare},
                                                    {4, What::kRestrict},
                                                    {4, What::kRefer},
                                                    {8, What::kRemove},
                                                    {6, What::kGrant},
                                                    {4, What::kReplace},
                                                    {2, What::kVanish},
                                                    {2, What::kSuspend},
                                                    {2, What::kApprove},
                                                    {1, What::kDeny},
                                                    {5, What::kPass},
                                                    {3, What::kTime}});
  return rc::gen::build<Happening>(
      rc::gen::set(&Happening::what, what),
      rc::gen::set(&Happening::name, rc::gen::inRange(0, kSceneNames)),
      rc::gen::set(&Happening::target, rc::gen::inRange(0, kSceneTargets)),
      rc::gen::set(&Happening::role, rc::gen::inRange(0, kSceneRoles)),
      rc::gen::set(&Happening::members, rc::gen::inRange(0, 8)),
      rc::gen::set(&Happening::variant, rc::gen::inRange(0, 40)));
}

class DryRunProperty : public ::testing::TestWithParam<RunStart> {};

TEST_P(DryRunProperty, ThePassAfterItDoesWhatItSays) {
  // RapidCheck reads it once, at the first check.
  ASSERT_EQ(::setenv("RC_PARAMS", "max_success=400 seed=99", /*overwrite=*/0), 0);
  EXPECT_TRUE(rc::check("a dry run and the pass after it agree", [] {
    // All or nothing: of several targets, the first to be written uses a limit up.
    const int limit = *rc::gen::element(0, 1000);
    const bool settles = *rc::gen::arbitrary<bool>();
    const bool doubts = *rc::gen::arbitrary<bool>();
    const auto happenings = *rc::gen::container<std::vector<Happening>>(AnyHappening());
    PlannedWorld scene(limit, settles, doubts);
    for (const Happening& one : happenings) scene.Do(one);
    const auto [planned, happened] = scene.Compare(GetParam());
    RC_TAG(happened.added.empty() && happened.removed.empty() ? "writes nothing" : "writes");
    RC_ASSERT(GetText(planned) == GetText(happened));
  }));
}

TEST(PartOfClaims, IsPlannedAsWithAllClaims) {
  ASSERT_EQ(::setenv("RC_PARAMS", "max_success=400 seed=99", /*overwrite=*/0), 0);
  int planned = 0;
  EXPECT_TRUE(rc::check("a plan by a part is that part of the plan", [&planned] {
    const int limit = *rc::gen::element(0, 1000);
    const bool settles = *rc::gen::arbitrary<bool>();
    const auto happenings = *rc::gen::container<std::vector<Happening>>(AnyHappening());
    PlannedWorld scene(limit, settles, /*doubts=*/false);
    for (const Happening& one : happenings) scene.Do(one);
    const PlannedWorld::Parts parts = scene.CompareParts();
    planned += parts.planned;
    RC_ASSERT(parts.differing == "");
  }));
  EXPECT_GT(planned, 200) << "parts are hardly ever enough";
}

TEST(AllInParts, ArePlannedAsAtOnce) {
  ASSERT_EQ(::setenv("RC_PARAMS", "max_success=400 seed=99", /*overwrite=*/0), 0);
  int planned = 0;
  EXPECT_TRUE(rc::check("parts, and what they leave open, are the plan", [&planned] {
    const int limit = *rc::gen::element(0, 1, 1000);
    const bool settles = *rc::gen::arbitrary<bool>();
    const auto happenings = *rc::gen::container<std::vector<Happening>>(AnyHappening());
    PlannedWorld scene(limit, settles, /*doubts=*/false);
    for (const Happening& one : happenings) scene.Do(one);
    const PlannedWorld::Parts parts = scene.CompareInParts();
    planned += parts.planned;
    RC_ASSERT(parts.differing == "");
  }));
  EXPECT_GT(planned, 200) << "parts are hardly ever enough";
}

/// Sequences that the property once failed for.
const std::vector<Happening>& OnceFailed(int which) {
  using What = Happening::What;
  static const std::vector<Happening> kSequences[] = {
      // One in conflict waits for another, whose target is read after its own.
      {{What::kDeclare, 0, 0, 0, 1, 0},
       {What::kDeclare, 2, 0, 1, 3, 20},
       {What::kDeclare, 4, 1, 0, 0, 0},
       {What::kTime},
       {What::kDeclare, 0, 0, 0, 0, 30},
       {What::kReplace, 0, 0, 0, 0, 0}},
      // One that is kept out waits for a protected one on the same target: no end was found.
      {{What::kDeclare, 1, 0, 0, 3, 17},
       {What::kPass},
       {What::kDeclare, 0, 0, 1, 4, 21},
       {What::kDeclare, 1, 1, 1, 3, 16},
       {What::kTime},
       {What::kDeclare, 1, 0, 1, 4, 11},
       {What::kRefer, 0, 2, 1, 0, 13}},
      // One that is on its way out needs another, and waits for what takes its place.
      {{What::kReplace, 3, 0, 1, 3, 21},
       {What::kDeclare, 4, 2, 0, 2, 1},
       {What::kDeclare, 3, 2, 0, 0, 21},
       {What::kTime},
       {What::kDeclare, 3, 0, 1, 1, 18},
       {What::kPass}},
      // A member that goes needs a manifest that moved away; then its role is declared by none.
      {{What::kDeclare, 3, 3, 2, 0, 0},
       {What::kDeclare, 2, 3, 1, 0, 25},
       {What::kPass},
       {What::kGrant, 0, 3, 1, 1},
       {What::kDeclare, 3, 0, 0, 1, 0},
       {What::kRemove, 2},
       {What::kDeclare, 0, 3, 0, 0, 0}},
      // One that waited for an approval moved away before that came.
      {{What::kGrant, 0, 2, 0, 0, 0},
       {What::kDeclare, 0, 2, 0, 6, 16},
       {What::kPass},
       {What::kGrant, 0, 2, 1, 0, 0},
       {What::kRemove, 0},
       {What::kTime},
       {What::kDeclare, 0, 0, 0, 0, 0},
       {What::kApprove}},
  };
  return kSequences[which];
}

TEST_P(DryRunProperty, HoldsForSequencesThatItOnceFailedFor) {
  for (const int which : {0, 1, 2, 3, 4}) {
    PlannedWorld scene(which == 2 || which == 4 ? 0 : 1000, /*settles=*/false,
                       /*doubts=*/which == 2);
    for (const Happening& one : OnceFailed(which)) scene.Do(one);
    const auto [planned, happened] = scene.Compare(GetParam());
    EXPECT_EQ(GetText(planned), GetText(happened)) << "sequence " << which;
  }
}

std::string RunStartName(const ::testing::TestParamInfo<RunStart>& start) {
  if (start.param == RunStart::kAnew) return "FromStoreAndDirectory";
  return start.param == RunStart::kBefore ? "OfOneThatStarted" : "OfOneThatRuns";
}

INSTANTIATE_TEST_SUITE_P(, DryRunProperty,
                         ::testing::Values(RunStart::kAnew, RunStart::kBefore, RunStart::kRunning),
                         RunStartName);

}  // namespace
}  // namespace bindery::controller
