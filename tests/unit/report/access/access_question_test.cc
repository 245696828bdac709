// Questions about access that leave something open.

#include <gmock/gmock.h>

#include <cstddef>
#include <string>
#include <vector>

#include "report/access/access_report.h"
#include "report/forms/texts.h"
#include "unit/report/access_fixture.h"

namespace bindery::report {
namespace {

using testing::At;
using ::testing::EndsWith;
using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IamTarget;
using testing::IsOk;
using ::testing::Not;
using testing::Now;
using testing::Role;

constexpr const char* kUntilTheEndOf2026 = "request.time < timestamp('2027-01-01T00:00:00Z')";

using AccessQuestionTest = testing::AccessTest;

TEST_F(AccessQuestionTest, APermissionAndARoleAreTwoQuestions) {
  Read(IamTarget(), {Role("roles/viewer", {"user:ana@example.com"})}, "2026-11-21T11:00:00Z");
  for (const char* role : {"roles/viewer", "*"}) {
    AccessQuery query;
    query.role = role;
    query.permission = "pubsub.topics.get";
    EXPECT_THAT(AccessReport({*store_}, query, Now()),
                FailsWith(Code::kInvalidArgument, HasSubstr("ask for one of them")))
        << role;
  }
}

TEST_F(AccessQuestionTest, OfTheFutureThereAreThePoliciesOfNow) {
  Read(IamTarget(), {Role("roles/viewer", {"user:ana@example.com"}, kUntilTheEndOf2026)},
       "2026-11-21T11:00:00Z");
  struct Case {
    const char* at;
    std::vector<std::string> answers;
    bool is_future;
  };
  const Case cases[] = {
      {"2026-11-21T12:00:00Z", {"granted user:ana@example.com roles/viewer"}, false},
      {"2026-11-21T12:00:01Z", {"granted user:ana@example.com roles/viewer"}, true},
      {"2030-01-01T00:00:00Z", {"not granted user:ana@example.com roles/viewer"}, true},
  };
  for (const Case& one : cases) {
    AccessQuery query;
    query.at = At(one.at);
    EXPECT_EQ(Answers(query), one.answers) << one.at;
    EXPECT_EQ(Note().find("is in the future: the policies are those of now") != std::string::npos,
              one.is_future)
        << one.at << " " << Note();
  }
}

TEST_F(AccessQuestionTest, TextOfAPartSaysHowManyMoreThereAre) {
  Read(IamTarget(),
       {Role("roles/viewer", {"user:a@example.com", "user:b@example.com"}),
        Role("roles/viewer", {"user:c@example.com"}, "resource.name == 'x'")},
       "2026-11-21T11:00:00Z");
  struct Case {
    std::size_t limit;
    const char* line;  ///< Empty: none.
  };
  const Case cases[] = {{1, "\n2 more answers are not shown: --limit all shows every answer.\n"},
                        {2, "\n1 more answer is not shown: --limit all shows every answer.\n"},
                        {3, ""},
                        {9, ""}};
  for (const Case& one : cases) {
    const auto report = AccessReport({*store_}, {}, Now(), ListPage{0, one.limit});
    ASSERT_THAT(report, IsOk());
    const std::string text = AccessText(*report, Plain());
    EXPECT_THAT(text, HasSubstr("3 answers on 1 target, 2 granted, 1 that depend on more."));
    if (*one.line != '\0') {
      EXPECT_THAT(text, EndsWith(one.line));
    } else {
      EXPECT_THAT(text, Not(HasSubstr("not shown")));
    }
  }
}

}  // namespace
}  // namespace bindery::report
