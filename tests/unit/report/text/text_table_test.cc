#include "report/text/text_table.h"

#include <gtest/gtest.h>

#include "report/text/text_wrap.h"

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
  EXPECT_EQ(table.Text(Width(10)), "  A  B\na group with a long title\n  x  y\n")
      << "a name that is cut is no name";
}

TEST(Table, NamesLoseWhatTheyBeginWithInCommonFirst) {
  const auto text = [](const std::vector<std::string>& names, int width) {
    Table table({{.title = "T", .shrinks = true, .least = 4, .cut = Cut::kLeft}, {"B"}});
    for (const std::string& name : names) table.AddRow({{name}, {"b"}});
    return table.Text(Width(width));
  };
  const std::string one = "projects/acme/locations/global/policies/one";
  const std::string two = "projects/acme/locations/global/policies/two";
  const std::string server = "projects/acme/locations/eu/servers/one";
  EXPECT_EQ(text({one, two}, 60),
            "T                                            B\n"
            "projects/acme/locations/global/policies/one  b\n"
            "projects/acme/locations/global/policies/two  b\n");
  EXPECT_EQ(text({one, two}, 40),
            "T      B\n"
            "…/one  b\n"
            "…/two  b\n");
  EXPECT_EQ(text({one, server, "dashboard:abc"}, 40),
            "T                      B\n"
            "…/global/policies/one  b\n"
            "…/eu/servers/one       b\n"
            "dashboard:abc          b\n");
  EXPECT_EQ(text({one, one}, 40),
            "T               B\n"
            "…/policies/one  b\n"
            "…/policies/one  b\n");
  EXPECT_EQ(text({one, server}, 20),
            "T                  B\n"
            "…bal/policies/one  b\n"
            "…/eu/servers/one   b\n")
      << "and then as much as it takes";
  EXPECT_EQ(text({"a/ä", "b/öööööööööö"}, 9),
            "T       B\n"
            "a/ä     b\n"
            "…ööööö  b\n");
}

TEST(Table, WhatIsTheAnswerIsNeverCut) {
  Table table({{.title = "WHO", .shrinks = true, .least = 8, .cut = Cut::kNever},
               {"ROLE"},
               {"FROM", true}});
  table.AddRow({{"principal://iam.googleapis.com/pool/subject/ana"}, {"viewer"}, {"file"}});
  table.AddRow({{"user:ana"}, {"viewer"}, {"file"}});
  EXPECT_EQ(table.Text(Width(30)),
            "WHO               ROLE    FROM\n"
            "principal://iam.googleapis.com/pool/subject/ana\n"
            "                  viewer  file\n"
            "user:ana          viewer  file\n");
}

TEST(Table, WhatIsTheAnswerShrinksLast) {
  Table table({{.title = "WHO", .shrinks = true, .least = 8, .cut = Cut::kNever},
               {.title = "WHY", .shrinks = true, .least = 8}});
  table.AddRow({{"user:ana@example.com"}, {"the words of a longer note"}});
  EXPECT_EQ(table.Text(Width(30)),
            "WHO                   WHY\n"
            "user:ana@example.com  the wor…\n");
}

TEST(Table, WhatWrapsGoesOnBelowItself) {
  Table table(
      {{"ID"}, {.title = "GRANT", .shrinks = true, .least = 8, .cut = Cut::kWrap}, {"AGE"}});
  table.AddGroup("projects/acme");
  table.AddRow({{"17"}, {"user:ana@example.com roles/viewer if until-june"}, {"5m"}});
  table.AddRow({{"18"}, {"allUsers roles/owner"}, {"6m"}});
  EXPECT_EQ(table.Text(Width(32)),
            "  ID  GRANT                  AGE\n"
            "projects/acme\n"
            "  17  user:ana@example.com   5m\n"
            "      roles/viewer if\n"
            "      until-june\n"
            "  18  allUsers roles/owner   6m\n");
  EXPECT_EQ(table.Text(Width(20)),
            "  ID  GRANT      AGE\n"
            "projects/acme\n"
            "  17  user:ana@example.com\n"
            "                 5m\n"
            "      roles/viewer\n"
            "      if\n"
            "      until-june\n"
            "  18  allUsers   6m\n"
            "      roles/owner\n")
      << "a word is never cut";
  EXPECT_EQ(table.Text({}),
            "  ID  GRANT                                            AGE\n"
            "projects/acme\n"
            "  17  user:ana@example.com roles/viewer if until-june  5m\n"
            "  18  allUsers roles/owner                             6m\n");
}

TEST(Lines, FitATerminalAsFarAsWordsAllow) {
  const std::string line = "  - user:ana@example.com loses roles/viewer (held)";
  EXPECT_EQ(FitLine(line, 6, {}), line);
  EXPECT_EQ(FitLine(line, 6, Width(80)), line);
  EXPECT_EQ(FitLine(line, 6, Width(36)),
            "  - user:ana@example.com loses\n"
            "      roles/viewer (held)");
  EXPECT_EQ(FitLine(line, 6, Width(20)),
            "  -\n"
            "      user:ana@example.com\n"
            "      loses\n"
            "      roles/viewer\n"
            "      (held)");
  EXPECT_EQ(FitLine("", 6, Width(20)), "");
}

TEST(Table, TitlesCanBeLeftOut) {
  Table table({{"A"}, {"B"}});
  table.AddRow({{"x"}, {"y"}});
  TextStyle style;
  style.titles = false;
  EXPECT_EQ(table.Text(style), "x  y\n");
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
