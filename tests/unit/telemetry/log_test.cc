#include "telemetry/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "core/base/json.h"
#include "core/text/time_text.h"
#include "telemetry/trace.h"

namespace bindery::telemetry {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class LogTest : public ::testing::Test {
 protected:
  Logger::Options Options(LogFormat format, LogLevel level = LogLevel::kInfo) {
    Logger::Options options;
    options.format = format;
    options.level = level;
    options.sink = [this](std::string_view line) { lines_.emplace_back(line); };
    options.now = [] { return *ParseRfc3339("2026-11-21T10:20:30.123Z"); };
    return options;
  }

  std::vector<std::string> lines_;
};

TEST_F(LogTest, TextIsForPeople) {
  Logger log(Options(LogFormat::kText, LogLevel::kDebug));
  log.Debug("looking");
  log.Info("policy written",
           {{"resource", "payments-viewers"}, {"durationMs", 12}, {"ratio", 0.5}, {"dry", false}});
  log.Warn("slow");
  log.Error("failed", {{"count", std::size_t{3}}});
  EXPECT_THAT(lines_,
              ElementsAre("2026-11-21T10:20:30.123Z debug looking",
                          "2026-11-21T10:20:30.123Z info  policy written resource=payments-viewers "
                          "durationMs=12 ratio=0.5 dry=false",
                          "2026-11-21T10:20:30.123Z warn  slow",
                          "2026-11-21T10:20:30.123Z error failed count=3"));
}

TEST_F(LogTest, JsonKeepsTypesAndOrder) {
  Logger log(Options(LogFormat::kJson));
  log.Info("policy written",
           {{"resource", "r"}, {"durationMs", -12}, {"ratio", 0.5}, {"dry", true}});
  EXPECT_THAT(
      lines_,
      ElementsAre(R"({"level":"info","ts":"2026-11-21T10:20:30.123Z","msg":"policy written",)"
                  R"("resource":"r","durationMs":-12,"ratio":0.5,"dry":true})"));
}

TEST_F(LogTest, JsonSaysWhatTraceTheThreadWorksFor) {
  Logger json(Options(LogFormat::kJson));
  Logger text(Options(LogFormat::kText));
  const TraceScope scope(
      *ParseTraceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00"));
  json.Info("m", {{"a", 1}});
  text.Info("m");
  EXPECT_THAT(lines_, ElementsAre(R"({"level":"info","ts":"2026-11-21T10:20:30.123Z","msg":"m",)"
                                  R"("trace_id":"4bf92f3577b34da6a3ce929d0e0e4736",)"
                                  R"("span_id":"00f067aa0ba902b7","a":1})",
                                  "2026-11-21T10:20:30.123Z info  m"));
}

TEST_F(LogTest, AFieldCannotTakeThePlaceOfAnother) {
  Logger log(Options(LogFormat::kJson));
  log.Info("m", {{"msg", "other"}, {"level", "x"}, {"a", 1}, {"a", 2}});
  EXPECT_THAT(lines_, ElementsAre(R"({"level":"info","ts":"2026-11-21T10:20:30.123Z","msg":"m",)"
                                  R"("msg_":"other","level_":"x","a":1,"a_":2})"));
}

TEST_F(LogTest, WhatIsLoggedCannotForgeALineOrReachTheTerminal) {
  const std::string evil = "a\n2026-11-21T10:20:30.123Z info  forged\r\t\x1b[2J\"\\";
  Logger text(Options(LogFormat::kText));
  text.Info("m\nn", {{"v", evil}, {"k y", 1}});
  Logger json(Options(LogFormat::kJson));
  json.Info("m\nn", {{"v", evil}});
  ASSERT_THAT(lines_, SizeIs(2));
  EXPECT_EQ(lines_[0],
            "2026-11-21T10:20:30.123Z info  m\\nn v=\"a\\n2026-11-21T10:20:30.123Z info  "
            "forged\\r\\t\\x1b[2J\\\"\\\\\" \"k y\"=1");
  EXPECT_EQ(lines_[1].find('\n'), std::string::npos);
  EXPECT_EQ(StringMember(*ParseJson(lines_[1]), "v"), evil);
}

TEST_F(LogTest, WhatSteersBeyondAsciiIsEscapedToo) {
  // CSI of C1, right-to-left override, line separator, a tag, a zero width space, a broken byte.
  const std::string evil = "a\u009b1m\u202eb\u2028c\U000e0041\u200b";
  Logger text(Options(LogFormat::kText));
  text.Info(evil + "\xff", {{"v", evil}, {"w", "caf\u00e9"}});
  Logger json(Options(LogFormat::kJson));
  json.Info("m", {{"v", evil}});
  EXPECT_THAT(lines_, ElementsAre("2026-11-21T10:20:30.123Z info  "
                                  R"(a\x9b1m\u202eb\u2028c\U000e0041\u200b\xff)"
                                  R"( v="a\x9b1m\u202eb\u2028c\U000e0041\u200b" w=caf)"
                                  "\u00e9",
                                  R"({"level":"info","ts":"2026-11-21T10:20:30.123Z","msg":"m",)"
                                  R"("v":"a\u009b1m\u202eb\u2028c\udb40\udc41\u200b"})"));
  EXPECT_EQ(StringMember(*ParseJson(lines_[1]), "v"), evil);
}

TEST_F(LogTest, AnEmptyValueIsLeftOutOfTextAndKeptInJson) {
  Logger text(Options(LogFormat::kText));
  text.Info("m", {{"a", ""}, {"b", "x"}});
  Logger json(Options(LogFormat::kJson));
  json.Info("m", {{"a", ""}});
  EXPECT_THAT(lines_,
              ElementsAre("2026-11-21T10:20:30.123Z info  m b=x",
                          R"({"level":"info","ts":"2026-11-21T10:20:30.123Z","msg":"m","a":""})"));
}

TEST_F(LogTest, BytesThatAreNotUtf8DoNotBreakJson) {
  Logger log(Options(LogFormat::kJson));
  log.Info("caf\xe9", {{"v", "\xff"}});
  ASSERT_THAT(lines_, SizeIs(1));
  EXPECT_TRUE(ParseJson(lines_[0]).has_value()) << lines_[0];
}

TEST_F(LogTest, LevelAndFormatChangeAtRunTime) {
  Logger log(Options(LogFormat::kText, LogLevel::kError));
  log.Warn("unheard");
  EXPECT_THAT(lines_, IsEmpty());
  log.SetLevel(LogLevel::kWarn);
  log.SetFormat(LogFormat::kJson);
  EXPECT_EQ(log.level(), LogLevel::kWarn);
  log.Info("unheard");
  log.Warn("heard");
  EXPECT_THAT(lines_,
              ElementsAre(R"({"level":"warn","ts":"2026-11-21T10:20:30.123Z","msg":"heard"})"));
}

TEST_F(LogTest, LinesOfManyThreadsStayWhole) {
  Logger log(Options(LogFormat::kText));
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i) {
    writers.emplace_back([&log] {
      for (int n = 0; n < 250; ++n) log.Info("abcdefghijklmnopqrstuvwxyz");
    });
  }
  for (std::thread& writer : writers) writer.join();
  ASSERT_THAT(lines_, SizeIs(1'000));
  EXPECT_THAT(lines_, ::testing::Each("2026-11-21T10:20:30.123Z info  abcdefghijklmnopqrstuvwxyz"));
}

TEST(Log, StandardErrorThatIsNoTerminalGetsPlainLines) {
  ::testing::internal::CaptureStderr();
  {
    Logger log({});
    log.Info("to standard error");
  }
  const std::string written = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(written, ::testing::EndsWith("Z info  to standard error\n"));
  EXPECT_EQ(written.find('\033'), std::string::npos);
}

}  // namespace
}  // namespace bindery::telemetry
