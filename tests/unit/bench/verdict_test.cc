#include "harness/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bindery::bench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Results WithGrowth(std::vector<GrowthPoint> points) {
  Results results;
  results.growths.push_back({"restart", "µs", "bindings", 1e6, 0, std::move(points)});
  return results;
}

Results WithFigure(Figure figure) {
  Results results;
  figure.workload = "memory";
  results.figures.push_back(std::move(figure));
  return results;
}

TEST(JudgeGrowth, JudgesNothingWithoutTwoSizes) {
  EXPECT_FALSE(JudgeGrowth({}).judged);
  EXPECT_FALSE(JudgeGrowth(WithGrowth({{100, 1}})).judged);
  EXPECT_FALSE(JudgeGrowth(WithFigure(AtMost(Plain("idle", "MiB", {1}), 2))).judged);
}

TEST(JudgeGrowth, FindsTheSuperlinearStep) {
  const Verdict linear = JudgeGrowth(WithGrowth({{100, 1}, {1000, 10}}));
  EXPECT_TRUE(linear.judged);
  EXPECT_THAT(linear.faults, IsEmpty());
  const Verdict steep = JudgeGrowth(WithGrowth({{100, 1}, {1000, 100}}));
  EXPECT_TRUE(steep.judged);
  EXPECT_THAT(steep.faults,
              ElementsAre("restart grows faster than its size: from 100 to 1,000 bindings"));
}

TEST(JudgeGrowth, FindsTheSlopeAboveItsTarget) {
  Results results;
  results.slopes = {{"people", "one", "µs", "resources", 0.1, 0, {{1000, 50}, {10000, 55}}},
                    {"people", "all", "µs", "resources", 1.1, 0, {{1000, 1}, {10000, 100}}}};
  const Verdict verdict = JudgeGrowth(results);
  EXPECT_TRUE(verdict.judged);
  EXPECT_THAT(verdict.faults, ElementsAre("people: all grows with the slope 2, not 1.1 at most"));
}

TEST(JudgeTargets, JudgesNothingWithoutATarget) {
  EXPECT_FALSE(JudgeTargets({}).judged);
  EXPECT_FALSE(JudgeTargets(WithFigure(Plain("idle", "MiB", {1}))).judged);
}

TEST(JudgeTargets, FindsTheFiguresThatMissThem) {
  const Verdict met = JudgeTargets(WithFigure(AtMost(Plain("idle", "MiB", {1}), 2)));
  EXPECT_TRUE(met.judged);
  EXPECT_THAT(met.faults, IsEmpty());
  const Verdict missed = JudgeTargets(WithFigure(AtMost(Plain("idle", "MiB", {3}), 2)));
  EXPECT_TRUE(missed.judged);
  EXPECT_THAT(missed.faults, ElementsAre("memory misses its target: idle"));
  // What could not be measured is not met either.
  EXPECT_FALSE(JudgeTargets(WithFigure(AtMost(Plain("idle", "MiB", {}), 2))).faults.empty());
}

}  // namespace
}  // namespace bindery::bench
