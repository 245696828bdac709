#include "providers/datadog/clients/rate_limit.h"

#include <gtest/gtest.h>

namespace bindery::datadog {
namespace {

cloud::HttpResponse Announcing(const std::string& bucket, const std::string& limit,
                               const std::string& period, const std::string& remaining,
                               const std::string& reset) {
  return {200,
          {{"x-ratelimit-limit", limit},
           {"x-ratelimit-name", bucket},
           {"x-ratelimit-period", period},
           {"x-ratelimit-remaining", remaining},
           {"x-ratelimit-reset", reset}},
          "{}"};
}

TEST(RateLimits, TheFiveHeadersAreOneReading) {
  const auto reading = ReadRateLimit(Announcing("policies", "100", "10", "42", "3"));
  ASSERT_TRUE(reading.has_value());
  EXPECT_EQ(reading->bucket, "policies");
  EXPECT_EQ(reading->limit, 100);
  EXPECT_EQ(reading->period, std::chrono::seconds(10));
  EXPECT_EQ(reading->remaining, 42);
  EXPECT_EQ(reading->reset, std::chrono::seconds(3));
}

TEST(RateLimits, WhatIsIncompleteOrNoNumberIsNone) {
  const cloud::HttpResponse cases[] = {
      {200, {}, "{}"},
      Announcing("b", "", "10", "1", "1"),
      Announcing("b", "x", "10", "1", "1"),
      Announcing("b", "-1", "10", "1", "1"),
      Announcing("b", "0", "10", "0", "1"),
      Announcing("b", "100", "0", "1", "1"),
      Announcing("b", "100", "10", "nan", "1"),
      Announcing("b", "100", "10", "1", "1s"),
  };
  for (const cloud::HttpResponse& response : cases)
    EXPECT_FALSE(ReadRateLimit(response).has_value());
}

TEST(RateLimits, HugeNumbersAreCut) {
  const auto reading = ReadRateLimit(Announcing("b", "100", "1e300", "1", "1e300"));
  ASSERT_TRUE(reading.has_value());
  EXPECT_EQ(reading->period, std::chrono::hours(24));
  EXPECT_EQ(reading->reset, std::chrono::hours(24));
}

}  // namespace
}  // namespace bindery::datadog
