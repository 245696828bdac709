#include "report/text/text_style.h"

#include <gtest/gtest.h>

#include "report/values/drift_items.h"

namespace bindery::report {
namespace {

TEST(Printable, WritesWhatSteersATerminalAsEscapes) {
  struct Case {
    const char* why;
    std::string text;
    std::string shown;
  };
  const std::vector<Case> cases = {
      {"plain text stays", "user:ana@example.com", "user:ana@example.com"},
      {"letters beyond ASCII stay", "größe 日本 …", "größe 日本 …"},
      {"four bytes stay", "\xF0\x9F\x94\x92", "\xF0\x9F\x94\x92"},
      {"colour codes", "a\x1b[31mb", "a\\x1b[31mb"},
      {"line breaks and tabs", "a\nb\tc\r", "a\\x0ab\\x09c\\x0d"},
      {"delete", "\x7f", "\\x7f"},
      {"C1 control sequence introducer",
       "\xC2\x9B"
       "31m",
       "\\x9b31m"},
      {"right-to-left override",
       "a\xE2\x80\xAE"
       "b",
       "a\\u202eb"},
      {"isolate", "\xE2\x81\xA6", "\\u2066"},
      {"line separator", "\xE2\x80\xA8", "\\u2028"},
      {"a stray continuation byte", "a\x80", "a\\x80"},
      {"a cut sequence", "\xE2\x80", "\\xe2\\x80"},
      {"an overlong form", "\xC0\xAF", "\\xc0\\xaf"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.why);
    EXPECT_EQ(Printable(c.text), c.shown);
  }
}

TEST(CutTo, CountsCharactersNotBytes) {
  EXPECT_EQ(CutTo("größe", 5), "größe");
  EXPECT_EQ(CutTo("größer", 5), "größ…");
  EXPECT_EQ(CutTo("abc", 1), "…");
  EXPECT_EQ(CutTo("abc", 0), "");
}

TEST(FormatTimeAge, IsADashWithoutATimeAndNeverNegative) {
  TextStyle style;
  style.now = WallTime(std::chrono::seconds(100));
  EXPECT_EQ(FormatTimeAge(WallTime(std::chrono::seconds(10)), style), "1m30s");
  EXPECT_EQ(FormatTimeAge(WallTime(std::chrono::minutes(10)), style), "0s");
  EXPECT_EQ(FormatTimeAge(WallTime{}, style), "-");
  EXPECT_EQ(FormatTimeAge(std::nullopt, style), "-");
}

TEST(Paint, AddsNothingWithoutColours) {
  EXPECT_EQ(Paint("x", Colour::kRed, {}), "x");
  TextStyle style;
  style.colour = true;
  EXPECT_EQ(Paint("x", Colour::kRed, style), "\x1b[31mx\x1b[0m");
  EXPECT_EQ(Paint("x", Colour::kNone, style), "x");
  EXPECT_EQ(Paint("", Colour::kRed, style), "");
}

TEST(GetPrincipal, IsPrintableAsRolesAre) {
  const Grant grant = {"editor\x1b", "team:t\x1b"};
  EXPECT_EQ(GetPrincipal(grant), "team:t\\x1b");
  EXPECT_EQ(NameRole(grant), "editor\\x1b");
}

}  // namespace
}  // namespace bindery::report
