#include "web/chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/text/time_text.h"

namespace bindery::web {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

PageContext AtNoon() {
  PageContext context;
  context.now = ParseRfc3339("2026-11-21T12:00:00Z").value_or(WallTime());
  return context;
}

Chart MakeChart(const std::vector<double>& values) {
  Chart chart;
  chart.title = "Open differences";
  WallTime time = AtNoon().now - std::chrono::minutes(10);
  for (const double value : values) {
    chart.points.push_back({time, value});
    time += std::chrono::minutes(5);
  }
  return chart;
}

TEST(ChartOfSamples, IsToldInWordsToo) {
  const std::string figure = ChartFigure(AtNoon(), MakeChart({0, 5, 2})).markup();
  EXPECT_THAT(figure,
              HasSubstr("role=\"img\" aria-label=\"Open differences: 2 now; since the start "
                        "between 0 and 5\""));
  EXPECT_THAT(figure, HasSubstr("<b>2</b>"));
  EXPECT_THAT(figure, HasSubstr("10m ago"));
  EXPECT_THAT(figure, HasSubstr("top 5"));
  EXPECT_THAT(figure, Not(HasSubstr("style=")));
}

TEST(ChartOfSamples, StepsFromPointToPoint) {
  EXPECT_THAT(ChartFigure(AtNoon(), MakeChart({0, 1})).markup(),
              HasSubstr("class=\"line\" d=\"M0.0 70.0L300.0 70.0L300.0 2.0\""));
}

TEST(ChartOfSamples, OnePointIsALineAndNoneIsSaid) {
  EXPECT_THAT(ChartFigure(AtNoon(), MakeChart({1})).markup(),
              HasSubstr("d=\"M0.0 2.0L300.0 2.0\""));
  EXPECT_THAT(ChartFigure(AtNoon(), MakeChart({})).markup(), HasSubstr("Nothing was measured yet"));
}

TEST(ChartOfSamples, ValuesHaveTheirUnit) {
  Chart chart = MakeChart({0.126});
  chart.unit = " s";
  chart.decimals = 2;
  EXPECT_THAT(ChartFigure(AtNoon(), chart).markup(), HasSubstr("<b>0.13 s</b>"));
}

}  // namespace
}  // namespace bindery::web
