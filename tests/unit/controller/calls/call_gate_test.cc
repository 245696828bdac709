#include "controller/calls/call_gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "unit/controller/plain_values.h"

namespace bindery::controller {
namespace {

using testing::kStart;
using ::testing::SizeIs;
using namespace std::chrono_literals;

constexpr const char* kOneHost = "https://api.datadoghq.com";

QuotaKey Lane(const std::string& host, const std::string& api = "") { return {"p", "", host, api}; }
QuotaKey OnOneHost(const std::string& api) { return Lane(kOneHost, api); }

cloud::RateLimitReading Told(const std::string& api, const std::string& bucket,
                             bool refused = false) {
  cloud::RateLimitReading reading;
  reading.api = api;
  reading.bucket = bucket;
  reading.limit = 100;
  reading.period = 60s;
  reading.remaining = refused ? 0 : 99;
  reading.reset = 30s;
  reading.refused = refused;
  return reading;
}

class CallGateTest : public ::testing::Test {
 protected:
  /// A call that is answered, with what the answer tells of limits.
  void Answered(const QuotaKey& lane, const std::vector<cloud::RateLimitReading>& told = {}) {
    gate.Release(lane, "", nullptr, told, now);
  }
  void Refused(const QuotaKey& lane, const std::vector<cloud::RateLimitReading>& told = {}) {
    Error error{Code::kResourceExhausted, "slow down"};
    error.retry_after = 30s;
    gate.Release(lane, "t", &error, told, now);
  }
  bool Goes(const QuotaKey& lane) {
    gate.BeginRound();
    return gate.Acquire(lane, /*urgent=*/true, now).go;
  }

  CallGate gate;
  MonoTime now = kStart;
};

TEST_F(CallGateTest, ARefusalPausesItsHostForAsLongAsTheServiceAsksAndNoOtherHost) {
  Refused(Lane("https://pubsub.googleapis.com"));
  EXPECT_FALSE(Goes(Lane("https://pubsub.googleapis.com")));
  EXPECT_TRUE(Goes(Lane("https://storage.googleapis.com")));
  now += 30s;
  EXPECT_TRUE(Goes(Lane("https://pubsub.googleapis.com")));
}

TEST_F(CallGateTest, ProjectsAreCountedApart) {
  QuotaKey acme = Lane("https://pubsub.googleapis.com");
  QuotaKey other = acme;
  acme.quota_project = "acme";
  other.quota_project = "other";
  Refused(acme);
  EXPECT_FALSE(Goes(acme));
  EXPECT_TRUE(Goes(other));
}

TEST_F(CallGateTest, ANamedBucketPausesTheApisThatAreCountedThere) {
  Answered(OnOneHost("roles"), {Told("roles", "search")});
  Answered(OnOneHost("teams"), {Told("teams", "search")});
  Answered(OnOneHost("restrictionPolicy"), {Told("restrictionPolicy", "policies")});
  Refused(OnOneHost("roles"), {Told("roles", "search", /*refused=*/true)});
  EXPECT_FALSE(Goes(OnOneHost("roles")));
  EXPECT_FALSE(Goes(OnOneHost("teams"))) << "it is counted in the same bucket";
  EXPECT_TRUE(Goes(OnOneHost("restrictionPolicy")));
  EXPECT_TRUE(Goes(OnOneHost("dataset"))) << "nobody knows how it is counted";
  now += 31s;
  EXPECT_TRUE(Goes(OnOneHost("roles")));
  EXPECT_TRUE(Goes(OnOneHost("teams")));
}

TEST_F(CallGateTest, WhatAnotherCallHeardOfTheBucketFirstIsTheSame) {
  Answered(OnOneHost("teams"), {Told("roles", "search", /*refused=*/true)});
  Refused(OnOneHost("roles"));
  EXPECT_FALSE(Goes(OnOneHost("roles")));
  EXPECT_TRUE(Goes(OnOneHost("teams")));
}

TEST_F(CallGateTest, ARefusalThatNamesNoBucketPausesTheHost) {
  Answered(OnOneHost("roles"), {Told("roles", "search")});
  Refused(OnOneHost("roles"));
  EXPECT_FALSE(Goes(OnOneHost("roles")));
  EXPECT_FALSE(Goes(OnOneHost("restrictionPolicy")));
  EXPECT_TRUE(Goes(Lane("https://api.datadoghq.eu")));
}

TEST_F(CallGateTest, AServiceWithANewNameForEachAnswerNamesNone) {
  for (int i = 0; i < 100; ++i) {
    Answered(OnOneHost("roles"), {Told("roles", "bucket " + std::to_string(i))});
  }
  Refused(OnOneHost("roles"), {Told("roles", "bucket 100", /*refused=*/true)});
  EXPECT_FALSE(Goes(OnOneHost("restrictionPolicy"))) << "the host is what is known of it";
}

TEST_F(CallGateTest, WhatTheConfigurationAllowsIsForAllHostsTogether) {
  gate.SetLimits({{"p", {.rate = 1, .burst = 1}}});
  EXPECT_TRUE(Goes(Lane("https://pubsub.googleapis.com")));
  EXPECT_FALSE(Goes(Lane("https://storage.googleapis.com")));
  EXPECT_EQ(gate.Rate(Lane("https://storage.googleapis.com"), now), 1);
}

TEST_F(CallGateTest, TheMetricsTellTheCounterThatAllowsLeast) {
  Answered(Lane("https://storage.googleapis.com"));
  Refused(Lane("https://pubsub.googleapis.com"));
  const auto budgets = gate.Budgets(now);
  ASSERT_THAT(budgets, SizeIs(1));
  EXPECT_EQ(budgets[0].provider, "p");
  EXPECT_EQ(budgets[0].paused, MonoTime::duration(30s));
  EXPECT_EQ(budgets[0].headroom, 0);
  EXPECT_EQ(budgets[0].refusals, 1U);
  EXPECT_EQ(gate.ConsecutiveFailures(Lane("https://pubsub.googleapis.com")), 1);
  EXPECT_EQ(gate.ConsecutiveFailures(Lane("https://storage.googleapis.com")), 0);
}

}  // namespace
}  // namespace bindery::controller
