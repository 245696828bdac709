// Members of groups, as Cloud Identity answers.

#include "providers/google/clients/cloud_identity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "cloud/authorizer.h"
#include "cloud/transport.h"
#include "support/matchers.h"

namespace bindery::google {
namespace {

using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;

/// Gives the answers in turn, and keeps what was asked.
class Answers final : public cloud::Transport {
 public:
  Expected<cloud::HttpResponse> Send(const cloud::HttpRequest& request) override {
    asked.push_back(request.url);
    if (next.empty()) return Fail(Code::kInternal, "the test has no further answer");
    cloud::HttpResponse response = next.front();
    next.pop_front();
    return response;
  }
  void SendAsync(std::shared_ptr<cloud::HttpRequest> request, Done done) override {
    done(Send(*request));
  }

  std::deque<cloud::HttpResponse> next;
  std::vector<std::string> asked;
};

class CloudIdentityTest : public ::testing::Test {
 protected:
  CloudIdentityTest() {
    connection_.endpoints = {{"cloudidentity", "http://identity"}};
    connection_.transport = transport_;
    connection_.authorizer = cloud::NoCredentials();
    budget_.ends = std::chrono::steady_clock::now() + std::chrono::minutes(5);
  }
  void Answer(const std::string& body, int status = 200) {
    transport_->next.push_back({status, {}, body});
  }
  Expected<providers::DirectMembers> Read(const std::string& group = "eng@x.y") {
    return CloudIdentity().Read(connection_, group, budget_);
  }

  std::shared_ptr<Answers> transport_ = std::make_shared<Answers>();
  cloud::Connection connection_;
  providers::GroupBudget budget_;
};

constexpr const char* kFound = R"({"name": "groups/0a1"})";

TEST_F(CloudIdentityTest, MembersOfAllPagesAreWhatPoliciesCallThem) {
  Answer(kFound);
  Answer(R"({"memberships": [
    {"preferredMemberKey": {"id": "Ana@x.y"}, "type": "USER"},
    {"preferredMemberKey": {"id": "leads@x.y"}, "type": "GROUP"}], "nextPageToken": "a/b"})");
  Answer(R"({"memberships": [
    {"preferredMemberKey": {"id": "r@p.iam.gserviceaccount.com"}, "type": "SERVICE_ACCOUNT"}]})");
  const auto read = Read("eng+all@x.y");
  ASSERT_THAT(read, IsOk());
  EXPECT_THAT(read->members, ElementsAre("user:ana@x.y", "group:leads@x.y",
                                         "serviceAccount:r@p.iam.gserviceaccount.com"));
  EXPECT_EQ(read->gap, "");
  EXPECT_THAT(transport_->asked,
              ElementsAre("http://identity/v1/groups:lookup?groupKey.id=eng%2Ball%40x.y",
                          "http://identity/v1/groups/0a1/memberships?view=FULL&pageSize=500",
                          "http://identity/v1/groups/0a1/memberships?view=FULL&pageSize=500&"
                          "pageToken=a%2Fb"));
}

TEST_F(CloudIdentityTest, MembersThatPoliciesDoNotHaveAreAGap) {
  for (
      const char* odd :
      {R"({"preferredMemberKey": {"id": "C01"}, "type": "OTHER"})",
       R"({"preferredMemberKey": {"id": "a@x.y"}})",
       R"({"preferredMemberKey": {"id": "a@x.y", "namespace": "identitysources/1"}, "type": "USER"})",
       R"({"type": "USER"})", R"({"preferredMemberKey": "a@x.y", "type": "USER"})"}) {
    Answer(kFound);
    Answer(std::string(R"({"memberships": [)") + odd + "]}");
    const auto read = Read();
    ASSERT_THAT(read, IsOk()) << odd;
    EXPECT_TRUE(read->members.empty()) << odd;
    EXPECT_THAT(read->gap, HasSubstr("1 member of other types")) << odd;
  }
}

TEST_F(CloudIdentityTest, AListThatIsLongerThanTheBudgetIsCutOffWithAGap) {
  budget_.calls = 2;
  Answer(kFound);
  Answer(R"({"memberships": [{"preferredMemberKey": {"id": "a@x.y"}, "type": "USER"}],
             "nextPageToken": "more"})");
  const auto read = Read();
  ASSERT_THAT(read, IsOk());
  EXPECT_THAT(read->members, ElementsAre("user:a@x.y"));
  EXPECT_THAT(read->gap, HasSubstr("longer"));
  EXPECT_THAT(Read(), FailsWith(Code::kResourceExhausted, HasSubstr("too many questions")));
}

TEST_F(CloudIdentityTest, ARefusalOrAnotherFormIsNeverAnEmptyGroup) {
  Answer(R"({"error": {"code": 403, "status": "PERMISSION_DENIED", "message": "code 2028"}})", 403);
  EXPECT_THAT(Read(), FailsWith(Code::kPermissionDenied, HasSubstr("code 2028")));
  for (const char* body : {"{}", R"({"name": "groups/"})", R"({"name": 7})"}) {
    Answer(body);
    EXPECT_THAT(Read(), FailsWith(Code::kInternal, HasSubstr("no name of a group"))) << body;
  }
  for (const char* body : {R"({"memberships": {}})", R"({"nextPageToken": 1})"}) {
    Answer(kFound);
    Answer(body);
    EXPECT_THAT(Read(), FailsWith(Code::kInternal, HasSubstr("memberships.list"))) << body;
  }
  connection_.endpoints.clear();
  EXPECT_THAT(Read(), FailsWith(Code::kUnimplemented, HasSubstr("no Cloud Identity")));
}

}  // namespace
}  // namespace bindery::google
