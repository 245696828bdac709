#include "core/text/shortened.h"

#include <gtest/gtest.h>

#include <string>

namespace bindery {
namespace {

TEST(Shortened, IsOneLine) {
  EXPECT_EQ(Shortened("  a\r\n\tb\x1b[31m  c \n"), "a b [31m c");
  EXPECT_EQ(Shortened("a\xE2\x80\xA8"
                      "b\xE2\x80\xA9\xC2\x85 c"),
            "a b c");
  EXPECT_EQ(Shortened(" \n "), "");
}

TEST(Shortened, EndsAfterAWholeWord) {
  EXPECT_EQ(Shortened("one two three", 13), "one two three");
  EXPECT_EQ(Shortened("one two three", 12), "one two thre…") << "no word ends near";
  EXPECT_EQ(Shortened("one two six", 10), "one two si…");
  EXPECT_EQ(Shortened("one two is", 9), "one two…");
  EXPECT_EQ(Shortened("one two is", 7), "one two…");
}

TEST(Shortened, SplitsNoCharacter) {
  EXPECT_EQ(Shortened(std::string(9, 'x') + "éé", 10), std::string(9, 'x') + "…");
  EXPECT_EQ(Shortened(std::string(kLongestForeignText + 1, 'x')),
            std::string(kLongestForeignText, 'x') + "…");
}

}  // namespace
}  // namespace bindery
