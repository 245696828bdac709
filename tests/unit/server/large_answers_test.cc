// Whole lists are made one at a time.

#include "server/large_answers.h"

#include <gtest/gtest.h>

#include <future>
#include <thread>

namespace bindery::server {
namespace {

TEST(LargeAnswers, AreThoseOfListsWithoutASmallLimit) {
  struct Case {
    const char* limit;
    bool large;
  };
  const Case cases[] = {{"", true}, {"1001", true}, {"x", true}, {"1000", false}, {"0", false}};
  for (const Case& c : cases) {
    httpd::Request request;
    request.query.emplace_back("limit", c.limit);
    EXPECT_EQ(LargeAnswers::IsLarge(request), c.large) << c.limit;
  }
  EXPECT_TRUE(LargeAnswers::IsLarge({})) << "no limit";
}

TEST(LargeAnswers, AreMadeInTurnAndTooManyAreRefused) {
  LargeAnswers alone(/*waiting=*/0);
  LargeAnswers with_one(/*waiting=*/1);
  std::promise<void> begun;
  std::promise<void> go_on;
  int made = 0;
  std::thread first([&] {
    EXPECT_TRUE(alone.Run([&] {
      EXPECT_TRUE(with_one.Run([&] {
        begun.set_value();
        go_on.get_future().wait();
        ++made;
      }));
    }));
  });
  begun.get_future().wait();
  EXPECT_FALSE(alone.Run([&] { made = 100; }));
  std::thread second([&] { EXPECT_TRUE(with_one.Run([&] { made *= 10; })); });
  go_on.set_value();
  first.join();
  second.join();
  EXPECT_EQ(made, 10) << "one after the other";
  EXPECT_TRUE(alone.Run([&] { made = 0; })) << "the turn is free again";
}

}  // namespace
}  // namespace bindery::server
