#include "tracing/otlp_json.h"

#include <gtest/gtest.h>

#include "core/base/json.h"

namespace bindery::tracing {
namespace {

TEST(OtlpJson, IsAnExportTraceServiceRequest) {
  telemetry::Span span;
  span.context =
      *telemetry::ParseTraceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
  span.parent = 0x53995c3f42cd8ad8;
  span.name = "GET networksecurity.getIamPolicy";
  span.kind = telemetry::Span::Kind::kClient;
  span.start = WallTime(std::chrono::nanoseconds(1'544'712'660'000'000'001));
  span.end = WallTime(std::chrono::nanoseconds(1'544'712'661'000'000'002));
  span.attributes = {{"http.request.method", "GET"},
                     {"http.response.status_code", std::int64_t{503}}};
  span.links = {
      *telemetry::ParseTraceparent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")};
  span.failed = true;
  EXPECT_EQ(CanonicalJson(*ParseJson(OtlpJson({{{"service.name", "bindery"}}, "1.2.3"}, {span}))),
            CanonicalJson(*ParseJson(R"({"resourceSpans": [{
  "resource": {"attributes": [{"key": "service.name", "value": {"stringValue": "bindery"}}]},
  "scopeSpans": [{
    "scope": {"name": "bindery", "version": "1.2.3"},
    "spans": [{
      "traceId": "4bf92f3577b34da6a3ce929d0e0e4736",
      "spanId": "00f067aa0ba902b7",
      "name": "GET networksecurity.getIamPolicy",
      "kind": 3,
      "startTimeUnixNano": "1544712660000000001",
      "endTimeUnixNano": "1544712661000000002",
      "attributes": [{"key": "http.request.method", "value": {"stringValue": "GET"}},
                     {"key": "http.response.status_code", "value": {"intValue": "503"}}],
      "status": {"code": 2},
      "parentSpanId": "53995c3f42cd8ad8",
      "links": [{"traceId": "0af7651916cd43dd8448eb211c80319c", "spanId": "b7ad6b7169203331"}]
    }]}]}]})")));
}

TEST(OtlpJson, LeavesOutWhatASpanDoesNotHave) {
  telemetry::Span span;
  span.context = telemetry::NewTrace(1);
  span.name = "pass";
  const Json json = *ParseJson(OtlpJson({}, {span}));
  const Json& written = json.at("resourceSpans").at(0).at("scopeSpans").at(0).at("spans").at(0);
  EXPECT_FALSE(written.contains("parentSpanId"));
  EXPECT_FALSE(written.contains("links"));
  EXPECT_EQ(written.at("status"), Json::object());
  EXPECT_EQ(written.at("kind"), 1);
}

TEST(OtlpJson, WhatIsNoUtf8IsReplaced) {
  telemetry::Span span;
  span.context = telemetry::NewTrace(1);
  span.name = "caf\xe9";
  EXPECT_TRUE(ParseJson(OtlpJson({}, {span})).has_value());
}

}  // namespace
}  // namespace bindery::tracing
