#include "controller/evidence/evidence_question.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bindery::controller {
namespace {

using ::testing::HasSubstr;

manifests::Ground GroundAt(std::uint64_t inode) {
  manifests::Ground ground;
  ground.directory = "/etc/manifests";
  ground.device = 1;
  ground.inode = inode;
  return ground;
}

TEST(EvidenceQuestion, AnAnswerHoldsForItsClaimAndTheOpenQuestion) {
  EvidenceQuestion question;
  question.Moved(2);
  ClaimAge answered;
  question.AnswerFor(answered);
  EXPECT_FALSE(question.Asks(answered));
  EXPECT_TRUE(question.Asks({}));
  question.Close();
  EXPECT_FALSE(question.Asks({}));
  question.Moved(1);
  EXPECT_TRUE(question.Asks(answered)) << "nobody was shown this one";
}

TEST(EvidenceQuestion, WhileOneIsOpenNoOtherIsAsked) {
  EvidenceQuestion question;
  question.Looked(GroundAt(2));
  question.Moved(1);
  const std::string asked = question.text();
  question.Missed(3, 3);
  EXPECT_EQ(question.text(), asked);
  question.Looked(GroundAt(9));
  EXPECT_EQ(question.text(), asked) << "the ground is compared with the former one until it closes";
  question.Close();
  question.Looked(GroundAt(9));
  EXPECT_FALSE(question.open());
}

TEST(EvidenceQuestion, WhatTheGroundAsksIsOnRecordAsTheFormerGround) {
  EvidenceQuestion question;
  question.Looked(GroundAt(2));
  EXPECT_TRUE(question.TakeNews());
  const std::string former = question.RecordedGround();
  question.Looked(GroundAt(9));
  EXPECT_TRUE(question.open());
  EXPECT_TRUE(question.TakeNews());
  EXPECT_EQ(question.RecordedGround(), former);
  EXPECT_EQ(question.RecordedQuestion(), "");
  question.Looked(GroundAt(2));
  EXPECT_THAT(question.RecordedQuestion(), HasSubstr("another one for a while"))
      << "the ground cannot tell it any more";
  question.Close();
  EXPECT_EQ(question.RecordedQuestion(), "");
}

TEST(EvidenceQuestion, ALookAtAPartTellsNothingOfTheGround) {
  EvidenceQuestion question;
  question.Looked(std::nullopt);
  question.Missed(3, 3);
  EXPECT_FALSE(question.open());
  question.Looked(GroundAt(2));
  question.Missed(3, 3);
  EXPECT_TRUE(question.open()) << "the first look at everything of a run";
}

}  // namespace
}  // namespace bindery::controller
