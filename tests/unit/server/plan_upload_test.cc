#include "server/requests/plan_upload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/matchers.h"

namespace bindery::server {
namespace {

using testing::FailsWith;
using testing::IsOk;

TEST(PlanUpload, IsReadAsItWasWritten) {
  const PlanUpload sent{
      {"viewers"},
      {{"a.yaml", "kind: \"x\"\n"}, {"teams/b.json", "{}"}},
      {{".c.yaml", "is hidden", true, false}, {"d", "cannot be read", false, true}}};
  const auto read = ReadPlanUpload(GetText(sent));
  ASSERT_THAT(read, IsOk());
  EXPECT_EQ(GetText(*read), GetText(sent));
  EXPECT_EQ(read->files.at(0).text, "kind: \"x\"\n");
  EXPECT_TRUE(read->unread.at(0).ignored);
  EXPECT_TRUE(read->unread.at(1).opaque);
}

TEST(PlanUpload, OnlyFilesAreRequired) {
  const auto read = ReadPlanUpload(R"({"files":[]})");
  ASSERT_THAT(read, IsOk());
  EXPECT_TRUE(read->names.empty());
  EXPECT_TRUE(read->unread.empty());
}

TEST(PlanUpload, SaysWhatIsWrong) {
  struct Case {
    const char* body;
    const char* message;
  };
  const Case cases[] = {
      {"[]", "the request body must be a JSON object"},
      {"{}", "\"files\" must be a list of objects"},
      {R"({"files":{}})", "\"files\" must be a list of objects"},
      {R"({"files":[],"file":1})",
       "unknown member \"file\" in the request body; did you mean \"files\"?"},
      {R"({"files":[],"names":"a"})", "\"names\" must be a list of strings"},
      {R"({"files":["a.yaml"]})", "an element of \"files\" must be a JSON object"},
      {R"({"files":[{"text":""}]})", "\"path\" of an element of \"files\" must be a string"},
      {R"({"files":[{"path":"a.yaml"}]})", "\"text\" of \"a.yaml\" must be a string"},
      {R"({"files":[{"path":"a.yaml","text":"","mode":1}]})",
       "unknown member \"mode\" in an element of \"files\""},
      {R"({"files":[{"path":"a.yaml","text":""},{"path":"a.yaml","text":""}]})",
       "\"a.yaml\" is there twice"},
      {R"({"files":[],"unread":[{"path":"a"}]})",
       "\"path\" and \"why\" of an element of \"unread\" must be strings"},
      {R"({"files":[],"unread":[{"path":"a","why":"is odd","opaque":1}]})",
       "\"opaque\" must be true or false"},
  };
  for (const Case& one : cases) {
    EXPECT_THAT(ReadPlanUpload(one.body), FailsWith(Code::kInvalidArgument, one.message))
        << one.body;
  }
}

TEST(PlanUpload, NoPathLeadsOutOfTheDirectory) {
  for (const char* path : {"", "/etc/a.yaml", "../a.yaml", "a/../b.yaml", "a/../../b.yaml",
                           "./a.yaml", "a//b.yaml", "a/", "..", "."}) {
    const std::string body = std::string(R"({"files":[{"path":")") + path + R"(","text":""}]})";
    EXPECT_THAT(ReadPlanUpload(body),
                FailsWith(Code::kInvalidArgument, ::testing::HasSubstr("is no path below")))
        << path;
  }
}

}  // namespace
}  // namespace bindery::server
