#include "cloud/service_dates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bindery::cloud {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const char* kDate = "Sat, 21 Nov 2026 10:20:30 GMT";

TEST(ServiceDates, OnlyASuccessfulAnswerThatIsNoKeptCopyTellsTheTime) {
  EXPECT_TRUE(ReadServiceDate({200, {{"date", kDate}}, ""}));
  EXPECT_TRUE(ReadServiceDate({200, {{"date", kDate}, {"age", "0"}}, ""}));
  EXPECT_FALSE(ReadServiceDate({200, {{"date", kDate}, {"age", "37"}}, ""})) << "kept";
  EXPECT_FALSE(ReadServiceDate({200, {}, ""}));
  EXPECT_FALSE(ReadServiceDate({200, {{"date", "yesterday"}}, ""}));
  EXPECT_FALSE(ReadServiceDate({502, {{"date", kDate}}, ""})) << "perhaps a proxy's";
}

class Dated final : public Transport {
 public:
  Expected<HttpResponse> Send(const HttpRequest& request) override {
    if (request.url == "fail") return Fail(Code::kUnavailable, "gone");
    return HttpResponse{200, {{"date", request.body}}, ""};
  }
};

class StoppedClock final : public Clock {
 public:
  [[nodiscard]] WallTime Wall() const override { return {}; }
  [[nodiscard]] MonoTime Mono() const override { return MonoTime(std::chrono::seconds(7)); }
};

TEST(ServiceDates, TheLastOfEachServiceIsTakenOnce) {
  auto dates = std::make_shared<ServiceDates>();
  const auto transport =
      NotingDates(std::make_shared<Dated>(), dates, std::make_shared<StoppedClock>());
  HttpRequest request;
  request.service = "backupdr";
  for (const char* date : {"Sat, 21 Nov 2026 10:20:29 GMT", kDate}) {
    request.body = date;
    EXPECT_TRUE(transport->Send(request));
  }
  request.url = "fail";
  EXPECT_FALSE(transport->Send(request));
  request = {};
  request.service = "networksecurity";
  request.body = kDate;
  int answered = 0;
  transport->SendAsync(
      std::make_shared<HttpRequest>(request),
      [&](const Expected<HttpResponse>& response) { answered = response->status; });
  EXPECT_EQ(answered, 200);
  const auto taken = dates->Take();
  ASSERT_THAT(taken, SizeIs(2));
  EXPECT_EQ(taken[0].service, "backupdr");
  EXPECT_EQ(taken[0].date, taken[1].date);
  EXPECT_EQ(taken[1].at, MonoTime(std::chrono::seconds(7)));
  EXPECT_THAT(dates->Take(), IsEmpty());
}

}  // namespace
}  // namespace bindery::cloud
