// Time zones: the system's data, its file format, the rules for the years beyond the tables.

#include "cel/zone.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "cel/time.h"
#include "cel/zone_rule.h"
#include "support/matchers.h"

namespace bindery::cel {
namespace {

using ::testing::HasSubstr;

std::int64_t SecondsOf(const char* time) { return ParseTimestamp(time)->seconds; }

struct ZoneCase {
  const char* zone;
  const char* time;
  std::int64_t offset;  ///< Seconds ahead of UTC.
};

void CheckOffsets(std::initializer_list<ZoneCase> cases) {
  for (const ZoneCase& c : cases) {
    SCOPED_TRACE(std::string(c.zone) + " at " + c.time);
    const Expected<std::int64_t> offset = OffsetOf(c.zone, SecondsOf(c.time));
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
    EXPECT_THAT(OffsetOf(name, 0),
                bindery::testing::FailsWith(Code::kNotFound, HasSubstr("unknown time zone")));
  }
}

TEST(Zone, AMissingDirectoryIsSaid) {
  const auto zone = FindZone("Europe/Berlin", "/nonexistent/zoneinfo");
  ASSERT_FALSE(zone.has_value());
  EXPECT_THAT(zone.error().message, HasSubstr("install the package tzdata"));
}

// --- files --------------------------------------------------------------------------------------

std::string Number(std::int64_t value, int width) {
  std::string bytes;
  for (int i = width - 1; i >= 0; --i) {
    bytes += static_cast<char>(
        (static_cast<std::uint64_t>(value) >> (8 * static_cast<unsigned>(i))) & 0xFFU);
  }
  return bytes;
}

/// A file of the first version: one hour from second 100 on, none before.
std::string SmallFile(std::int64_t leaps = 0, char type = 1) {
  std::string file = "TZif" + std::string(16, '\0');
  for (const std::int64_t count : {std::int64_t{0}, std::int64_t{0}, leaps, std::int64_t{1},
                                   std::int64_t{2}, std::int64_t{4}}) {
    file += Number(count, 4);
  }
  file += Number(100, 4) + std::string(1, type);
  file += Number(0, 4) + std::string(2, '\0') + Number(3600, 4) + std::string(2, '\0');
  file += std::string("ABC\0", 4);
  if (leaps > 0) file += std::string(8, '\0');
  return file;
}

TEST(ZoneFile, OfTheFirstVersionHasNoRule) {
  const Expected<Zone> zone = Zone::Parse(SmallFile());
  ASSERT_THAT(zone, bindery::testing::IsOk());
  EXPECT_EQ(zone->OffsetAt(99), 0);
  EXPECT_EQ(zone->OffsetAt(100), 3600);
  EXPECT_EQ(zone->OffsetAt(1'000'000'000'000), 3600);
}

TEST(ZoneFile, WhatIsNoneIsRefused) {
  EXPECT_FALSE(Zone::Parse("").has_value());
  EXPECT_FALSE(Zone::Parse("TZif").has_value());
  EXPECT_FALSE(
      Zone::Parse("# a table of zones that is long enough to hold a header of a file").has_value());
  EXPECT_FALSE(Zone::Parse(SmallFile(0, 2)).has_value());
  EXPECT_THAT(Zone::Parse(SmallFile(1)).error().message, HasSubstr("leap seconds"));
  std::string huge = SmallFile();
  huge.replace(32, 4, Number(0x7FFFFFFF, 4));
  EXPECT_FALSE(Zone::Parse(huge).has_value());
}

TEST(ZoneFile, CutAnywhereItIsRefusedOrLosesItsRule) {
  std::ifstream file("/usr/share/zoneinfo/Europe/Berlin", std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(file), {}};
  ASSERT_TRUE(Zone::Parse(whole).has_value());
  const std::size_t footer = whole.rfind('\n', whole.size() - 2);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_EQ(Zone::Parse(std::string_view(whole).substr(0, length)).has_value(), length >= footer)
        << length;
  }
}

// --- rules --------------------------------------------------------------------------------------

TEST(ZoneRule, FormsOfDays) {
  struct Case {
    const char* rule;
    const char* time;
    std::int64_t offset;
  };
  const Case cases[] = {
      {"<+03>-3", "2600-07-01T00:00:00Z", 10800},
      {"EST5EDT,M3.2.0,M11.1.0", "2027-03-14T06:59:59Z", -18000},
      {"EST5EDT,M3.2.0,M11.1.0", "2027-03-14T07:00:00Z", -14400},
      {"EST5EDT,M3.2.0,M11.1.0", "2027-11-07T06:00:00Z", -18000},
      // Day 60 without leap days is 1 March in every year.
      {"AAA0BBB,J60/0,J300/0", "2028-02-29T23:59:59Z", 0},
      {"AAA0BBB,J60/0,J300/0", "2028-03-01T00:00:00Z", 3600},
      {"AAA0BBB,J60/0,J300/0", "2027-03-01T00:00:00Z", 3600},
      // Day 59 from 0 on is 29 February where there is one.
      {"AAA0BBB,59/0,300/0", "2028-02-29T00:00:00Z", 3600},
      {"AAA0BBB,59/0,300/0", "2027-02-28T23:59:59Z", 0},
      // Summer all year.
      {"EST5EDT,0/0,J365/25", "2026-01-01T05:00:00Z", -14400},
      {"EST5EDT,0/0,J365/25", "2026-12-31T23:59:59Z", -14400},
      {"EST5EDT,0/0,J365/25", "2026-07-01T00:00:00Z", -14400},
      // Times before and beyond the day.
      {"<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2030-03-31T00:59:59Z", -7200},
      {"<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2030-03-31T01:00:00Z", -3600},
      {"IST-2IDT,M3.4.4/26,M10.5.0", "2030-03-28T23:59:59Z", 7200},
      {"IST-2IDT,M3.4.4/26,M10.5.0", "2030-03-29T00:00:00Z", 10800},
      {"AAA1:30BBB0:30:30,M4.1.0,M10.1.0", "2030-07-01T00:00:00Z", -1830},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.rule) + " at " + c.time);
    const std::optional<ZoneRule> rule = ZoneRule::Parse(c.rule);
    ASSERT_TRUE(rule.has_value());
    EXPECT_EQ(rule->OffsetAt(SecondsOf(c.time)), c.offset);
  }
}

TEST(ZoneRule, MalformedRulesAreRefused) {
  for (const char* text :
       {"", "CET", "CE-1", "<+03", "<+03>", "CET-", "CET-1CEST", "CET-1CEST,M3.5.0",
        "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0",
        "CET-1CEST,M0.5.0,M10.5.0", "CET-1CEST,J0,J10", "CET-1CEST,366,10",
        "CET-1CEST,M3.5.0/,M10.5.0", "CET-1CEST,M3.5.0/168,M10.5.0", "CET-1CEST,M3.5.0,M10.5.0,",
        "CET-1CEST,M3.5.0,M10.5.0 "}) {
    EXPECT_FALSE(ZoneRule::Parse(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace bindery::cel
