#include "controller/sharing/batch_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <memory>
#include <mutex>

#include "controller/gates/target_work.h"
#include "controller/sharing/check_batch.h"
#include "fakes/held_transport.h"

namespace bindery::testing {
namespace {

using ::testing::SizeIs;

constexpr const char* kKnownBody = R"({"etag":"BwX"})";
constexpr const char* kReadKind = "AuthorizationPolicyIamBinding";

class BatchRunnerTest : public ::testing::Test {
 protected:
  BatchRunnerTest() {
    connection_->provider = "cloudnative";
    connection_->endpoints = {{"networksecurity", "http://cloud"}};
    connection_->transport = transport_;
    connection_->authorizer = tokens_;
  }
  ~BatchRunnerTest() override { transport_->LetGo(); }
  BatchRunnerTest(const BatchRunnerTest&) = delete;
  BatchRunnerTest& operator=(const BatchRunnerTest&) = delete;

  static controller::AskedCheck Check(const std::string& id,
                                      const std::shared_ptr<cloud::Connection>& connection) {
    const std::string name = "projects/acme/locations/global/authorizationPolicies/" + id;
    return *controller::ReadAskedCheck({1, TargetKey(Target{kReadKind, "", name}),
                                        providers::KnownKinds().FindByName(kReadKind), connection,
                                        Sha256Digest::Of(kKnownBody)});
  }
  [[nodiscard]] controller::AskedCheck Check(const std::string& id) const {
    return Check(id, connection_);
  }

  void Begin(std::size_t concurrency) {
    runner_ = std::make_unique<controller::BatchRunner>(
        providers::KnownKinds(), controller::CloudCalls::Connections{{"cloudnative", connection_}},
        controller::BatchRunner::Settings{concurrency, std::chrono::seconds(7)}, answers_);
  }
  void Start(const std::vector<controller::AskedCheck>& checks, const std::string& id = "batch") {
    if (runner_ == nullptr) Begin(8);
    runner_->Start({id, "me", controller::TextOfChecks(checks)});
  }
  /// Of the next batch that ends; waits for it.
  [[nodiscard]] std::string Result() {
    std::unique_lock lock(mutex_);
    woken_.wait(lock, [this] { return woke_; });
    woke_ = false;
    lock.unlock();
    const std::vector<store::CheckBatchAnswer> all = answers_->TakeAll();
    EXPECT_THAT(all, SizeIs(1));
    return all.at(0).text;
  }

  std::shared_ptr<HeldTransport> transport_ = std::make_shared<HeldTransport>();
  std::shared_ptr<HandedTokens> tokens_ = std::make_shared<HandedTokens>();
  std::shared_ptr<cloud::Connection> connection_ = std::make_shared<cloud::Connection>();
  std::mutex mutex_;
  std::condition_variable woken_;
  bool woke_ = false;
  controller::BatchRunner::Answers answers_ =
      std::make_shared<controller::Mailbox<store::CheckBatchAnswer>>([this] {
        const std::lock_guard lock(mutex_);
        woke_ = true;
        woken_.notify_all();
      });
  std::unique_ptr<controller::BatchRunner> runner_;  ///< Last: its threads use what is above.
};

TEST_F(BatchRunnerTest, EachCheckIsAnsweredInItsPlace) {
  Start({Check("a"), Check("b"), Check("c"), Check("d")});
  const cloud::HttpRequest request = transport_->Request(0);
  EXPECT_EQ(request.url,
            "http://cloud/v1/projects/acme/locations/global/authorizationPolicies/a:getIamPolicy"
            "?options.requestedPolicyVersion=3");
  EXPECT_EQ(request.timeout, std::chrono::seconds(7));
  EXPECT_EQ(request.max_response_bytes, controller::kMaxPolicyBytes);
  EXPECT_EQ(request.headers.back().second, "Bearer kept-by-the-test");
  transport_->Answer(3, 200, "another body");
  transport_->Answer(0, 200, kKnownBody);
  transport_->Answer(1, 403, kKnownBody);
  transport_->Answer(2, Fail(Code::kUnavailable, "no route"));
  EXPECT_EQ(Result(), "sffo");
}

TEST_F(BatchRunnerTest, NoMoreCallsThanAllowedAreUnderWay) {
  Begin(2);
  Start({Check("a"), Check("b"), Check("c")});
  std::ignore = transport_->Request(1);
  EXPECT_EQ(transport_->Sent(), 2U);
  transport_->Answer(0, 200, kKnownBody);
  std::ignore = transport_->Request(2);
  transport_->Answer(1, 200, kKnownBody);
  transport_->Answer(2, 200, kKnownBody);
  EXPECT_EQ(Result(), "sss");
}

TEST_F(BatchRunnerTest, WhatComesToAnotherCallIsNotRead) {
  controller::AskedCheck another = Check("a");
  another.name = Check("b").name;
  controller::AskedCheck unknown = Check("a");
  unknown.kind = "NoSuchKind";
  controller::AskedCheck other = Check("a");
  other.provider = "another";
  Start({another, unknown, other});
  EXPECT_EQ(Result(), "fff");
  EXPECT_EQ(transport_->Sent(), 0U);
}

TEST_F(BatchRunnerTest, AReplicaMayHaveAWayOfItsOwnToAService) {
  const auto elsewhere = std::make_shared<cloud::Connection>(*connection_);
  elsewhere->endpoints = {{"networksecurity", "http://another"}};
  Start({Check("a", elsewhere)});
  EXPECT_TRUE(transport_->Request(0).url.starts_with("http://cloud/v1/projects/"));
  transport_->Answer(0, 200, kKnownBody);
  EXPECT_EQ(Result(), "s");
}

TEST_F(BatchRunnerTest, WhatIsNotUnderstoodIsAnsweredWithNothing) {
  Begin(1);
  runner_->Start({"batch", "me", "{}"});
  EXPECT_EQ(Result(), "");
}

TEST_F(BatchRunnerTest, ATransportThatThrowsIsAFailedCheck) {
  transport_->breaks = true;
  Start({Check("a"), Check("b")});
  EXPECT_EQ(Result(), "ff");
}

TEST_F(BatchRunnerTest, CredentialsThatMustBeFetchedAreFetched) {
  tokens_->at_hand.reset();
  Start({Check("a")});
  EXPECT_EQ(transport_->Request(0).headers.back().second, "Bearer fetched");
  transport_->Answer(0, 200, kKnownBody);
  EXPECT_EQ(Result(), "s");
}

TEST_F(BatchRunnerTest, ItEndsWithCallsUnderWay) {
  Start({Check("a"), Check("b")});
  std::ignore = transport_->Request(1);
  runner_.reset();
  transport_->Answer(0, 200, kKnownBody);
  EXPECT_THAT(answers_->TakeAll(), SizeIs(0));
}

}  // namespace
}  // namespace bindery::testing
