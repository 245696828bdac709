// Webhooks on threads of their own, and a receiver that is a server of this test.

#include "notify/notifier.h"

#include "store/open_store.h"
#include "support/http_impostor.h"
#include "support/matchers.h"
#include "support/temp_dir.h"
#include "telemetry/metrics.h"

namespace bindery::notify {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using testing::HttpImpostor;
using testing::IsOk;
using ::testing::SizeIs;
using testing::TempDir;

constexpr const char* kPath = "/hook";

class NotifierTest : public ::testing::Test {
 protected:
  NotifierTest() {
    auto opened = store::OpenStore(dir_ / "state.db", store::StoreAccess::kReadWrite, clock_);
    EXPECT_THAT(opened, IsOk());
    store_ = std::move(*opened);
    notifier_ = std::make_unique<Notifier>(
        Services{*store_, *store_, log_, metrics_.notifications, clock_});
  }

  void Configure(const std::vector<std::string>& names) {
    NotifierSettings settings;
    settings.transport.user_agent = "bindery/test";
    for (const std::string& name : names) {
      config::WebhookConfig& webhook = settings.notifications.webhooks[name];
      webhook.name = name;
      webhook.url = receiver_.Url(kPath);
    }
    notifier_->Configure(settings);
  }

  void Happened(const std::string& reason) {
    store::StoreChange change;
    Event event;
    event.time = clock_.Wall();
    event.reason = reason;
    change.events = {event};
    EXPECT_THAT(store_->Apply(std::move(change)), IsOk());
    notifier_->Waker()();
  }

  TempDir dir_;
  SystemClock clock_;
  telemetry::Logger log_{{.level = LogLevel::kError, .sink = [](std::string_view) {}}};
  telemetry::Metrics metrics_{{{"K"}, "test"}};
  HttpImpostor receiver_;
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<Notifier> notifier_;
};

TEST_F(NotifierTest, AReloadBringsAWebhookBackWhoseReceiverWasGone) {
  receiver_.When("POST", kPath).Reply(410).Times(1);
  receiver_.When("POST", kPath).Reply(200);
  Configure({"ops"});
  Happened("A");
  notifier_->Finish(1min);
  EXPECT_THAT(receiver_.Requests(), SizeIs(1));
  Configure({"ops"});
  notifier_->Finish(1min);
  ASSERT_THAT(receiver_.Requests(), SizeIs(2));
  EXPECT_EQ(receiver_.Requests().at(0).body, receiver_.Requests().at(1).body);
}

TEST_F(NotifierTest, OnlyTheStatusOfAnAnswerMatters) {
  constexpr std::size_t kLong = 200'000;
  receiver_.When("POST", kPath).Reply(200, std::string(kLong, 'x'));
  Configure({"ops"});
  Happened("A");
  notifier_->Finish(1min);
  EXPECT_THAT(receiver_.Requests(), SizeIs(1));
  EXPECT_THAT(metrics_.Render(),
              HasSubstr(R"(bindery_notifications_total{outcome="delivered",webhook="ops"} 1)"));
}

TEST_F(NotifierTest, OfAWebhookThatIsTakenOutNothingIsPending) {
  const std::string pending = R"(bindery_notifications_pending{webhook="ops"} )";
  receiver_.When("POST", kPath).Hold();
  Configure({"ops"});
  Happened("A");
  ASSERT_TRUE(receiver_.WaitForRequests(1));
  EXPECT_THAT(metrics_.Render(), HasSubstr(pending + "1"));
  Configure({});
  notifier_.reset();  // Waits for the thread.
  EXPECT_THAT(metrics_.Render(), HasSubstr(pending + "0"));
}

TEST_F(NotifierTest, AtTheEndAFailedAttemptIsRepeatedWhileThereIsTime) {
  receiver_.When("POST", kPath).Reply(503).Times(1);
  receiver_.When("POST", kPath).Reply(200);
  Configure({"ops"});
  Happened("A");
  notifier_->Finish(1min);
  EXPECT_THAT(receiver_.Requests(), SizeIs(2));
  EXPECT_THAT(metrics_.Render(), HasSubstr(R"(bindery_notifications_failing{webhook="ops"} 0)"));
}

}  // namespace
}  // namespace bindery::notify
