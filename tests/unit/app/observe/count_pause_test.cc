#include "app/observe/count_pause.h"

#include <gtest/gtest.h>

namespace bindery::app {
namespace {

using namespace std::chrono_literals;

TEST(CountPause, OfManyEntriesACountIsFollowedByAPause) {
  const MonoTime begin = MonoTime() + 1h;
  struct Case {
    const char* why;
    std::size_t before, now;
    std::chrono::milliseconds later;
    bool counts;
  };
  const Case cases[] = {
      {"few entries, at once", 20'000, 20'000, 0ms, true},
      {"few entries after many", 200'000, 20'000, 0ms, true},
      {"many entries, at once", 20'001, 20'001, 0ms, false},
      {"many entries, before the end of the pause", 200'000, 200'000, 2999ms, false},
      {"many entries, at the end of the pause", 200'000, 200'000, 3000ms, true},
      {"the pause of fewer entries is shorter", 100'000, 200'000, 1500ms, true},
  };
  for (const Case& c : cases) {
    CountPause pause;
    ASSERT_TRUE(pause.MayCount(c.before, begin)) << c.why;
    EXPECT_EQ(pause.MayCount(c.now, begin + c.later), c.counts) << c.why;
  }
}

}  // namespace
}  // namespace bindery::app
