#include "harness/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bindery::bench {
namespace {

TEST(Spread, HasTheMedianOfAnOddNumber) {
  const Spread spread = SpreadOf({3, 1, 2});
  EXPECT_DOUBLE_EQ(spread.median, 2);
  EXPECT_DOUBLE_EQ(spread.min, 1);
  EXPECT_DOUBLE_EQ(spread.max, 3);
}

TEST(Spread, HasTheMeanOfTheMiddleTwoOfAnEvenNumber) {
  EXPECT_DOUBLE_EQ(SpreadOf({4, 1, 3, 2}).median, 2.5);
}

TEST(Percentile, IsTheNearestRank) {
  std::vector<double> values;
  for (int i = 1; i <= 200; ++i) values.push_back(i);
  EXPECT_DOUBLE_EQ(PercentileOf(values, 0.99), 198);
  EXPECT_DOUBLE_EQ(PercentileOf(values, 0.5), 100);
  EXPECT_DOUBLE_EQ(PercentileOf(values, 1), 200);
  EXPECT_DOUBLE_EQ(PercentileOf({7}, 0.01), 7);
}

TEST(Ratio, IsTakenPairByPairSoThatASlowMinuteCancelsOut) {
  // The machine was five times as slow during the second pair.
  const Spread ratio = RatioOf({2, 10, 2}, {1, 5, 1});
  EXPECT_DOUBLE_EQ(ratio.median, 2);
  EXPECT_DOUBLE_EQ(ratio.max, 2);
}

TEST(Slope, IsTheExponentOfTheGrowth) {
  EXPECT_NEAR(SlopeThrough({{1000, 7}, {10000, 7}, {100000, 7}}), 0, 1e-9);
  EXPECT_NEAR(SlopeThrough({{1000, 7}, {10000, 70}}), 1, 1e-9);
  EXPECT_NEAR(SlopeThrough({{100, 1}, {1000, 100}, {10000, 10000}}), 2, 1e-9);
  EXPECT_NEAR(SlopeThrough({{1000, 10}, {10000, 1}}), -1, 1e-9);
  EXPECT_TRUE(std::isnan(SlopeThrough({{1000, 7}})));
}

struct GrowthCase {
  const char* name;
  const char* why;
  std::vector<GrowthPoint> points;
  double noise;
  std::optional<std::size_t> step;
};

class Growths : public ::testing::TestWithParam<GrowthCase> {};

TEST_P(Growths, AreJudgedByTheCostOfAnItem) {
  SCOPED_TRACE(GetParam().why);
  Growth growth;
  growth.noise = GetParam().noise;
  growth.points = GetParam().points;
  EXPECT_EQ(SuperlinearStep(growth), GetParam().step);
}

INSTANTIATE_TEST_SUITE_P(
    All, Growths,
    ::testing::Values(GrowthCase{"Proportional",
                                 "ten times the cost for ten times as many is what is wanted",
                                 {{100, 1}, {1000, 10}, {10000, 100}},
                                 0,
                                 std::nullopt},
                      GrowthCase{"Sublinear",
                                 "fixed costs make small sizes dear",
                                 {{100, 5}, {1000, 6}, {10000, 20}},
                                 0,
                                 std::nullopt},
                      GrowthCase{"Tolerable",
                                 "a little more is noise, or a deeper tree",
                                 {{100, 1}, {1000, 14}},
                                 0,
                                 std::nullopt},
                      GrowthCase{"Quadratic",
                                 "the step where it shows is named",
                                 {{100, 1}, {1000, 10}, {10000, 1000}},
                                 0,
                                 2},
                      GrowthCase{"BelowTheNoise",
                                 "what is too small to measure says nothing about what follows",
                                 {{100, 0.001}, {1000, 0.5}},
                                 0.1,
                                 std::nullopt},
                      GrowthCase{
                          "OnePoint", "nothing to compare with", {{100, 1}}, 0, std::nullopt}),
    [](const auto& given) { return std::string(given.param.name); });

}  // namespace
}  // namespace bindery::bench
