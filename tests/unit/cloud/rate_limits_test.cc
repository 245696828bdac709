#include "cloud/rate_limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bindery {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

HttpResponse Announcing(const std::string& bucket, const std::string& limit,
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
  const HttpResponse cases[] = {
      {200, {}, "{}"},
      Announcing("b", "", "10", "1", "1"),
      Announcing("b", "x", "10", "1", "1"),
      Announcing("b", "-1", "10", "1", "1"),
      Announcing("b", "0", "10", "0", "1"),
      Announcing("b", "100", "0", "1", "1"),
      Announcing("b", "100", "10", "nan", "1"),
      Announcing("b", "100", "10", "1", "1s"),
  };
  for (const HttpResponse& response : cases) EXPECT_FALSE(ReadRateLimit(response).has_value());
}

TEST(RateLimits, HugeNumbersAreCut) {
  const auto reading = ReadRateLimit(Announcing("b", "100", "1e300", "1", "1e300"));
  ASSERT_TRUE(reading.has_value());
  EXPECT_EQ(reading->period, std::chrono::hours(24));
  EXPECT_EQ(reading->reset, std::chrono::hours(24));
}

class Scripted final : public Transport {
 public:
  Expected<HttpResponse> Send(const HttpRequest& request) override {
    if (request.url == "fail") return Fail(Code::kUnavailable, "gone");
    return Announcing(request.url, "100", "10", request.body, "3");
  }
};

TEST(RateLimits, TheLastReadingOfEachBucketIsTakenOnce) {
  auto log = std::make_shared<RateLimitLog>();
  const auto transport = NotingRateLimits(std::make_shared<Scripted>(), log);
  for (const char* remaining : {"9", "8"}) {
    HttpRequest request;
    request.url = "reads";
    request.body = remaining;
    EXPECT_EQ(transport->Send(request)->status, 200);
  }
  HttpRequest other;
  other.url = "writes";
  other.body = "5";
  EXPECT_EQ(transport->Send(other)->status, 200);
  other.url = "fail";
  EXPECT_EQ(transport->Send(other).error().code, Code::kUnavailable);
  const auto readings = log->Take();
  ASSERT_THAT(readings, SizeIs(2));
  EXPECT_EQ(readings[0].bucket, "reads");
  EXPECT_EQ(readings[0].remaining, 8);
  EXPECT_EQ(readings[1].bucket, "writes");
  EXPECT_THAT(log->Take(), IsEmpty());

  other.url = "async";
  int answered = 0;
  transport->SendAsync(std::make_shared<HttpRequest>(other), [&](Expected<HttpResponse> response) {
    answered = response->status;
    EXPECT_THAT(log->Take(), SizeIs(1)) << "noted before it is told";
  });
  EXPECT_EQ(answered, 200);
}

}  // namespace
}  // namespace bindery
