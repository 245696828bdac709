#include "harness/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/files.h"
#include "harness/plot.h"

namespace bindery::bench {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(ReplaceSection, ChangesOnlyWhatIsBetweenItsMarks) {
  const std::string page =
      "a\n<!-- bench:x -->\nold\n<!-- /bench:x -->\nb\n<!-- bench:y -->\n<!-- /bench:y -->\n";
  const auto replaced = ReplaceSection(page, "x", "new\n");
  ASSERT_TRUE(replaced);
  EXPECT_EQ(
      *replaced,
      "a\n<!-- bench:x -->\nnew\n<!-- /bench:x -->\nb\n<!-- bench:y -->\n<!-- /bench:y -->\n");
}

TEST(ReplaceSection, SaysWhichMarksAreMissing) {
  const auto replaced = ReplaceSection("text", "x", "new");
  ASSERT_FALSE(replaced);
  EXPECT_THAT(replaced.error().message, HasSubstr("bench:x"));
}

TEST(WriteTables, LeavesTheTablesOfOtherWorkloads) {
  const TempFolder folder;
  WriteText(folder / "page.md",
            "<!-- bench:memory -->\nold memory\n<!-- /bench:memory -->\n"
            "<!-- bench:restart -->\nold restart\n<!-- /bench:restart -->\n");
  Results results;
  results.figures.push_back(Plain("10,000 bindings", "MiB", {40}));
  results.figures.back().workload = "memory";
  ASSERT_TRUE(WriteTables(folder / "page.md", results));
  EXPECT_THAT(ReadText(folder / "page.md"),
              AllOf(HasSubstr("40 MiB"), HasSubstr("old restart"), Not(HasSubstr("old memory"))));
}

TEST(Plot, DrawsEachPointAndTheProportionalLine) {
  const Growth growth = {"memory", "bytes", "bindings", 1, 0, {{100, 1e3}, {1000, 1e4}}};
  const std::string svg = PlotOf(growth);
  EXPECT_THAT(svg, AllOf(HasSubstr("<svg "), HasSubstr("class=\"linear\""), HasSubstr("</svg>")));
  // Both points lie in opposite corners of the frame.
  EXPECT_THAT(svg, HasSubstr("<path class=\"line\" d=\"M96.0 304.0 L616.0 44.0\"/>"));
  EXPECT_THAT(svg, HasSubstr(">1 k</text>"));
}

TEST(Plot, OfASinglePointIsEmptyAndStillAPicture) {
  const Growth growth = {"memory", "bytes", "bindings", 1, 0, {{100, 1e3}}};
  EXPECT_THAT(PlotOf(growth), AllOf(HasSubstr("<svg "), Not(HasSubstr("<path"))));
}

}  // namespace
}  // namespace bindery::bench
