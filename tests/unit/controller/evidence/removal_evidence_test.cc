#include "controller/evidence/removal_evidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace bindery::controller {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;

class EvidenceTest : public ::testing::Test {
 protected:
  EvidenceTest() {
    evidence_.rest().SetSettle(seconds(10));
    evidence_.rest().HearTime(now_.wall, now_);
    ground_.directory = "/etc/manifests";
    ground_.real_path = "/etc/manifests";
    ground_.device = 1;
    ground_.inode = 2;
    ground_.mount = 3;
    facts_.ground = ground_;
    Touch();
  }

  /// Something in the directory changes now.
  void Touch() {
    facts_.newest = now_.wall;
    digest_ += "x";
  }
  void Look() { evidence_.Looked(facts_, digest_, now_); }
  void Wait(std::chrono::milliseconds time) {
    now_.mono += time;
    now_.wall += time;
  }
  /// A claim whose declaration changed, or went, at the last look.
  [[nodiscard]] ClaimAge Changed() const { return {evidence_.look(), false, false, false}; }
  [[nodiscard]] EvidenceAnswer Judge(const ClaimAge& age) const {
    return evidence_.Judge(age, now_).answer;
  }
  [[nodiscard]] std::string Why(const ClaimAge& age) const {
    return evidence_.Judge(age, now_).why;
  }
  void AddUnread(const std::string& path, const std::string& fingerprint = "bytes") {
    facts_.unread.push_back({path, "holds errors", fingerprint, false});
  }
  /// A look long after which everything of before is settled.
  void SettleFirst() {
    Look();
    Wait(seconds(60));
    Look();
    Look();
    ASSERT_EQ(Judge({1, true, false, false}), EvidenceAnswer::kYes);
  }

  RemovalEvidence evidence_;
  manifests::Ground ground_;
  manifests::DirectoryFacts facts_;
  std::string digest_;
  Now now_{MonoTime(std::chrono::hours(1)), WallTime(std::chrono::hours(500'000))};
};

TEST_F(EvidenceTest, NothingIsRemovedBeforeTheDirectoryWasRead) {
  EXPECT_EQ(Judge({}), EvidenceAnswer::kPending);
}

TEST_F(EvidenceTest, ADirectoryThatHasNotChangedForLongIsSettledAtTheFirstLook) {
  Wait(seconds(10));
  Look();
  EXPECT_EQ(Judge(Changed()), EvidenceAnswer::kYes);
}

TEST_F(EvidenceTest, AFreshDirectoryIsSettledWhenASecondLookFindsTheSame) {
  Look();
  const ClaimAge claim = Changed();
  EXPECT_EQ(Judge(claim), EvidenceAnswer::kPending);
  EXPECT_THAT(Why(claim), HasSubstr("10s"));
  Wait(seconds(10));
  EXPECT_EQ(Judge(claim), EvidenceAnswer::kPending) << "one look says it";
  Look();
  EXPECT_EQ(Judge(claim), EvidenceAnswer::kYes);
}

TEST_F(EvidenceTest, StampsFromTheFutureProveNothing) {
  facts_.newest = now_.wall + std::chrono::hours(1);
  Look();
  EXPECT_EQ(Judge(Changed()), EvidenceAnswer::kPending);
}

TEST_F(EvidenceTest, OfARunTheFirstLookAloneMayRelyOnStamps) {
  SettleFirst();
  // A link leads to a tree that has been as it is for long, or the services' disk has a late clock.
  digest_ += "gone";
  Look();
  const ClaimAge claim = Changed();
  EXPECT_EQ(Judge(claim), EvidenceAnswer::kPending);
  Look();
  EXPECT_EQ(Judge(claim), EvidenceAnswer::kPending);
  Wait(seconds(10));
  Look();
  EXPECT_EQ(Judge(claim), EvidenceAnswer::kYes);
}

TEST_F(EvidenceTest, AClockThatIsSetForwardMakesNoStampOld) {
  SettleFirst();
  Touch();
  now_.wall += std::chrono::hours(1);
  Look();
  const ClaimAge claim = Changed();
  Look();
  EXPECT_EQ(Judge(claim), EvidenceAnswer::kPending);
  Wait(seconds(10));
  Look();
  EXPECT_EQ(Judge(claim), EvidenceAnswer::kYes);
}

TEST_F(EvidenceTest, EveryChangeBeginsTheWaitingAnew) {
  SettleFirst();
  Touch();
  Look();
  const ClaimAge claim = Changed();
  for (int i = 0; i < 5; ++i) {
    Wait(seconds(9));
    Touch();
    Look();
    EXPECT_EQ(Judge(claim), EvidenceAnswer::kPending) << i;
  }
  Wait(seconds(10));
  Look();
  EXPECT_EQ(Judge(claim), EvidenceAnswer::kYes);
}

TEST_F(EvidenceTest, InADirectoryThatNeverRestsAClaimIsSettledAfterSixTimesAsLong) {
  SettleFirst();
  Touch();
  Look();
  const ClaimAge claim = Changed();
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(Judge(claim), EvidenceAnswer::kPending) << i;
    Wait(seconds(10));
    Touch();
    Look();
  }
  EXPECT_EQ(Judge(claim), EvidenceAnswer::kYes);
  EXPECT_EQ(Judge(Changed()), EvidenceAnswer::kPending) << "what changed just now is not";
}

TEST_F(EvidenceTest, WhileAFileIsWrittenNothingSettles) {
  SettleFirst();
  Touch();
  facts_.under_way = {{"a.yaml", "is open for writing"}};
  Look();
  const ClaimAge claim = Changed();
  for (int i = 0; i < 5; ++i) {
    Wait(seconds(11));
    Look();
    EXPECT_EQ(Judge(claim), EvidenceAnswer::kPending) << i;
    EXPECT_EQ(Why(claim), "\"a.yaml\" is open for writing");
  }
  Wait(seconds(11));
  Look();
  EXPECT_EQ(Judge(claim), EvidenceAnswer::kBlocked) << "somebody has to look after it";
  facts_.under_way.clear();
  Look();
  EXPECT_EQ(Judge(claim), EvidenceAnswer::kPending) << "closed, but only just";
  Wait(seconds(10));
  Look();
  EXPECT_EQ(Judge(claim), EvidenceAnswer::kYes);
}

TEST_F(EvidenceTest, AFailedLookBeginsTheWaitingAnew) {
  SettleFirst();
  Touch();
  Look();
  const ClaimAge claim = Changed();
  Wait(seconds(20));
  evidence_.rest().Failed("stale file handle", now_);
  EXPECT_EQ(Why(claim), "stale file handle");
  Look();
  EXPECT_EQ(Judge(claim), EvidenceAnswer::kPending);
  Wait(seconds(10));
  Look();
  EXPECT_EQ(Judge(claim), EvidenceAnswer::kYes);
}

TEST_F(EvidenceTest, WhatBecomesUnreadWithAChangeBlocksIt) {
  SettleFirst();
  Touch();
  AddUnread("b.yaml");
  Look();
  const ClaimAge claim = Changed();
  EXPECT_EQ(Judge(claim), EvidenceAnswer::kBlocked);
  EXPECT_THAT(Why(claim), HasSubstr("\"b.yaml\" holds errors"));
  Wait(seconds(600));
  Look();
  EXPECT_EQ(Judge(claim), EvidenceAnswer::kBlocked) << "for as long as it is so";
  facts_.unread.clear();
  Touch();
  Look();
  Wait(seconds(10));
  Look();
  EXPECT_EQ(Judge(claim), EvidenceAnswer::kYes);
}

TEST_F(EvidenceTest, WhatWasUnreadBeforeWithTheSameBytesBlocksNothing) {
  AddUnread("b.yaml");
  Look();
  Touch();
  Look();
  const ClaimAge claim = Changed();
  Wait(seconds(10));
  Look();
  EXPECT_EQ(Judge(claim), EvidenceAnswer::kYes);
  facts_.unread.front().fingerprint = "other bytes";
  Look();
  EXPECT_EQ(Judge(claim), EvidenceAnswer::kBlocked) << "what it holds now, nobody knows";
}

TEST_F(EvidenceTest, WhateverIsUnreadMayHoldTheOtherHalfOfWhatNobodyKnew) {
  AddUnread("b.yaml");
  Look();
  Touch();
  Look();
  Wait(seconds(10));
  Look();
  EXPECT_EQ(Judge({2, /*fresh=*/true, false, false}), EvidenceAnswer::kBlocked);
  facts_.unread.front().ignored = true;
  Look();
  EXPECT_EQ(Judge({2, /*fresh=*/true, false, false}), EvidenceAnswer::kYes)
      << "no manifest by its name";
}

TEST_F(EvidenceTest, AnOperatorMayWaiveTheSettlingButNotTheRest) {
  SettleFirst();
  Touch();
  Look();
  ClaimAge claim = Changed();
  claim.urgent = true;
  EXPECT_EQ(Judge(claim), EvidenceAnswer::kYes);
  AddUnread("b.yaml");
  Look();
  EXPECT_EQ(Judge(claim), EvidenceAnswer::kBlocked);
}

struct GroundCase {
  const char* name;
  void (*change)(manifests::Ground& ground);
  const char* asks;  ///< Part of the question; empty: the ground is the same.
};

class GroundTest : public EvidenceTest, public ::testing::WithParamInterface<GroundCase> {};

TEST_P(GroundTest, OfOneRunIsComparedByVolumeAndIdentity) {
  SettleFirst();
  GetParam().change(*facts_.ground);
  Touch();
  Look();
  const ClaimAge claim = Changed();
  Wait(seconds(10));
  Look();
  const std::string asks = GetParam().asks;
  EXPECT_EQ(Judge(claim), asks.empty() ? EvidenceAnswer::kYes : EvidenceAnswer::kAsk);
  EXPECT_THAT(evidence_.question().text(), HasSubstr(asks));
  if (asks.empty()) return;
  const manifests::Ground changed = *facts_.ground;
  facts_.ground = ground_;
  Look();
  EXPECT_THAT(evidence_.question().text(), HasSubstr("another one for a while")) << "it is back";
  facts_.ground = changed;
  Look();
  ClaimAge approved = claim;
  evidence_.question().AnswerFor(approved);
  EXPECT_EQ(Judge(claim), EvidenceAnswer::kAsk) << "nobody was shown this one";
  EXPECT_NE(Judge(approved), EvidenceAnswer::kAsk);
  evidence_.question().Close();
  Look();
  EXPECT_EQ(evidence_.question().text(), "") << "nothing is asked any more";
}

INSTANTIATE_TEST_SUITE_P(
    Evidence, GroundTest,
    ::testing::Values(GroundCase{"Same", [](manifests::Ground& /*ground*/) {}, ""},
                      GroundCase{"AnotherDirectory",
                                 [](manifests::Ground& ground) { ground.inode = 9; }, "replaced"},
                      GroundCase{"AnotherVolume",
                                 [](manifests::Ground& ground) { ground.device = 9; },
                                 "another volume"},
                      GroundCase{"Unmounted",
                                 [](manifests::Ground& ground) { ground.inode = ground.mount = 9; },
                                 "another volume"},
                      GroundCase{"MountedBelow",
                                 [](manifests::Ground& ground) {
                                   ground.mounts.push_back({"team", 7, 7});
                                 },
                                 "mounted on \"team\""}),
    [](const auto& param) { return std::string(param.param.name); });

TEST_F(EvidenceTest, ALinkMayMoveOnOneVolume) {
  facts_.ground->linked = true;
  SettleFirst();
  facts_.ground->inode = 9;
  facts_.ground->real_path = "/etc/worktrees/2";
  Touch();
  Look();
  EXPECT_EQ(evidence_.question().text(), "");
}

TEST_F(EvidenceTest, AVolumeBelowThatIsGoneIsAskedAbout) {
  facts_.ground->mounts = {{"team", 7, 7}};
  SettleFirst();
  facts_.ground->mounts = {};
  Touch();
  Look();
  EXPECT_THAT(evidence_.question().text(), HasSubstr("\"team\" was a mounted volume"));
}

TEST_F(EvidenceTest, ALaterRunComparesWithWhatIsOnRecord) {
  facts_.ground->mounts = {{"team", 7, 7}};
  SettleFirst();
  const store::EvidenceRecord record = evidence_.Record();
  const auto starts = [&](const manifests::Ground& ground) {
    RemovalEvidence next;
    next.rest().SetSettle(seconds(10));
    next.Load(record);
    manifests::DirectoryFacts facts = facts_;
    facts.ground = ground;
    next.Looked(facts, digest_, now_);
    return next.question().text();
  };
  manifests::Ground ground = *facts_.ground;
  EXPECT_EQ(starts(ground), "");
  ground.device = 77;  // As after a restart of the machine.
  ground.mounts = {{"team", 78, 7}};
  EXPECT_EQ(starts(ground), "");
  ground.mounts = {};
  EXPECT_THAT(starts(ground), HasSubstr("\"team\""));
  ground = *facts_.ground;
  ground.mount_point = true;
  ground.inode = 99;
  EXPECT_THAT(starts(ground), HasSubstr("mounted volume"));
  ground = *facts_.ground;
  ground.directory = "/srv/others";
  ground.inode = 99;
  EXPECT_THAT(starts(ground), HasSubstr("\"/etc/manifests\""));
}

TEST_F(EvidenceTest, WhatAnEarlierRunKnewToBeUnreadIsStillOld) {
  AddUnread("b.yaml");
  Look();
  RemovalEvidence next;
  next.rest().SetSettle(seconds(10));
  next.Load(evidence_.Record());
  Wait(seconds(10));
  next.rest().HearTime(now_.wall, now_);
  next.Looked(facts_, digest_, now_);
  EXPECT_EQ(next.Judge({next.look(), false, true, false}, now_).answer, EvidenceAnswer::kYes);
  AddUnread("c.yaml");
  next.Looked(facts_, digest_, now_);
  EXPECT_EQ(next.Judge({next.look(), false, true, false}, now_).answer, EvidenceAnswer::kBlocked);
}

TEST_F(EvidenceTest, MostOfAllMissingAtTheFirstLookIsAskedAbout) {
  Wait(seconds(10));
  Look();
  evidence_.question().Missed(1, 3);
  EXPECT_EQ(evidence_.question().text(), "");
  evidence_.question().Missed(2, 3);
  EXPECT_THAT(evidence_.question().text(), HasSubstr("2 of the 3 manifests"));
  EXPECT_EQ(Judge(Changed()), EvidenceAnswer::kAsk);
}

TEST_F(EvidenceTest, LaterTheGuardJudgesHowMuchIsMissing) {
  SettleFirst();
  Touch();
  Look();
  evidence_.question().Missed(3, 3);
  EXPECT_EQ(evidence_.question().text(), "");
}

TEST_F(EvidenceTest, WithoutSettlingOnlyCompletenessAndGroundCount) {
  evidence_.rest().SetSettle(seconds(0));
  Look();
  EXPECT_EQ(Judge(Changed()), EvidenceAnswer::kYes);
  AddUnread("b.yaml");
  Look();
  EXPECT_EQ(Judge(Changed()), EvidenceAnswer::kBlocked);
}

}  // namespace
}  // namespace bindery::controller
