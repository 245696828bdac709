#include "providers/google/clients/identity_client.h"

#include <gtest/gtest.h>

namespace bindery::google {
namespace {

TEST(ProjectClient, AsksByIdOrNumber) {
  const auto call = ReadingProject("http://h", "123456", std::chrono::seconds(1));
  ASSERT_TRUE(call);
  EXPECT_EQ(call->request.url, "http://h/v3/projects/123456");
  EXPECT_EQ(call->request.service, "cloudresourcemanager");
  EXPECT_FALSE(ReadingProject("http://h", "..", std::chrono::seconds(1)));
}

TEST(ProjectClient, TakesIdAndNumber) {
  const cloud::PolicyCall call;
  const auto project =
      UnderstandProject(call, R"({"name":"projects/123456","projectId":"acme","state":"ACTIVE"})");
  ASSERT_TRUE(project);
  EXPECT_EQ(project->id, "acme");
  EXPECT_EQ(project->number, "123456");
}

TEST(ProjectClient, RefusesWhatIsNoProject) {
  const cloud::PolicyCall call;
  for (const char* body :
       {"[]", "{}", R"({"name":"projects/acme","projectId":"acme"})",
        R"({"name":"projects/1","projectId":""})", R"({"name":"projects/1","projectId":"1"})",
        R"({"name":1,"projectId":"acme"})"}) {
    EXPECT_FALSE(UnderstandProject(call, body)) << body;
  }
}

TEST(ProjectClient, TellsNumbersFromIds) {
  EXPECT_EQ(reconcilers::GetProjectNumber("projects/12/locations/l"), "12");
  EXPECT_EQ(reconcilers::GetProjectNumber("projects/12"), "12");
  EXPECT_EQ(reconcilers::GetProjectNumber("projects/a12/locations/l"), "");
  EXPECT_EQ(reconcilers::GetProjectNumber("locations/12"), "");
  EXPECT_EQ(reconcilers::GetProjectNumber("projects//x"), "");
}

const std::string kByNumber = "projects/-/serviceAccounts/107734218812345678901";

TEST(AccountClient, AsksByUniqueId) {
  const auto call = ReadingAccount("http://h", kByNumber, std::chrono::seconds(1));
  ASSERT_TRUE(call);
  EXPECT_EQ(call->request.url, "http://h/v1/" + kByNumber);
  EXPECT_EQ(call->request.service, "iam");
}

TEST(AccountClient, TakesTheAddress) {
  const auto account = UnderstandAccount(
      cloud::PolicyCall(), kByNumber,
      R"({"projectId":"acme","uniqueId":"107734218812345678901","email":"CI@acme.iam.gserviceaccount.com"})");
  ASSERT_TRUE(account);
  EXPECT_EQ(account->id, "projects/acme/serviceAccounts/ci@acme.iam.gserviceaccount.com");
  EXPECT_EQ(account->number, kByNumber);
}

TEST(AccountClient, RefusesWhatIsNotThatAccount) {
  for (
      const char* body :
      {"[]", "{}", R"({"projectId":"acme","uniqueId":"107734218812345678901"})",
       R"({"uniqueId":"107734218812345678901","email":"ci@acme.iam.gserviceaccount.com"})",
       R"({"projectId":"acme","uniqueId":"107734218812345678901","email":"../x"})",
       R"({"projectId":"acme","uniqueId":"2","email":"ci@acme.iam.gserviceaccount.com"})",
       R"({"projectId":"acme","uniqueId":"107734218812345678901","email":"107734218812345678901"})"}) {
    EXPECT_FALSE(UnderstandAccount(cloud::PolicyCall(), kByNumber, body)) << body;
  }
}

}  // namespace
}  // namespace bindery::google
