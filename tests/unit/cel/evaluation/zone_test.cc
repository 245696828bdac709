// Time zones: names, the changes of the clocks, the years beyond the tables.

#include "cel/evaluation/zone.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "cel/evaluation/time.h"
#include "support/matchers.h"

namespace bindery::cel {
namespace {

using ::testing::HasSubstr;

std::int64_t ToSeconds(const char* time) { return ParseTimestamp(time)->seconds; }

struct ZoneCase {
  const char* zone;
  const char* time;
  std::int64_t offset;  ///< Seconds ahead of UTC.
};

void CheckOffsets(std::initializer_list<ZoneCase> cases) {
  for (const ZoneCase& c : cases) {
    SCOPED_TRACE(std::string(c.zone) + " at " + c.time);
    const Expected<std::int64_t> offset = FindOffset(c.zone, ToSeconds(c.time));
    ASSERT_THAT(offset, bindery::testing::IsOk());
    EXPECT_EQ(*offset, c.offset);
  }
}

TEST(Zone, ClocksChangeToTheSecond) {
  CheckOffsets({
      // The hour that does not exist, and the one that exists twice.
      {"Europe/Berlin", "2026-03-29T00:59:59Z", 3600},
      {"Europe/Berlin", "2026-03-29T01:00:00Z", 7200},
      {"Europe/Berlin", "2026-10-25T00:59:59Z", 7200},
      {"Europe/Berlin", "2026-10-25T01:00:00Z", 3600},
      {"America/New_York", "2026-03-08T06:59:59Z", -18000},
      {"America/New_York", "2026-03-08T07:00:00Z", -14400},
      // The south has its summer around the turn of the year.
      {"Australia/Sydney", "2026-01-01T00:00:00Z", 39600},
      {"Australia/Sydney", "2026-04-04T15:59:59Z", 39600},
      {"Australia/Sydney", "2026-04-04T16:00:00Z", 36000},
      {"Australia/Lord_Howe", "2026-07-01T00:00:00Z", 37800},
      {"Australia/Lord_Howe", "2026-12-01T00:00:00Z", 39600},
      {"America/Sao_Paulo", "2018-12-01T00:00:00Z", -7200},
      {"America/Sao_Paulo", "2026-12-01T00:00:00Z", -10800},
  });
}

TEST(Zone, WithoutSummerTime) {
  CheckOffsets({
      {"UTC", "2026-07-01T00:00:00Z", 0},
      {"Asia/Kathmandu", "2026-07-01T00:00:00Z", 20700},
      {"Asia/Tokyo", "2400-07-01T00:00:00Z", 32400},
      {"Etc/GMT+5", "2026-07-01T00:00:00Z", -18000},
  });
}

TEST(Zone, BeforeTheTableIsLocalMeanTime) {
  CheckOffsets({
      {"Europe/Berlin", "1800-01-01T00:00:00Z", 3208},
      {"Europe/Berlin", "0001-01-01T00:00:00Z", 3208},
      {"America/New_York", "1883-11-18T16:59:59Z", -17762},
  });
}

TEST(Zone, BeyondTheTableTheRuleCounts) {
  CheckOffsets({
      {"Europe/Berlin", "2500-03-28T00:59:59Z", 3600},
      {"Europe/Berlin", "2500-03-28T01:00:00Z", 7200},
      {"Europe/Berlin", "2500-10-31T00:59:59Z", 7200},
      {"Europe/Berlin", "2500-10-31T01:00:00Z", 3600},
      {"Europe/Berlin", "9999-12-31T23:59:59Z", 3600},
      {"Australia/Sydney", "2499-12-31T23:59:59Z", 39600},
      {"Australia/Sydney", "2500-01-01T00:00:00Z", 39600},
      {"Australia/Sydney", "2500-07-01T00:00:00Z", 36000},
      {"Europe/Dublin", "2500-07-01T00:00:00Z", 3600},
      {"Europe/Dublin", "2500-01-01T00:00:00Z", 0},
  });
}

TEST(Zone, FixedOffsets) {
  CheckOffsets({
      {"+02:00", "2026-07-01T00:00:00Z", 7200},
      {"-09:30", "2026-07-01T00:00:00Z", -34200},
      {"05:45", "2026-07-01T00:00:00Z", 20700},
      {"-00:00", "2026-07-01T00:00:00Z", 0},
      {"+23:59", "2026-07-01T00:00:00Z", 86340},
  });
}

TEST(Zone, NamesStayInTheDirectory) {
  for (const char* name :
       {"", "Nowhere", "Europe", "europe/berlin/", "/etc/localtime", "../zoneinfo/UTC",
        "Europe/../UTC", "Europe//Berlin", "+2:00", "+24:00", "+02:60", "+02", "zone.tab", "UTC\n",
        "Local", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}) {
    SCOPED_TRACE(name);
    EXPECT_THAT(FindOffset(name, 0),
                bindery::testing::FailsWith(Code::kNotFound, HasSubstr("unknown time zone")));
  }
}

TEST(Zone, MissingDataIsSaid) {
  // In a process of its own, which has read no zone yet.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        ::setenv("TZDIR", "/nonexistent/zoneinfo", 1);
        const Expected<std::int64_t> offset = FindOffset("Europe/Berlin", 0);
        std::fputs(offset ? "found" : offset.error().message.c_str(), stderr);
        std::exit(0);
      },
      ::testing::ExitedWithCode(0),
      "no time zone data: install the package tzdata to use the zone "
      "\"Europe/Berlin\"");
}

}  // namespace
}  // namespace bindery::cel
