// What calls on a target are counted to, where they go, and whether its etag can be relied on.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "providers/registry/kinds.h"
#include "support/http_impostor.h"
#include "support/matchers.h"

namespace bindery::google {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::IsEmpty;
using testing::IsOk;

const reconcilers::Kind& KindByToken(const providers::Kinds& kinds, const std::string& token) {
  const std::size_t colon = token.find(':');
  const reconcilers::Kind* kind =
      kinds.Find({"cloudnative:" + token.substr(0, colon), token.substr(colon + 1)});
  if (kind == nullptr) throw std::runtime_error("no kind " + token);
  return *kind;
}

TEST(AllowPolicyKind, CallsAreCountedToTheProjectOfTheTargetOrOfTheCaller) {
  const providers::Kinds kinds;
  struct Case {
    const char* token;
    const char* target;
    const char* quota;
    const char* project;  ///< Its output.
  };
  const Case cases[] = {
      {"pubsub/v1:TopicIamBinding", "projects/acme/topics/t", "acme", "acme"},
      {"cloudresourcemanager/v3:ProjectIamBinding", "projects/acme", "", "acme"},
      {"cloudresourcemanager/v3:FolderIamMember", "folders/1", "", ""},
      {"cloudresourcemanager/v3:OrganizationIamPolicy", "organizations/1", "", ""},
      {"cloudbilling/v1:BillingAccountIamBinding", "billingAccounts/0X0X0X-0X0X0X-0X0X0X", "", ""},
      {"storage/v1:BucketIamBinding", "b/data", "", ""},
  };
  for (const Case& one : cases) {
    const reconcilers::Kind& kind = KindByToken(kinds, one.token);
    EXPECT_EQ(kind.QuotaProject(one.target), one.quota) << one.token;
    EXPECT_EQ(StringMember(kind.Outputs(one.target, {}), "project"), one.project) << one.token;
  }
}

TEST(AllowPolicyKind, CallsGoToTheHostOfTheLocation) {
  const providers::Kinds kinds;
  const reconcilers::Kind& secrets = KindByToken(kinds, "secretmanager/v1:SecretIamBinding");
  cloud::Connection connection;
  connection.endpoints = {{"secretmanager", "https://secretmanager.googleapis.com"}};
  EXPECT_EQ(secrets.BaseUrl(connection, "projects/p/secrets/s"),
            "https://secretmanager.googleapis.com");
  EXPECT_EQ(secrets.BaseUrl(connection, "projects/p/locations/eu/secrets/s"),
            "https://secretmanager.eu.rep.googleapis.com");
  EXPECT_EQ(secrets.BaseUrl(connection, "projects/p/locations/us/secrets/s"),
            "https://secretmanager.us.rep.googleapis.com")
      << "another host, which may answer while the first one is away";
}

TEST(AllowPolicyKind, EtagsAreReliedOnWhereTheyAreKnownToMove) {
  const providers::Kinds kinds;
  for (const char* token :
       {"cloudresourcemanager/v3:ProjectIamBinding", "pubsub/v1:TopicIamMember",
        "storage/v1:BucketIamBinding", "networksecurity/v1:AuthorizationPolicyIamBinding"}) {
    EXPECT_TRUE(KindByToken(kinds, token).traits().etag_tells_changes) << token;
  }
  for (const char* token : {"compute/v1:InstanceIamBinding", "bigquery/v2:TableIamBinding",
                            "bigtableadmin/v2:InstanceIamBinding"}) {
    EXPECT_FALSE(KindByToken(kinds, token).traits().etag_tells_changes) << token;
  }
}

class AllowPolicyPermissions : public ::testing::Test {
 protected:
  [[nodiscard]] Expected<std::vector<std::string>> Missing(const std::string& token,
                                                           const std::string& target,
                                                           bool to_write) {
    const reconcilers::Kind& kind = KindByToken(kinds_, token);
    cloud::Connection connection;
    connection.endpoints = {{kind.traits().service, server_.Url()}};
    connection.transport =
        std::make_shared<cloud::CurlTransport>(cloud::CurlTransportOptions{"bindery/test"});
    connection.authorizer = cloud::NoCredentials();
    return kind.MissingPermissions(connection, target, to_write, 5s);
  }
  providers::Kinds kinds_;
  testing::HttpImpostor server_;
};

TEST_F(AllowPolicyPermissions, AreAskedForByTheNamesOfTheRow) {
  server_.When("POST", "/v3/projects/acme:testIamPermissions")
      .Reply(200, R"({"permissions":["resourcemanager.projects.getIamPolicy"]})");
  const auto missing = Missing("cloudresourcemanager/v3:ProjectIamBinding", "projects/acme", true);
  ASSERT_THAT(missing, IsOk());
  EXPECT_THAT(*missing, ElementsAre("resourcemanager.projects.setIamPolicy"));
  EXPECT_EQ(
      server_.Requests().back().body,
      R"({"permissions":["resourcemanager.projects.getIamPolicy","resourcemanager.projects.setIamPolicy"]})");
}

TEST_F(AllowPolicyPermissions, ThatCannotBeAskedForAreNotSaidToBeHeld) {
  EXPECT_THAT(Missing("agentidentity/v1:AuthProviderAuthorizationIamBinding",
                      "projects/p/locations/l/authProviders/a/authorizations/b", true),
              FailsWith(Code::kUnimplemented, "the names of the permissions are not known"));
  EXPECT_THAT(Missing("analyticshub/v1:SubscriptionIamBinding",
                      "projects/p/locations/l/subscriptions/s", true),
              FailsWith(Code::kUnimplemented, "the service cannot be asked for permissions"));
  EXPECT_THAT(server_.Requests(), IsEmpty());
}

/// The body of the write that grants one more member where the policy is `live`.
std::string WrittenTo(const char* token, const std::string& target, const std::string& live) {
  const providers::Kinds kinds;
  const reconcilers::Kind& kind = KindByToken(kinds, token);
  cloud::Connection connection;
  connection.endpoints = {{kind.traits().service, "http://cloud"}};
  const auto read = kind.BuildGet(connection, target, 1s);
  const auto seen = kind.ParseResponse(*read, live);
  if (!seen) return ToString(seen.error());
  const reconcilers::TargetPlan plan =
      reconcilers::ComposePlan({{"roles/viewer", "user:eve@example.com"}}, {});
  const auto write = kind.BuildSet(connection, target, plan, *seen, 1s);
  return write ? write->request.body : ToString(write.error());
}

TEST(AllowPolicyKind, WithoutAnUpdateMaskWhatIsNotKnownGoesBackByteForByte) {
  const std::string live =
      R"({ "etag" : "e=", "rules": [ {"weight": 1.10, "id":123456789012345678901234567890} ],)"
      R"("note":"\u0041\/", "bindings":[{"role":"roles/viewer","members":["user:ana@example.com"]}]})";
  const std::string rules = R"("rules":[ {"weight": 1.10, "id":123456789012345678901234567890} ])";
  const std::string note = R"("note":"\u0041\/")";
  const std::string bindings =
      R"("bindings":[{"role":"roles/viewer","members":["user:ana@example.com",)"
      R"("user:eve@example.com"]}])";
  EXPECT_EQ(WrittenTo("storage/v1:BucketIamBinding", "b/data", live),
            R"({"etag":"e=",)" + rules + "," + note + "," + bindings + R"(,"version":3})");
  EXPECT_EQ(
      WrittenTo("compute/v1:InstanceIamBinding", "projects/p/zones/z/instances/i", live),
      R"({"policy":{"etag":"e=",)" + rules + "," + note + "," + bindings + R"(,"version":3}})");
}

}  // namespace
}  // namespace bindery::google
