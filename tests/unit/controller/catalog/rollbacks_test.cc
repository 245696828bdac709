#include "controller/catalog/rollbacks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/controller/plain_values.h"

namespace bindery::controller {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::kA;
using ::testing::SizeIs;

class RollbacksTest : public ::testing::Test {
 protected:
  void Begin(std::int64_t revision, std::vector<std::string> suspended) {
    rollbacks.Begin(kA, {revision, Json::object(), "ops", std::move(suspended)}, change);
  }
  Rollbacks rollbacks;
  store::StoreChange change;
};

TEST_F(RollbacksTest, ANewOneReplacesTheOldWithWhatThatSuspended) {
  Begin(1, {"m"});
  Begin(2, {"n"});
  ASSERT_THAT(change.upsert_rollbacks, SizeIs(2));
  EXPECT_THAT(change.upsert_rollbacks[1].suspended, ElementsAre("n", "m"));
  ASSERT_NE(rollbacks.Find(kA), nullptr);
  EXPECT_EQ(rollbacks.Find(kA)->revision, 2);
}

TEST_F(RollbacksTest, EndsOnlyTheRevisionThatWasWritten) {
  Begin(2, {"m"});
  rollbacks.End(kA, 1, change);
  EXPECT_THAT(change.forget_rollbacks, IsEmpty()) << "another one was asked for meanwhile";
  rollbacks.End(kA, 2, change);
  EXPECT_THAT(change.forget_rollbacks, ElementsAre(*kA));
  EXPECT_EQ(rollbacks.Find(kA), nullptr);
}

TEST_F(RollbacksTest, GivenUpTellsWhatItSuspended) {
  Begin(1, {"m", "n"});
  const PendingRollback given_up = rollbacks.GiveUp(kA, change);
  EXPECT_THAT(given_up.suspended, ElementsAre("m", "n"));
  EXPECT_THAT(change.forget_rollbacks, SizeIs(1));
  EXPECT_EQ(rollbacks.Find(kA), nullptr);
}

TEST_F(RollbacksTest, OneOfTheLastRunIsKeptAlsoWhenItsPolicyIsNotOnRecord) {
  EXPECT_TRUE(rollbacks.Restore(kA, {{*kA, 7, "ops", {"m"}}, "{}"}));
  EXPECT_FALSE(rollbacks.Restore(kA, {{*kA, 8, "ops", {"m"}}, ""}));
  EXPECT_THAT(rollbacks.GiveUp(kA, change).suspended, ElementsAre("m"));
}

TEST_F(RollbacksTest, AFailureSaysWhatBecomesOfIt) {
  EXPECT_EQ(rollbacks.FateText(kA, false), "") << "nobody asked for one";
  Begin(1, {});
  EXPECT_THAT(rollbacks.FateText(kA, false), ::testing::HasSubstr("tried again"));
  EXPECT_THAT(rollbacks.FateText(kA, true), ::testing::HasSubstr("nothing was brought back"));
}

}  // namespace
}  // namespace bindery::controller
