#include "harness/results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bindery::bench {
namespace {

using ::testing::HasSubstr;

TEST(Digits, AreThreeAndThousandsAreGrouped) {
  const std::vector<std::pair<double, const char*>> cases = {
      {0, "0"},         {0.00123, "0.00123"}, {0.1, "0.1"},      {1.204, "1.2"},
      {12.345, "12.3"}, {123.4, "123"},       {1234.5, "1,234"}, {1234567, "1,234,567"},
      {-1.204, "-1.2"}, {-123, "-123"},       {-1234, "-1,234"}, {100000, "100,000"},
      {0.0000001, "0"}};
  for (const auto& [value, text] : cases) EXPECT_EQ(Digits(value), text) << value;
}

TEST(Figure, MeetsATargetOfItsValueOrOfItsRatioToTheFloor) {
  EXPECT_TRUE(AtMost(Plain("memory", "MiB", {40, 48, 60}), 48).met());
  EXPECT_FALSE(AtMost(Plain("memory", "MiB", {40, 49, 60}), 48).met());
  EXPECT_TRUE(AtMostTimes(Against("pass", "s", {1.1}, {1}), 1.15).met());
  EXPECT_FALSE(AtMostTimes(Against("pass", "s", {1.2}, {1}), 1.15).met());
}

TEST(Figure, WithoutValuesIsNotKnown) {
  Results results;
  results.figures.push_back(Plain("written", "bytes", {}));
  EXPECT_THAT(FigureTable(results), HasSubstr("| written | n/a    |        |"));
  EXPECT_THAT(ToJson(results).dump(), HasSubstr(R"("median":null)"));
}

TEST(FigureTable, HoldsTheWorkloadThatIsAskedFor) {
  Results results;
  for (const char* workload : {"restart", "memory"}) {
    Figure figure = AtMostTimes(Against(std::string(workload) + " µs", "s", {3}, {1}), 1.5);
    figure.workload = workload;
    results.figures.push_back(figure);
  }
  EXPECT_EQ(FigureTable(results, "memory"),
            "| workload | figure    | median | spread | floor | ratio | target  | met |\n"
            "| -------- | --------- | ------ | ------ | ----- | ----- | ------- | --- |\n"
            "| memory   | memory µs | 3 s    | 3–3    | 1 s   | 3     | ≤ 1.5 × | NO  |\n");
  EXPECT_THAT(FigureTable(results), HasSubstr("| restart"));
}

TEST(GrowthTable, NamesTheSuperlinearStep) {
  Growth growth = {"restart", "µs", "bindings", 1e6, 0, {{100, 1e-4}, {1000, 1e-2}}};
  const std::string table = GrowthTable({growth});
  EXPECT_THAT(table, HasSubstr("| restart   | 100 bindings   | 1 µs "));
  EXPECT_THAT(table, HasSubstr("| restart   | 1,000 bindings | 10 µs    | 10                | NO"));
}

TEST(SlopeTable, HasTheCostAtEachSize) {
  const Slope flat = {"people", "one", "µs", "resources", 0.1, 0, {{1000, 50}, {10000, 55}}};
  const Slope steep = {"people", "all", "µs", "resources", 0.1, 0, {{1000, 50}, {10000, 500}}};
  EXPECT_EQ(SlopeTable({flat, steep}, "people"),
            "| cost of | 1,000 resources | 10,000 resources | slope  | target | met |\n"
            "| ------- | --------------- | ---------------- | ------ | ------ | --- |\n"
            "| one     | 50 µs           | 55 µs            | 0.0414 | ≤ 0.1  | yes |\n"
            "| all     | 50 µs           | 500 µs           | 1      | ≤ 0.1  | NO  |\n");
  EXPECT_EQ(SlopeTable({flat}, "growth"), "");
}

TEST(Slope, BelowTheNoiseIsNone) {
  const Slope quiet = {"people", "one", "ms", "resources", 0.1, 10, {{1000, 0.1}, {10000, 9}}};
  EXPECT_TRUE(quiet.met());
}

TEST(ResultsAsJson, HoldFiguresTargetsAndGrowth) {
  Results results;
  results.figures.push_back(AtMostTimes(Against("pass", "s", {3}, {2}), 2));
  results.growths.push_back({"memory", "bytes", "bindings", 1, 0, {{100, 1}, {1000, 100}}});
  const Json json = ToJson(results);
  EXPECT_EQ(json.at("figures").at(0).at("ratio").at("median"), 1.5);
  EXPECT_EQ(json.at("figures").at(0).at("met"), true);
  EXPECT_EQ(json.at("growth").at(0).at("points").at(1).at("perItem"), 0.1);
  EXPECT_EQ(json.at("growth").at(0).at("superlinear"), true);
}

}  // namespace
}  // namespace bindery::bench
