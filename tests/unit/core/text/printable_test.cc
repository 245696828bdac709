#include "core/text/printable.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/base/json.h"

namespace bindery {
namespace {

struct PrintableCase {
  const char* why;
  std::string text;
  std::string shown;
};

TEST(Printable, WhatSteersOrHidesIsAnEscape) {
  const std::vector<PrintableCase> cases = {
      {"letters of any language stay", "größe 日本 עברית", "größe 日本 עברית"},
      {"ESC", "a\x1b[2J", "a\\x1b[2J"},
      {"C1, as one character", "\u009b31m", "\\x9b31m"},
      {"C1, as a byte",
       "\x9b"
       "31m",
       "\\x9b31m"},
      {"next line", "\u0085", "\\x85"},
      {"Arabic letter mark", "\u061c", "\\u061c"},
      {"marks of direction", "\u200e\u200f\u202a\u202e\u2066\u2069",
       "\\u200e\\u200f\\u202a\\u202e\\u2066\\u2069"},
      {"separators", "\u2028\u2029", "\\u2028\\u2029"},
      {"of no width", "\u200b\u200c\u200d\u2060\ufeff\u00ad",
       "\\u200b\\u200c\\u200d\\u2060\\ufeff\\xad"},
      {"tags", "\U000e0041\U000e007f", "\\U000e0041\\U000e007f"},
      {"more variations", "\U000e0100", "\\U000e0100"},
      {"Hangul filler", "\u3164\u115f\uffa0", "\\u3164\\u115f\\uffa0"},
      {"no characters", "\ufffe\ufdd0\U0001ffff", "\\ufffe\\ufdd0\\U0001ffff"},
      {"overlong in two", "\xC0\xAF", "\\xc0\\xaf"},
      {"overlong in three", "\xE0\x80\xAF", "\\xe0\\x80\\xaf"},
      {"overlong ESC in four", "\xF0\x80\x80\x9B", "\\xf0\\x80\\x80\\x9b"},
      {"half of a pair", "\xED\xA0\x80", "\\xed\\xa0\\x80"},
      {"beyond the last", "\xF4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
      {"cut", "a\xE2\x80", "a\\xe2\\x80"},
  };
  for (const PrintableCase& c : cases) {
    EXPECT_EQ(Printable(c.text), c.shown) << c.why;
    EXPECT_EQ(PrintableOutput(c.text), c.shown) << c.why;
  }
}

TEST(PrintableOutput, KeepsItsLayoutAndItsColours) {
  const std::string own = "\x1b[1;31mred\x1b[0m\tb\n";
  EXPECT_EQ(PrintableOutput(own), own);
  EXPECT_EQ(PrintableOutput("\x1b[2Ja\x1b]0;x\x07\r"), "\\x1b[2Ja\\x1b]0;x\\x07\\x0d");
}

TEST(PrintableJson, IsTheSameDocument) {
  const Json value = {{"a\u202e", "x\u009b\u2028\U000e0041\x7f\u00e9\n"}};
  const std::string text = PrintableJson(value.dump(2));
  EXPECT_EQ(text, "{\n  \"a\\u202e\": \"x\\u009b\\u2028\\udb40\\udc41\\u007f\u00e9\\n\"\n}");
  EXPECT_EQ(Json::parse(text), value);
}

TEST(PrintableYaml, HasEscapesOfItsOwn) {
  EXPECT_EQ(PrintableYaml("\"\u009b\u202e\U000e0041\""), R"("\x9b\u202e\U000e0041")");
}

}  // namespace
}  // namespace bindery
