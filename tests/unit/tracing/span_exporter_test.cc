#include "tracing/span_exporter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <map>

#include "core/base/json.h"
#include "support/temp_dir.h"

namespace bindery::tracing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

constexpr std::chrono::hours kNever(1);
constexpr std::chrono::seconds kPatience(60);

/// A collector that answers by a script, else well, and whom a test can wait for.
class Collector final : public cloud::Transport {
 public:
  Expected<cloud::HttpResponse> Send(const cloud::HttpRequest& request) override {
    std::unique_lock lock(mutex_);
    requests_.push_back(request);
    changed_.notify_all();
    changed_.wait(lock, [this] { return !holds_; });
    if (script_.empty()) return cloud::HttpResponse{200, {}, "{}"};
    Expected<cloud::HttpResponse> answer = std::move(script_.front());
    script_.pop_front();
    return answer;
  }

  void Answer(Expected<cloud::HttpResponse> answer) {
    const std::scoped_lock lock(mutex_);
    script_.push_back(std::move(answer));
  }
  void Hold(bool holds) {
    const std::scoped_lock lock(mutex_);
    holds_ = holds;
    changed_.notify_all();
  }
  std::vector<cloud::HttpRequest> WaitFor(std::size_t requests) {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(changed_.wait_for(lock, kPatience, [&] { return requests_.size() >= requests; }));
    return requests_;
  }

 private:
  std::mutex mutex_;  ///< Guards what follows.
  std::condition_variable changed_;
  std::vector<cloud::HttpRequest> requests_;
  std::deque<Expected<cloud::HttpResponse>> script_;
  bool holds_ = false;
};

std::size_t SpansIn(const cloud::HttpRequest& request) {
  const Json json = *ParseJson(request.body);
  return json.at("resourceSpans").at(0).at("scopeSpans").at(0).at("spans").size();
}

class SpanExporterTest : public ::testing::Test {
 protected:
  SpanExporterTest() {
    options_.endpoint = "http://collector/base";
    options_.interval = kNever;
    options_.backoff = std::chrono::milliseconds(0);
    options_.counted = [this](std::string_view outcome, std::size_t count) {
      const std::scoped_lock lock(mutex_);
      counts_[std::string(outcome)] += count;
    };
    options_.told = [this](const Error* error) {
      const std::scoped_lock lock(mutex_);
      told_.push_back(error == nullptr ? "fine" : error->message);
    };
    options_.cancel = [this] { collector_->Hold(false); };
  }

  void Start() { exporter_ = std::make_unique<SpanExporter>(options_, collector_); }
  void Record(int spans) {
    for (int i = 0; i < spans; ++i) {
      telemetry::Span span;
      span.context = telemetry::NewTrace(1);
      exporter_->Record(std::move(span));
    }
  }
  void Stop() { exporter_->Stop(kPatience); }

  const std::shared_ptr<Collector> collector_ = std::make_shared<Collector>();
  SpanExporterOptions options_;
  std::mutex mutex_;  ///< Guards what follows.
  std::map<std::string, std::size_t> counts_;
  std::vector<std::string> told_;
  std::unique_ptr<SpanExporter> exporter_;
};

TEST_F(SpanExporterTest, ABatchThatIsFullGoesAtOnce) {
  options_.batch = 3;
  Start();
  Record(3);
  const cloud::HttpRequest sent = collector_->WaitFor(1).front();
  EXPECT_EQ(sent.method, "POST");
  EXPECT_EQ(sent.url, "http://collector/base/v1/traces");
  EXPECT_THAT(sent.headers, ElementsAre(Pair("Content-Type", "application/json")));
  EXPECT_EQ(SpansIn(sent), 3U);
  Stop();
  EXPECT_THAT(counts_, ElementsAre(Pair("exported", 3)));
  EXPECT_THAT(told_, IsEmpty());
}

TEST_F(SpanExporterTest, OneThatIsNotFullGoesInTime) {
  options_.interval = std::chrono::milliseconds(1);
  Start();
  Record(1);
  EXPECT_EQ(SpansIn(collector_->WaitFor(1).front()), 1U);
}

TEST_F(SpanExporterTest, WhatWaitsIsSentAtTheEnd) {
  options_.batch = 2;
  Start();
  collector_->Hold(true);
  Record(2);
  collector_->WaitFor(1);
  Record(3);
  collector_->Hold(false);
  Stop();
  EXPECT_THAT(collector_->WaitFor(3), SizeIs(3));
  EXPECT_THAT(counts_, ElementsAre(Pair("exported", 5)));
  Record(1);
  EXPECT_THAT(counts_, Contains(Pair("dropped", 1)));
}

TEST_F(SpanExporterTest, WhatThereIsNoRoomForIsDropped) {
  options_.batch = 2;
  options_.capacity = 4;
  Start();
  collector_->Hold(true);
  Record(2);
  collector_->WaitFor(1);
  Record(7);
  collector_->Hold(false);
  Stop();
  EXPECT_THAT(counts_, UnorderedElementsAre(Pair("exported", 6), Pair("dropped", 3)));
}

TEST_F(SpanExporterTest, WhatPassesIsTriedAgain) {
  for (const int status : {429, 502, 503, 504})
    collector_->Answer(cloud::HttpResponse{status, {}, ""});
  options_.batch = 1;
  Start();
  Record(1);
  collector_->WaitFor(5);
  Stop();
  EXPECT_THAT(counts_, ElementsAre(Pair("exported", 1)));
  EXPECT_THAT(told_, ElementsAre(HasSubstr("HTTP 429"), "fine"));
}

TEST_F(SpanExporterTest, AndThenGivenUp) {
  for (int i = 0; i < 5; ++i) collector_->Answer(Fail(Code::kUnavailable, "cannot connect"));
  options_.batch = 1;
  Start();
  Record(1);
  collector_->WaitFor(5);
  Stop();
  EXPECT_THAT(collector_->WaitFor(5), SizeIs(5));
  EXPECT_THAT(counts_, ElementsAre(Pair("failed", 1)));
  EXPECT_THAT(told_, ElementsAre("cannot connect"));
}

TEST_F(SpanExporterTest, ARefusalIsFinal) {
  collector_->Answer(cloud::HttpResponse{401, {}, "SECRET"});
  options_.batch = 1;
  Start();
  Record(1);
  collector_->WaitFor(1);
  Stop();
  EXPECT_THAT(collector_->WaitFor(1), SizeIs(1));
  EXPECT_THAT(counts_, ElementsAre(Pair("failed", 1)));
  EXPECT_THAT(told_, ElementsAre("the collector answered HTTP 401"));
}

TEST_F(SpanExporterTest, WhatTheCollectorRejectsOfABatchFailed) {
  collector_->Answer(cloud::HttpResponse{200, {}, R"({"partialSuccess": {"rejectedSpans": "2"}})"});
  options_.batch = 3;
  Start();
  Record(3);
  collector_->WaitFor(1);
  Stop();
  EXPECT_THAT(counts_, UnorderedElementsAre(Pair("exported", 1), Pair("failed", 2)));
}

TEST_F(SpanExporterTest, TheEndDoesNotWaitAsLongAsTheCollectorAsks) {
  collector_->Answer(cloud::HttpResponse{503, {{"retry-after", "3600"}}, ""});
  options_.batch = 1;
  Start();
  Record(1);
  collector_->WaitFor(1);
  Stop();
  EXPECT_THAT(counts_, ElementsAre(Pair("failed", 1)));
}

TEST_F(SpanExporterTest, TheEndDoesNotWaitForACollectorThatHangs) {
  collector_->Hold(true);
  options_.batch = 1;
  Start();
  Record(1);
  collector_->WaitFor(1);
  exporter_->Stop(std::chrono::milliseconds(1));
  EXPECT_THAT(counts_, ElementsAre(Pair("exported", 1)));  // Let go by the cancellation.
}

TEST_F(SpanExporterTest, HeadersAreReadForEachExport) {
  const testing::TempDir dir;
  dir.Write("headers", "X-Key: old\n");
  options_.headers_file = dir / "headers";
  options_.batch = 1;
  Start();
  Record(1);
  EXPECT_THAT(collector_->WaitFor(1).back().headers, Contains(Pair("X-Key", "old")));
  dir.Write("headers", "X-Key: new\n");
  Record(1);
  EXPECT_THAT(collector_->WaitFor(2).back().headers, Contains(Pair("X-Key", "new")));
  std::filesystem::remove(dir / "headers");
  Record(1);
  Stop();
  EXPECT_THAT(counts_, UnorderedElementsAre(Pair("exported", 2), Pair("failed", 1)));
}

}  // namespace
}  // namespace bindery::tracing
