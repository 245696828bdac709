#include "server/requests/change_request.h"

#include "support/matchers.h"

namespace bindery::server {
namespace {

using testing::FailsWith;
using testing::IsOk;

constexpr Code kBad = Code::kInvalidArgument;

TEST(ReadNames, GivesTheNamesInOrder) {
  const auto names = ReadNames(R"({"names":["b","a"]})", NoNames::kRefused);
  ASSERT_THAT(names, IsOk());
  EXPECT_EQ(*names, (std::vector<std::string>{"b", "a"}));
}

TEST(ReadNames, NoneMeansAllOnlyWhereThatIsSafe) {
  for (const char* body : {"", "{}", R"({"names":[]})"}) {
    SCOPED_TRACE(body);
    EXPECT_THAT(ReadNames(body, NoNames::kMeansAll), IsOk());
    EXPECT_FALSE(ReadNames(body, NoNames::kRefused));
  }
  EXPECT_THAT(ReadNames(R"({"names":[]})", NoNames::kRefused),
              FailsWith(kBad, "\"names\" must name at least one resource"));
}

TEST(ReadNames, SaysWhatIsWrong) {
  struct Case {
    const char* body;
    const char* message;
  };
  const std::vector<Case> cases = {
      {"[]", "the request body must be a JSON object"},
      {R"({"names":"a"})", "\"names\" must be a list of strings"},
      {R"({"names":[1]})", "\"names\" must be a list of strings that are not empty"},
      {R"({"names":[""]})", "\"names\" must be a list of strings that are not empty"},
      {R"({"names":["a"],"names":["b"]})",
       "the request body is no JSON: JSON with two members \"names\" in one object"},
      {R"({"names":["a"],"force":true})", "unknown member \"force\" in the request body"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.body);
    EXPECT_THAT(ReadNames(c.body, NoNames::kMeansAll), FailsWith(kBad, c.message));
  }
  EXPECT_THAT(ReadNames("{", NoNames::kMeansAll),
              FailsWith(kBad, ::testing::StartsWith("the request body is no JSON: ")));
}

TEST(ReadDigest, WantsATextThatIsNotEmpty) {
  const auto digest = ReadDigest(R"({"digest":"3f2a"})");
  ASSERT_THAT(digest, IsOk());
  EXPECT_EQ(*digest, "3f2a");
  EXPECT_THAT(ReadDigest(R"({"digest":""})"),
              FailsWith(kBad, "\"digest\" must be a string that is not empty"));
  EXPECT_THAT(ReadDigest(R"({"digest":1})"),
              FailsWith(kBad, "\"digest\" must be a string that is not empty"));
}

TEST(ReadRollback, WantsANameAndARevision) {
  const auto wanted = ReadRollback(R"({"name":"a","revision":7})");
  ASSERT_THAT(wanted, IsOk());
  EXPECT_EQ(wanted->name, "a");
  EXPECT_EQ(wanted->revision, 7);
  EXPECT_THAT(ReadRollback(R"({"revision":7})"),
              FailsWith(kBad, "\"name\" must be a string that is not empty"));
  for (const char* revision : {"0", "-1", "1.5", "\"1\"", "null", "99999999999999999999"}) {
    SCOPED_TRACE(revision);
    EXPECT_THAT(ReadRollback(std::string(R"({"name":"a","revision":)") + revision + "}"),
                FailsWith(kBad, "\"revision\" must be a whole number from 1"));
  }
}

TEST(MakeBody, IsWhatTheApiReads) {
  EXPECT_EQ(MakeBody(command::Reconcile{{"a", "b"}}).dump(), R"({"names":["a","b"]})");
  EXPECT_EQ(MakeBody(command::Suspend{{"a"}, false}).dump(), R"({"names":["a"]})");
  EXPECT_EQ(MakeBody(command::Deny{"3f2a"}).dump(), R"({"digest":"3f2a"})");
  EXPECT_EQ(MakeBody(command::Rollback{"a", 7}).dump(), R"({"name":"a","revision":7})");
}

}  // namespace
}  // namespace bindery::server
