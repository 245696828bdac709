#include "providers/google/account_client.h"

#include <gtest/gtest.h>

namespace bindery {
namespace {

const std::string kByNumber = "projects/-/serviceAccounts/107734218812345678901";

TEST(AccountClient, AsksByUniqueId) {
  const auto call = ReadingAccount("http://h", kByNumber, std::chrono::seconds(1));
  ASSERT_TRUE(call);
  EXPECT_EQ(call->request.url, "http://h/v1/" + kByNumber);
  EXPECT_EQ(call->request.service, "iam");
}

TEST(AccountClient, TakesTheAddress) {
  const auto account = UnderstandAccount(
      PolicyCall(), kByNumber,
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
    EXPECT_FALSE(UnderstandAccount(PolicyCall(), kByNumber, body)) << body;
  }
}

}  // namespace
}  // namespace bindery
