#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "web/pages/pages.h"

namespace bindery::web {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

report::ProblemList Errors(std::size_t count) {
  report::ProblemList report;
  report.summary.errors = count;
  report.groups = {{manifests::ProblemSeverity::kError, "UnknownField", count}};
  for (std::size_t i = 0; i < count; ++i) {
    report::ProblemLine problem;
    problem.file = "a.yaml";
    problem.line = 7;
    problem.column = 3;
    problem.path = "spec.membres";
    problem.code = "UnknownField";
    problem.message = "unknown field";
    problem.excerpt = report::Excerpt{" |   membres: []\n | ..^"};
    report.problems.push_back(problem);
  }
  return report;
}

TEST(ProblemsPage, ShowsTheLinesOfAFew) {
  EXPECT_THAT(
      ProblemsPage({}, Errors(2)),
      AllOf(HasSubstr("2 errors UnknownField"), HasSubstr("a.<wbr>yaml:<wbr>7:<wbr>3"),
            HasSubstr("<code class=\"path\">spec.<wbr>membres</code> unknown field"),
            HasSubstr("<details class=\"sentence\" id=\"m1\" open"), HasSubstr("membres: []")));
}

TEST(ProblemsPage, FoldsTheLinesOfMany) {
  EXPECT_THAT(ProblemsPage({}, Errors(11)),
              AllOf(HasSubstr("<details class=\"sentence\" id=\"m11\">"), HasSubstr("membres: []"),
                    Not(HasSubstr(" open=\"\""))));
}

TEST(ProblemsPage, TheLinesAreBelowTheirMessage) {
  // Beside the message they would hide what it says.
  EXPECT_THAT(ProblemsPage({}, Errors(1)),
              ContainsRegex("unknown field</span></summary><pre [^>]*><code> .   membres"));
}

TEST(ProblemsPage, ALongMessageIsALineOfManyProblems) {
  report::ProblemList many = Errors(11);
  many.problems.front().message = std::string(200, 'x');
  EXPECT_THAT(ProblemsPage({}, many), HasSubstr("<details class=\"sentence\" id=\"m1\"><summary>"));
  report::ProblemList few = Errors(1);
  few.problems.front().message = std::string(200, 'x');
  EXPECT_THAT(ProblemsPage({}, few), HasSubstr("<details class=\"sentence\" id=\"m1\" open"));
}

}  // namespace
}  // namespace bindery::web
