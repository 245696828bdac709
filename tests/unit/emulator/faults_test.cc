#include "emulator/faults.h"

#include "emulator_fixture.h"

namespace bindery::emulator {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using testing::HttpResult;

class FaultsTest : public EmulatorTest {
 protected:
  void Break(const std::string& faults) { Call("PUT", "/_emulator/faults", 200, faults); }
  HttpResult Get(const std::string& name = kPolicyName) {
    return Send("GET", "/v1/" + name + ":getIamPolicy");
  }
  static inline const std::string kRestriction = "/api/v2/restriction_policy/slo:1";
};

TEST_F(FaultsTest, AStatusIsAnsweredSoManyTimes) {
  Break(R"([{"operation": "networksecurity.*", "times": 2, "status": 503}])");
  for (int i = 0; i < 2; ++i) {
    const Json error = Call("GET", "/v1/" + std::string(kPolicyName) + ":getIamPolicy", 503);
    EXPECT_EQ(Refusal(error, "UNAVAILABLE"), "The service is currently unavailable.");
  }
  EXPECT_EQ(Get().status, 200);
  EXPECT_EQ(Call("GET", "/_emulator/faults", 200).at(0).at("times"), 0);
}

TEST_F(FaultsTest, OperationAndTargetAreGlobs) {
  Break("[{operation: '*.getIamPolicy', target: '*/managementServers/*', status: 500}]");
  EXPECT_EQ(Get(kPolicyName).status, 200);
  EXPECT_EQ(Get(kServerName).status, 500);
  EXPECT_EQ(Send("GET", "/v1/" + std::string(kServerName)).status, 200);
  Break("[]");
  EXPECT_EQ(Get(kServerName).status, 200);
}

TEST_F(FaultsTest, TooManyRequestsSaysWhenToComeBack) {
  Break("[{status: 429, retryAfter: 2500ms}]");
  const HttpResult google = Get();
  EXPECT_EQ(google.status, 429);
  EXPECT_EQ(google.Header("Retry-After"), "3");
  EXPECT_THAT(google.body, HasSubstr("\"retryDelay\": \"2.500s\""));
  EXPECT_THAT(google.body, HasSubstr("RESOURCE_EXHAUSTED"));
  const HttpResult datadog = Send("GET", kRestriction);
  EXPECT_EQ(datadog.status, 429);
  EXPECT_EQ(datadog.body, "{\"errors\":[\"Too many requests\"]}\n");
  EXPECT_EQ(datadog.Header("X-RateLimit-Reset"), "3");
  EXPECT_EQ(datadog.Header("X-RateLimit-Remaining"), "0");
  EXPECT_EQ(datadog.Header("Retry-After"), "3");
  for (const char* name : {"X-RateLimit-Limit", "X-RateLimit-Period", "X-RateLimit-Name"}) {
    EXPECT_NE(datadog.Header(name), "") << name;
  }
}

TEST_F(FaultsTest, EachServiceFailsInItsOwnWords) {
  Break("[{status: 403}]");
  EXPECT_EQ(Send("GET", kRestriction).body, "{\"errors\":[\"Forbidden\"]}\n");
  EXPECT_THAT(Get().body, HasSubstr("\"status\": \"PERMISSION_DENIED\""));
  Break("[{status: 401}]");
  EXPECT_THAT(Get().body, HasSubstr("ACCESS_TOKEN_EXPIRED"));
  Break("[{status: 502}]");
  EXPECT_EQ(Send("GET", kRestriction).body, "{\"errors\":[\"Bad Gateway\"]}\n");
}

TEST_F(FaultsTest, WhatIsAnsweredCanBeAnythingAtAll) {
  Break("[{operation: '*.getIamPolicy', answer: {version: 1}}]");
  EXPECT_EQ(Get().status, 200);
  EXPECT_EQ(Get().body, R"({"version":1})");
  Break("[{status: 404, answer: '<html>'}]");
  EXPECT_EQ(Send("GET", kRestriction).status, 404);
  EXPECT_EQ(Send("GET", kRestriction).body, "<html>");
}

TEST_F(FaultsTest, AWriteCanLandAndStillFail) {
  Break("[{operation: '*.setIamPolicy', times: 1, applyThenFail: true}]");
  Write(Json{{"bindings", {Binding("roles/x", {"user:a@example.com"})}}}, 503);
  EXPECT_EQ(Read().at("bindings").size(), 1U);
  Break("[{operation: 'restrictionPolicy.post', status: 500}]");
  const std::string body =
      R"({"data": {"type": "restriction_policy", "id": "slo:1", "attributes": {"bindings":
          [{"relation": "editor", "principals": ["org:1"]}]}}})";
  Call("POST", kRestriction, 500, body);
  EXPECT_TRUE(Call("GET", kRestriction, 200).at("data").at("attributes").at("bindings").empty())
      << "a plain failure must not take effect";
}

TEST_F(FaultsTest, ConnectionsDropBeforeOrAfterTheEffect) {
  const Json policy = {{"bindings", {Binding("roles/x", {"user:a@example.com"})}}};
  const std::string path = "/v1/" + std::string(kPolicyName) + ":setIamPolicy";
  Break("[{operation: '*.setIamPolicy', times: 1, drop: before}]");
  EXPECT_EQ(Send("POST", path, {}, Json{{"policy", policy}}.dump()).status, 0);
  EXPECT_FALSE(Read().contains("bindings"));
  Break("[{operation: '*.setIamPolicy', times: 1, drop: after}]");
  EXPECT_EQ(Send("POST", path, {}, Json{{"policy", policy}}.dump()).status, 0);
  EXPECT_TRUE(Read().contains("bindings"));
}

TEST_F(FaultsTest, DelaysAddUpAndTheFirstAnswerEnds) {
  Break("[{delay: 30ms}, {delay: 30ms}, {status: 500}, {status: 503}]");
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(Get().status, 500);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 60ms);
}

TEST_F(FaultsTest, StaleReadsSeeThePast) {
  Write(Json{{"bindings", {Binding("roles/first", {"user:a@example.com"})}}});
  clock_.Advance(10s);
  Write(Json{{"bindings", {Binding("roles/second", {"user:a@example.com"})}}});
  clock_.Advance(2s);
  Break("[{operation: '*.get*', staleFor: 5s}]");
  EXPECT_EQ(Read().at("bindings").at(0).at("role"), "roles/first");
  clock_.Advance(4s);
  EXPECT_EQ(Read().at("bindings").at(0).at("role"), "roles/second");

  const std::string body =
      R"({"data": {"type": "restriction_policy", "id": "slo:1", "attributes": {"bindings":
          [{"relation": "editor", "principals": ["org:1"]}]}}})";
  Call("POST", kRestriction, 200, body);
  EXPECT_TRUE(Call("GET", kRestriction, 200).at("data").at("attributes").at("bindings").empty());
  clock_.Advance(6s);
  EXPECT_FALSE(Call("GET", kRestriction, 200).at("data").at("attributes").at("bindings").empty());
}

TEST_F(FaultsTest, AnEtagThatSaysNothing) {
  Break("[{etag: BwWWja0YfJA=}]");
  const Json policy = {{"bindings", {Binding("roles/x", {"user:a@example.com"})}},
                       {"etag", "BwWWja0YfJA="}};
  EXPECT_EQ(Write(policy).at("etag"), "BwWWja0YfJA=");
  EXPECT_EQ(Read().at("etag"), "BwWWja0YfJA=");
  EXPECT_EQ(Write(policy).at("etag"), "BwWWja0YfJA=") << "writes do not compare it";
  EXPECT_EQ(Read().at("bindings").size(), 1U);
  Break("[]");
  EXPECT_NE(Read().at("etag"), "BwWWja0YfJA=");
}

TEST_F(FaultsTest, ChanceIsReproducible) {
  const auto failures = [&] {
    Break("[{probability: 0.5, status: 500}]");
    std::string outcome;
    for (int i = 0; i < 40; ++i) outcome += Get().status == 500 ? 'x' : '.';
    return outcome;
  };
  const std::string first = failures();
  EXPECT_EQ(first, failures());
  EXPECT_THAT(first, HasSubstr("x"));
  EXPECT_THAT(first, HasSubstr("."));
}

TEST_F(FaultsTest, ARateLimitCountsByTheCalendar) {
  Break("[{operation: 'restrictionPolicy.*', rateLimit: {limit: 2, period: 10s, name: bucket}}]");
  clock_.Advance(3s);
  EXPECT_EQ(Send("GET", kRestriction).Header("X-RateLimit-Remaining"), "1");
  const HttpResult second = Send("GET", kRestriction);
  EXPECT_EQ(second.Header("X-RateLimit-Limit"), "2");
  EXPECT_EQ(second.Header("X-RateLimit-Period"), "10");
  EXPECT_EQ(second.Header("X-RateLimit-Name"), "bucket");
  EXPECT_EQ(second.Header("X-RateLimit-Reset"), "7");
  const HttpResult third = Send("GET", kRestriction);
  EXPECT_EQ(third.status, 429);
  EXPECT_EQ(third.Header("X-RateLimit-Reset"), "7");
  clock_.Advance(7s);
  EXPECT_EQ(Send("GET", kRestriction).status, 200);
}

TEST_F(FaultsTest, ABadListIsRefusedWhole) {
  Break("[{status: 500}]");
  const std::pair<const char*, const char*> cases[] = {
      {"[{status: 200}]", "faults[0].status: expected an HTTP status from 400 to 599"},
      {"[{}, {stale_for: 5s}]", "faults[1].stale_for: unknown field, did you mean \"staleFor\"?"},
      {"[{drop: now}]", "faults[0].drop: expected before or after"},
      {"[{probability: 2}]", "faults[0].probability: expected a number from 0 to 1"},
      {"[{times: -1}]", "faults[0].times: expected a whole number, 0 or more"},
      {"{}", "expected a list of faults"},
      {"[5]", "faults[0]: expected an object"},
  };
  for (const auto& [text, message] : cases) {
    EXPECT_EQ(StringMember(Call("PUT", "/_emulator/faults", 400, text), "error"), message);
  }
  EXPECT_THAT(Call("PUT", "/_emulator/faults", 400, "[{delay: soon}]").dump(),
              HasSubstr("faults[0].delay: "));
  EXPECT_EQ(Get().status, 500) << "the old list stays in force";
}

TEST_F(FaultsTest, FailedCallsAreCountedAndAdministrationNeverFails) {
  Break("[{status: 500}, {drop: before}]");
  Get();
  EXPECT_EQ(Call("GET", "/_emulator/requests", 200).at("total"), 1);
}

}  // namespace
}  // namespace bindery::emulator
