#include "providers/google/project_client.h"

#include <gtest/gtest.h>

namespace bindery {
namespace {

TEST(ProjectClient, AsksByIdOrNumber) {
  const auto call = ReadingProject("http://h", "123456", std::chrono::seconds(1));
  ASSERT_TRUE(call);
  EXPECT_EQ(call->request.url, "http://h/v3/projects/123456");
  EXPECT_EQ(call->request.service, "cloudresourcemanager");
  EXPECT_FALSE(ReadingProject("http://h", "..", std::chrono::seconds(1)));
}

TEST(ProjectClient, TakesIdAndNumber) {
  const PolicyCall call;
  const auto project =
      UnderstandProject(call, R"({"name":"projects/123456","projectId":"acme","state":"ACTIVE"})");
  ASSERT_TRUE(project);
  EXPECT_EQ(project->id, "acme");
  EXPECT_EQ(project->number, "123456");
}

TEST(ProjectClient, RefusesWhatIsNoProject) {
  const PolicyCall call;
  for (const char* body :
       {"[]", "{}", R"({"name":"projects/acme","projectId":"acme"})",
        R"({"name":"projects/1","projectId":""})", R"({"name":"projects/1","projectId":"1"})",
        R"({"name":1,"projectId":"acme"})"}) {
    EXPECT_FALSE(UnderstandProject(call, body)) << body;
  }
}

TEST(ProjectClient, TellsNumbersFromIds) {
  EXPECT_EQ(ProjectNumberOf("projects/12/locations/l"), "12");
  EXPECT_EQ(ProjectNumberOf("projects/12"), "12");
  EXPECT_EQ(ProjectNumberOf("projects/a12/locations/l"), "");
  EXPECT_EQ(ProjectNumberOf("locations/12"), "");
  EXPECT_EQ(ProjectNumberOf("projects//x"), "");
}

}  // namespace
}  // namespace bindery
