// Questions about access that leave something open.

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "report/access/access_report.h"
#include "unit/report/access_fixture.h"

namespace bindery::report {
namespace {

using testing::At;
using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IamTarget;
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

}  // namespace
}  // namespace bindery::report
