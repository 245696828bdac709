#include "emulator/rate_limit.h"

#include "emulator_fixture.h"

namespace bindery::emulator {
namespace {

using namespace std::chrono_literals;
using testing::HttpResult;

class StandingLimitTest : public EmulatorTest {
 protected:
  void SetUp() override {
    RunAfresh(std::string(kSeed) + R"(
credentials:
  - {apiKey: k, appKey: a}
  - {apiKey: k, appKey: b}
  - {token: x, principal: "user:x@example.com"}
  - {token: y}
options:
  rateLimits:
    - {operation: "restrictionPolicy.*", caller: "k/*", limit: 1, period: 10s, name: policies, perCaller: true}
    - {operation: "*.getIamPolicy", caller: "user:*", limit: 1, period: 60s}
)");
  }
  HttpResult Get(const char* app) {
    return Send("GET", "/api/v2/restriction_policy/slo:1",
                {{"DD-API-KEY", "k"}, {"DD-APPLICATION-KEY", app}});
  }
  HttpResult ReadAs(const std::string& token) {
    return Send("GET", "/v1/" + std::string(kPolicyName) + ":getIamPolicy",
                {{"Authorization", "Bearer " + token}});
  }
};

TEST_F(StandingLimitTest, EachCallerHasItsOwnAndSeesItInEveryAnswer) {
  const HttpResult first = Get("a");
  EXPECT_EQ(first.status, 200);
  EXPECT_EQ(first.Header("X-RateLimit-Limit"), "1");
  EXPECT_EQ(first.Header("X-RateLimit-Period"), "10");
  EXPECT_EQ(first.Header("X-RateLimit-Remaining"), "0");
  EXPECT_EQ(first.Header("X-RateLimit-Reset"), "10");
  EXPECT_EQ(first.Header("X-RateLimit-Name"), "policies");
  const HttpResult second = Get("a");
  EXPECT_EQ(second.status, 429);
  EXPECT_EQ(second.Header("X-RateLimit-Name"), "policies");
  EXPECT_EQ(second.Header("Retry-After"), "10");
  EXPECT_EQ(Get("b").status, 200);
  clock_.Advance(10s);
  EXPECT_EQ(Get("a").status, 200);
}

TEST_F(StandingLimitTest, GooglesSideSaysItWithReasonsNotHeaders) {
  const HttpResult first = ReadAs("x");
  EXPECT_EQ(first.status, 200);
  EXPECT_EQ(first.Header("X-RateLimit-Limit"), "");
  const HttpResult second = ReadAs("x");
  EXPECT_EQ(second.status, 429);
  EXPECT_EQ(second.Header("X-RateLimit-Limit"), "");
  const auto error = ParseJson(second.body);
  ASSERT_TRUE(error);
  EXPECT_EQ(Refusal(*error, "RESOURCE_EXHAUSTED"),
            "Resource has been exhausted (e.g. check quota).");
  const Json& details = error->at("error").at("details");
  EXPECT_EQ(details.at(0).at("reason"), "RATE_LIMIT_EXCEEDED");
  EXPECT_EQ(details.at(1).at("retryDelay"), "60s");
  EXPECT_EQ(ReadAs("y").status, 200) << "the limit is for users";
}

TEST_F(StandingLimitTest, GoesWithItsSeed) {
  Get("a");
  Call("PUT", "/_emulator/seed", 200, "{}");
  EXPECT_EQ(Get("a").status, 200);
  EXPECT_EQ(Get("a").Header("X-RateLimit-Limit"), "");
}

TEST_F(EmulatorTest, EveryAnswerIsDatedByTheCloudsClock) {
  const std::string read = "/v1/" + std::string(kPolicyName) + ":getIamPolicy";
  EXPECT_EQ(Send("GET", read).Header("Date"), "Sat, 21 Nov 2026 00:00:00 GMT");
  EXPECT_NE(Send("GET", "/_emulator/requests").Header("Date"), "");
  Call("PUT", "/_emulator/faults", 200, "[{dateSkew: 10m}, {dateSkew: '-1m'}]");
  EXPECT_EQ(Send("GET", read).Header("Date"), "Sat, 21 Nov 2026 00:09:00 GMT");
  EXPECT_EQ(Send("GET", "/nothing").Header("Date"), "Sat, 21 Nov 2026 00:09:00 GMT");
  const Json list = Call("GET", "/_emulator/faults", 200);
  EXPECT_EQ(list.at(0).at("dateSkew"), "10m");
  EXPECT_EQ(list.at(1).at("dateSkew"), "-1m");
  Call("PUT", "/_emulator/faults", 400, "[{dateSkew: soon}]");
}

}  // namespace
}  // namespace bindery::emulator
