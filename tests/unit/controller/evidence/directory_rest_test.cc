#include "controller/evidence/directory_rest.h"

#include <gtest/gtest.h>

#include "controller/clock/now.h"

namespace bindery::controller {
namespace {

using std::chrono::seconds;

/// A directory that is looked at in full every second, and rests after ten.
class DirectoryRestTest : public ::testing::Test {
 protected:
  DirectoryRestTest() {
    rest_.SetSettle(seconds(10));
    facts_.ground = manifests::Ground{};
    facts_.newest = now_.wall;
    rest_.HearTime(now_.wall, now_);
  }
  void Pass(seconds time) {
    now_.mono += time;
    now_.wall += time;
  }
  void Look() { rest_.Looked(facts_, digest_, ++look_, now_); }

  DirectoryRest rest_;
  manifests::DirectoryFacts facts_;
  std::string digest_ = "one";
  std::int32_t look_ = 0;
  Now now_{MonoTime(std::chrono::hours(1)), WallTime(std::chrono::hours(500'000))};
};

TEST_F(DirectoryRestTest, ItRestsWhenTwoLooksFindTheSameForLongEnough) {
  EXPECT_FALSE(rest_.looked());
  Look();
  EXPECT_FALSE(rest_.IsQuiet(now_));
  EXPECT_EQ(rest_.NextLook(), now_.mono + seconds(10));
  Pass(seconds(9));
  Look();
  EXPECT_FALSE(rest_.IsQuiet(now_));
  Pass(seconds(1));
  EXPECT_TRUE(rest_.IsQuiet(now_));
  digest_ = "two";
  Look();
  EXPECT_FALSE(rest_.IsQuiet(now_));
}

TEST_F(DirectoryRestTest, OldStampsServeAtTheFirstLookAtEverything) {
  facts_.newest -= seconds(10);
  facts_.ground.reset();
  Look();
  EXPECT_FALSE(rest_.IsQuiet(now_)) << "not all was looked at";
  facts_.ground = manifests::Ground{};
  Look();
  EXPECT_TRUE(rest_.IsQuiet(now_));
  rest_.Disturbed(now_);
  EXPECT_FALSE(rest_.IsQuiet(now_));
}

TEST_F(DirectoryRestTest, StampsAreOldByTheTimeOfTheServicesToo) {
  // The local clock is an hour ahead: a file of this moment has a stamp of an hour ago.
  facts_.newest = now_.wall - std::chrono::hours(1);
  const auto services = [this](seconds later) { return facts_.newest + later; };
  DirectoryRest silent;
  silent.SetSettle(seconds(10));
  silent.Looked(facts_, digest_, 1, now_);
  EXPECT_FALSE(silent.IsQuiet(now_)) << "nobody has told the time";
  DirectoryRest told;
  told.SetSettle(seconds(10));
  told.HearTime(services(seconds(9)), now_);
  told.Looked(facts_, digest_, 1, now_);
  EXPECT_FALSE(told.IsQuiet(now_));
  Pass(seconds(5));
  told.HearTime(services(seconds(14)), now_);
  EXPECT_FALSE(told.IsQuiet(now_)) << "nine seconds old at the first look";
  silent.HearTime(services(seconds(15)), now_);
  EXPECT_TRUE(silent.IsQuiet(now_)) << "ten";
}

TEST_F(DirectoryRestTest, ATimeThatIsHeardLaterMakesNoStampOld) {
  // The machine slept for an hour: the clock that counts from the first look stood still.
  facts_.newest = now_.wall - std::chrono::hours(1);
  DirectoryRest rest;
  rest.SetSettle(seconds(10));
  rest.HearTime(facts_.newest + seconds(9), now_);
  rest.Looked(facts_, digest_, 1, now_);
  EXPECT_FALSE(rest.AwaitsTime());
  rest.HearTime(facts_.newest + std::chrono::hours(1), now_);
  EXPECT_FALSE(rest.IsQuiet(now_));
}

TEST_F(DirectoryRestTest, AClockThatIsSetBackDuringTheFirstLookMakesNoStampOld) {
  facts_.newest = now_.wall - seconds(30);
  facts_.begun = now_.wall + seconds(5);
  DirectoryRest rest;
  rest.SetSettle(seconds(10));
  rest.HearTime(now_.wall, now_);
  rest.Looked(facts_, digest_, 1, now_);
  EXPECT_FALSE(rest.IsQuiet(now_));
}

TEST_F(DirectoryRestTest, WhatChangedAtTheLastLookIsNeverOld) {
  Look();
  Pass(seconds(60));
  digest_ = "two";
  Look();
  EXPECT_EQ(rest_.Judge(1, now_).answer, EvidenceAnswer::kYes) << "six times as long ago";
  EXPECT_EQ(rest_.Judge(2, now_).answer, EvidenceAnswer::kPending);
  Pass(seconds(600));
  EXPECT_EQ(rest_.Judge(2, now_).answer, EvidenceAnswer::kPending)
      << "no later look found the same";
}

TEST_F(DirectoryRestTest, RestBeginsWithTheLookThatSawTheEditBeItAtOneFile) {
  Look();
  Pass(seconds(60));
  const auto look_at_one = [this] {
    manifests::DirectoryFacts facts;
    facts.newest = now_.wall;
    rest_.Looked(facts, digest_ = "two", ++look_, now_);
  };
  look_at_one();
  EXPECT_EQ(rest_.NextLook(), now_.mono + seconds(1));
  facts_.newest = now_.wall;
  Pass(seconds(1));
  Look();
  EXPECT_EQ(rest_.NextLook(), now_.mono + seconds(9));
  Pass(seconds(9));
  Look();
  EXPECT_TRUE(rest_.IsQuiet(now_));
}

TEST_F(DirectoryRestTest, WhatChangedAndChangedBackDidNotRest) {
  for (const bool all : {true, false}) {
    Look();
    Pass(seconds(60));
    Look();
    ASSERT_TRUE(rest_.IsQuiet(now_));
    manifests::DirectoryFacts facts = facts_;
    if (!all) facts.ground.reset();
    facts.newest = facts_.newest = now_.wall;
    rest_.Looked(facts, digest_, ++look_, now_);
    EXPECT_FALSE(rest_.IsQuiet(now_)) << "found by a look at " << (all ? "everything" : "one file");
  }
}

TEST_F(DirectoryRestTest, AFailureIsToldUntilALookSucceeds) {
  Look();
  Pass(seconds(20));
  Look();
  rest_.Failed("stale file handle", now_);
  EXPECT_EQ(rest_.Judge(1, now_), (EvidenceVerdict{EvidenceAnswer::kBlocked, "stale file handle"}));
  EXPECT_FALSE(rest_.MaySettle(now_));
  Look();
  EXPECT_EQ(rest_.Judge(1, now_).answer, EvidenceAnswer::kPending);
}

/// As in a container that was stopped in the middle of a rewrite, together with who rewrites.
TEST_F(DirectoryRestTest, OfALongPauseBetweenTwoLooksOnlyTheUsualDistanceCounts) {
  rest_.SetDistance(seconds(2));
  Look();
  Pass(seconds(3600));
  Look();
  EXPECT_FALSE(rest_.IsQuiet(now_));
  EXPECT_EQ(rest_.Judge(1, now_).answer, EvidenceAnswer::kPending);
  for (int look = 0; look < 3; ++look) {
    EXPECT_EQ(rest_.NextLook(), now_.mono + seconds(2));
    Pass(seconds(2));
    Look();
    EXPECT_FALSE(rest_.IsQuiet(now_)) << look;
  }
  Pass(seconds(2));
  Look();
  EXPECT_TRUE(rest_.IsQuiet(now_));
}

TEST_F(DirectoryRestTest, StampsAreComparedWithTheBeginningOfTheLook) {
  facts_.begun = now_.wall + seconds(1);
  Pass(seconds(3600));
  Look();
  EXPECT_FALSE(rest_.IsQuiet(now_)) << "it was stopped in the middle of the look";
}

TEST_F(DirectoryRestTest, StampsThatProveNothingDoNotServe) {
  facts_.newest -= seconds(3600);
  facts_.stamps_prove = false;
  Look();
  EXPECT_FALSE(rest_.IsQuiet(now_));
}

TEST_F(DirectoryRestTest, WhatIsUrgentWaitsForGitAlone) {
  Look();
  EXPECT_EQ(rest_.JudgeUrgent(now_), EvidenceVerdict{});
  facts_.under_way = {{"a.yaml", "is open for writing"}};
  Look();
  EXPECT_EQ(rest_.JudgeUrgent(now_), EvidenceVerdict{});
  facts_.under_way.push_back({".git/index.lock", "is there", /*git=*/true});
  Look();
  EXPECT_EQ(rest_.JudgeUrgent(now_),
            (EvidenceVerdict{EvidenceAnswer::kPending, "\".git/index.lock\" is there"}));
}

TEST_F(DirectoryRestTest, WhatIsUrgentWaitsForALookThatDoesNotFail) {
  Look();
  rest_.Failed("the manifests directory cannot be read", now_);
  EXPECT_EQ(rest_.JudgeUrgent(now_),
            (EvidenceVerdict{EvidenceAnswer::kBlocked, "the manifests directory cannot be read"}));
  Look();
  EXPECT_EQ(rest_.JudgeUrgent(now_), EvidenceVerdict{});
}

TEST_F(DirectoryRestTest, WithoutSettlingNothingIsWaitedFor) {
  rest_.SetSettle(seconds(0));
  Look();
  EXPECT_TRUE(rest_.IsQuiet(now_));
  EXPECT_EQ(rest_.NextLook(), std::nullopt);
}

}  // namespace
}  // namespace bindery::controller
