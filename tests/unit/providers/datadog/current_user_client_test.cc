#include "providers/datadog/clients/current_user_client.h"

#include <thread>

#include "unit/providers/credential_fixture.h"

namespace bindery::datadog {
namespace {

using testing::FailsWith;
using testing::FakeClock;
using testing::HttpImpostor;
using testing::IsOk;
using ::testing::SizeIs;
using testing::TempDir;
using namespace std::chrono_literals;

class CurrentUserTest : public ::testing::Test {
 protected:
  CurrentUserTest() { dir_.Write("token", "first"); }

  [[nodiscard]] static Json Document() {
    Json document = {
        {"data",
         {{"type", "users"},
          {"id", "u-1"},
          {"attributes", {{"handle", "a@example.org"}, {"name", nullptr}, {"title", nullptr}}},
          {"relationships",
           {{"roles", {{"data", Json::array({{{"type", "roles"}, {"id", "r-1"}}})}}},
            {"org", {{"data", {{"type", "orgs"}, {"id", "o-1"}}}}}}}}},
        {"included", Json::array()}};
    for (int i = 0; i < 400; ++i) {
      document["included"].push_back(
          {{"type", "permissions"},
           {"id", "p-" + std::to_string(i)},
           {"attributes", {{"name", "n"}, {"description", std::string(300, 'd')}}}});
    }
    document["included"].push_back(
        {{"type", "orgs"}, {"id", "o-2"}, {"attributes", {{"public_id", "other"}}}});
    document["included"].push_back(
        {{"type", "orgs"}, {"id", "o-1"}, {"attributes", {{"public_id", "abc123"}}}});
    return document;
  }

  HttpImpostor::Rule& Answer(int status, const std::string& body) {
    return server_.When("GET", "/api/v2/current_user").Reply(status, body);
  }

  TempDir dir_;
  HttpImpostor server_;
  std::shared_ptr<cloud::CurlTransport> transport_ =
      std::make_shared<cloud::CurlTransport>(cloud::CurlTransportOptions{"bindery-test"});
  std::shared_ptr<FakeClock> clock_ = std::make_shared<FakeClock>();
  CurrentUserCache cache_{server_.Url(), transport_, cloud::BearerTokenFile(dir_ / "token"),
                          clock_};
};

TEST_F(CurrentUserTest, TheUserAndItsOrganisationAreRead) {
  Answer(200, Document().dump());
  const auto user = cache_.Get(30s);
  ASSERT_THAT(user, IsOk());
  EXPECT_EQ(user->id, "u-1");
  EXPECT_EQ(user->handle, "a@example.org");
  EXPECT_EQ(user->org_id, "o-1");
  EXPECT_EQ(user->org_public_id, "abc123");
  EXPECT_EQ(server_.Requests().at(0).headers.at("accept"), "application/json");
}

TEST_F(CurrentUserTest, NullsAndWhatIsMissingAreEmpty) {
  Answer(200, R"({"data":{"id":"u-1","attributes":null,"relationships":{"org":{"data":null}}},
                  "included":[null,7,{"type":"roles"},
                              {"type":"orgs","id":"o-7","attributes":{"public_id":null}}]})")
      .Times(1);
  Answer(200, R"({"data":{"id":"u-2"},"included":null})").Times(1);
  const auto user = cache_.Get(30s);
  ASSERT_THAT(user, IsOk());
  EXPECT_EQ(user->handle, "");
  EXPECT_EQ(user->org_id, "o-7") << "the only organisation there is";
  EXPECT_EQ(user->org_public_id, "");
  dir_.Write("token", "second");
  const auto other = cache_.Get(30s);
  ASSERT_THAT(other, IsOk());
  EXPECT_EQ(other->id + other->org_id, "u-2");
}

TEST_F(CurrentUserTest, AnAnswerWithTwoIdsIsNoUser) {
  Answer(200, R"({"data":{"id":"u-1","id":"u-2"}})");
  EXPECT_THAT(cache_.Get(30s),
              FailsWith(Code::kInternal, ::testing::HasSubstr("no user, or one without an id")));
}

TEST_F(CurrentUserTest, HoweverManyAskItIsFetchedOnce) {
  Answer(200, Document().dump()).Delay(20ms);
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i) {
    threads.emplace_back([this] {
      const auto user = cache_.Get(30s);
      EXPECT_TRUE(user && user->id == "u-1");
    });
  }
  for (std::thread& thread : threads) thread.join();
  clock_->Pass(24h);
  EXPECT_THAT(cache_.Get(30s), IsOk());
  EXPECT_THAT(server_.Requests(), SizeIs(1));
}

TEST_F(CurrentUserTest, WaitingForAnotherCallsAnswerEnds) {
  Answer(200, "").Hold();
  std::thread asking(
      [this] { EXPECT_THAT(cache_.Get(60s), FailsWith(Code::kCancelled, ::testing::_)); });
  EXPECT_TRUE(server_.WaitForRequests(1));
  EXPECT_THAT(cache_.Get(20ms),
              FailsWith(Code::kDeadlineExceeded,
                        "currentUser.get: waited 20 ms for another call's answer"));
  transport_->CancelAll();
  asking.join();
}

TEST_F(CurrentUserTest, OtherCredentialsMayBeAnotherUser) {
  Answer(200, R"({"data":{"id":"u-1"}})").Times(1);
  Answer(200, R"({"data":{"id":"u-2"}})").Times(1);
  EXPECT_EQ(cache_.Get(30s)->id, "u-1");
  dir_.Write("token", "second");
  EXPECT_EQ(cache_.Get(30s)->id, "u-2");
  EXPECT_EQ(server_.Requests().at(1).headers.at("authorization"), "Bearer second");
}

TEST_F(CurrentUserTest, AFailureIsRememberedForFiveSecondsOrAsLongAsTheServiceAsks) {
  const std::string path = "/api/v2/current_user";
  Answer(403, R"({"errors":["Forbidden"]})").Times(1);
  server_.When("GET", path).Reply(429, R"({"errors":["slow"]})", {{"Retry-After", "60"}}).Times(1);
  Answer(200, Document().dump());
  const auto forbidden = FailsWith(Code::kPermissionDenied, "currentUser.get: Forbidden");
  EXPECT_THAT(cache_.Get(30s), forbidden);
  clock_->Pass(5s - 1ms);
  EXPECT_THAT(cache_.Get(30s), forbidden);
  EXPECT_THAT(server_.Requests(), SizeIs(1));
  clock_->Pass(1ms);
  EXPECT_THAT(cache_.Get(30s), FailsWith(Code::kResourceExhausted, "currentUser.get: slow"));
  clock_->Pass(59s);
  EXPECT_THAT(cache_.Get(30s), FailsWith(Code::kResourceExhausted, "currentUser.get: slow"));
  clock_->Pass(1s);
  EXPECT_THAT(cache_.Get(30s), IsOk());
}

TEST_F(CurrentUserTest, AnAnswerWithoutAUserIsInternal) {
  for (const char* body : {"<html>", "{}", "[]", R"({"data":{"id":null}})", R"({"data":[]})"}) {
    SCOPED_TRACE(body);
    Answer(200, body).Times(1);
    EXPECT_THAT(cache_.Get(30s),
                FailsWith(Code::kInternal,
                          "currentUser.get answered with no user, or one without an id: check the "
                          "endpoint " +
                              server_.Url()));
    clock_->Pass(5s);
  }
}

TEST_F(CurrentUserTest, WithoutCredentialsNothingIsSent) {
  dir_.Remove("token");
  EXPECT_THAT(cache_.Get(30s), FailsWith(Code::kUnauthenticated,
                                         "currentUser.get: credential file \"" + (dir_ / "token") +
                                             "\" cannot be read: No such file or directory"));
  EXPECT_THAT(server_.Requests(), SizeIs(0));
}

}  // namespace
}  // namespace bindery::datadog
