#include "app/process/waiting_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <string>
#include <vector>

namespace bindery::app {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class SteppingClock final : public Clock {
 public:
  [[nodiscard]] WallTime Wall() const override { return {}; }
  [[nodiscard]] MonoTime Mono() const override { return now_; }
  void Advance(milliseconds time) { now_ += time; }

 private:
  MonoTime now_{std::chrono::hours(1)};
};

TEST(WaitingLine, IsDrawnUntilSomethingElseIsWritten) {
  std::vector<std::string> put;
  std::promise<void> drawn;
  const ProgressBar::Terminal terminal = {[&](const std::string& text) {
                                            put.push_back(text);
                                            if (put.size() == 1) drawn.set_value();
                                          },
                                          [] { return 80; }};
  WaitingLine line("drift", terminal, milliseconds(0));
  drawn.get_future().wait();
  EndWaiting();
  EndWaiting();
  EXPECT_THAT(put, ElementsAre("\r\x1b[Kdrift: 0ms", "\r\x1b[K"));
}

TEST(WaitingLine, MakesRoomForAProgressBar) {
  std::vector<std::string> put;
  std::promise<void> drawn;
  const ProgressBar::Terminal terminal = {[&](const std::string& text) {
                                            put.push_back(text);
                                            if (put.size() == 1) drawn.set_value();
                                          },
                                          [] { return 80; }};
  WaitingLine line("plan", terminal, milliseconds(0));
  drawn.get_future().wait();
  SteppingClock clock;
  ProgressBar bar("reading", clock, terminal);
  bar.Show(0, 10);
  clock.Advance(std::chrono::seconds(1));
  bar.Show(1, 10);
  ASSERT_EQ(put.size(), 3U);
  EXPECT_EQ(put[1], "\r\x1b[K");
  EXPECT_THAT(put[2], ::testing::HasSubstr("1 of 10 targets"));
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
