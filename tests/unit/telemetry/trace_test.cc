#include "telemetry/trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <thread>

namespace bindery::telemetry {
namespace {

constexpr const char* kExample = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

TEST(Trace, TraceparentIsReadAndWrittenAlike) {
  const auto context = ParseTraceparent(kExample);
  ASSERT_TRUE(context.has_value());
  EXPECT_TRUE(context->sampled);
  EXPECT_EQ(TraceIdText(*context), "4bf92f3577b34da6a3ce929d0e0e4736");
  EXPECT_EQ(SpanIdText(context->span), "00f067aa0ba902b7");
  EXPECT_EQ(ToTraceparent(*context), kExample);
}

struct Form {
  const char* name;
  std::string text;
  std::optional<bool> sampled;  ///< Nothing: it is ignored.
};

class Traceparent : public ::testing::TestWithParam<Form> {};

// By https://www.w3.org/TR/trace-context/#traceparent-header, and its conformance tests.
const std::string kIds = "4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7";
INSTANTIATE_TEST_SUITE_P(
    Forms, Traceparent,
    ::testing::Values(
        Form{"Sampled", "00-" + kIds + "-01", true},
        Form{"NotSampled", "00-" + kIds + "-00", false},
        Form{"OtherFlags", "00-" + kIds + "-fe", false},
        Form{"AllFlags", "00-" + kIds + "-ff", true},
        Form{"LaterVersion", "cc-" + kIds + "-01", true},
        Form{"LaterVersionWithMore", "cc-" + kIds + "-01-what-the-future-holds", true},
        Form{"LaterVersionWithOtherMore", "cc-" + kIds + "-01.more", std::nullopt},
        Form{"VersionFf", "ff-" + kIds + "-01", std::nullopt},
        Form{"ThisVersionWithMore", "00-" + kIds + "-01-more", std::nullopt},
        Form{"ThisVersionWithADash", "00-" + kIds + "-01-", std::nullopt},
        Form{"Empty", "", std::nullopt}, Form{"NoFlags", "00-" + kIds, std::nullopt},
        Form{"ShortFlags", "00-" + kIds + "-1", std::nullopt},
        Form{"ShortVersion", "0-" + kIds + "-011", std::nullopt},
        Form{"Capitals", "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", std::nullopt},
        Form{"NoTrace", "00-00000000000000000000000000000000-00f067aa0ba902b7-01", std::nullopt},
        Form{"NoSpan", "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", std::nullopt},
        Form{"NotHexadecimal", "00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01",
             std::nullopt},
        Form{"Signed", "00-+bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", std::nullopt},
        Form{"Blanks", " 00-" + kIds + "-01", std::nullopt},
        Form{"Underscores", "00_4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7_01",
             std::nullopt},
        Form{"DashInTheMiddle", "00-4bf92f3577b34da6-3ce929d0e0e4736-00f067aa0ba902b7-01",
             std::nullopt}),
    [](const auto& form) { return std::string(form.param.name); });

TEST_P(Traceparent, IsTakenOrIgnored) {
  const auto context = ParseTraceparent(GetParam().text);
  ASSERT_EQ(context.has_value(), GetParam().sampled.has_value());
  if (context) {
    EXPECT_EQ(context->sampled, *GetParam().sampled);
  }
}

TEST(Trace, IdsAreTheirOwn) {
  const TraceContext one = NewTrace(1);
  const TraceContext other = NewTrace(1);
  EXPECT_TRUE(one.valid());
  EXPECT_NE(TraceIdText(one), TraceIdText(other));
  const TraceContext child = MakeSpan(one);
  EXPECT_EQ(TraceIdText(child), TraceIdText(one));
  EXPECT_NE(child.span, one.span);
  TraceContext elsewhere;
  std::thread([&elsewhere] { elsewhere = NewTrace(1); }).join();
  EXPECT_NE(TraceIdText(elsewhere), TraceIdText(one));
}

TEST(Trace, SoManyAreSampled) {
  constexpr int kTraces = 20'000;
  for (const double ratio : {0.0, 0.1, 0.5, 1.0}) {
    int sampled = 0;
    for (int i = 0; i < kTraces; ++i) sampled += NewTrace(ratio).sampled ? 1 : 0;
    EXPECT_NEAR(sampled, ratio * kTraces, kTraces / 50.0) << ratio;
  }
}

TEST(Trace, AThreadWorksForOneAtATime) {
  EXPECT_FALSE(CurrentTrace().valid());
  const TraceContext outer = NewTrace(1);
  const TraceContext inner = NewTrace(1);
  {
    const TraceScope scope(outer);
    {
      const TraceScope within(inner);
      EXPECT_EQ(CurrentTrace(), inner);
    }
    EXPECT_EQ(CurrentTrace(), outer);
    std::thread([] { EXPECT_FALSE(CurrentTrace().valid()); }).join();
  }
  EXPECT_FALSE(CurrentTrace().valid());
}

}  // namespace
}  // namespace bindery::telemetry
