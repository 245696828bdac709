#include "store/ports/requests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "store/postgres/lease.h"
#include "store/postgres/postgres_link.h"
#include "store/postgres/postgres_requests.h"
#include "support/matchers.h"
#include "test_postgres.h"

namespace bindery::store {
namespace {

using bindery::testing::FailsWith;
using bindery::testing::IsOk;
using State = RequestProgress::State;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class RequestsTest : public bindery::testing::PostgresDatabaseTest {
 protected:
  void SetUp() override {
    PostgresDatabaseTest::SetUp();
    if (IsSkipped()) return;
    lease_ = *Lease::Take(url_, {{"host-a", "1.0"}});
    inbox_ = std::make_unique<PostgresInbox>(url_, lease_->fence());
    outbox_ = std::make_unique<PostgresOutbox>(url_);
  }

  /// The ids of what is taken.
  [[nodiscard]] static std::vector<std::string> TakenBy(RequestInbox& inbox) {
    std::vector<std::string> ids;
    const auto taken = inbox.Take();
    EXPECT_THAT(taken, IsOk());
    for (const RequestRecord& record : taken.value()) ids.push_back(record.id);
    return ids;
  }
  [[nodiscard]] State GetState(const std::string& id) const { return outbox_->Progress(id)->state; }
  void EndTerm() { static_cast<void>(Ask("UPDATE lease SET holder = ''")); }

  std::unique_ptr<Lease> lease_;
  std::unique_ptr<PostgresInbox> inbox_;
  std::unique_ptr<PostgresOutbox> outbox_;
};

TEST_F(RequestsTest, AreTakenOnceAndAnswered) {
  const std::string odd("a'b\\c\0d\xff\n\"", 10);
  EXPECT_THAT(TakenBy(*inbox_), IsEmpty());
  ASSERT_THAT(outbox_->Ask({"1", odd, "ana"}), IsOk());
  EXPECT_EQ(GetState("1"), State::kWaits);
  const auto taken = inbox_->Take();
  ASSERT_EQ(taken->size(), 1U);
  EXPECT_EQ(taken->front().text, odd);
  EXPECT_EQ(taken->front().actor, "ana");
  EXPECT_EQ(GetState("1"), State::kTaken);
  EXPECT_THAT(TakenBy(*inbox_), IsEmpty());
  ASSERT_THAT(inbox_->Answer("1", odd), IsOk());
  const auto progress = outbox_->Progress("1");
  EXPECT_EQ(progress->state, State::kAnswered);
  EXPECT_EQ(progress->answer, odd);
  EXPECT_EQ(GetState("nobody's"), State::kGone);
}

TEST_F(RequestsTest, AreTakenInTheirOrderAlsoWhileOneIsUnderWay) {
  ASSERT_THAT(outbox_->Ask({"9", "{}", "ana"}), IsOk());
  EXPECT_THAT(TakenBy(*inbox_), ElementsAre("9"));
  ASSERT_THAT(outbox_->Ask({"2", "{}", "ana"}), IsOk());
  ASSERT_THAT(outbox_->Ask({"1", "{}", "ana"}), IsOk());
  EXPECT_THAT(TakenBy(*inbox_), ElementsAre("2", "1"));
}

TEST_F(RequestsTest, AreWithdrawnUntilTheyAreTaken) {
  ASSERT_THAT(outbox_->Ask({"1", "{}", "ana"}), IsOk());
  EXPECT_TRUE(*outbox_->Withdraw("1"));
  EXPECT_THAT(TakenBy(*inbox_), IsEmpty());
  ASSERT_THAT(outbox_->Ask({"2", "{}", "ana"}), IsOk());
  EXPECT_THAT(TakenBy(*inbox_), ElementsAre("2"));
  EXPECT_FALSE(*outbox_->Withdraw("2"));
}

TEST_F(RequestsTest, AreNotTakenWhenWhoAskedHasLongGivenUp) {
  ASSERT_THAT(outbox_->Ask({"1", "{}", "ana"}), IsOk());
  static_cast<void>(Ask("UPDATE requests SET asked = now() - interval '2 minutes'"));
  EXPECT_THAT(TakenBy(*inbox_), IsEmpty());
  static_cast<void>(Ask("UPDATE requests SET asked = now() - interval '2 hours'"));
  ASSERT_THAT(outbox_->Ask({"2", "{}", "ana"}), IsOk());
  EXPECT_EQ(GetState("1"), State::kGone) << "old ones do not pile up";
}

TEST_F(RequestsTest, AreNeitherTakenNorAnsweredAfterTheTerm) {
  ASSERT_THAT(outbox_->Ask({"1", "{}", "ana"}), IsOk());
  EXPECT_THAT(TakenBy(*inbox_), ElementsAre("1"));
  ASSERT_THAT(outbox_->Ask({"2", "{}", "ana"}), IsOk());
  EndTerm();
  EXPECT_THAT(inbox_->Take(),
              FailsWith(Code::kFailedPrecondition, HasSubstr("another replica holds the lease")));
  EXPECT_THAT(inbox_->Answer("1", "{}"),
              FailsWith(Code::kFailedPrecondition, HasSubstr("another replica holds the lease")));
  EXPECT_EQ(GetState("1"), State::kLeft);
  EXPECT_EQ(GetState("2"), State::kWaits);

  const auto next = Lease::Take(url_, {{"host-b", "1.0"}});
  ASSERT_THAT(next, IsOk());
  PostgresInbox after(url_, (*next)->fence());
  EXPECT_THAT(TakenBy(after), ElementsAre("2")) << "what was taken before is not done again";
  EXPECT_EQ(GetState("1"), State::kLeft);
}

TEST_F(RequestsTest, SurviveTheEndOfTheSessions) {
  ASSERT_THAT(outbox_->Ask({"1", "{}", "ana"}), IsOk());
  EXPECT_THAT(TakenBy(*inbox_), ElementsAre("1"));
  static_cast<void>(
      Ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"));
  ASSERT_THAT(outbox_->Ask({"2", "{}", "ana"}), IsOk());
  // The look finds its session gone once.
  auto taken = inbox_->Take();
  if (!taken) taken = inbox_->Take();
  ASSERT_THAT(taken, IsOk());
  EXPECT_EQ(taken->size(), 1U);
  ASSERT_THAT(inbox_->Answer("1", "{}"), IsOk());
  EXPECT_EQ(GetState("1"), State::kAnswered);
}

}  // namespace
}  // namespace bindery::store
