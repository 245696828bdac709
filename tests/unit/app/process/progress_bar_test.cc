// What a terminal shows of a long piece of work.

#include "app/process/progress_bar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "moving_clock.h"

namespace bindery::app {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ProgressBarTerminal, IsNoneWhenNothingIsToBeDrawn) {
  EXPECT_EQ(ProgressBar::StandardError(/*quiet=*/true).width(), 0U);
}

TEST(ProgressLine, SaysHowFarHowFastAndHowLongYet) {
  struct Case {
    std::size_t done, total;
    milliseconds elapsed;
    std::size_t width;
    std::string line;
  };
  const std::vector<Case> cases = {
      {500, 2000, seconds(5), 79,
       "reading [########------------------------] 500 of 2000 targets, 100/s, 15s left"},
      {500, 2000, seconds(5), 60, "reading [###----------] 500 of 2000 targets, 100/s, 15s left"},
      {500, 2000, seconds(5), 45, "reading 500 of 2000 targets, 100/s, 15s left"},
      {500, 2000, seconds(5), 30, "500 of 2000 targets"},
      {500, 2000, seconds(5), 10, ""},
      {3, 10, seconds(2), 200,
       "reading [############----------------------------] 3 of 10 targets, 1.5/s, 5s left"},
      {1, 10'000, seconds(1), 200,
       "reading [----------------------------------------] 1 of 10000 targets, 1.0/s, 2h46m left"},
      {0, 10, seconds(2), 200,
       "reading [----------------------------------------] 0 of 10 targets"},
      {11, 10, seconds(2), 60, "reading [##########################] 10 of 10 targets, 5.0/s"},
      {0, 0, seconds(2), 200, ""},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(ProgressLine("reading", c.done, c.total, c.elapsed, c.width), c.line);
  }
}

class Progress : public ::testing::Test {
 protected:
  [[nodiscard]] ProgressBar::Terminal Terminal(std::size_t width) {
    return {[this](const std::string& text) { drawn_.push_back(text); }, [width] { return width; }};
  }
  MovingClock clock_;
  std::vector<std::string> drawn_;
};

TEST_F(Progress, IsDrawnInPlaceAndTakenAwayInTheEnd) {
  ProgressBar bar("reading", clock_, Terminal(31));
  bar.Show(0, 10);
  clock_.Advance(seconds(1));
  bar.Show(1, 10);
  clock_.Advance(milliseconds(99));
  bar.Show(2, 10);  // too soon to be drawn
  clock_.Advance(milliseconds(1));
  bar.Show(3, 10);
  bar.Show(10, 10);
  bar.Clear();
  EXPECT_THAT(drawn_,
              ElementsAre("\r\x1b[K1 of 10 targets", "\r\x1b[K3 of 10 targets", "\r\x1b[K"));
}

TEST_F(Progress, MakesWayForOtherTextAndComesBack) {
  ProgressBar bar("reading", clock_, Terminal(31));
  bar.Show(0, 10);
  clock_.Advance(seconds(1));
  bar.Show(1, 10);
  bar.Clear();
  bar.Clear();
  clock_.Advance(seconds(1));
  bar.Show(2, 10);
  EXPECT_THAT(drawn_,
              ElementsAre("\r\x1b[K1 of 10 targets", "\r\x1b[K", "\r\x1b[K2 of 10 targets"));
}

TEST_F(Progress, OfShortWorkOrWithoutATerminalNothingIsDrawn) {
  ProgressBar brief("reading", clock_, Terminal(80));
  brief.Show(0, 10);
  clock_.Advance(milliseconds(400));
  brief.Show(9, 10);
  brief.Show(10, 10);
  ProgressBar piped("reading", clock_, Terminal(0));
  piped.Show(0, 10);
  clock_.Advance(seconds(5));
  piped.Show(5, 10);
  EXPECT_THAT(drawn_, IsEmpty());
}

}  // namespace
}  // namespace bindery::app
