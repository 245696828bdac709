#include "controller/evidence/claim_ages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/claims_world.h"

namespace bindery::controller {
namespace {

using testing::ClaimsWorld;
using Answer = EvidenceAnswer;
using namespace std::chrono_literals;

struct ClaimAgesTest : public ::testing::Test, public ClaimsWorld {
  ClaimAgesTest() {
    evidence.rest().SetSettle(5s);
    entry = &Put("m", "t", "roles/one");
    Look();
  }
  void Look() {
    manifests::DirectoryFacts facts;
    facts.ground = manifests::Ground{};
    facts.newest = now.wall;
    evidence.Looked(facts, "same", now);
  }
  /// Time passes, and the directory stays as it is.
  void Rest() {
    for (int i = 0; i < 3; ++i) {
      now.mono += 1min;
      Look();
    }
  }
  [[nodiscard]] Answer Worst() const {
    Answer worst = Answer::kYes;
    for (const auto& verdict : ages.Judge(*claims.FindTarget(entry->place.target), now)) {
      worst = std::max(worst, verdict.answer);
    }
    return worst;
  }

  Now now{MonoTime(1h), WallTime(std::chrono::hours(500'000))};
  RemovalEvidence evidence;
  ClaimAges ages{claims, evidence};
  ResourceEntry* entry = nullptr;
};

TEST_F(ClaimAgesTest, AChangeSettlesWhenTheDirectoryRests) {
  ages.NoteChanged(*entry, /*fresh=*/false);
  EXPECT_EQ(entry->evidence.age.look, evidence.look());
  EXPECT_NE(Worst(), Answer::kYes);
  ages.Settle(now);
  EXPECT_NE(entry->evidence.age.look, 0);
  Rest();
  EXPECT_EQ(Worst(), Answer::kYes);
  ages.Settle(now);
  EXPECT_EQ(entry->evidence.age, ClaimAge{});
}

TEST_F(ClaimAgesTest, AChangeIsAsOldAsTheFirstThatIsNotSettled) {
  ages.NoteChanged(*entry, /*fresh=*/true);
  const std::int32_t first = entry->evidence.age.look;
  Look();
  ages.NoteChanged(*entry, /*fresh=*/false);
  EXPECT_EQ(entry->evidence.age.look, first);
  EXPECT_EQ(entry->evidence.age.last, evidence.look());
  EXPECT_TRUE(entry->evidence.age.fresh) << "it may still be the half of something";
}

TEST_F(ClaimAgesTest, WhatIsAbsentKeepsItsAge) {
  ages.NoteAbsent(*entry);
  const ClaimAge age = entry->evidence.age;
  EXPECT_TRUE(age.absent);
  Look();
  ages.NoteAbsent(*entry);
  EXPECT_EQ(entry->evidence.age, age) << "it was absent before";
  Rest();
  EXPECT_EQ(Worst(), Answer::kYes);
  ages.Settle(now);
  EXPECT_EQ(entry->evidence.age, age);
}

TEST_F(ClaimAgesTest, AForgottenClaimHoldsItsTargetUntilItIsSettled) {
  Put("n", "t", "roles/two");
  ages.NoteChanged(*entry, /*fresh=*/false);
  entry = claims.FindResource("n");
  claims.Erase("m", change);
  EXPECT_NE(Worst(), Answer::kYes);
  Rest();
  ages.Settle(now);
  EXPECT_EQ(claims.FindTarget(entry->place.target)->forgotten_age, ClaimAge{});
}

TEST_F(ClaimAgesTest, TheRecordTellsUpToWhichLookAllClaimsAreSettled) {
  EXPECT_EQ(ages.Record().settled, evidence.look());
  Look();
  ages.NoteChanged(*entry, /*fresh=*/false);
  Look();
  EXPECT_EQ(ages.Record().settled, evidence.look() - 2);
}

TEST_F(ClaimAgesTest, OfTheStoreOnlyWhatIsNotSettledHasAnAge) {
  const ClaimAge stored{7, true, false, false, 0, 0};
  ages.Load(*entry, stored.Packed(), /*settled=*/7);
  EXPECT_EQ(entry->evidence.age, ClaimAge{});
  ages.Load(*entry, stored.Packed(), /*settled=*/6);
  EXPECT_EQ(entry->evidence.age, stored);
  EXPECT_GE(evidence.look(), 7) << "looks to come are later";
}

TEST_F(ClaimAgesTest, AnOperatorWaivesTheSettlingOfAManifestAndItsFormerClaims) {
  ResourceEntry former = *entry;
  former.name = "m" + std::string(kFormerClaim) + "2)";
  ResourceEntry& stored = claims.LeaveBehind(*entry, std::move(former));
  Put("other", "t", "roles/two");
  ages.WaiveSettling("m");
  EXPECT_TRUE(entry->evidence.age.urgent);
  EXPECT_TRUE(stored.evidence.age.urgent);
  EXPECT_FALSE(claims.FindResource("other")->evidence.age.urgent);
}

TEST_F(ClaimAgesTest, AnApprovalAnswersForTheClaimsOfItsRoleAlone) {
  ResourceEntry& other = Put("n", "t", "roles/two");
  evidence.question().Moved(1);
  ages.AnswerFor(At("t"), "roles/two");
  ClaimAge expected;
  evidence.question().AnswerFor(expected);
  EXPECT_GT(expected.answered, 0);
  EXPECT_EQ(other.evidence.age.answered, expected.answered);
  EXPECT_EQ(entry->evidence.age.answered, 0);
  ages.AnswerFor(At("nowhere"), "roles/two");
}

}  // namespace
}  // namespace bindery::controller
