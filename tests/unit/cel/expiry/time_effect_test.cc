#include "cel/expiry/time_effect.h"

#include <gtest/gtest.h>

#include "unit/cel/trees.h"

namespace bindery::cel {
namespace {

/// "-inf..2027-01-01T00:00:00Z 2028-01-01T00:00:00Z..inf", or "never".
std::string Text(const TimeSet& set) {
  std::string text;
  for (const TimeSet::Interval& interval : set.intervals()) {
    const bool first = interval.begin == TimeSet::Beginning();
    const bool last = interval.end == TimeSet::End();
    text += (text.empty() ? "" : " ") + (first ? "-inf" : ToString(interval.begin)) + ".." +
            (last ? "inf" : ToString(interval.end));
  }
  return text.empty() ? "never" : text;
}

struct Holds {
  std::string_view expression;
  std::string_view when;
};

TEST(TimeEffect, IsTheIntervalsInWhichAConditionCanHold) {
  const Holds kCases[] = {
      {"request.time < date('2027-01-01')", "-inf..2027-01-01T00:00:00Z"},
      {"request.time <= date('2027-01-01')", "-inf..2027-01-01T00:00:00.000000001Z"},
      {"date('2027-01-01') <= request.time", "2027-01-01T00:00:00Z..inf"},
      {"date('2027-01-01') < request.time", "2027-01-01T00:00:00.000000001Z..inf"},
      {"request.time == date('2027-01-01')",
       "2027-01-01T00:00:00Z..2027-01-01T00:00:00.000000001Z"},
      {"!(request.time >= timestamp('2027-01-01T01:00:00+01:00'))", "-inf..2027-01-01T00:00:00Z"},
      {"request.time - duration('3600s') >= date('2027-01-01') + duration('1h')",
       "2027-01-01T02:00:00Z..inf"},
      {"duration('60s') + request.time < date('2027-01-01')", "-inf..2026-12-31T23:59:00Z"},
      {"request.time > date('2027-01-01') && request.time < date('2026-01-01')", "never"},
      {"request.time < date('2027-01-01') || request.time >= date('2028-01-01')",
       "-inf..2027-01-01T00:00:00Z 2028-01-01T00:00:00Z..inf"},
      {"request.time < date('2027-01-01') || request.time >= date('2027-01-01')", "-inf..inf"},
      {"request.time < date('2027-01-01') ? request.time >= date('2026-01-01') : false",
       "2026-01-01T00:00:00Z..2027-01-01T00:00:00Z"},
      {"resource.name == 'a' && request.time < date('2027-01-01')", "-inf..2027-01-01T00:00:00Z"},
      {"resource.name == 'a' || request.time < date('2027-01-01')", "-inf..inf"},
      {"!(resource.name == 'a' || request.time < date('2027-01-01'))", "2027-01-01T00:00:00Z..inf"},
      {"request.time < timestamp('nonsense')", "-inf..inf"},
      {"request.time.getHours() < 9", "-inf..inf"},
      {"request.time.getFullYear() == 2027", "2027-01-01T00:00:00Z..2028-01-01T00:00:00Z"},
      {"request.time.getFullYear() == 2027 && request.time < date('2026-06-01')", "never"},
      {"!(request.time.getFullYear('Asia/Tokyo') in [2027])",
       "-inf..2026-12-31T15:00:00Z 2027-12-31T15:00:00Z..inf"},
      {"date('2027-01-01') - request.time > duration('3600s')", "-inf..2026-12-31T23:00:00Z"},
      {"request.time - request.time < duration('1s')", "-inf..inf"},
      {"false", "never"},
  };
  for (const Holds& one : kCases) {
    EXPECT_EQ(Text(FindTimeEffect(*MustParse(one.expression)).can_hold), one.when)
        << one.expression;
  }
}

TEST(TimeEffect, CountsComparisonsAndSaysWhetherAnythingElseDecides) {
  const TimeEffect mixed = FindTimeEffect(
      *MustParse("request.time < date('2027-01-01') && request.time > date('2026-01-01') && a"));
  EXPECT_EQ(mixed.comparisons, 2);
  EXPECT_FALSE(mixed.only_time);
  EXPECT_TRUE(mixed.can_fail.IsAll());
  const TimeEffect pure =
      FindTimeEffect(*MustParse("!(request.time < date('2027-01-01')) || false"));
  EXPECT_TRUE(pure.only_time);
  EXPECT_EQ(pure.can_fail, pure.can_hold.Not());
}

TEST(TimeSet, KnowsLogic) {
  const auto year = [](int from, int to) {
    return TimeSet::Between(*ParseDate(std::to_string(from) + "-01-01"),
                            *ParseDate(std::to_string(to) + "-01-01"));
  };
  EXPECT_EQ(year(2020, 2025).And(year(2023, 2030)), year(2023, 2025));
  EXPECT_EQ(year(2020, 2025).Or(year(2025, 2030)), year(2020, 2030));
  EXPECT_TRUE(year(2020, 2021).And(year(2021, 2022)).IsNone());
  EXPECT_TRUE(year(2021, 2020).IsNone());
  EXPECT_EQ(year(2020, 2021).Not().Not(), year(2020, 2021));
  EXPECT_EQ(TimeSet::None().Not(), TimeSet::All());
  EXPECT_TRUE(TimeSet::All().Not().IsNone());
  EXPECT_TRUE(year(2020, 2021).Contains(*ParseDate("2020-01-01")));
  EXPECT_FALSE(year(2020, 2021).Contains(*ParseDate("2021-01-01")));
}

}  // namespace
}  // namespace bindery::cel
