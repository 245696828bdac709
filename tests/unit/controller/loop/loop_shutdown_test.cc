// How far the end of the loop has come.

#include "controller/loop/loop_shutdown.h"

#include <gtest/gtest.h>

namespace bindery::controller {
namespace {

using namespace std::chrono_literals;

TEST(LoopShutdown, BeginsOnce) {
  boost::asio::io_context io(1);
  LoopShutdown shutdown(io);
  EXPECT_FALSE(shutdown.begun());
  EXPECT_TRUE(shutdown.Begin(1h, [] {}));
  EXPECT_FALSE(shutdown.Begin(1h, [] {}));
  EXPECT_TRUE(shutdown.begun());
  EXPECT_FALSE(shutdown.finished());
}

TEST(LoopShutdown, IsCleanWhenItIsFinishedBeforeTheDeadline) {
  boost::asio::io_context io(1);
  LoopShutdown shutdown(io);
  int overdue = 0;
  EXPECT_TRUE(shutdown.Begin(1h, [&] { ++overdue; }));
  shutdown.Finish();
  io.run();
  EXPECT_TRUE(shutdown.finished());
  EXPECT_TRUE(shutdown.clean());
  EXPECT_EQ(overdue, 0);
}

TEST(LoopShutdown, IsNotCleanWhenTheDeadlineCancelsCalls) {
  boost::asio::io_context io(1);
  LoopShutdown shutdown(io);
  int overdue = 0;
  EXPECT_TRUE(shutdown.Begin(0ms, [&] { ++overdue; }));
  io.run();
  EXPECT_FALSE(shutdown.clean());
  EXPECT_EQ(overdue, 1);
}

}  // namespace
}  // namespace bindery::controller
