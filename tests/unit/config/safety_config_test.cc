// Rules for targets, protected principals and the guard's limits of kinds.

#include "config/config.h"
#include "config/config_json.h"
#include "unit/config/config_fixture.h"

namespace bindery::config {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using testing::Parse;
using testing::Problems;

TEST(ParseConfig, TargetRulesAndProtectedPrincipalsAreRead) {
  const auto config = Parse(R"(
targets:
  - {match: "projects/acme-*", undeclaredRoles: remove, lastOwner: allow}
  - {match: "*", kind: "pubsub:*", undeclaredRoles: keep, selfLockout: refuse}
protectedPrincipals: {add: ["user:break-glass@*"], remove: ["serviceAccount:*"], defaultAccounts: drift}
)");
  ASSERT_THAT(Problems(config), IsEmpty());
  const TargetRule first{.match = "projects/acme-*",
                         .undeclared_roles = UndeclaredRoles::kRemove,
                         .last_owner = UnsafeWrite::kAllow};
  const TargetRule second{.match = "*",
                          .kind = "pubsub:*",
                          .undeclared_roles = UndeclaredRoles::kKeep,
                          .self_lockout = UnsafeWrite::kRefuse};
  EXPECT_THAT(config->targets, ElementsAre(first, second));
  EXPECT_EQ(
      config->protected_principals,
      (ProtectedPrincipals{{"user:break-glass@*"}, {"serviceAccount:*"}, DefaultAccounts::kDrift}));
  EXPECT_EQ(ConfigReport(*config).at("config").at("targets").dump(),
            R"([{"match":"projects/acme-*","undeclaredRoles":"remove","lastOwner":"allow"},)"
            R"({"match":"*","kind":"pubsub:*","undeclaredRoles":"keep","selfLockout":"refuse"}])");
}

TEST(ParseConfig, UndeclaredRolesMayBeReported) {
  const auto config = Parse(
      "reconcile: {undeclaredRoles: report}\n"
      "targets: [{match: \"projects/*\", undeclaredRoles: report}]\n");
  ASSERT_THAT(Problems(config), IsEmpty());
  EXPECT_EQ(config->reconcile.undeclared_roles, UndeclaredRoles::kReport);
  EXPECT_EQ(config->targets.at(0).undeclared_roles, UndeclaredRoles::kReport);
}

TEST(ParseConfig, LimitsOfKindsAreRead) {
  const auto config =
      Parse("guard: {maxRemovedFromContainers: 0, maxRemovedByKind: {\"pubsub:*\": 5}}\n");
  ASSERT_THAT(Problems(config), IsEmpty());
  EXPECT_EQ(config->guard.max_removed_from_containers, 0);
  EXPECT_THAT(config->guard.max_removed_by_kind, ElementsAre(Pair("pubsub:*", 5)));
  EXPECT_THAT(Problems(Parse("guard: {maxRemovedByKind: {a: many}}\n")),
              ElementsAre(HasSubstr("guard.maxRemovedByKind: a: ")));
  EXPECT_THAT(Problems(Parse("guard: {maxRemovedByKind: 5}\n")),
              ElementsAre(HasSubstr("a map of numbers")));
}

TEST(ParseConfig, WhatIsWrongWithTargetRulesIsTold) {
  EXPECT_THAT(Problems(Parse("targets: [{undeclaredRoles: keep}]\n")),
              ElementsAre(HasSubstr("targets[0].match: is missing")));
  EXPECT_THAT(Problems(Parse("targets: [{match: \"*\"}]\n")),
              ElementsAre(HasSubstr("targets[0]: sets nothing")));
  EXPECT_THAT(Problems(Parse("targets: [{match: \"*\", undeclaredRoles: removed}]\n")),
              ElementsAre(HasSubstr("did you mean \"remove\"")));
  EXPECT_THAT(Problems(Parse("targets: [{match: \"*\", undeclaredRole: keep}]\n")),
              Contains(HasSubstr("did you mean \"undeclaredRoles\"")));
  EXPECT_THAT(Problems(Parse("targets: remove\n")), ElementsAre(HasSubstr("a list of rules")));
  EXPECT_THAT(Problems(Parse("targets: {match: a}\n")),
              ElementsAre(HasSubstr("expected a list of rules, found a map")));
  EXPECT_THAT(Problems(Parse("providers: {c: {type: cloudnative, principal: me}}\n")),
              ElementsAre(HasSubstr("providers.c.principal: must be a member of policies")));
}

}  // namespace
}  // namespace bindery::config
