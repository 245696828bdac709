// How bad a grant of a role is: the table of predefined roles, the member and the place.

#include "providers/google/roles/role_severities.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "providers/google/roles/severities.h"
#include "providers/registry/kinds.h"

namespace bindery::google {
namespace {

std::vector<std::string> NamesIn(std::string_view words) {
  std::vector<std::string> names;
  while (!words.empty()) {
    const auto end = std::min(words.find(' '), words.size());
    names.emplace_back(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return names;
}

TEST(RoleTable, HasEveryRoleOnceAndSorted) {
  std::set<std::string> roles;
  std::string_view previous;
  for (const ServiceRoles& row : RoleTable()) {
    EXPECT_TRUE(roles.empty() || previous < row.service) << row.service;
    previous = row.service;
    for (const std::string_view words : {row.low, row.medium, row.high, row.critical}) {
      const std::vector<std::string> names = NamesIn(words);
      EXPECT_TRUE(std::is_sorted(names.begin(), names.end())) << words;
      for (const std::string& name : names) {
        const std::string role =
            "roles/" + (row.service.empty() ? name : std::string(row.service) + "." + name);
        EXPECT_TRUE(roles.insert(role).second) << role;
        EXPECT_NE(PredefinedRoleSeverity(role), std::nullopt) << role;
      }
    }
  }
  EXPECT_GT(roles.size(), 2000U);
}

TEST(RoleTable, KnowsWholeNamesOnly) {
  EXPECT_EQ(PredefinedRoleSeverity("roles/pubsub.publisher"), Severity::kMedium);
  EXPECT_EQ(PredefinedRoleSeverity("roles/cloudbuild.builds.builder"), Severity::kHigh);
  for (const char* other : {"", "roles/", "roles/pubsub", "roles/pubsub.", "roles/pubsub.publish",
                            "roles/pubsub.publisher subscriber", "pubsub.publisher",
                            "projects/p/roles/pubsub.publisher", "roles/zzz.admin"}) {
    EXPECT_EQ(PredefinedRoleSeverity(other), std::nullopt) << other;
  }
}

TEST(RoleTable, SuggestsTheRoleThatWasLikelyMeant) {
  const std::pair<const char*, std::optional<std::string>> cases[] = {
      {"roles/storage.objectViwer", "roles/storage.objectViewer"},
      {"roles/storage.objectviewer", "roles/storage.objectViewer"},
      {"roles/strage.admin", "roles/storage.admin"},
      {"roles/viwer", "roles/viewer"},
      {"roles/viewer", std::nullopt},
      {"roles/storage.objectViewer", std::nullopt},
      {"roles/storage.somethingNew", std::nullopt},
      {"roles/newservice.viewer", std::nullopt},
      {"roles/", std::nullopt},
      {"roles/storage.", std::nullopt},
      {"projects/p/roles/viwer", std::nullopt},
  };
  for (const auto& [role, nearest] : cases) EXPECT_EQ(NearestPredefinedRole(role), nearest) << role;
}

constexpr const char* kSomebody = "user:ana@example.com";
constexpr const char* kForeignAgent =
    "serviceAccount:service-999999999999@compute-system.iam.gserviceaccount.com";

struct GrantCase {
  const char* why;
  const char* role;
  const char* member;
  const char* leaf;
  const char* guarding;
  const char* container;
};
class GrantSeverity : public ::testing::TestWithParam<GrantCase> {};

TEST_P(GrantSeverity, FollowsFromRoleMemberAndPlace) {
  SCOPED_TRACE(GetParam().why);
  const Grant grant{GetParam().role, GetParam().member};
  const auto at = [&](const char* module, const char* kind) {
    const reconcilers::Kind* known = providers::KnownKinds().Find({module, kind});
    if (known == nullptr) return std::string_view("unknown kind");
    return ToString(JudgeSeverity(
        {DriftClass::kUndeclared, kind, grant, false, known->traits().widening}, nullptr));
  };
  EXPECT_EQ(at("cloudnative:pubsub/v1", "TopicIamBinding"), GetParam().leaf);
  EXPECT_EQ(at("", "AuthorizationPolicyIamBinding"), GetParam().guarding);
  EXPECT_EQ(at("", "ManagementServerIamBinding"), GetParam().guarding);
  constexpr const char* kResourceManager = "cloudnative:cloudresourcemanager/v3";
  for (const char* kind : {"ProjectIamBinding", "FolderIamBinding", "OrganizationIamMember"}) {
    EXPECT_EQ(at(kResourceManager, kind), GetParam().container) << kind;
  }
  EXPECT_EQ(at("cloudnative:cloudbilling/v1", "BillingAccountIamPolicy"), GetParam().container);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, GrantSeverity,
    ::testing::Values(
        GrantCase{"reads names only", "roles/browser", kSomebody, "low", "high", "low"},
        GrantCase{"uses something", "roles/pubsub.publisher", kSomebody, "medium", "high",
                  "medium"},
        GrantCase{"only called admin", "roles/accessapproval.admin", kSomebody, "medium", "high",
                  "medium"},
        GrantCase{"reads secrets", "roles/secretmanager.secretAccessor", kSomebody, "high", "high",
                  "high"},
        GrantCase{"reads everything", "roles/viewer", kSomebody, "high", "high", "high"},
        GrantCase{"takes over one account or all", "roles/iam.serviceAccountTokenCreator",
                  kSomebody, "high", "high", "critical"},
        GrantCase{"can do everything", "roles/owner", kSomebody, "critical", "critical",
                  "critical"},
        GrantCase{"can do nearly everything", "roles/editor", kSomebody, "critical", "critical",
                  "critical"},
        GrantCase{"does all that an owner does", "roles/admin", kSomebody, "critical", "critical",
                  "critical"},
        GrantCase{"does all that an editor does", "roles/writer", kSomebody, "critical", "critical",
                  "critical"},
        GrantCase{"reads all that a viewer does", "roles/reader", kSomebody, "high", "high",
                  "high"},
        GrantCase{"everybody reads everything", "roles/reader", "allUsers", "critical", "critical",
                  "critical"},
        GrantCase{"a custom role", "projects/p/roles/deployer", kSomebody, "high", "high", "high"},
        GrantCase{"a custom role of administrators", "projects/p/roles/dbAdmin", kSomebody, "high",
                  "high", "critical"},
        GrantCase{"a new role", "roles/new.thing", kSomebody, "high", "high", "high"},
        GrantCase{"everybody reads names", "roles/browser", "allUsers", "high", "critical", "high"},
        GrantCase{"everybody uses something", "roles/pubsub.publisher", "allAuthenticatedUsers",
                  "high", "critical", "high"},
        GrantCase{"everybody sets the policy", "roles/pubsub.admin", "allUsers", "critical",
                  "critical", "critical"},
        GrantCase{"the role of an agent", "roles/meshconfig.serviceAgent", kSomebody, "high",
                  "high", "high"},
        GrantCase{"an unknown role of an agent", "roles/new.serviceAgent", kSomebody, "high",
                  "high", "high"},
        GrantCase{"an agent of another project", "roles/compute.serviceAgent", kForeignAgent,
                  "high", "high", "high"},
        GrantCase{"an agent beyond its role", "roles/pubsub.publisher", kForeignAgent, "high",
                  "high", "high"},
        GrantCase{"an agent that owns", "roles/owner", kForeignAgent, "critical", "critical",
                  "critical"},
        GrantCase{"what is not logged", "auditConfigs/allServices/DATA_READ", kSomebody, "high",
                  "high", "high"}));

TEST(GrantSeverity, OwnRulesComeFirst) {
  const Grant owner{"roles/owner", "allUsers"};
  const SeverityRules own = {{.role = "roles/own*", .severity = Severity::kLow}};
  const GrantSeverities* at = &IamSeverities(GrantPlace::kContainer);
  EXPECT_EQ(JudgeSeverity({DriftClass::kUndeclared, "ProjectIamBinding", owner, false, at}, &own),
            Severity::kLow);
  EXPECT_EQ(SeverityOfLoss("ProjectIamBinding", owner, &own, at), Severity::kLow);
}

TEST(GrantSeverity, OnlyWhatTakesOverIsAGraveLoss) {
  const struct {
    const char* role;
    const char* member;
    Severity leaf;
    Severity container;
  } cases[] = {
      {"roles/owner", kSomebody, Severity::kCritical, Severity::kCritical},
      {"roles/pubsub.admin", kSomebody, Severity::kHigh, Severity::kHigh},
      {"roles/iam.serviceAccountTokenCreator", kSomebody, Severity::kHigh, Severity::kCritical},
      {"roles/secretmanager.secretAccessor", kSomebody, Severity::kHigh, Severity::kHigh},
      {"projects/p/roles/dbAdmin", kSomebody, Severity::kHigh, Severity::kCritical},
      {"roles/compute.serviceAgent", kForeignAgent, Severity::kHigh, Severity::kHigh},
      {"roles/pubsub.publisher", "allUsers", Severity::kHigh, Severity::kHigh},
      {"auditConfigs/allServices/DATA_READ", "", Severity::kHigh, Severity::kHigh},
      {"roles/pubsub.publisher", kSomebody, Severity::kMedium, Severity::kMedium},
      {"roles/viewer", kSomebody, Severity::kMedium, Severity::kMedium},
      {"roles/reader", kSomebody, Severity::kMedium, Severity::kMedium},
      {"roles/admin", kSomebody, Severity::kCritical, Severity::kCritical},
      {"roles/writer", kSomebody, Severity::kCritical, Severity::kCritical},
      {"roles/browser", kSomebody, Severity::kMedium, Severity::kMedium},
      {"projects/p/roles/deployer", kSomebody, Severity::kMedium, Severity::kMedium},
  };
  for (const auto& one : cases) {
    const Grant grant{one.role, one.member};
    EXPECT_EQ(SeverityOfLoss("", grant, nullptr, &IamSeverities(GrantPlace::kLeaf)), one.leaf)
        << one.role;
    EXPECT_EQ(SeverityOfLoss("", grant, nullptr, &IamSeverities(GrantPlace::kContainer)),
              one.container)
        << one.role;
  }
}

}  // namespace
}  // namespace bindery::google
