#include "controller/held_removals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/canonical_json.h"
#include "guard_cases.h"

namespace bindery {
namespace {

using testing::Of;
using ::testing::SizeIs;

TEST(HeldRemovals, EachReasonIsTold) {
  HeldRemovals held;
  held.Hold(Of("a", 1), "many");
  held.Hold(Of("b", 4), "grave");
  held.Hold(Of("c", 4), "many");
  EXPECT_EQ(held.Reason(), "many; grave");
  EXPECT_EQ(held.ReasonOf(Of("b", 0).target), "grave");
  EXPECT_EQ(held.ReasonOf(Of("d", 0).target), "");
}

TEST(HeldRemovals, TheDigestNamesExactlyWhatWaits) {
  HeldRemovals held;
  EXPECT_EQ(held.Digest(), "");
  held.Hold(Of("a", 3), "r");
  held.Hold(Of("b", 1), "r");
  const std::string digest = held.Digest();
  EXPECT_THAT(digest, SizeIs(12));
  EXPECT_EQ(held.Grants(), 4);

  HeldRemovals other;
  Removals reversed = Of("a", 3);
  std::reverse(reversed.grants.begin(), reversed.grants.end());
  other.Hold(Of("b", 1), "another reason");
  other.Hold(reversed, "r");
  EXPECT_EQ(other.Digest(), digest) << "neither order nor reason is part of it";
  other.Hold(Of("b", 1, 5), "r");
  EXPECT_NE(other.Digest(), digest) << "another grant is";
}

TEST(HeldRemovals, TellsPeopleWhatWaits) {
  HeldRemovals held;
  Removals restriction = Of("dashboard:d", 1);
  restriction.target = {"RestrictionPolicy", "monitoring", "dashboard:d"};
  held.Hold(Of("a", 1), "r");
  held.Hold(restriction, "r");
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
  held.Hold(Of("a", 3), "r");
  EXPECT_FALSE(held.MayRelease()) << "nothing waited when the limits changed";
  held.Hold(Of("b", 2), "r");
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
  held.Hold(Of("a", 2), "r");
  held.KeepOnly(Of("b", 0).target, {});
  EXPECT_EQ(held.Grants(), 2) << "another target";
  held.KeepOnly(Of("a", 0).target, GrantKeysOf(Of("a", 1)));
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
  held.Hold(Of("a", 1), "grave; 3 in all", "3 in all");
  held.Hold(Of("b", 1), "grave");
  held.Hold(Of("c", 1), "4 in all", "4 in all");
  EXPECT_EQ(held.ReasonOf(Of("a", 0).target), "grave; 4 in all");
  EXPECT_EQ(held.ReasonOf(Of("b", 0).target), "grave");
}

}  // namespace
}  // namespace bindery
