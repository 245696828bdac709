#include "report/text_table.h"

#include <gtest/gtest.h>

namespace bindery::report {
namespace {

TextStyle Width(int width) {
  TextStyle style;
  style.width = width;
  return style;
}

TEST(Table, AlignsColumnsWithoutTrailingBlanks) {
  Table table({{"A"}, {"LONGER"}, {"C"}});
  table.AddRow({{"größe"}, {"x"}, {"last"}});
  table.AddRow({{"y"}, {""}, {"z"}});
  EXPECT_EQ(table.Text({}),
            "A      LONGER  C\n"
            "größe  x       last\n"
            "y      -       z\n");
}

TEST(Table, ShortRowsAreFilledUp) {
  Table table({{"A"}, {"B"}});
  table.AddRow({{"x"}});
  EXPECT_EQ(table.Text({}), "A  B\nx  -\n");
}

TEST(Table, CutsTheWidestColumnThatMayShrink) {
  Table table({{"KEY"}, {"ONE", true}, {"TWO", true}});
  table.AddRow({{"key-stays-whole"}, {"0123456789"}, {"01234567890123456789"}});
  EXPECT_EQ(table.Text(Width(39)),
            "KEY              ONE         TWO\n"
            "key-stays-whole  0123456789  012345678…\n");
  EXPECT_EQ(table.Text(Width(10)),
            "KEY              ONE       TWO\n"
            "key-stays-whole  0123456…  0123456…\n")
      << "what must not shrink, and eight characters of the rest, stay";
}

TEST(Table, LeavesOutColumnsBeforeTheOthersTellNothing) {
  Table table({{.title = "NAME", .shrinks = true, .least = 12},
               {.title = "NOTE", .goes = 1},
               {.title = "PLACE", .shrinks = true, .least = 10, .goes = 2},
               {.title = "AGE"}});
  table.AddRow({{"a-name-of-twenty-one"}, {"noted"}, {"far-far-far-away"}, {"5m"}});
  EXPECT_EQ(table.Text(Width(36)),
            "NAME          NOTE   PLACE       AGE\n"
            "a-name-of-t…  noted  far-far-f…  5m\n");
  EXPECT_EQ(table.Text(Width(35)),
            "NAME                  NOTE   AGE\n"
            "a-name-of-twenty-one  noted  5m\n")
      << "the others have its room";
  EXPECT_EQ(table.Text(Width(20)),
            "NAME             AGE\n"
            "a-name-of-twen…  5m\n");
  EXPECT_EQ(table.Text(Width(5)),
            "NAME      AGE\n"
            "a-name-…  5m\n")
      << "what must stay does";
}

TEST(Table, GroupsIndentTheirRows) {
  Table table({{"A"}, {"B", true}});
  table.AddGroup("a group with a long title");
  table.AddRow({{"x"}, {"y"}});
  EXPECT_EQ(table.Text({}), "  A  B\na group with a long title\n  x  y\n");
  EXPECT_EQ(table.Text(Width(10)), "  A  B\na group w…\n  x  y\n");
}

TEST(Table, ColoursDoNotCountAsWidth) {
  Table table({{"A"}, {"B"}});
  table.AddRow({{"x", Colour::kRed}, {"y"}});
  table.AddRow({{"long"}, {"y"}});
  TextStyle style;
  style.colour = true;
  EXPECT_EQ(table.Text(style),
            "\x1b[1mA\x1b[0m     \x1b[1mB\x1b[0m\n"
            "\x1b[31mx\x1b[0m     y\n"
            "long  y\n");
}

}  // namespace
}  // namespace bindery::report
