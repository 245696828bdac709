#include "tracing/traced_transport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bindery::tracing {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::VariantWith;

class Answering final : public cloud::Transport {
 public:
  Expected<cloud::HttpResponse> Send(const cloud::HttpRequest& request) override {
    sent.push_back(request);
    return answer;
  }
  std::vector<cloud::HttpRequest> sent;
  Expected<cloud::HttpResponse> answer = cloud::HttpResponse{200, {}, "{}"};
};

class Collected final : public telemetry::SpanSink {
 public:
  void Record(telemetry::Span span) override { spans.push_back(std::move(span)); }
  std::vector<telemetry::Span> spans;
};

auto Text(const std::string& text) { return VariantWith<std::string>(text); }
auto Number(std::int64_t number) { return VariantWith<std::int64_t>(number); }

class TracedTransportTest : public ::testing::Test {
 protected:
  static cloud::HttpRequest Request(const std::string& url = "https://cloud.example/v1/x") {
    cloud::HttpRequest request;
    request.url = url;
    request.service = "networksecurity";
    request.operation = "getIamPolicy";
    return request;
  }
  void SendInBothWays(const cloud::HttpRequest& request) {
    std::ignore = transport_->Send(request);
    transport_->SendAsync(std::make_shared<cloud::HttpRequest>(request),
                          [this](const Expected<cloud::HttpResponse>& /*response*/) { ++done_; });
  }

  const std::shared_ptr<Answering> cloud_ = std::make_shared<Answering>();
  const std::shared_ptr<Collected> collected_ = std::make_shared<Collected>();
  const std::shared_ptr<cloud::Transport> transport_ = Traced(cloud_, collected_);
  int done_ = 0;
};

TEST_F(TracedTransportTest, ARequestOfASampledTraceIsASpan) {
  const telemetry::TraceContext trace = telemetry::NewTrace(1);
  const telemetry::TraceScope scope(trace);
  SendInBothWays(Request());
  EXPECT_EQ(done_, 1);
  ASSERT_THAT(collected_->spans, SizeIs(2));
  for (std::size_t i = 0; i < 2; ++i) {
    const telemetry::Span& span = collected_->spans[i];
    EXPECT_EQ(cloud_->sent[i].traceparent, telemetry::ToTraceparent(span.context));
    EXPECT_EQ(telemetry::TraceIdText(span.context), telemetry::TraceIdText(trace));
    EXPECT_EQ(span.parent, trace.span);
    EXPECT_NE(span.context.span, trace.span);
    EXPECT_EQ(span.name, "GET networksecurity.getIamPolicy");
    EXPECT_EQ(span.kind, telemetry::Span::Kind::kClient);
    EXPECT_LE(span.start, span.end);
    EXPECT_FALSE(span.failed);
    EXPECT_THAT(span.attributes, Contains(Pair("http.request.method", Text("GET"))));
    EXPECT_THAT(span.attributes, Contains(Pair("http.response.status_code", Number(200))));
  }
  EXPECT_NE(collected_->spans[0].context.span, collected_->spans[1].context.span);
}

TEST_F(TracedTransportTest, OneThatIsNotSampledIsOnlyTold) {
  const telemetry::TraceContext trace = telemetry::NewTrace(0);
  const telemetry::TraceScope scope(trace);
  SendInBothWays(Request());
  EXPECT_THAT(collected_->spans, IsEmpty());
  ASSERT_THAT(cloud_->sent, SizeIs(2));
  for (const cloud::HttpRequest& sent : cloud_->sent) {
    const auto told = telemetry::ParseTraceparent(sent.traceparent);
    ASSERT_TRUE(told.has_value());
    EXPECT_EQ(telemetry::TraceIdText(*told), telemetry::TraceIdText(trace));
    EXPECT_FALSE(told->sampled);
  }
}

TEST_F(TracedTransportTest, WhatBelongsToNoTraceGoesAsItIs) {
  SendInBothWays(Request());
  EXPECT_THAT(collected_->spans, IsEmpty());
  for (const cloud::HttpRequest& sent : cloud_->sent) EXPECT_EQ(sent.traceparent, "");
}

TEST_F(TracedTransportTest, NobodyNeedTakeSpans) {
  const telemetry::TraceScope scope(telemetry::NewTrace(1));
  const auto transport = Traced(cloud_, nullptr);
  EXPECT_TRUE(transport->Send(Request()).has_value());
  EXPECT_TRUE(telemetry::ParseTraceparent(cloud_->sent.front().traceparent)->sampled);
}

TEST_F(TracedTransportTest, FailuresSayWhatTheyAre) {
  const telemetry::TraceScope scope(telemetry::NewTrace(1));
  cloud_->answer = cloud::HttpResponse{503, {}, ""};
  std::ignore = transport_->Send(Request());
  cloud_->answer = Fail(Code::kDeadlineExceeded, "no answer");
  std::ignore = transport_->Send(Request());
  ASSERT_THAT(collected_->spans, SizeIs(2));
  for (const telemetry::Span& span : collected_->spans) EXPECT_TRUE(span.failed);
  EXPECT_THAT(collected_->spans[0].attributes, Contains(Pair("error.type", Text("503"))));
  EXPECT_THAT(collected_->spans[1].attributes,
              Contains(Pair("error.type", Text("DEADLINE_EXCEEDED"))));
}

struct Url {
  const char* given;
  const char* full;
  const char* host;
  std::int64_t port;
};

TEST_F(TracedTransportTest, AUrlIsToldWithoutWhatMayBeSecret) {
  const Url urls[] = {
      {"https://cloud.example/v1/x:get?key=SECRET", "https://cloud.example/v1/x:get",
       "cloud.example", 443},
      {"http://127.0.0.1:9818/v1/x#SECRET", "http://127.0.0.1:9818/v1/x", "127.0.0.1", 9818},
      {"https://user:SECRET@cloud.example:8443/", "https://cloud.example:8443/", "cloud.example",
       8443},
      {"http://[::1]:80/x", "http://[::1]:80/x", "[::1]", 80},
      {"http://[::1]/x", "http://[::1]/x", "[::1]", 80},
      {"http://cloud.example", "http://cloud.example", "cloud.example", 80},
      {"nonsense?SECRET", "", "", 0},
  };
  const telemetry::TraceScope scope(telemetry::NewTrace(1));
  for (const Url& url : urls) {
    std::ignore = transport_->Send(Request(url.given));
    const telemetry::Span& span = collected_->spans.back();
    EXPECT_THAT(span.attributes, Contains(Pair("url.full", Text(url.full)))) << url.given;
    EXPECT_THAT(span.attributes, Contains(Pair("server.address", Text(url.host)))) << url.given;
    EXPECT_THAT(span.attributes, Contains(Pair("server.port", Number(url.port)))) << url.given;
  }
}

TEST_F(TracedTransportTest, AServiceAccountThatIsActedForIsNotNamed) {
  const telemetry::TraceScope scope(telemetry::NewTrace(1));
  cloud::HttpRequest request = Request(
      "https://iam.example/v1/projects/-/serviceAccounts/robot@acme.example:generateAccessToken");
  request.service = "iamcredentials";
  std::ignore = transport_->Send(request);
  EXPECT_THAT(collected_->spans.back().attributes,
              Contains(Pair("url.full", Text("https://iam.example"))));
}

}  // namespace
}  // namespace bindery::tracing
