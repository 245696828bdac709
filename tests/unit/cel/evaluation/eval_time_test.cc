// Timestamps, durations and what they show.

#include "unit/cel/evaluation.h"

namespace bindery::cel {
namespace {

using testing::Check;

TEST(EvalTime, TimestampsAreRfc3339) {
  Check({
      {"timestamp('2026-11-21T10:20:30Z')", "timestamp(\"2026-11-21T10:20:30Z\")"},
      {"timestamp('2026-11-21T10:20:30.000000001Z')",
       "timestamp(\"2026-11-21T10:20:30.000000001Z\")"},
      {"timestamp('2026-11-21T10:20:30.1234567899Z')",
       "timestamp(\"2026-11-21T10:20:30.123456789Z\")"},
      {"timestamp('2026-01-01T00:30:00+01:00')", "timestamp(\"2025-12-31T23:30:00Z\")"},
      {"timestamp('2024-02-29T00:00:00Z')", "timestamp(\"2024-02-29T00:00:00Z\")"},
      {"timestamp(-1)", "timestamp(\"1969-12-31T23:59:59Z\")"},
      {"timestamp('0001-01-01T00:00:00Z')", "timestamp(\"0001-01-01T00:00:00Z\")"},
      {"timestamp('9999-12-31T23:59:59.999999999Z')",
       "timestamp(\"9999-12-31T23:59:59.999999999Z\")"},
  });
}

TEST(EvalTime, OtherTimestampsFail) {
  for (const char* text :
       {"", "2026-11-21", "2026-11-21T10:20:30", "2026-11-21 10:20:30Z", "2026-11-21t10:20:30z",
        "2025-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-11-21T24:00:00Z",
        "2026-11-21T10:60:00Z", "2026-11-21T10:20:60Z", "2026-11-21T10:20:30.Z",
        "2026-11-21T10:20:30+0100", "2026-11-21T10:20:30+24:00", "2026-11-21T10:20:30Zx",
        "26-11-21T10:20:30Z", "0000-01-01T00:00:00Z", "10000-01-01T00:00:00Z",
        "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01"}) {
    SCOPED_TRACE(text);
    const Outcome outcome = testing::EvaluateText("timestamp('" + std::string(text) + "')");
    EXPECT_TRUE(std::holds_alternative<Failure>(outcome)) << testing::GetText(outcome);
  }
  Check({
      {"timestamp(253402300800)", "error: timestamp out of range"},
      {"timestamp(-62135596801)", "error: timestamp out of range"},
      {"timestamp(1.5)", "error: no such overload: timestamp(double)"},
  });
}

TEST(EvalTime, DurationsAreSumsOfUnits) {
  Check({
      {"duration('1h30m')", "duration(\"5400s\")"},
      {"duration('-1.5s')", "duration(\"-1.5s\")"},
      {"duration('-0.5s')", "duration(\"-0.5s\")"},
      {"duration('+250ms')", "duration(\"0.25s\")"},
      {"duration('1us2ns')", "duration(\"0.000001002s\")"},
      {"duration('3µs')", "duration(\"0.000003s\")"},
      {"duration('.5h')", "duration(\"1800s\")"},
      {"duration('1.s')", "duration(\"1s\")"},
      {"duration('0')", "duration(\"0s\")"},
      {"duration('2562047h47m16.854775807s')", "duration(\"9223372036.854775807s\")"},
  });
  for (const char* text : {"", "1", "s", "-", ".s", "1x", "1d", "1 s", "1s 1m", "--1s", "1e3s",
                           "9223372037s", "2562048h", "99999999999999999999h"}) {
    SCOPED_TRACE(text);
    const Outcome outcome = testing::EvaluateText("duration('" + std::string(text) + "')");
    EXPECT_TRUE(std::holds_alternative<Failure>(outcome)) << testing::GetText(outcome);
  }
}

TEST(EvalTime, ArithmeticStaysInRange) {
  Check({
      {"timestamp('2026-12-31T23:59:59.9Z') + duration('200ms')",
       "timestamp(\"2027-01-01T00:00:00.1Z\")"},
      {"duration('1s') + timestamp(0)", "timestamp(\"1970-01-01T00:00:01Z\")"},
      {"timestamp(0) - duration('1ns')", "timestamp(\"1969-12-31T23:59:59.999999999Z\")"},
      {"timestamp(10) - timestamp('1970-01-01T00:00:10.5Z')", "duration(\"-0.5s\")"},
      {"duration('1m') - duration('1s')", "duration(\"59s\")"},
      {"timestamp('9999-12-31T23:59:59Z') + duration('1s')", "error: timestamp out of range"},
      {"timestamp('0001-01-01T00:00:00Z') - duration('1ns')", "error: timestamp out of range"},
      {"timestamp('9999-12-31T00:00:00Z') - timestamp('0001-01-01T00:00:00Z')",
       "error: duration out of range"},
      {"duration('2562047h') + duration('1h')", "error: duration out of range"},
      {"duration('-2562047h') - duration('1h')", "error: duration out of range"},
      {"timestamp(0) + timestamp(0)", "error: no such overload"},
      {"duration('1s') - timestamp(0)", "error: no such overload"},
  });
}

TEST(EvalTime, TimestampsShowCalendarAndClock) {
  Activation activation;
  activation.Set("t", Value(Timestamp{1'772'582'399, 987'654'321}));  // 2026-03-03T23:59:59Z
  Check(
      {
          {"t.getFullYear()", "2026"},
          {"t.getMonth()", "2"},
          {"t.getDate()", "3"},
          {"t.getDayOfMonth()", "2"},
          {"t.getDayOfWeek()", "2"},
          {"t.getDayOfYear()", "61"},
          {"t.getHours()", "23"},
          {"t.getMinutes()", "59"},
          {"t.getSeconds()", "59"},
          {"t.getMilliseconds()", "987"},
          {"t.getDate('+00:01')", "4"},
          {"t.getHours('-09:30')", "14"},
          {"t.getMinutes('-09:30')", "29"},
          {"t.getHours('02:00')", "1"},
          {"t.getHours('UTC')", "23"},
          {"t.getHours('Asia/Tokyo')", "8"},
          {"t.getDate('Asia/Tokyo')", "4"},
          {"t.getMilliseconds('Asia/Tokyo')", "987"},
          {"t.getHours('Nowhere/City')", "error: unknown time zone \"Nowhere/City\""},
          {"t.getMilliseconds('Nowhere/City')", "error: unknown time zone"},
          {"t.getHours('+25:00')", "error: unknown time zone"},
          {"t.getHours(1)", "error: no such overload: getHours(google.protobuf.Timestamp, int)"},
          {"t.getHours('UTC', 'UTC')", "error: no such overload"},
          {"'x'.getMonth()", "error: no such overload: getMonth(string)"},
          {"timestamp('0001-01-01T00:00:00Z').getFullYear('-01:00')", "0"},
          {"timestamp(-1).getDayOfWeek()", "3"},
      },
      activation);
}

TEST(EvalTime, DurationsHavePartsInWholeUnits) {
  Check({
      {"duration('90m').getHours()", "1"},
      {"duration('90m').getMinutes()", "90"},
      {"duration('-90s').getMinutes()", "-1"},
      {"duration('90.7s').getSeconds()", "90"},
      {"duration('90.7s').getMilliseconds()", "700"},
      {"duration('90s').getFullYear()", "error: no such overload"},
      {"duration('90s').getHours('UTC')", "error: no such overload"},
  });
}

}  // namespace
}  // namespace bindery::cel
