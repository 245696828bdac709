#include "controller/loop/mailbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bindery::controller {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Mailbox, WakesOnceForAllThatLiesInIt) {
  int wakes = 0;
  Mailbox<int> mailbox([&wakes] { ++wakes; });
  for (int i = 0; i < 3; ++i) mailbox.Put(i);
  EXPECT_EQ(wakes, 1);
  EXPECT_THAT(mailbox.TakeAll(), ElementsAre(0, 1, 2));
  EXPECT_THAT(mailbox.TakeAll(), IsEmpty());
  mailbox.Put(4);
  EXPECT_EQ(wakes, 2);
}

}  // namespace
}  // namespace bindery::controller
