// What the local clock is worth, by what the services say the time is.

#include "controller/clock/clock_witness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bindery::controller {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;
using Verdict = ClockJudgement::Verdict;

constexpr const char* kGoogle = "cloudnative/networksecurity";
constexpr const char* kBackup = "cloudnative/backupdr";
constexpr const char* kDatadog = "monitoring/datadog";

class ClockWitnessTest : public ::testing::Test {
 protected:
  void Pass(std::chrono::milliseconds time) {
    mono += time;
    wall += time;
  }
  void Step(std::chrono::milliseconds time) { wall += time; }
  /// A service tells the time, that much off the local clock.
  void Hear(const std::string& source, std::chrono::milliseconds ahead = 0ms) {
    witness.Note(source, wall + ahead, mono);
  }
  [[nodiscard]] ClockJudgement Judge() const { return witness.Judge(wall, mono); }
  [[nodiscard]] Verdict Is() const { return Judge().verdict; }

  ClockWitness witness;
  MonoTime mono{1h};
  WallTime wall{std::chrono::hours(500'000)};
};

TEST_F(ClockWitnessTest, NothingIsConfirmedBeforeAServiceToldTheTime) {
  EXPECT_EQ(Is(), Verdict::kUnknown);
  EXPECT_THAT(Judge().Why(), HasSubstr("no service has told the time"));
  Hear(kGoogle);
  EXPECT_EQ(Is(), Verdict::kConfirmed);
  EXPECT_EQ(Judge().Why(), "");
}

TEST_F(ClockWitnessTest, AMinuteApartIsStillAgreement) {
  Hear(kGoogle, 60s);
  EXPECT_EQ(Is(), Verdict::kConfirmed);
  Hear(kBackup, -61s);
  EXPECT_EQ(Is(), Verdict::kDisputed) << "one agrees, one does not";
}

TEST_F(ClockWitnessTest, AClockThatWasAheadFromTheStartIsDisputed) {
  Hear(kGoogle, -24h * 300);
  EXPECT_EQ(Is(), Verdict::kDisputed);
  EXPECT_EQ(Judge().Why(),
            "the local clock is 300d ahead of the time that cloudnative/networksecurity tells");
}

TEST_F(ClockWitnessTest, TheServicesTimeIsTheirLastWord) {
  EXPECT_EQ(witness.ServiceTime(wall, mono), wall) << "nobody has told it";
  Hear(kGoogle, -25h);
  Pass(10s);
  EXPECT_EQ(witness.ServiceTime(wall, mono), wall - 25h);
  Hear(kBackup, -25h);
  Hear(kDatadog, 100h);
  EXPECT_EQ(witness.ServiceTime(wall, mono), wall - 25h) << "one of three is wrong";
}

TEST_F(ClockWitnessTest, TheServicesTimeIsRightAtOnceAfterTheMachineSlept) {
  Hear(kGoogle);
  Step(2h);
  Hear(kGoogle);
  EXPECT_EQ(Is(), Verdict::kDisputed) << "it may be the same clock";
  EXPECT_EQ(witness.ServiceTime(wall, mono), wall);
}

TEST_F(ClockWitnessTest, AStepOfTheLocalClockShowsBeforeAnybodyAnswers) {
  Hear(kGoogle);
  Pass(5min);
  Step(24h * 300);
  EXPECT_EQ(Is(), Verdict::kDisputed);
  Step(-24h * 300);
  EXPECT_EQ(Is(), Verdict::kConfirmed);
  Step(-2h);
  EXPECT_EQ(Judge().Why(),
            "the local clock is 2h behind the time that cloudnative/networksecurity tells");
}

TEST_F(ClockWitnessTest, AServiceThatStepsWithTheLocalClockConfirmsNothingForAWhile) {
  Hear(kGoogle);
  Pass(1min);
  Step(24h * 300);
  for (int i = 0; i < 6; ++i) {
    Hear(kGoogle);
    EXPECT_EQ(Is(), Verdict::kDisputed) << i;
    Pass(1s);
  }
  Step(-24h * 300);
  EXPECT_EQ(Is(), Verdict::kConfirmed);
  Hear(kGoogle);
  EXPECT_EQ(Is(), Verdict::kConfirmed);
}

TEST_F(ClockWitnessTest, AfterTheMachineSleptTheServicesAreBelievedWhenTheyKeptToTheirTime) {
  Hear(kGoogle);
  Step(8h);  // The clock that is never set stood still meanwhile.
  for (int minute = 0; minute < 10; ++minute) {
    Hear(kGoogle);
    EXPECT_EQ(Is(), Verdict::kDisputed) << minute;
    Pass(1min);
  }
  Hear(kGoogle);
  EXPECT_EQ(Is(), Verdict::kConfirmed);
}

TEST_F(ClockWitnessTest, ATimeThatJumpsAboutNeverSettles) {
  Hear(kGoogle);
  Step(1h);
  for (int i = 0; i < 60; ++i) {
    Hear(kGoogle, std::chrono::minutes(i % 2 == 0 ? 0 : 30));
    Pass(1min);
  }
  EXPECT_EQ(Is(), Verdict::kDisputed);
}

TEST_F(ClockWitnessTest, OneWrongServiceAmongOthersDoesNotCount) {
  Hear(kGoogle);
  Hear(kBackup);
  Hear(kDatadog, 24h * 300);
  EXPECT_EQ(Is(), Verdict::kConfirmed);
  Step(24h * 300);
  EXPECT_EQ(Is(), Verdict::kDisputed) << "the wrong one agrees now, the others do not";
}

TEST_F(ClockWitnessTest, ADateThatSomebodyKeepsFallsBehindAndIsDisputed) {
  const WallTime kept = wall;
  for (int i = 0; i < 10; ++i) {
    witness.Note(kGoogle, kept, mono);
    Pass(30s);
  }
  EXPECT_EQ(Is(), Verdict::kDisputed);
}

TEST_F(ClockWitnessTest, WhoIsSilentForLongOrNotConfiguredAnyMoreIsNotAsked) {
  Hear(kDatadog, 24h);
  Hear(kGoogle);
  EXPECT_EQ(Is(), Verdict::kDisputed);
  Pass(61min);
  Hear(kGoogle);
  EXPECT_EQ(Is(), Verdict::kConfirmed);
  Hear(kDatadog, 24h);
  EXPECT_EQ(Is(), Verdict::kDisputed);
  witness.KeepProviders({"cloudnative"});
  EXPECT_EQ(Is(), Verdict::kConfirmed);
}

TEST_F(ClockWitnessTest, AConfirmationStandsWhileNothingIsCalled) {
  Hear(kGoogle);
  Pass(24h);
  EXPECT_EQ(Is(), Verdict::kConfirmed);
}

}  // namespace
}  // namespace bindery::controller
