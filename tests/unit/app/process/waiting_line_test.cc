#include "app/process/waiting_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <string>
#include <vector>

#include "moving_clock.h"

namespace bindery::app {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A terminal of 80 columns.
struct DrawnTerminal {
  std::vector<std::string> put;
  std::promise<void> first;  ///< Something was drawn.
  const ProgressBar::Terminal terminal = {[this](const std::string& text) {
                                            put.push_back(text);
                                            if (put.size() == 1) first.set_value();
                                          },
                                          [] { return 80; }};
};

TEST(WaitingLine, IsDrawnUntilSomethingElseIsWritten) {
  DrawnTerminal drawn;
  WaitingLine line("drift", drawn.terminal, milliseconds(0));
  drawn.first.get_future().wait();
  EndWaiting();
  EndWaiting();
  EXPECT_THAT(drawn.put, ElementsAre("\r\x1b[Kdrift: 0ms", "\r\x1b[K"));
}

TEST(WaitingLine, MakesRoomForAProgressBar) {
  DrawnTerminal drawn;
  WaitingLine line("plan", drawn.terminal, milliseconds(0));
  drawn.first.get_future().wait();
  MovingClock clock;
  ProgressBar bar("reading", clock, drawn.terminal);
  bar.Show(0, 10);
  clock.Advance(std::chrono::seconds(1));
  bar.Show(1, 10);
  ASSERT_EQ(drawn.put.size(), 3U);
  EXPECT_EQ(drawn.put[1], "\r\x1b[K");
  EXPECT_THAT(drawn.put[2], ::testing::HasSubstr("1 of 10 targets"));
}

/// A terminal that says when a text was drawn for the n-th time.
struct CountedTerminal {
  std::vector<std::string> put;
  std::vector<std::promise<void>> drawn = std::vector<std::promise<void>>(3);
  std::size_t lines = 0;
  const ProgressBar::Terminal terminal = {[this](const std::string& text) {
                                            put.push_back(text);
                                            if (text.size() > 4 && lines < drawn.size())
                                              drawn[lines++].set_value();
                                          },
                                          [] { return 80; }};
};

TEST(WaitingLine, ComesBackAfterANote) {
  CountedTerminal counted;
  WaitingLine line("explain", counted.terminal, milliseconds(0));
  counted.drawn[0].get_future().wait();
  PauseWaiting();
  counted.drawn[1].get_future().wait();
  EndWaiting();
  PauseWaiting();
  EXPECT_THAT(counted.put[1], "\r\x1b[K") << "there is room for the note";
  EXPECT_THAT(counted.put[2], ::testing::HasSubstr("explain: "));
  EXPECT_EQ(counted.put.back(), "\r\x1b[K");
}

TEST(WaitingLine, ComesBackWhenAProgressBarIsDone) {
  CountedTerminal counted;
  WaitingLine line("import", counted.terminal, milliseconds(0));
  counted.drawn[0].get_future().wait();
  MovingClock clock;
  ProgressBar bar("reading", clock, counted.terminal);
  bar.Show(0, 10);
  clock.Advance(std::chrono::seconds(1));
  bar.Show(1, 10);
  counted.drawn[1].get_future().wait();
  bar.Show(10, 10);
  counted.drawn[2].get_future().wait();
  EndWaiting();
  EXPECT_THAT(counted.put, ::testing::Contains(::testing::HasSubstr("1 of 10 targets")));
  EXPECT_THAT(counted.put[counted.put.size() - 2], ::testing::HasSubstr("import: "));
}

TEST(WaitingLine, DrawsNothingWithoutATerminalAndInTheFirstSecond) {
  std::vector<std::string> put;
  const auto note = [&](const std::string& text) { put.push_back(text); };
  {
    const WaitingLine line("drift", {note, [] { return 0; }}, milliseconds(0));
  }
  {
    const WaitingLine line("drift", {note, [] { return 80; }});
  }
  EndWaiting();
  EXPECT_THAT(put, IsEmpty());
}

}  // namespace
}  // namespace bindery::app
