#include "notify/sending.h"

#include "unit/notify/notify_fixture.h"

namespace bindery::notify {
namespace {

using Result = Attempt::Result;
using testing::FakeClock;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;
using testing::ScriptedTransport;
using testing::TempDir;

const Message kMessage{"evt_1", "application/json", R"({"a":1})"};

class Sending : public ::testing::Test {
 protected:
  Sending() { webhook_.url = "https://receiver.example/SECRET"; }

  Attempt Sent() { return Send(webhook_, kMessage, transport_, clock_); }

  TempDir dir_;
  FakeClock clock_;
  ScriptedTransport transport_;
  config::WebhookConfig webhook_;
};

TEST_F(Sending, AMessageIsPostedAsItIs) {
  webhook_.timeout = std::chrono::seconds(3);
  EXPECT_EQ(Sent().result, Result::kAccepted);
  const cloud::HttpRequest& request = transport_.requests.at(0);
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.url, webhook_.url);
  EXPECT_EQ(request.body, kMessage.body);
  EXPECT_EQ(request.timeout, std::chrono::seconds(3));
  EXPECT_THAT(request.headers, ::testing::Contains(Pair("content-type", "application/json")));
  EXPECT_THAT(request.headers, ::testing::Contains(Pair("webhook-timestamp", "1795262400")));
}

TEST_F(Sending, AStatusSaysWhatComesNext) {
  const std::pair<int, Result> expected[] = {
      {200, Result::kAccepted}, {204, Result::kAccepted}, {302, Result::kFailed},
      {400, Result::kRefused},  {401, Result::kFailed},   {404, Result::kFailed},
      {410, Result::kGone},     {413, Result::kRefused},  {422, Result::kRefused},
      {429, Result::kFailed},   {500, Result::kFailed},   {503, Result::kFailed}};
  for (const auto& [status, result] : expected) {
    transport_.Forget();
    transport_.Answer(status);
    const Attempt attempt = Sent();
    EXPECT_EQ(attempt.result, result) << status;
    EXPECT_EQ(attempt.status, status);
    EXPECT_EQ(attempt.reason.empty(), result == Result::kAccepted) << status;
  }
}

TEST_F(Sending, FilesAreReadForEachMessage) {
  webhook_.url.clear();
  webhook_.url_file = dir_ / "url";
  webhook_.secret_file = dir_ / "key";
  dir_.Write("url", "https://one.example/x\n");
  dir_.Write("key", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n");
  EXPECT_EQ(Sent().result, Result::kAccepted);
  dir_.Write("url", "https://two.example/x\n");
  EXPECT_EQ(Sent().result, Result::kAccepted);
  EXPECT_EQ(transport_.requests.at(0).url, "https://one.example/x");
  EXPECT_EQ(transport_.requests.at(1).url, "https://two.example/x");
  EXPECT_THAT(transport_.requests.at(1).headers,
              ::testing::Contains(Pair("webhook-signature", HasSubstr("v1,"))));
}

TEST_F(Sending, WithoutItsFilesNothingIsSent) {
  webhook_.secret_file = dir_ / "key";
  EXPECT_THAT(Sent().reason, HasSubstr("secretFile: "));
  dir_.Write("key", "SECRET");
  EXPECT_THAT(Sent().reason, HasSubstr("line 1 is no signing secret"));
  EXPECT_THAT(Sent().reason, Not(HasSubstr("SECRET")));
  webhook_.secret_file.clear();
  webhook_.url.clear();
  webhook_.url_file = dir_ / "url";
  dir_.Write("url", "http://elsewhere.example/SECRET");
  EXPECT_EQ(Sent().result, Result::kFailed);
  EXPECT_THAT(Sent().reason, HasSubstr("urlFile: "));
  EXPECT_THAT(Sent().reason, Not(HasSubstr("SECRET")));
  EXPECT_THAT(transport_.requests, IsEmpty());
  webhook_.insecure = true;
  EXPECT_EQ(Sent().result, Result::kAccepted);
}

}  // namespace
}  // namespace bindery::notify
