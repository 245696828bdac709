// Which settings a target has, and which principals stay.

#include "core/settings/target_rules.h"

#include <gtest/gtest.h>

#include "core/settings/protected_principals.h"

namespace bindery {
namespace {

TEST(TargetRules, WithAConditionAreRulesForSingleGrants) {
  TargetRule temporary{"projects/*"};
  temporary.undeclared_roles = UndeclaredRoles::kKeep;
  temporary.condition.title = "temp_*";
  TargetRule all{"projects/*"};
  all.undeclared_roles = UndeclaredRoles::kRemove;
  const TargetRules rules = {temporary, all};
  const MatchedTarget topic{"projects/acme/topics/t", "TopicIamBinding", "pubsub:Topic", false};
  EXPECT_EQ(FindSetting(rules, topic, &TargetRule::undeclared_roles), UndeclaredRoles::kRemove);
  const auto conditional = ListConditionalRules(rules, topic);
  ASSERT_EQ(conditional.size(), 1U);
  EXPECT_EQ(conditional[0].undeclared, UndeclaredRoles::kKeep);
  EXPECT_TRUE(ListConditionalRules(rules, {"buckets/b", "", "", false}).empty());
}

TEST(TargetRules, ApplyByNameAndKindAndToContainersOnlyWhereTheyNameTheirSort) {
  struct Case {
    const char* why;
    TargetRule rule;
    MatchedTarget target;
    bool applies;
  };
  const MatchedTarget topic{"projects/acme/topics/t", "TopicIamBinding", "pubsub:Topic", false};
  const MatchedTarget project{"projects/acme", "ProjectIamBinding", "cloudresourcemanager:Project",
                              true};
  const Case cases[] = {
      {"the very name", {"projects/acme/topics/t"}, topic, true},
      {"a pattern", {"projects/*/topics/?"}, topic, true},
      {"anything", {"*"}, topic, true},
      {"another name", {"projects/acme/topics"}, topic, false},
      {"its kind", {"*", "TopicIamBinding"}, topic, true},
      {"its policy", {"*", "pubsub:*"}, topic, true},
      {"another kind", {"*", "SubscriptionIamBinding"}, topic, false},
      {"a project by its name", {"projects/acme"}, project, true},
      {"projects by a pattern", {"projects/a*"}, project, true},
      {"anything is no container", {"*"}, project, false},
      {"anything that ends so is none", {"*/acme"}, project, false},
      {"part of the collection", {"project*"}, project, false},
      {"containers by kind", {"*", "ProjectIamBinding"}, project, true},
      {"containers by policy", {"*", "cloudresourcemanager:*"}, project, true},
      {"containers by the start of their kind", {"*", "Project*"}, project, true},
      {"any kind is no container", {"*", "*:*"}, project, false},
      {"any binding is none", {"*", "*IamBinding"}, project, false},
      {"part of a service is none", {"*", "cloud*:*"}, project, false},
      {"part of a kind is none", {"*", "Pro*"}, project, false},
      {"any kind of what is within", {"*", "*:*"}, topic, true},
      {"an unknown kind",
       {"projects/*"},
       {"projects/acme", "", "cloudresourcemanager:Project"},
       true},
  };
  for (const Case& one : cases) EXPECT_EQ(AppliesTo(one.rule, one.target), one.applies) << one.why;
}

TEST(TargetRules, TheFirstRuleThatHasTheSettingDecides) {
  TargetRules rules(3);
  rules[0] = {.match = "projects/acme/topics/t", .self_lockout = UnsafeWrite::kAllow};
  rules[1] = {.match = "projects/acme/*", .undeclared_roles = UndeclaredRoles::kKeep};
  rules[2] = {.match = "*", .undeclared_roles = UndeclaredRoles::kRemove};
  const auto undeclared = [&](const char* name) {
    return FindSetting(rules, {name, "", "", false}, &TargetRule::undeclared_roles);
  };
  EXPECT_EQ(undeclared("projects/acme/topics/t"), UndeclaredRoles::kKeep);
  EXPECT_EQ(undeclared("projects/other/topics/t"), UndeclaredRoles::kRemove);
  EXPECT_EQ(FindSetting(rules, {"projects/other", "", "", true}, &TargetRule::undeclared_roles),
            std::nullopt);
  EXPECT_EQ(
      FindSetting(rules, {"projects/acme/topics/t", "", "", false}, &TargetRule::self_lockout),
      UnsafeWrite::kAllow);
  EXPECT_EQ(FindSetting(rules, {"projects/acme/topics/t", "", "", false}, &TargetRule::last_owner),
            std::nullopt);
}

TEST(ProtectedPrincipals, AreMatchedAsAWholeWhateverTheCapitals) {
  ProtectedPrincipals principals;
  EXPECT_FALSE(principals.Adds("user:ana@example.com"));
  principals.add = {"user:Break-Glass@*", "group:sre@example.com"};
  principals.remove = {"serviceAccount:*@gcp-sa-*.iam.gserviceaccount.com"};
  EXPECT_TRUE(principals.Adds("user:break-glass@example.com"));
  EXPECT_TRUE(principals.Adds("group:SRE@example.com"));
  EXPECT_FALSE(principals.Adds("deleted:user:break-glass@example.com?uid=1"));
  EXPECT_FALSE(principals.Adds("group:sre@example.com.evil.example"));
  EXPECT_TRUE(principals.Removes("serviceAccount:service-1@gcp-sa-pubsub.iam.gserviceaccount.com"));
  EXPECT_FALSE(principals.Removes("user:break-glass@example.com"));
}

}  // namespace
}  // namespace bindery
