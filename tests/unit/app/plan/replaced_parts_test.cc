// What commands say that the manifests they write replace and keep.

#include "app/plan/replaced_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "providers/registry/kinds.h"

namespace bindery::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

WrittenManifest Written(const std::string& kind, const std::string& target = "projects/acme") {
  const reconcilers::Kind* found = providers::KnownKinds().FindByName(kind);
  if (found == nullptr) throw std::runtime_error("no such kind: " + kind);
  return {found, {{"name", target}, {"role", "roles/viewer"}, {"member", "user:ana@example.com"}}};
}

TargetRule RemovalOn(const std::string& match) {
  TargetRule rule;
  rule.match = match;
  rule.undeclared_roles = UndeclaredRoles::kRemove;
  return rule;
}

constexpr const char* kRolesStay = "ther roles of the target";
constexpr const char* kRolesGo = "that no manifest declares are removed";

TEST(ReplacedParts, AreToldByTheShapeOfTheKind) {
  const std::pair<const char*, std::vector<const char*>> cases[] = {
      {"ProjectIamBinding", {"…IamBinding replaces the members of its role", kRolesStay}},
      {"ProjectIamMember", {"…IamMember declares one member", "Other members of the role stay"}},
      {"ProjectIamPolicy", {"…IamPolicy replaces all grants of the target", "unless the manifest"}},
      {"ProjectIamAuditConfig", {"replaces the audit configuration of its service", "Grants on"}},
      {"RestrictionPolicy", {"RestrictionPolicy replaces the whole policy"}},
  };
  for (const auto& [kind, texts] : cases) {
    const auto told = ReplacedParts({Written(kind)}, {});
    ASSERT_THAT(told, SizeIs(1)) << kind;
    for (const char* text : texts) EXPECT_THAT(told.front(), HasSubstr(text)) << kind;
    EXPECT_THAT(told.front(), Not(HasSubstr(kRolesGo))) << kind;
  }
}

TEST(ReplacedParts, SayThatRolesGoOnlyWhereTheyDo) {
  config::Config config;
  config.targets = {RemovalOn("projects/acme")};
  for (const char* kind : {"ProjectIamBinding", "ProjectIamMember", "ProjectIamAuditConfig"}) {
    EXPECT_THAT(ReplacedParts({Written(kind)}, config), ElementsAre(HasSubstr(kRolesGo))) << kind;
    EXPECT_THAT(ReplacedParts({Written(kind, "projects/other")}, config),
                ElementsAre(Not(HasSubstr(kRolesGo))))
        << kind;
  }
  const std::string policy = "projects/acme/locations/global/authorizationPolicies/payments";
  const WrittenManifest binding = Written("AuthorizationPolicyIamBinding", policy);
  EXPECT_THAT(ReplacedParts({binding}, {}), ElementsAre(HasSubstr(kRolesGo)));
  config.reconcile.undeclared_roles = UndeclaredRoles::kKeep;
  EXPECT_THAT(ReplacedParts({binding}, config), ElementsAre(HasSubstr(kRolesStay)));
}

TEST(ReplacedParts, AreToldOnceEachAndNotOfLookups) {
  EXPECT_THAT(ReplacedParts({Written("ProjectIamMember"), Written("TopicIamMember"),
                             Written("ProjectIamBinding"), Written("getCurrentUser")},
                            {}),
              ElementsAre(HasSubstr("…IamMember"), HasSubstr("…IamBinding")));
  EXPECT_THAT(ReplacedParts({Written("getCurrentUser")}, {}), IsEmpty());
}

}  // namespace
}  // namespace bindery::app
