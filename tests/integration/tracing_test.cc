// Traces as those see them who run a collector: real requests, real exports, real log lines.

#include "core/base/json.h"
#include "integration/manifests.h"
#include "integration/world.h"
#include "support/http_impostor.h"

namespace bindery::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kCallersTrace = "4bf92f3577b34da6a3ce929d0e0e4736";

/// The spans of all exports so far.
std::vector<Json> SpansOf(const HttpImpostor& collector) {
  std::vector<Json> spans;
  for (const HttpImpostor::Request& request : collector.Requests()) {
    const Json body = ParseJson(request.body).value_or(Json::object());
    for (const Json& resource : body.at("resourceSpans")) {
      for (const Json& scope : resource.at("scopeSpans")) {
        for (const Json& span : scope.at("spans")) spans.push_back(span);
      }
    }
  }
  return spans;
}

Json AttributeOf(const Json& span, const std::string& key) {
  for (const Json& attribute : span.at("attributes")) {
    if (attribute.at("key") == key) return attribute.at("value");
  }
  return {};
}

/// The span whose attribute has that value; null when there is none.
Json SpanWith(const std::vector<Json>& spans, const std::string& key, const Json& value) {
  for (const Json& span : spans) {
    if (AttributeOf(span, key) == value) return span;
  }
  return {};
}

class Traced : public ::testing::Test {
 protected:
  Traced() : world_(kSeed) {
    cloud_.When("GET", std::string("/v1/") + kPayments + ":getIamPolicy")
        .Reply(200, R"({"etag": "A", "version": 3})");
    cloud_.When("POST", std::string("/v1/") + kPayments + ":setIamPolicy")
        .Reply(200, R"({"etag": "B", "version": 3,
                        "bindings": [{"role": "roles/viewer", "members": ["user:ana@example.com"]}]})");
    world_.dir().Write("manifests/a.yaml",
                       Binding("viewers", "roles/viewer", "[user:ana@example.com]"));
  }

  /// The daemon works on the cloud that remembers what headers it was sent.
  void Start(const std::string& settings) {
    world_.Configure("logging: {format: json, level: debug}\n" + settings);
    std::string text = world_.dir().Read("bindery.yaml");
    for (auto at = text.find(world_.CloudUrl()); at != std::string::npos;
         at = text.find(world_.CloudUrl())) {
      text.replace(at, world_.CloudUrl().size(), cloud_.Url());
    }
    world_.dir().Write("bindery.yaml", text);
    world_.StartDaemon();
    world_.Eventually("ready", [&] { return world_.IsReady("viewers"); });
  }

  static std::string Tracing(const HttpImpostor& collector, const std::string& more = "") {
    return "tracing: {endpoint: \"" + collector.Url() + "\"" + more + "}\n";
  }

  /// The value of `traceparent` on the cloud's request of that method.
  [[nodiscard]] std::string TraceparentOn(const std::string& method) const {
    for (const HttpImpostor::Request& request : cloud_.Requests()) {
      const auto header = request.headers.find("traceparent");
      if (request.method == method && header != request.headers.end()) return header->second;
    }
    return "";
  }

  [[nodiscard]] Json LogLine(const std::string& message) const {
    std::istringstream log(world_.DaemonLog());
    for (std::string line; std::getline(log, line);) {
      const Json json = ParseJson(line).value_or(Json::object());
      if (StringMember(json, "msg") == message) return json;
    }
    return Json::object();
  }

  HttpImpostor cloud_;
  World world_;
};

TEST_F(Traced, OneTraceRunsFromTheLogToTheCloudAndTheCollector) {
  HttpImpostor collector;
  collector.When("POST", "/v1/traces").Reply(200, "{}");
  Start(Tracing(collector));
  const std::string write = TraceparentOn("POST");
  ASSERT_THAT(write, MatchesRegex("00-[0-9a-f]{32}-[0-9a-f]{16}-01"));
  const std::string trace = write.substr(3, 32);
  EXPECT_EQ(TraceparentOn("GET").substr(3, 32), trace);
  world_.Eventually("logged", [&] { return !LogLine("target written").empty(); });
  const Json line = LogLine("target written");
  EXPECT_EQ(StringMember(line, "trace_id"), trace);

  EXPECT_EQ(world_.Kill(SIGTERM), 0);  // What waits is sent at the end.
  const std::vector<Json> spans = SpansOf(collector);
  const Json work = SpanWith(spans, "bindery.outcome", {{"stringValue", "written"}});
  ASSERT_TRUE(work.is_object()) << Json(spans).dump(1);
  EXPECT_EQ(work.at("name"), "reconcile AuthorizationPolicyIamBinding");
  EXPECT_EQ(work.at("traceId"), trace);
  EXPECT_EQ(work.at("spanId"), StringMember(line, "span_id"));
  EXPECT_EQ(AttributeOf(work, "bindery.target").at("stringValue"), kPayments);
  EXPECT_EQ(AttributeOf(work, "bindery.trigger").at("stringValue"), "change");
  const Json call = SpanWith(spans, "http.request.method", {{"stringValue", "POST"}});
  ASSERT_TRUE(call.is_object());
  EXPECT_EQ(call.at("name"), "POST networksecurity.setIamPolicy");
  EXPECT_EQ(call.at("kind"), 3);
  EXPECT_EQ(call.at("traceId"), trace);
  EXPECT_EQ(call.at("parentSpanId"), work.at("spanId"));
  EXPECT_EQ(call.at("spanId"), write.substr(36, 16));
  EXPECT_EQ(AttributeOf(call, "http.response.status_code").at("intValue"), "200");
  ASSERT_EQ(work.at("links").size(), 1U);
  const Json pass = SpanWith(spans, "bindery.pass.targets", {{"intValue", "1"}});
  ASSERT_TRUE(pass.is_object());
  EXPECT_EQ(work.at("links").at(0).at("spanId"), pass.at("spanId"));
}

TEST_F(Traced, WithoutACollectorRequestsAndLogsStillShareAnId) {
  Start("");
  ASSERT_THAT(TraceparentOn("POST"), MatchesRegex("00-[0-9a-f]{32}-[0-9a-f]{16}-00"));
  world_.Eventually("logged", [&] { return !LogLine("target written").empty(); });
  EXPECT_EQ(StringMember(LogLine("target written"), "trace_id"),
            TraceparentOn("POST").substr(3, 32));
}

TEST_F(Traced, ACollectorThatRefusesHoldsNothingUp) {
  HttpImpostor collector;
  collector.When("POST", "/v1/traces").Reply(401, "who are you?");
  Start(Tracing(collector));
  EXPECT_EQ(world_.Run({"reconcile", "viewers"}).exit_code, 0);
  world_.Eventually("counted", [&] {
    const std::string metrics = world_.Ask("GET", "/metrics").body;
    return metrics.find("bindery_trace_spans_total{outcome=\"failed\"} 0") == std::string::npos &&
           metrics.find("bindery_trace_spans_total{outcome=\"failed\"}") != std::string::npos;
  });
  EXPECT_THAT(world_.DaemonLog(), HasSubstr("HTTP 401"));
  EXPECT_THAT(world_.Ask("GET", "/metrics").body,
              HasSubstr("bindery_trace_spans_total{outcome=\"exported\"} 0"));
  EXPECT_EQ(world_.Kill(SIGTERM), 0);
}

TEST_F(Traced, ADaemonEndsThoughTheCollectorNeverAnswers) {
  HttpImpostor collector;
  collector.When("POST", "/v1/traces").Hold();
  Start(Tracing(collector));
  EXPECT_EQ(world_.Kill(SIGTERM), 0);
}

TEST_F(Traced, WhoAsksForACheckIsItsParent) {
  HttpImpostor collector;
  collector.When("POST", "/v1/traces").Reply(200, "{}");
  Start(Tracing(collector, ", sampleRatio: 0"));
  HttpConnection connection(world_.dir() / "bindery.sock");
  connection.SendRequest(
      "POST", "/api/v1/reconcile",
      {{"Content-Type", "application/json"},
       {"traceparent", std::string("00-") + kCallersTrace + "-00f067aa0ba902b7-01"}},
      R"({"names": ["viewers"]})");
  EXPECT_EQ(connection.Read().status, 200);
  EXPECT_EQ(world_.Kill(SIGTERM), 0);
  const std::vector<Json> spans = SpansOf(collector);
  const Json work =
      SpanWith(spans, "bindery.kind", {{"stringValue", "AuthorizationPolicyIamBinding"}});
  ASSERT_TRUE(work.is_object()) << Json(spans).dump(1);
  EXPECT_EQ(work.at("traceId"), kCallersTrace);
  EXPECT_EQ(work.at("parentSpanId"), "00f067aa0ba902b7");
  EXPECT_EQ(StringMember(LogLine("change requested"), "trace_id"), kCallersTrace);
}

TEST_F(Traced, SecretHeadersGoToTheCollectorAndNowhereElse) {
  HttpImpostor collector;
  collector.When("POST", "/v1/traces").Reply(200, "{}");
  world_.WriteSecret("headers", "# of the vendor\nX-Vendor-Key: SECRET-vendor-key\n");
  Start(Tracing(collector, ", headersFile: headers, serviceName: access"));
  EXPECT_EQ(world_.Kill(SIGTERM), 0);
  ASSERT_THAT(collector.Requests(), Not(IsEmpty()));
  const HttpImpostor::Request request = collector.Requests().front();
  EXPECT_EQ(request.headers.at("x-vendor-key"), "SECRET-vendor-key");
  EXPECT_EQ(request.headers.at("content-type"), "application/json");
  EXPECT_THAT(request.body,
              HasSubstr(R"({"key":"service.name","value":{"stringValue":"access"}})"));
  EXPECT_THAT(request.body, AllOf(Not(HasSubstr("ana@example.com")), Not(HasSubstr("SECRET"))));
}

TEST_F(Traced, HeadersThatCannotBeReadAreNoStart) {
  world_.Configure("tracing: {endpoint: \"http://127.0.0.1:4318\", headersFile: nowhere}\n");
  const Outcome outcome = world_.Run({"run", "--once"});
  EXPECT_NE(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("tracing.headersFile"), HasSubstr("nowhere")));
}

}  // namespace
}  // namespace bindery::testing
