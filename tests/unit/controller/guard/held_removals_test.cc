#include "controller/guard/held_removals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/access/canonical_json.h"
#include "unit/controller/guard_cases.h"

namespace bindery::controller {
namespace {

using testing::Because;
using testing::Of;
using ::testing::SizeIs;

TEST(HeldRemovals, EachReasonIsTold) {
  HeldRemovals held;
  held.Hold(Of("a", 1), Because("many"));
  held.Hold(Of("b", 4), Because("grave"));
  held.Hold(Of("c", 4), Because("many"));
  EXPECT_EQ(held.Reason(), "many; grave");
  EXPECT_EQ(held.GetReason(Of("b", 0).target), "grave");
  EXPECT_EQ(held.GetReason(Of("d", 0).target), "");
}

TEST(HeldRemovals, AReasonBesideOthersIsToldOnce) {
  HeldRemovals held;
  std::vector<GuardReason> both = Because("many");
  AddReason(both, Because("grave").front());
  held.Hold(Of("a", 1), both);
  held.Hold(Of("b", 1), Because("many"));
  held.Hold(Of("c", 1), Because("grave"));
  EXPECT_EQ(held.Reason(), "many; grave");
}

TEST(HeldRemovals, TheDigestNamesExactlyWhatWaits) {
  HeldRemovals held;
  EXPECT_EQ(held.Digest(), "");
  held.Hold(Of("a", 3), Because("r"));
  held.Hold(Of("b", 1), Because("r"));
  const std::string digest = held.Digest();
  EXPECT_THAT(digest, SizeIs(12));
  EXPECT_EQ(held.Grants(), 4);

  HeldRemovals other;
  Removals reversed = Of("a", 3);
  std::reverse(reversed.grants.begin(), reversed.grants.end());
  other.Hold(Of("b", 1), Because("another reason"));
  other.Hold(reversed, Because("r"));
  EXPECT_EQ(other.Digest(), digest) << "neither order nor reason is part of it";
  other.Hold(Of("b", 1, 5), Because("r"));
  EXPECT_NE(other.Digest(), digest) << "another grant is";
}

TEST(HeldRemovals, ADigestOnRecordStillNamesWhatItNamed) {
  HeldRemovals held;
  held.Hold(Of("a", 3), Because("r"));
  held.Hold(Of("b", 1), Because("r"));
  EXPECT_EQ(held.Digest(), "e21a0ac26bec");
}

TEST(HeldRemovals, TellsPeopleWhatWaits) {
  HeldRemovals held;
  Removals restriction = Of("dashboard:d", 1);
  restriction.target = {"RestrictionPolicy", "monitoring", "dashboard:d"};
  held.Hold(Of("a", 1), Because("r"));
  held.Hold(restriction, Because("r"));
  EXPECT_EQ(CanonicalJson(held.Items()),
            R"([{"kind":"Kind","provider":"p","reason":"r","removes":[{"cause":"manifest",)"
            R"("member":"user:u0@example.com","role":"role","severity":"medium"}],)"
            R"("resources":["m-a"],"scope":"","target":"a"},)"
            R"({"kind":"RestrictionPolicy","provider":"p","reason":"r","removes":[)"
            R"({"cause":"manifest","principal":"user:u0@example.com",)"
            R"("relation":"role","severity":"medium"}],"resources":["m-dashboard:d"],)"
            R"("scope":"monitoring","target":"dashboard:d"}])");
}

TEST(HeldRemovals, OnlyLessOrOtherLimitsAreJudgedAnew) {
  HeldRemovals held;
  held.NoteOtherLimits();
  held.Hold(Of("a", 3), Because("r"));
  EXPECT_FALSE(held.MayRelease()) << "nothing waited when the limits changed";
  held.Hold(Of("b", 2), Because("r"));
  EXPECT_FALSE(held.MayRelease()) << "it is more";
  held.LetGo(Of("b", 1));
  EXPECT_TRUE(held.MayRelease());
  held.JudgedAnew();
  EXPECT_FALSE(held.MayRelease());
  held.NoteOtherLimits();
  EXPECT_TRUE(held.MayRelease());
  EXPECT_THAT(held.TakeAll(), SizeIs(2));
  EXPECT_FALSE(held.MayRelease()) << "nothing waits";
}

TEST(HeldRemovals, ATargetOfWhichNothingWaitsIsNotHeld) {
  HeldRemovals held;
  held.Hold(Of("a", 2), Because("r"));
  held.KeepOnly(Of("b", 0).target, testing::Among({}));
  EXPECT_EQ(held.Grants(), 2) << "another target";
  held.KeepOnly(Of("a", 0).target, testing::Among(Of("a", 1)));
  EXPECT_EQ(held.Grants(), 1);
  held.LetGo(Of("a", 1, 1));
  EXPECT_TRUE(held.Has(Of("a", 0).target)) << "that one did not wait";
  held.LetGo(Of("a", 2));
  EXPECT_FALSE(held.Has(Of("a", 0).target));
  EXPECT_EQ(held.Digest(), "");
  EXPECT_FALSE(held.Unhold(Of("a", 0).target));
}

TEST(HeldRemovals, WhatWaitsForTheCountOfAllIsToldByTheLastCount) {
  HeldRemovals held;
  GuardReason grave;
  grave.limit = GuardReason::Limit::kSeverity;
  grave.severity = Severity::kCritical;
  GuardReason in_all;
  in_all.count = 3;
  in_all.most = 2;
  held.Hold(Of("a", 1), {grave, in_all});
  held.Hold(Of("b", 1), {grave});
  held.Hold(Of("d", 1), Because("told by an earlier version"));
  in_all.count = 4;
  held.Hold(Of("c", 1), {in_all});
  const std::string four = "4 grants would be removed, more than guard.maxRemovedGrants (2)";
  const std::string loss = "a loss of severity critical waits for approval, by guard.holdSeverity";
  EXPECT_EQ(held.GetReason(Of("a", 0).target), loss + "; " + four);
  EXPECT_EQ(held.GetReason(Of("b", 0).target), loss);
  EXPECT_EQ(held.GetReason(Of("d", 0).target), four);
}

}  // namespace
}  // namespace bindery::controller
