#include "store/ports/check_help.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/postgres/postgres_check_help.h"
#include "support/matchers.h"
#include "test_postgres.h"

namespace bindery::store {
namespace {

using bindery::testing::IsOk;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class CheckHelpTest : public bindery::testing::PostgresDatabaseTest {
 protected:
  void SetUp() override {
    PostgresDatabaseTest::SetUp();
    if (IsSkipped()) return;
    batches_ = std::make_unique<PostgresCheckBatches>(url_);
    first_ = std::make_unique<PostgresCheckHelp>(url_);
    second_ = std::make_unique<PostgresCheckHelp>(url_);
  }
  /// The tables are there, and both help.
  void Offer() {
    ASSERT_THAT(batches_->Helpers(), IsOk());
    ASSERT_THAT(first_->Offer(), IsOk());
    ASSERT_THAT(second_->Offer(), IsOk());
  }

  std::unique_ptr<PostgresCheckBatches> batches_;
  std::unique_ptr<PostgresCheckHelp> first_;
  std::unique_ptr<PostgresCheckHelp> second_;
};

TEST_F(CheckHelpTest, BeforeTheReplicaAtWorkSharesChecksThereIsNothingToOffer) {
  EXPECT_FALSE(first_->Offer().has_value());
  EXPECT_FALSE(first_->Take().has_value());
  Offer();
  EXPECT_THAT(*batches_->Helpers(), SizeIs(2));
}

TEST_F(CheckHelpTest, ABatchGoesToItsHelperOnceAndItsAnswerBackOnce) {
  Offer();
  const auto helpers = batches_->Helpers();
  const std::string odd = "a'b\\c\n\"\xE2\x82\xAC";
  ASSERT_THAT(batches_->Place({{"1", helpers->at(0).id, odd}, {"2", helpers->at(1).id, "x"}}),
              IsOk());
  auto taken = *first_->Take();
  auto of_second = *second_->Take();
  ASSERT_THAT(taken, SizeIs(1));
  ASSERT_THAT(of_second, SizeIs(1));
  EXPECT_THAT(*first_->Take(), IsEmpty());
  if (taken[0].id == "2") std::swap(taken, of_second);
  EXPECT_EQ(taken[0].text, odd);
  EXPECT_THAT(*batches_->Collect(), IsEmpty());
  ASSERT_THAT(first_->Answer({"1", odd}), IsOk());
  const auto answers = batches_->Collect();
  ASSERT_THAT(*answers, SizeIs(1));
  EXPECT_EQ(answers->front().id, "1");
  EXPECT_EQ(answers->front().text, odd);
  EXPECT_THAT(*batches_->Collect(), IsEmpty());
}

TEST_F(CheckHelpTest, AnswersGoToWhoAsked) {
  Offer();
  PostgresCheckBatches next(url_);
  ASSERT_THAT(next.Place({{"1", batches_->Helpers()->at(0).id, "x"}}), IsOk());
  ASSERT_THAT(first_->Answer({"1", "s"}), IsOk());
  EXPECT_THAT(*batches_->Collect(), IsEmpty()) << "of one whose lease ended";
  EXPECT_THAT(*next.Collect(), SizeIs(1));
}

TEST_F(CheckHelpTest, AnAnswerThatNobodyWaitsForIsNoError) {
  Offer();
  EXPECT_THAT(first_->Answer({"gone", "s"}), IsOk());
  EXPECT_THAT(*batches_->Collect(), IsEmpty());
}

TEST_F(CheckHelpTest, WhoLeavesIsNotListed) {
  Offer();
  first_->Leave();
  EXPECT_THAT(*batches_->Helpers(), SizeIs(1));
  first_->Leave();
}

TEST_F(CheckHelpTest, WhoIsSilentIsSeenToBe) {
  Offer();
  static_cast<void>(Ask("UPDATE helpers SET seen = now() - interval '30 seconds'"));
  ASSERT_THAT(first_->Offer(), IsOk());
  const auto helpers = *batches_->Helpers();
  ASSERT_THAT(helpers, SizeIs(2));
  const auto silent = std::minmax(helpers[0].silent, helpers[1].silent);
  EXPECT_LT(silent.first, std::chrono::seconds(25));
  EXPECT_GE(silent.second, std::chrono::seconds(30));
  static_cast<void>(Ask("UPDATE helpers SET seen = now() - interval '2 minutes'"));
  EXPECT_THAT(*batches_->Helpers(), IsEmpty());
}

TEST_F(CheckHelpTest, WhatIsNotAnsweredGoesAfterAMinute) {
  Offer();
  ASSERT_THAT(batches_->Place({{"1", "nobody", "x"}}), IsOk());
  static_cast<void>(Ask("UPDATE check_batches SET placed = now() - interval '61 seconds'"));
  static_cast<void>(batches_->Collect());
  EXPECT_EQ(Ask("SELECT count(*) FROM check_batches"), "0");
}

TEST_F(CheckHelpTest, ASessionThatWasLostIsMadeAgain) {
  Offer();
  static_cast<void>(
      Ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
          "WHERE datname = current_database() AND pid <> pg_backend_pid()"));
  static_cast<void>(batches_->Helpers());
  EXPECT_THAT(batches_->Helpers(), IsOk());
}

TEST_F(CheckHelpTest, TablesThatWereDroppedAreMadeAgain) {
  Offer();
  static_cast<void>(Ask("DROP TABLE helpers, check_batches"));
  EXPECT_FALSE(batches_->Helpers().has_value());
  Offer();
  EXPECT_THAT(*batches_->Helpers(), SizeIs(2));
}

TEST_F(CheckHelpTest, NothingOfItIsLogged) {
  Offer();
  EXPECT_EQ(Ask("SELECT count(*) FROM pg_class WHERE relname IN ('helpers', 'check_batches') "
                "AND relpersistence = 'u'"),
            "2");
}

}  // namespace
}  // namespace bindery::store
