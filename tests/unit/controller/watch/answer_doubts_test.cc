#include "controller/watch/answer_doubts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bindery::controller {
namespace {

using namespace std::chrono_literals;

class AnswerDoubtsTest : public ::testing::Test {
 protected:
  AnswerDoubtsTest() {
    doubts.SetPatience(10s, 24h);
    target.target = TargetKey(Target{"K", "", "t"});
    target.reading.observed = true;
    target.reading.grants = 4;
  }
  /// An answer with that many grants, whose policy is called so.
  static CheckResult Answer(std::size_t grants, const std::string& digest) {
    CheckResult result;
    result.observed = reconcilers::Observation{};
    result.observed->grants.resize(grants);
    result.policy.digest = digest;
    return result;
  }
  bool Doubts(const CheckResult& result, bool contradicts_etag = false) {
    return doubts.Weigh(target, result, contradicts_etag, now).has_value();
  }
  void Pass(std::chrono::milliseconds time) {
    now.mono += time;
    now.wall += time;
  }

  AnswerDoubts doubts;
  TargetEntry target;
  Now now{MonoTime(1h), WallTime(std::chrono::hours(500'000))};
};

TEST_F(AnswerDoubtsTest, AnAnswerWithHalfOfTheGrantsIsBelieved) {
  EXPECT_FALSE(Doubts(Answer(2, "half")));
}

TEST_F(AnswerDoubtsTest, LessThanHalfIsBelievedOnceItWasAnsweredForLongEnough) {
  const auto first = doubts.Weigh(target, Answer(1, "less"), false, now);
  ASSERT_TRUE(first);
  EXPECT_TRUE(first->first);
  EXPECT_EQ(first->error.code, Code::kAborted);
  EXPECT_EQ(first->read_again, 2500ms);
  Pass(9999ms);
  const auto second = doubts.Weigh(target, Answer(1, "less"), false, now);
  ASSERT_TRUE(second);
  EXPECT_FALSE(second->first);
  Pass(1ms);
  EXPECT_FALSE(Doubts(Answer(1, "less")));
}

TEST_F(AnswerDoubtsTest, WhatItsOwnEtagContradictsIsBelievedOnceItWasAnsweredForLongEnough) {
  const auto first = doubts.Weigh(target, Answer(4, "another"), true, now);
  ASSERT_TRUE(first);
  EXPECT_THAT(first->error.message, ::testing::HasSubstr("as another one under the same etag"));
  Pass(10s);
  EXPECT_FALSE(Doubts(Answer(4, "another"), true));
}

TEST_F(AnswerDoubtsTest, AnotherAnswerStartsAnew) {
  EXPECT_TRUE(Doubts(Answer(1, "less")));
  Pass(9s);
  EXPECT_TRUE(Doubts(Answer(0, "nothing")));
  Pass(9s);
  EXPECT_TRUE(Doubts(Answer(0, "nothing")));
  EXPECT_FALSE(Doubts(Answer(4, "all")));
  EXPECT_TRUE(Doubts(Answer(0, "nothing"))) << "the full answer ended the doubt";
}

TEST_F(AnswerDoubtsTest, WhatOurOwnWriteAskedForIsNoSurprise) {
  store::IntentRecord intent;
  intent.digest_desired = "ours";
  target.unresolved = std::make_shared<const store::IntentRecord>(intent);
  CheckResult result = Answer(0, "nothing");
  result.grants_digest = "ours";
  EXPECT_FALSE(Doubts(result));
}

TEST_F(AnswerDoubtsTest, ATargetIsAbsentForGoodAfterThreeReadingsAndADay) {
  EXPECT_FALSE(doubts.IsAbsentForGood(target, now));
  Pass(24h);
  EXPECT_FALSE(doubts.IsAbsentForGood(target, now)) << "two readings";
  EXPECT_TRUE(doubts.IsAbsentForGood(target, now));
}

TEST_F(AnswerDoubtsTest, OnlyWhatSaysSomethingOfTheTargetEndsAnAbsence) {
  const struct {
    Code code;
    bool ends;
  } cases[] = {{Code::kNotFound, false},         {Code::kUnavailable, false},
               {Code::kDeadlineExceeded, false}, {Code::kResourceExhausted, false},
               {Code::kUnauthenticated, false},  {Code::kCancelled, false},
               {Code::kPermissionDenied, true},  {Code::kInvalidArgument, true}};
  for (const auto& test : cases) {
    doubts.ForgetAbsence(target.target);
    EXPECT_FALSE(doubts.IsAbsentForGood(target, now));
    EXPECT_FALSE(doubts.IsAbsentForGood(target, now));
    Pass(24h);
    const Error error{test.code, "as told"};
    doubts.NoteAnswer(target.target, &error);
    EXPECT_NE(doubts.IsAbsentForGood(target, now), test.ends) << ToString(test.code);
  }
}

Error RefusedWith(Code code, const std::string& message, bool asks_to_wait = true) {
  Error error{code, message};
  if (asks_to_wait) error.retry_after = 15s;
  return error;
}

TEST_F(AnswerDoubtsTest, ARefusalThatMayPassIsTriedAgainForTenMinutes) {
  const TargetKey& key = target.target;
  for (const Code code : {Code::kInvalidArgument, Code::kFailedPrecondition}) {
    const Error refusal = RefusedWith(code, "Service account a does not exist.");
    const Error first = doubts.Tempered(key, refusal, now);
    EXPECT_EQ(first.code, Code::kUnavailable);
    EXPECT_EQ(
        first.message,
        "Service account a does not exist.; services learn of a new account or project within "
        "minutes: bindery tries again, and takes the refusal as final after 10m");
    EXPECT_EQ(first.retry_after, 15s);
    Pass(10min - 1ms);
    EXPECT_EQ(doubts.Tempered(key, refusal, now).code, Code::kUnavailable);
    Pass(1ms);
    EXPECT_EQ(doubts.Tempered(key, refusal, now).code, code);
    EXPECT_EQ(doubts.Tempered(key, refusal, now).message, refusal.message);
    doubts.ForgetRefusal(key);
  }
}

TEST_F(AnswerDoubtsTest, AnotherRefusalHasTenMinutesOfItsOwn) {
  const Error first = RefusedWith(Code::kInvalidArgument, "Service account a does not exist.");
  const Error second = RefusedWith(Code::kInvalidArgument, "Service account b does not exist.");
  EXPECT_EQ(doubts.Tempered(target.target, first, now).code, Code::kUnavailable);
  Pass(10min);
  EXPECT_EQ(doubts.Tempered(target.target, second, now).code, Code::kUnavailable);
  Pass(10min);
  EXPECT_EQ(doubts.Tempered(target.target, second, now).code, Code::kInvalidArgument);
}

TEST_F(AnswerDoubtsTest, OtherFailuresAreWhatTheyAre) {
  const Error cases[] = {
      RefusedWith(Code::kInvalidArgument, "no such role", /*asks_to_wait=*/false),
      RefusedWith(Code::kPermissionDenied, "denied"), RefusedWith(Code::kNotFound, "gone"),
      RefusedWith(Code::kResourceExhausted, "quota")};
  for (const Error& failure : cases) {
    const Error error = doubts.Tempered(target.target, failure, now);
    EXPECT_EQ(error.code, failure.code);
    EXPECT_EQ(error.message, failure.message);
  }
}

}  // namespace
}  // namespace bindery::controller
