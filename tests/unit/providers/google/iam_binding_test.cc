// Both IAM kinds against a cloud in memory.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/fake_cloud.h"
#include "providers/google/rows/iam_kinds.h"
#include "providers/registry/kinds.h"
#include "support/matchers.h"
#include "support/write_policy.h"
#include "unit/providers/subjects.h"

namespace bindery::google {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using testing::FailsWith;
using testing::FakeCloud;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::kPolicyName;
using testing::WritePolicy;

class IamBindingTest : public ::testing::Test {
 protected:
  IamBindingTest() {
    connection.endpoints = {{"networksecurity", "http://net"}, {"backupdr", "http://backup"}};
    connection.transport = cloud;
    connection.authorizer = cloud::NoCredentials();
  }
  [[nodiscard]] static reconcilers::Desired Wants(const reconcilers::Kind& kind, const char* spec) {
    reconcilers::Desired desired;
    desired.claims.push_back({"m", *kind.Declare(*ParseJson(spec), "")});
    return desired;
  }
  std::shared_ptr<FakeCloud> cloud = std::make_shared<FakeCloud>();
  cloud::Connection connection;
  std::unique_ptr<reconcilers::Kind> kind =
      MakeIamBinding(IamKind("AuthorizationPolicyIamBinding"));
};

TEST_F(IamBindingTest, DeclaresEachMemberUnderTheCondition) {
  const auto declared = kind->Declare(
      *ParseJson(R"({"name":"projects/p/locations/l/authorizationPolicies/a","role":"roles/viewer",
                     "members":["user:A@x","group:b@x"],
                     "condition":{"expression":"e","title":"t"}})"),
      "other");
  ASSERT_THAT(declared, IsOk());
  EXPECT_EQ(declared->target, kPolicyName);
  EXPECT_EQ(declared->role, "roles/viewer");
  ASSERT_EQ(declared->grants.size(), 2U);
  EXPECT_EQ(declared->grants[0], (Grant{"roles/viewer", "user:A@x", Condition{"e", "t", ""}}));
}

TEST_F(IamBindingTest, CompletesANameWithTheDefaultProject) {
  const Json spec = *ParseJson(
      R"({"name":"locations/l/authorizationPolicies/a","role":"roles/viewer","members":[]})");
  EXPECT_EQ(kind->Declare(spec, "p")->target, kPolicyName);
  EXPECT_THAT(kind->Declare(spec, ""),
              FailsWith(Code::kInvalidArgument,
                        "name \"locations/l/authorizationPolicies/a\" carries no project, and the "
                        "provider has no default project: write "
                        "projects/PROJECT/locations/l/authorizationPolicies/a, or set "
                        "providers.<name>.project in the configuration"));
}

TEST_F(IamBindingTest, ReadsComparesAndWrites) {
  cloud->AddTarget(kPolicyName, R"([{"role":"roles/owner","members":["user:Eve@x"],"new":1}])");
  const auto seen = kind->Observe(connection, kPolicyName, seconds(1));
  ASSERT_THAT(seen, IsOk());
  EXPECT_TRUE(seen->exists);
  reconcilers::Desired desired = Wants(*kind,
                                       R"({"name":"projects/p/locations/l/authorizationPolicies/a",
                              "role":"roles/viewer","members":["user:ana@x"]})");
  desired.keep_undeclared = true;
  const reconcilers::TargetPlan plan = kind->Plan(desired, *seen);
  const auto written = WritePolicy(*kind, connection, kPolicyName, plan, *seen);
  ASSERT_THAT(written, IsOk());
  const Json sent = (*ParseJson(cloud->LastWrite().body))["policy"];
  EXPECT_EQ(sent["etag"], seen->etag);
  EXPECT_EQ(sent["version"], 3);
  EXPECT_EQ(sent["bindings"].dump(), R"([{"role":"roles/owner","members":["user:Eve@x"],"new":1},)"
                                     R"({"role":"roles/viewer","members":["user:ana@x"]}])");
  EXPECT_NE(written->etag, seen->etag);
  EXPECT_FALSE(kind->Plan(desired, *written).writes());
  EXPECT_EQ(kind->Outputs(kPolicyName, *written).dump(),
            R"({"id":"projects/p/locations/l/authorizationPolicies/a","etag":")" + written->etag +
                R"(","project":"p"})");
}

TEST_F(IamBindingTest, KeepsTheLiveSpelling) {
  cloud->AddTarget(kPolicyName,
                   R"([{"role":"roles/viewer","members":["user:ANA@x","user:eve@x"]}])");
  const auto seen = kind->Observe(connection, kPolicyName, seconds(1));
  const reconcilers::Desired desired =
      Wants(*kind,
            R"({"name":"projects/p/locations/l/authorizationPolicies/a",
                                    "role":"roles/viewer","members":["user:ana@x"]})");
  ASSERT_THAT(WritePolicy(*kind, connection, kPolicyName, kind->Plan(desired, *seen), *seen),
              IsOk());
  EXPECT_THAT(cloud->Grants(kPolicyName), ElementsAre("roles/viewer user:ANA@x"));
}

TEST_F(IamBindingTest, AnEtagThatMovedIsAborted) {
  cloud->AddTarget(kPolicyName);
  const auto seen = kind->Observe(connection, kPolicyName, seconds(1));
  cloud->AddTarget(kPolicyName);
  const reconcilers::TargetPlan plan = reconcilers::ComposePlan({{"roles/viewer", "user:a@x"}}, {});
  EXPECT_THAT(WritePolicy(*kind, connection, kPolicyName, plan, *seen),
              FailsWith(Code::kAborted, HasSubstr("concurrent")));
}

TEST_F(IamBindingTest, ATargetThatIsNotThereIsNotFound) {
  EXPECT_THAT(kind->Observe(connection, kPolicyName, seconds(1)),
              FailsWith(Code::kNotFound, HasSubstr("was not found")));
}

TEST_F(IamBindingTest, AnEmptyPolicyHoldsNothing) {
  cloud->AddTarget(kPolicyName);
  const auto seen = kind->Observe(connection, kPolicyName, seconds(1));
  ASSERT_THAT(seen, IsOk());
  EXPECT_FALSE(seen->exists);
  EXPECT_FALSE(seen->etag.empty());
}

TEST_F(IamBindingTest, WhatCameWithoutAnEtagIsNeverWrittenTo) {
  reconcilers::Observation seen;
  seen.document = *ParseJson(R"({"version":1,"bindings":[]})");
  const reconcilers::TargetPlan plan =
      reconcilers::ComposePlan({{"roles/viewer", "user:a@x", {}}}, {});
  EXPECT_THAT(
      kind->BuildSet(connection, kPolicyName, plan, seen, seconds(1)),
      FailsWith(Code::kInternal, "nothing is written to a policy that came without an etag"));
}

TEST_F(IamBindingTest, ABucketIsNeverLeftWithoutABinding) {
  const auto bucket = MakeIamBinding(*FindIamRow("storage/v1:Bucket"));
  const Grant last{"roles/storage.objectViewer", "user:ana@example.com"};
  reconcilers::Observation now;
  now.etag = "CAE=";
  now.grants = {last};
  now.document = *ParseJson(
      R"({"etag":"CAE=","kind":"storage#policy",
          "bindings":[{"role":"roles/storage.objectViewer","members":["user:ana@example.com"]}]})");
  reconcilers::TargetPlan plan = reconcilers::ComposePlan({}, {last});
  EXPECT_THAT(bucket->BuildSet(connection, "b/data", plan, now, seconds(1)),
              FailsWith(Code::kFailedPrecondition, HasSubstr("no policy without a binding")));
  plan = reconcilers::ComposePlan({{"roles/storage.objectViewer", "user:bob@example.com"}}, {last});
  const auto write = bucket->BuildSet(connection, "b/data", plan, now, seconds(1));
  ASSERT_THAT(write, IsOk());
  EXPECT_EQ(write->request.method, "PUT");
  EXPECT_THAT(write->request.body, HasSubstr("storage#policy")) << "what else came goes back";
}

TEST_F(IamBindingTest, TheOtherKindDiffersOnlyInItsService) {
  const auto other = MakeIamBinding(IamKind("ManagementServerIamBinding"));
  const std::string name = "projects/p/locations/l/managementServers/m";
  cloud->AddTarget(name);
  ASSERT_THAT(other->Observe(connection, name, seconds(1)), IsOk());
  EXPECT_EQ(other->traits().service, "backupdr");
  EXPECT_TRUE(other->traits().names_are_global);
}

}  // namespace
}  // namespace bindery::google
