#include "controller/calls/circuit_breaker.h"

#include <gtest/gtest.h>

#include "unit/controller/plain_values.h"

namespace bindery::controller {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::kStart;

Error Failure(Code code) {
  Error error;
  error.code = code;
  error.message = "no answer";
  return error;
}

const Error kNoAnswer = Failure(Code::kUnavailable);

/// Five targets fail: the host is away.
CircuitBreaker OpenBreaker() {
  CircuitBreaker breaker;
  for (const char* target : {"a", "b", "c", "d", "e"}) breaker.Ended(target, &kNoAnswer, kStart);
  return breaker;
}

TEST(CircuitBreaker, OpensWhenSeveralTargetsInARowGetNoAnswer) {
  CircuitBreaker breaker;
  for (const char* target : {"a", "b", "c", "d"}) {
    EXPECT_FALSE(breaker.Ended(target, &kNoAnswer, kStart));
    EXPECT_TRUE(breaker.TryPass(false, kStart));
  }
  EXPECT_TRUE(breaker.Ended("e", &kNoAnswer, kStart));
  EXPECT_TRUE(breaker.open());
  EXPECT_FALSE(breaker.TryPass(true, kStart));
  EXPECT_EQ(breaker.last_error(), "no answer");
}

TEST(CircuitBreaker, OneTargetsTroubleNeverOpensIt) {
  CircuitBreaker breaker;
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(breaker.Ended("sick", &kNoAnswer, kStart));
  EXPECT_TRUE(breaker.TryPass(false, kStart));
}

TEST(CircuitBreaker, AnAnswerOfAnyKindShowsThatTheHostIsThere) {
  for (const Code code : {Code::kNotFound, Code::kPermissionDenied, Code::kAborted,
                          Code::kResourceExhausted, Code::kUnauthenticated, Code::kInternal}) {
    CircuitBreaker breaker;
    const Error refusal = Failure(code);
    for (const char* target : {"a", "b", "c", "d"}) breaker.Ended(target, &kNoAnswer, kStart);
    breaker.Ended("x", &refusal, kStart);
    EXPECT_FALSE(breaker.Ended("e", &kNoAnswer, kStart)) << ToString(code);
  }
}

TEST(CircuitBreaker, OneCallAtATimeTriesWhetherTheHostIsBack) {
  CircuitBreaker breaker = OpenBreaker();
  EXPECT_EQ(breaker.NextTry(false, kStart), kStart + seconds(1));
  const MonoTime later = kStart + seconds(1);
  EXPECT_TRUE(breaker.TryPass(false, later));
  EXPECT_FALSE(breaker.TryPass(false, later));
  EXPECT_TRUE(breaker.Ended("a", nullptr, later));
  EXPECT_FALSE(breaker.open());
  EXPECT_EQ(breaker.trips(), 0);
  EXPECT_TRUE(breaker.TryPass(false, later));
}

TEST(CircuitBreaker, TriesBecomeRarerButNotForPeopleWhoWait) {
  CircuitBreaker breaker = OpenBreaker();
  MonoTime now = kStart;
  for (const int pause : {1, 2, 4, 8, 16, 30, 30}) {
    EXPECT_EQ(breaker.NextTry(false, now), now + seconds(pause));
    EXPECT_EQ(breaker.NextTry(true, now), now + seconds(1));
    EXPECT_FALSE(breaker.TryPass(false, now + seconds(pause) - milliseconds(1)));
    now += seconds(pause);
    ASSERT_TRUE(breaker.TryPass(false, now));
    EXPECT_FALSE(breaker.Ended("a", &kNoAnswer, now));
  }
  EXPECT_EQ(breaker.trips(), 8);
}

TEST(CircuitBreaker, ACancelledTryLeavesRoomForTheNext) {
  CircuitBreaker breaker = OpenBreaker();
  const Error cancelled = Failure(Code::kCancelled);
  const MonoTime later = kStart + seconds(1);
  ASSERT_TRUE(breaker.TryPass(false, later));
  EXPECT_FALSE(breaker.Ended("a", &cancelled, later));
  EXPECT_TRUE(breaker.TryPass(false, later));
}

}  // namespace
}  // namespace bindery::controller
