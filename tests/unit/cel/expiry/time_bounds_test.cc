#include "cel/expiry/time_bounds.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "cel/expiry/time_moments.h"
#include "cel/syntax/parser.h"

namespace bindery::cel {
namespace {

Timestamp At(const std::string& text) { return ParseTimestamp(text).value_or(Timestamp{}); }

TimeBounds FindBounds(const std::string& source) {
  const Expected<ExprPtr> tree = Parse(source);
  EXPECT_TRUE(tree) << source;
  return TimeBounds::Of(**tree);
}

/// "..2026-01-01T00:00:00Z 2027-01-01T00:00:00Z..", a piece for each range.
std::string GetText(const TimeBounds& bounds) {
  std::string text;
  for (const TimeRange& range : bounds.ranges()) {
    if (!text.empty()) text += " ";
    text += range.from ? ToString(*range.from) : "";
    text += "..";
    text += range.until ? ToString(*range.until) : "";
  }
  return text;
}

/// The expression with its short words written out.
std::string Source(std::string text) {
  const std::pair<const char*, const char*> kWords[] = {
      {"NOW", "request.time"},
      {"MAY", "timestamp(\"2026-05-01T00:00:00Z\")"},
      {"JUNE", "date(\"2026-06-01\")"},
      {"HOUR", "duration(\"3600s\")"},
      {"NAME", "resource.name.startsWith(\"a\")"},
  };
  for (const auto& [word, meaning] : kWords) {
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word)) {
      text.replace(at, std::string(word).size(), meaning);
    }
  }
  return text;
}

constexpr const char* kMay = "2026-05-01T00:00:00Z";
constexpr const char* kJune = "2026-06-01T00:00:00Z";

TEST(ToWallTime, KeepsTheEarliestAndTheLatestTime) {
  for (const WallTime time : {WallTime::min(), WallTime(), WallTime::max()}) {
    EXPECT_EQ(ToWallTime(ToCelTimestamp(time)), time);
  }
}

TEST(TimeBounds, AreTheMomentsAtWhichAConditionCanHold) {
  const std::string may = kMay;
  const std::string june = kJune;
  const std::pair<const char*, std::string> cases[] = {
      {"NOW < MAY", ".." + may},
      {"NOW <= MAY", "..2026-05-01T00:00:00.000000001Z"},
      {"NOW >= MAY", may + ".."},
      {"NOW > MAY", "2026-05-01T00:00:00.000000001Z.."},
      {"MAY > NOW", ".." + may},
      {"NOW == MAY", may + "..2026-05-01T00:00:00.000000001Z"},
      {"NOW != MAY", ".." + may + " 2026-05-01T00:00:00.000000001Z.."},
      {"NOW >= MAY && NOW < JUNE", may + ".." + june},
      {"NOW < MAY || NOW >= JUNE", ".." + may + " " + june + ".."},
      {"NOW < MAY || NOW >= MAY", ".."},
      {"NOW >= JUNE && NOW < MAY", ""},
      {"!(NOW < MAY)", may + ".."},
      {"!(NOW < MAY || NOW >= JUNE)", may + ".." + june},
      {"NAME", ".."},
      {"NAME && NOW < MAY", ".." + may},
      {"NAME || NOW < MAY", ".."},
      {"!(NAME && NOW < MAY)", ".."},
      {"NOW < JUNE ? NOW >= MAY : NAME && false", may + ".." + june},
      {"NAME ? NOW < MAY : NOW < JUNE", ".." + june},
      {"NOW + HOUR <= MAY + HOUR && NOW - HOUR < MAY - HOUR", ".." + may},
      {"NOW - MAY < HOUR", "..2026-05-01T01:00:00Z"},
      {"MAY - NOW > HOUR", "..2026-04-30T23:00:00Z"},
      {"HOUR < MAY - NOW", "..2026-04-30T23:00:00Z"},
      {"MAY - NOW >= HOUR", "..2026-04-30T23:00:00.000000001Z"},
      {"MAY - NOW < HOUR", "2026-04-30T23:00:00.000000001Z.."},
      {"MAY - NOW == HOUR", "2026-04-30T23:00:00Z..2026-04-30T23:00:00.000000001Z"},
      {"!(MAY - NOW > HOUR)", "2026-04-30T23:00:00Z.."},
      {"MAY - (NOW + HOUR) > HOUR", "..2026-04-30T22:00:00Z"},
      {"MAY - NOW - HOUR > HOUR", "..2026-04-30T22:00:00Z"},
      {"HOUR + (MAY - NOW) > HOUR", ".." + may},
      {"HOUR - (NOW - MAY) > HOUR", ".." + may},
      {"HOUR - (MAY - NOW) < HOUR", ".." + may},
      {"NOW - MAY - HOUR < HOUR", "..2026-05-01T02:00:00Z"},
      {"NOW - MAY + HOUR < HOUR", ".." + may},
      {"JUNE + (NOW - MAY) < JUNE", ".." + may},
      {"JUNE - (MAY - NOW) < JUNE", ".." + may},
      {"JUNE - (NOW - MAY) < JUNE", ".."},
      {"NOW < MAY + duration(\"24h\")", "..2026-05-02T00:00:00Z"},
      {"NOW.getHours() < 9", ".."},
      {"NOW.getFullYear() == 2026", "2026-01-01T00:00:00Z..2027-01-01T00:00:00Z"},
      {"NOW.getFullYear() != 2026", "..2026-01-01T00:00:00Z 2027-01-01T00:00:00Z.."},
      {"NOW.getFullYear() < 2026", "..2026-01-01T00:00:00Z"},
      {"NOW.getFullYear() <= 2026", "..2027-01-01T00:00:00Z"},
      {"2026 < NOW.getFullYear()", "2027-01-01T00:00:00Z.."},
      {"2026 <= NOW.getFullYear(\"UTC\")", "2026-01-01T00:00:00Z.."},
      {"NOW.getFullYear(\"Asia/Tokyo\") < 2026", "..2025-12-31T15:00:00Z"},
      {"NOW.getFullYear(\"-09:30\") < 2026", "..2026-01-01T09:30:00Z"},
      {"NOW.getFullYear() in [2026, 2028]",
       "2026-01-01T00:00:00Z..2027-01-01T00:00:00Z 2028-01-01T00:00:00Z..2029-01-01T00:00:00Z"},
      {"NOW.getFullYear(\"No/Where\") < 2026", ".."},
      {"NOW.getFullYear(\"Asia/Dhaka\") < 2010", ".."},
      {"NOW.getFullYear() < 26", ".."},
      {"MAY.getFullYear() == 2026", ".."},
      {"true", ".."},
      {"false", ""},
      {"NOW < timestamp(\"soon\")", ""},
      {"NOW < timestamp(\"soon\") || NOW < MAY", ".." + may},
      {"NOW < timestamp(resource.name)", ".."},
      {"[1].all(x, NOW < MAY)", ".."},
  };
  for (const auto& [source, expected] : cases) {
    EXPECT_EQ(GetText(FindBounds(Source(source))), expected) << source;
  }
}

TEST(TimeMoments, AreThoseOfBothTruthValues) {
  const auto moments = [](const std::string& source) {
    const Expected<ExprPtr> tree = Parse(Source(source));
    EXPECT_TRUE(tree) << source;
    return ListMoments(**tree);
  };
  const TimeMoments before = moments("NOW < MAY");
  EXPECT_EQ(before.yes, (std::vector<TimeRange>{{std::nullopt, At(kMay)}}));
  EXPECT_EQ(before.no, (std::vector<TimeRange>{{At(kMay), std::nullopt}}));
  EXPECT_EQ(moments("NAME").yes, moments("NAME").no);
  EXPECT_TRUE(moments("NOW < timestamp(\"soon\")").no.empty());
}

TEST(TimeBounds, SayWhatAMomentIsToThem) {
  const TimeBounds bounds = FindBounds(Source("NOW >= MAY && NOW < JUNE"));
  EXPECT_EQ(bounds.PhaseAt(At("2026-04-30T00:00:00Z")), TimePhase::kBefore);
  EXPECT_EQ(bounds.StartsAfter(At("2026-04-30T00:00:00Z")), At(kMay));
  EXPECT_EQ(bounds.EndsAfter(At("2026-04-30T00:00:00Z")), std::nullopt);
  EXPECT_EQ(bounds.PhaseAt(At(kMay)), TimePhase::kWithin);
  EXPECT_EQ(bounds.EndsAfter(At(kMay)), At(kJune));
  EXPECT_EQ(bounds.PhaseAt(At(kJune)), TimePhase::kAfter);
  EXPECT_EQ(bounds.EndsAfter(At(kJune)), At(kJune));
  EXPECT_EQ(FindBounds("false").PhaseAt(At(kMay)), TimePhase::kNever);
  EXPECT_EQ(FindBounds("true").PhaseAt(At(kMay)), TimePhase::kUnbounded);
  EXPECT_EQ(FindBounds("true").EndsAfter(At(kMay)), std::nullopt);
}

}  // namespace
}  // namespace bindery::cel
