// Restriction policies against a cloud in memory.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/fake_cloud.h"
#include "providers/datadog/provider.h"
#include "providers/registry/kinds.h"
#include "support/matchers.h"
#include "support/write_policy.h"
#include "unit/providers/subjects.h"

namespace bindery::datadog {
namespace {

using std::chrono::seconds;
using testing::FakeCloud;
using testing::IsOk;
using testing::kBoardId;
using testing::WritePolicy;

class RestrictionPolicyTest : public ::testing::Test {
 protected:
  RestrictionPolicyTest() {
    connection.endpoints = {{"datadog", "http://dog"}};
    connection.transport = cloud;
    connection.authorizer = cloud::NoCredentials();
  }
  [[nodiscard]] reconcilers::Desired Wants(const char* bindings) const {
    const Json spec = {{"resourceId", kBoardId}, {"bindings", *ParseJson(bindings)}};
    reconcilers::Desired desired;
    desired.claims.push_back({"m", *kind->Declare(spec, "")});
    return desired;
  }
  /// Reads, compares and writes once; the plan that was carried out.
  reconcilers::TargetPlan Reconcile(const reconcilers::Desired& desired) {
    const auto seen = kind->Observe(connection, kBoardId, seconds(1));
    const reconcilers::TargetPlan plan = kind->Plan(desired, *seen);
    if (plan.writes()) {
      const auto written = WritePolicy(*kind, connection, kBoardId, plan, *seen);
      EXPECT_THAT(written, IsOk());
      EXPECT_FALSE(kind->Plan(desired, *written).writes());
    }
    return plan;
  }
  std::shared_ptr<FakeCloud> cloud = std::make_shared<FakeCloud>();
  cloud::Connection connection;
  std::unique_ptr<reconcilers::Kind> kind = MakeRestrictionPolicy();
};

TEST_F(RestrictionPolicyTest, DeclaresTheWholePolicy) {
  const reconcilers::Desired desired = Wants(R"([{"relation":"viewer","principals":["org:o"]},
                {"relation":"editor","principals":["role:a","user:b"]}])");
  const reconcilers::Declaration& declared = desired.claims[0].declaration;
  EXPECT_EQ(declared.target, kBoardId);
  EXPECT_EQ(declared.role, "*");
  ASSERT_EQ(declared.grants.size(), 3U);
  EXPECT_EQ(declared.grants[1], (Grant{"editor", "role:a"}));
  EXPECT_FALSE(kind->traits().names_are_global);
}

TEST_F(RestrictionPolicyTest, OrderAndCaseAreNoDrift) {
  cloud->SetRestriction(kBoardId, R"([{"relation":"editor","principals":["role:a","user:b"]},
                                 {"relation":"viewer","principals":["org:o"]}])");
  EXPECT_TRUE(Reconcile(Wants(R"([{"relation":"viewer","principals":["org:O"]},
                                  {"relation":"editor","principals":["user:B","role:a"]}])"))
                  .drift()
                  .empty());
  EXPECT_EQ(cloud->Calls("post"), 0);
}

TEST_F(RestrictionPolicyTest, SendsPrincipalsSorted) {
  Reconcile(Wants(R"([{"relation":"viewer","principals":["user:b","org:o","role:z"]}])"));
  EXPECT_EQ((*ParseJson(cloud->LastWrite().body))["data"]["attributes"]["bindings"].dump(),
            R"([{"relation":"viewer","principals":["org:o","role:z","user:b"]}])");
}

TEST_F(RestrictionPolicyTest, WhatNobodyDeclaresGoes) {
  cloud->SetRestriction(kBoardId, R"([{"relation":"editor","principals":["role:a"]},
                                 {"relation":"viewer","principals":["org:o"]}])");
  Reconcile(Wants(R"([{"relation":"viewer","principals":["org:o"]}])"));
  EXPECT_EQ(cloud->Restriction(kBoardId).dump(),
            R"([{"relation":"viewer","principals":["org:o"]}])");
}

TEST_F(RestrictionPolicyTest, AnEmptyPolicyIsDeleted) {
  cloud->SetRestriction(kBoardId, R"([{"relation":"editor","principals":["role:a"]}])");
  reconcilers::Desired desired = Wants("[]");
  desired.claims[0].treatment = reconcilers::ManagementPolicy::kRemove;
  Reconcile(desired);
  EXPECT_EQ(cloud->Calls("delete"), 1);
  EXPECT_EQ(cloud->Calls("post"), 0);
  const auto seen = kind->Observe(connection, kBoardId, seconds(1));
  ASSERT_THAT(seen, IsOk());
  EXPECT_FALSE(seen->exists) << "no bindings and no policy are the same";
}

TEST_F(RestrictionPolicyTest, ARecordedPolicyComesBack) {
  cloud->SetRestriction(kBoardId, R"([{"relation":"editor","principals":["role:a"]}])");
  reconcilers::Desired desired;
  desired.restore = kind->Observe(connection, kBoardId, seconds(1))->document;
  cloud->SetRestriction(kBoardId, R"([{"relation":"viewer","principals":["org:o"]}])");
  const reconcilers::TargetPlan plan = Reconcile(desired);
  EXPECT_TRUE(plan.drift().empty());
  EXPECT_EQ(cloud->Restriction(kBoardId).dump(),
            R"([{"relation":"editor","principals":["role:a"]}])");
}

TEST_F(RestrictionPolicyTest, ADocumentOfAnotherShapeDoesNotThrow) {
  reconcilers::Observation odd;
  odd.document = {{"data", "text"}};
  const reconcilers::TargetPlan plan = reconcilers::ComposePlan({{"viewer", "org:o"}}, {});
  EXPECT_THAT(WritePolicy(*kind, connection, kBoardId, plan, odd), IsOk());
  EXPECT_EQ(kind->Outputs(kBoardId, odd).dump(), R"({"id":"dashboard:abc-def-ghi"})");
}

}  // namespace
}  // namespace bindery::datadog
