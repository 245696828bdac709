// Answers that go through everything are made one at a time, beside all others.

#include "server/requests/large_answers.h"

#include <gtest/gtest.h>

#include <future>
#include <stdexcept>

#include "server/queries.h"

namespace bindery::server {
namespace {

TEST(LargeAnswers, AreThoseOfListsBeyondTheFirstThousand) {
  struct Case {
    const char* limit;
    const char* offset;
    bool large;
  };
  const Case cases[] = {{"", "", true},       {"1001", "", true},  {"x", "", true},
                        {"1000", "", false},  {"1", "", false},    {"100", "900", false},
                        {"100", "901", true}, {"100", "x", false}, {"1000", "1", true}};
  for (const Case& c : cases) {
    httpd::Request request;
    request.query = {{"limit", c.limit}, {"offset", c.offset}};
    EXPECT_EQ(LargeAnswers::IsLarge(request), c.large) << c.limit << " from " << c.offset;
  }
  EXPECT_TRUE(LargeAnswers::IsLarge({})) << "no limit";
}

TEST(LargeAnswers, OfEventsAreThoseOfAFilter) {
  for (const char* part : {"q", "type", "reason", "actor", "since", "until"}) {
    httpd::Request request;
    request.query = {{part, ""}};
    EXPECT_FALSE(GoesThroughEvents(request)) << part;
    request.query = {{part, "x"}};
    EXPECT_TRUE(GoesThroughEvents(request)) << part;
  }
  httpd::Request page;
  page.query = {{"resource", "a"}, {"before", "9"}, {"limit", "10"}};
  EXPECT_FALSE(GoesThroughEvents(page));
}

TEST(LargeAnswers, AreMadeInTurnAndTooManyAreRefused) {
  LargeAnswers answers(/*waiting=*/1);
  std::promise<void> begun;
  std::promise<void> go_on;
  std::promise<int> made;
  int number = 0;
  ASSERT_TRUE(answers.Run([&] {
    begun.set_value();
    go_on.get_future().wait();
    ++number;
  }));
  begun.get_future().wait();
  ASSERT_TRUE(answers.Run([&] { made.set_value(number * 10); })) << "one waits";
  EXPECT_FALSE(answers.Run([] {})) << "and no second one";
  go_on.set_value();
  EXPECT_EQ(made.get_future().get(), 10) << "one after the other";
}

TEST(LargeAnswers, GoOnAfterOneThatFails) {
  LargeAnswers answers(/*waiting=*/2);
  std::promise<void> made;
  ASSERT_TRUE(answers.Run([] { throw std::runtime_error("no memory"); }));
  ASSERT_TRUE(answers.Run([&] { made.set_value(); }));
  made.get_future().wait();
}

TEST(LargeAnswers, ThatWaitAtTheEndAreDropped) {
  bool made = false;
  const auto held = std::make_shared<int>(0);
  std::promise<void> begun;
  std::promise<void> go_on;
  auto answers = std::make_unique<LargeAnswers>(/*waiting=*/1);
  ASSERT_TRUE(answers->Run([&] {
    begun.set_value();
    go_on.get_future().wait();
  }));
  begun.get_future().wait();
  ASSERT_TRUE(answers->Run([&made, held] { made = true; }));
  auto ended = std::async(std::launch::async, [&] { answers.reset(); });
  while (held.use_count() > 1) std::this_thread::yield();
  go_on.set_value();
  ended.wait();
  EXPECT_FALSE(made);
}

}  // namespace
}  // namespace bindery::server
