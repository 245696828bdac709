#include "unit/providers/external_account_fixture.h"

namespace bindery::google {
namespace {

using testing::ExternalAccountTest;
using testing::FailsWith;
using testing::FakeClock;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::chrono_literals;

TEST_F(ExternalAccountTest, ARefusalThatRepeatsTheClientsSecretsDoesNotShowThem) {
  dir_.Write("subject", "a.b+c/d=e\"f");
  Json content = FromFile();
  content["client_id"] = "Aladdin";
  content["client_secret"] = "open sesame";
  const std::string path = File(content);
  const std::string cases[] = {"Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==",
                               "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ%3d%3d",
                               "open sesame",
                               "open+sesame",
                               "open%20sesame",
                               "a.b+c/d=e\"f",
                               "a.b%2Bc%2Fd%3De%22f",
                               "a.b%2bc%2fd%3de%22f",
                               R"(a.b+c\/d=e\"f)"};
  for (const std::string& repeated : cases) {
    SCOPED_TRACE(repeated);
    const Json body = {{"error", "invalid_client"}, {"error_description", "got " + repeated}};
    server_.When("POST", "/sts").Reply(401, body.dump()).Times(1);
    const std::string shown = repeated.rfind("Basic ", 0) == 0 ? "Basic [hidden]" : "[hidden]";
    EXPECT_THAT(
        Bearer(GoogleCredentialsFromFile(path, Settings())),
        FailsWith(Code::kUnauthenticated, "credential file \"" + path + "\": invalid_client: got " +
                                              shown + ": check client_id and client_secret"));
  }
}

TEST_F(ExternalAccountTest, AFileWithASecretIsWarnedOf) {
  const auto warnings = [this](const Json& content) {
    const std::string path = File(content);
    ::chmod(path.c_str(), 0644);
    return GoogleCredentialsFromFile(path, Settings())->warnings;
  };
  EXPECT_THAT(warnings(FromFile()), IsEmpty()) << "the file holds no secret of its own";
  Json with_client = FromFile();
  with_client["client_secret"] = "open sesame";
  EXPECT_THAT(warnings(with_client), SizeIs(1));
  EXPECT_THAT(warnings(External({{"url", "https://x.example/"}})), IsEmpty());
  EXPECT_THAT(warnings(External(
                  {{"url", "https://x.example/"}, {"headers", {{"Authorization", "bearer 1"}}}})),
              SizeIs(1));
}

TEST_F(ExternalAccountTest, AllCallsForOneTokenShareFifteenSeconds) {
  /// Answers the exchange after twelve seconds, and never gives a service account's token.
  class SlowEndpoints final : public cloud::Transport {
   public:
    explicit SlowEndpoints(std::shared_ptr<FakeClock> clock) : clock_(std::move(clock)) {}
    Expected<cloud::HttpResponse> Send(const cloud::HttpRequest& request) override {
      timeouts.push_back(request.timeout);
      if (request.service == "sts") {
        clock_->Pass(timeouts.size() == 1 ? 5s : 4s);
        if (timeouts.size() == 1) return Fail(Code::kDeadlineExceeded, "slow");
        return cloud::HttpResponse{200, {}, Token("federated")};
      }
      clock_->Pass(request.timeout);
      return Fail(Code::kDeadlineExceeded, "slow");
    }
    std::vector<std::chrono::milliseconds> timeouts;

   private:
    const std::shared_ptr<FakeClock> clock_;
  };
  const auto endpoints = std::make_shared<SlowEndpoints>(clock_);
  transport_ = endpoints;
  dir_.Write("subject", "subject-1");
  const auto start = clock_->Mono();
  EXPECT_THAT(Bearer(GoogleCredentialsFromFile(File(Impersonating()), Settings())),
              FailsWith(Code::kUnavailable, HasSubstr("slow")));
  EXPECT_EQ(clock_->Mono() - start, 15s);
  // 5 s, a pause of 1 s, 4 s of 5 s, and what is left of the 15 s.
  EXPECT_THAT(endpoints->timeouts, ::testing::ElementsAre(5s, 5s, 5s));
}

}  // namespace
}  // namespace bindery::google
