#include "cloud/rate_limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace bindery::cloud {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

/// The answer's body says how many calls remain.
std::optional<RateLimitReading> ReadBody(const HttpResponse& response) {
  RateLimitReading reading;
  reading.bucket = response.Header("bucket").value_or("");
  reading.limit = 100;
  reading.remaining = std::stod(response.body);
  return reading;
}

class Scripted final : public Transport {
 public:
  Expected<HttpResponse> Send(const HttpRequest& request) override {
    if (request.url == "fail") return Fail(Code::kUnavailable, "gone");
    const int status = request.operation == "refused" ? 429 : 200;
    return HttpResponse{status, {{"bucket", request.url}}, request.body};
  }
};

TEST(RateLimits, TheLastReadingOfEachBucketIsTakenOnce) {
  auto log = std::make_shared<RateLimitLog>();
  const auto transport = NotingRateLimits(std::make_shared<Scripted>(), log, ReadBody);
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

TEST(RateLimits, AReadingTellsOfWhichApiItIsAndWhetherACallWasRefused) {
  auto log = std::make_shared<RateLimitLog>();
  const auto transport = NotingRateLimits(std::make_shared<Scripted>(), log, ReadBody);
  for (const char* operation : {"", "refused", ""}) {
    HttpRequest request;
    request.url = "search";
    request.service = "roles";
    request.operation = operation;
    request.body = "0";
    ASSERT_TRUE(transport->Send(request).has_value());
  }
  HttpRequest other;
  other.url = "search";
  other.service = "teams";
  other.body = "1";
  transport->SendAsync(std::make_shared<HttpRequest>(other), [](Expected<HttpResponse>) {});
  const auto readings = log->Take();
  ASSERT_THAT(readings, SizeIs(2));
  EXPECT_EQ(readings[0].api, "roles");
  EXPECT_TRUE(readings[0].refused) << "an answer after it does not hide it";
  EXPECT_EQ(readings[1].api, "teams");
  EXPECT_FALSE(readings[1].refused);
}

}  // namespace
}  // namespace bindery::cloud
