#include "report/checks/preflight_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/forms/texts.h"

namespace bindery::report {
namespace {

std::vector<PreflightCheck> Checks() {
  return {{"configuration", "/etc/b.yaml", CheckState::kOk, "2 providers", ""},
          {"credentials", "google", CheckState::kWarning, "others can read it", "chmod 600 it"},
          {"permissions", "projects/p/t", CheckState::kFailed, "missing x.set", "grant it"}};
}

TEST(PreflightReport, CountsAndListsInTheOrderGiven) {
  EXPECT_EQ(
      ToJson(PreflightReport(Checks())).dump(),
      R"({"ok":false,"summary":{"ok":1,"warnings":1,"failed":1},"checks":[)"
      R"({"check":"configuration","subject":"/etc/b.yaml","state":"ok","message":"2 providers","action":""},)"
      R"({"check":"credentials","subject":"google","state":"warning","message":"others can read it","action":"chmod 600 it"},)"
      R"({"check":"permissions","subject":"projects/p/t","state":"failed","message":"missing x.set","action":"grant it"}]})");
}

TEST(PreflightReport, WarningsLeaveItOk) {
  EXPECT_TRUE(PreflightReport({Checks()[0], Checks()[1]}).ok);
  EXPECT_FALSE(PreflightReport({Checks()[2]}).ok);
}

TEST(PreflightText, IsATableAndWhatToDo) {
  EXPECT_EQ("\n" + PreflightText(PreflightReport(Checks()), {}), R"(
CHECK          SUBJECT       STATE    FOUND
configuration  /etc/b.yaml   ok       2 providers
credentials    google        warning  others can read it
permissions    projects/p/t  failed   missing x.set

What to do:
  credentials google: chmod 600 it
  permissions projects/p/t: grant it

1 ok, 1 warning, 1 failed
)");
}

TEST(PreflightText, WhatHelpsManyIsSaidOnce) {
  std::vector<PreflightCheck> checks = {Checks()[1]};
  for (const char* subject : {"a", "b", "c", "d", "e"}) {
    checks.push_back({"permissions", subject, CheckState::kFailed, "missing x.set", "grant it"});
  }
  const auto advice = [&checks] {
    const std::string text = PreflightText(PreflightReport(checks), {});
    return text.substr(text.find("What"));
  };
  EXPECT_EQ(advice(), R"(What to do:
  credentials google: chmod 600 it
  permissions a, permissions b, permissions c, permissions d, permissions e: grant it

0 ok, 1 warning, 5 failed
)");
  checks.push_back({"permissions", "f", CheckState::kFailed, "missing x.set", "grant it"});
  EXPECT_THAT(advice(), ::testing::HasSubstr("permissions e and 1 other: grant it"));
}

TEST(PreflightText, ManyThatAreFineAreOneLine) {
  std::vector<PreflightCheck> checks = {Checks()[2]};
  for (int i = 0; i < 1000; ++i) {
    checks.push_back({"permissions", "t" + std::to_string(i), CheckState::kOk, "fine", ""});
  }
  EXPECT_EQ("\n" + PreflightText(PreflightReport(checks), {}), R"(
CHECK        SUBJECT       STATE   FOUND
permissions  projects/p/t  failed  missing x.set
permissions  all others    ok      1000 are fine

What to do:
  permissions projects/p/t: grant it

1000 ok, 0 warnings, 1 failed
)");
}

}  // namespace
}  // namespace bindery::report
