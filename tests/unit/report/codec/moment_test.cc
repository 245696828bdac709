#include "report/codec/moment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/text/time_text.h"
#include "unit/report/report_fixture.h"

namespace bindery::report {
namespace {

using testing::At;

TEST(ParseMoment, TakesWhatPeopleWrite) {
  const WallTime now = At("2026-11-21T12:34:56.789Z");
  struct Case {
    const char* text;
    const char* time;
  };
  const Case cases[] = {
      {"now", "2026-11-21T12:34:56.789Z"},
      {"today", "2026-11-21T00:00:00Z"},
      {"yesterday", "2026-11-20T00:00:00Z"},
      {"24h", "2026-11-20T12:34:56.789Z"},
      {"7d", "2026-11-14T12:34:56.789Z"},
      {"2026-11-01", "2026-11-01T00:00:00Z"},
      {"2026-11-01T10:20:30Z", "2026-11-01T10:20:30Z"},
      {"2026-11-01T10:20:30+02:00", "2026-11-01T08:20:30Z"},
      {"2026-11-01T10:20:30", "2026-11-01T10:20:30Z"},
      {"2026-11-01 10:20:30", "2026-11-01T10:20:30Z"},
      {"2026-11-01 10:20", "2026-11-01T10:20:00Z"},
      {"2026-11-01T10:20", "2026-11-01T10:20:00Z"},
  };
  for (const Case& one : cases) {
    const auto moment = ParseMoment(one.text, now);
    ASSERT_TRUE(moment.has_value()) << one.text << ": " << ToString(moment.error());
    EXPECT_EQ(FormatRfc3339(*moment), FormatRfc3339(At(one.time))) << one.text;
  }
}

TEST(ParseMoment, RefusesTheRestAndSaysWhatItTakes) {
  for (const char* text : {"", "soon", "2026-13-01", "2026-11-31", "2026-11-01 25:00", "tomorrow",
                           "2026-11-01 10:20 Europe/Berlin", "-1h", "10:20"}) {
    const auto moment = ParseMoment(text, WallTime());
    ASSERT_FALSE(moment.has_value()) << text;
    EXPECT_THAT(moment.error().message, ::testing::HasSubstr("yesterday")) << text;
  }
}

}  // namespace
}  // namespace bindery::report
