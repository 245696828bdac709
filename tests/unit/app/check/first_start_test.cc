#include "app/check/first_start.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace bindery::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> WarningsOf(const config::Config& config) {
  std::vector<std::string> lines;
  telemetry::Logger log({LogFormat::kText, LogLevel::kInfo,
                         [&lines](std::string_view line) { lines.emplace_back(line); }});
  WarnOfFirstStart(config, log);
  return lines;
}

TEST(FirstStart, SaysWhatABindingReplacesOnARealCloud) {
  config::Config config;
  config.providers["inside"].embedded = true;
  config.providers["real"].embedded = false;
  EXPECT_THAT(WarningsOf(config), ElementsAre(HasSubstr("first start on a real cloud")));
  EXPECT_THAT(WarningsOf(config), ElementsAre(HasSubstr("provider=real")));
  config.reconcile.mode = Mode::kObserve;
  EXPECT_THAT(WarningsOf(config), IsEmpty());
}

TEST(FirstStart, SaysNothingOfTheEmbeddedCloud) {
  config::Config config;
  config.providers["inside"].embedded = true;
  EXPECT_THAT(WarningsOf(config), IsEmpty());
}

}  // namespace
}  // namespace bindery::app
