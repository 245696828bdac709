// The roles without a service: each is ranked, and counts by its rank wherever a role does.

#include "providers/google/roles/basic_roles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "manifests/schema/check_text.h"
#include "providers/google/roles/lockout.h"
#include "providers/google/roles/role_severities.h"
#include "unit/providers/subjects.h"

namespace bindery::google {
namespace {

using testing::Project;

/// `./dev kinds` and the test kinds_table compare Google's documents and lists with the same table.
TEST(BasicRoles, AreTheRolesWithoutAService) {
  std::set<std::string> listed;
  const ServiceRoles& row = RoleTable().front();
  ASSERT_EQ(row.service, "");
  for (const std::string_view words : {row.low, row.medium, row.high, row.critical}) {
    if (words.empty()) continue;
    for (const std::string_view name : manifests::Split(words, ' ')) {
      listed.insert("roles/" + std::string(name));
    }
  }
  std::set<std::string> ranked;
  for (const BasicRole& role : BasicRoles()) ranked.insert(std::string(role.name));
  EXPECT_EQ(ranked, listed);
  EXPECT_EQ(ranked.size(), BasicRoles().size()) << "one of them is listed twice";
}

TEST(BasicRoles, AreAsGraveAsTheyReach) {
  for (const BasicRole& role : BasicRoles()) {
    Severity wanted = Severity::kLow;
    if (role.reach >= BasicReach::kReads) wanted = Severity::kHigh;
    if (role.reach >= BasicReach::kChanges) wanted = Severity::kCritical;
    EXPECT_EQ(PredefinedRoleSeverity(role.name), wanted) << role.name;
  }
}

TEST(BasicRoles, ReachIsThatOfTheWholeName) {
  EXPECT_TRUE(ReachesBasic("roles/admin", BasicReach::kOwns));
  EXPECT_TRUE(ReachesBasic("roles/writer", BasicReach::kReads));
  EXPECT_FALSE(ReachesBasic("roles/writer", BasicReach::kOwns));
  for (const char* other : {"roles/storage.admin", "projects/p/roles/admin", "roles/Admin", "admin",
                            "roles/superuser", ""}) {
    EXPECT_FALSE(ReachesBasic(other, BasicReach::kNames)) << other;
  }
}

TEST(BasicRoles, SetPoliciesOfAllTypesOrOfNone) {
  const std::pair<const char*, SetsPolicy> cases[] = {
      {"roles/owner", SetsPolicy::kYes},  {"roles/admin", SetsPolicy::kYes},
      {"roles/editor", SetsPolicy::kNo},  {"roles/writer", SetsPolicy::kNo},
      {"roles/viewer", SetsPolicy::kNo},  {"roles/reader", SetsPolicy::kNo},
      {"roles/browser", SetsPolicy::kNo}, {"roles/newer", SetsPolicy::kMaybe},
  };
  for (const IamRow* row : {&Project(), FindIamRow("pubsub/v1:Topic")}) {
    for (const auto& [role, sets] : cases) EXPECT_EQ(JudgeSetsPolicy(role, *row), sets) << role;
  }
}

TEST(BasicRoles, TheLastAdministratorStaysLikeTheLastOwner) {
  const Grant owner{"roles/owner", "user:ana@example.com"};
  const Grant admin{"roles/admin", "user:ben@example.com"};
  const Grant second{"roles/admin", "user:eve@example.com"};
  const Grant for_a_time{"roles/owner", "user:ana@example.com",
                         Condition{"resource.name != \"\"", "c", ""}};
  const Grant writer{"roles/writer", "user:eve@example.com"};
  const struct {
    const char* why;
    std::vector<Grant> now;
    std::vector<Grant> removes;
    std::vector<Grant> refused;
  } cases[] = {
      {"the last one", {admin}, {admin}, {admin}},
      {"one of two", {admin, second}, {admin}, {}},
      {"both", {admin, second}, {admin, second}, {admin, second}},
      {"an owner stays", {owner, admin}, {admin}, {}},
      {"the owner's grant has a condition", {for_a_time, admin}, {admin}, {admin}},
      {"the owner stays by the same rule", {owner, admin}, {owner, admin}, {owner}},
      {"an administrator is no owner", {owner, admin}, {owner}, {owner}},
      {"a writer may go", {writer}, {writer}, {}},
  };
  for (const auto& one : cases) {
    reconcilers::Observation seen;
    seen.grants = one.now;
    const reconcilers::TargetPlan plan = reconcilers::ComposePlan({}, one.removes);
    std::vector<Grant> refused;
    for (const RefusedRemovals& each :
         RefuseLockout(Project(), plan, seen, "serviceAccount:b@p.iam.gserviceaccount.com", {})) {
      EXPECT_EQ(each.reason, reconcilers::ReasonCode::kLastOwner) << one.why;
      refused.insert(refused.end(), each.grants.begin(), each.grants.end());
    }
    EXPECT_EQ(refused, one.refused) << one.why;
  }
}

}  // namespace
}  // namespace bindery::google
