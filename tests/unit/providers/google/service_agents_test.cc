// Which grants are those of Google's own services.

#include "providers/google/service_agents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

namespace bindery {
namespace {

constexpr const char* kTopic = "projects/acme/topics/orders";

using ::testing::Eq;

struct AgentCase {
  const char* why;
  const char* member;
  const char* role;
  bool is_agent;
};

TEST(GrantedByGoogle, HoldsForGooglesOwnAccountsInTheirOwnRolesAlone) {
  const AgentCase cases[] = {
      {"the agent of a service",
       "serviceAccount:service-123456789012@gcp-sa-pubsub.iam.gserviceaccount.com",
       "roles/pubsub.serviceAgent", true},
      {"an older domain",
       "serviceAccount:service-123456789012@compute-system.iam.gserviceaccount.com",
       "roles/compute.serviceAgent", true},
      {"another role", "serviceAccount:service-123456789012@compute-system.iam.gserviceaccount.com",
       "roles/owner", false},
      {"a user's account of such a name",
       "serviceAccount:service-123456789012@my-project.iam.gserviceaccount.com",
       "roles/pubsub.serviceAgent", false},
      {"an unknown service",
       "serviceAccount:service-123456789012@gcp-sa-evil.iam.gserviceaccount.com",
       "roles/pubsub.serviceAgent", false},
      {"no number", "serviceAccount:service-@gcp-sa-pubsub.iam.gserviceaccount.com",
       "roles/pubsub.serviceAgent", false},
      {"more behind it",
       "serviceAccount:service-123456789012@gcp-sa-pubsub.iam.gserviceaccount.com.evil.example",
       "roles/pubsub.serviceAgent", false},
      {"more before it",
       "serviceAccount:xservice-123456789012@gcp-sa-pubsub.iam.gserviceaccount.com",
       "roles/pubsub.serviceAgent", false},
      {"another type of member", "user:service-123456789012@gcp-sa-pubsub.iam.gserviceaccount.com",
       "roles/pubsub.serviceAgent", false},
      {"a deleted one",
       "deleted:serviceAccount:service-123456789012@gcp-sa-pubsub.iam.gserviceaccount.com?uid=1",
       "roles/pubsub.serviceAgent", false},
      {"everybody", "allUsers", "roles/pubsub.serviceAgent", false},
  };
  for (const AgentCase& one : cases) {
    const auto as = GrantedByGoogle({one.role, one.member}, kTopic, "");
    EXPECT_EQ(as == KeptAs::kServiceAgent, one.is_agent) << one.why;
    EXPECT_EQ(as.has_value(), one.is_agent) << one.why;
  }
  const Grant conditional{
      "roles/pubsub.serviceAgent",
      "serviceAccount:service-123456789012@gcp-sa-pubsub.iam.gserviceaccount.com",
      Condition{"request.time < timestamp(\"2027-01-01T00:00:00Z\")", "t", ""}};
  EXPECT_EQ(GrantedByGoogle(conditional, kTopic, ""), std::nullopt)
      << "Google grants without conditions";
}

struct KnownAccount {
  const char* member;
  const char* role;
  const char* target;
  const char* number;
  std::optional<KeptAs> as;
};

const KnownAccount kKnownAccounts[] = {
#include "service_agent_cases.inc"
};

TEST(GrantedByGoogle, HoldsForEveryAgentThatGoogleGrantsARole) {
  for (const KnownAccount& one : kKnownAccounts) {
    EXPECT_THAT(GrantedByGoogle({one.role, one.member}, one.target, one.number), Eq(one.as))
        << one.member << " in " << one.role << " on " << one.target;
  }
}

TEST(GrantedByGoogle, NeverHoldsInAnotherRoleOrUnderAnotherNumber) {
  for (const KnownAccount& one : kKnownAccounts) {
    EXPECT_EQ(GrantedByGoogle({"roles/owner", one.member}, one.target, one.number), std::nullopt)
        << one.member;
    const std::string target = one.target;
    const std::string own = target.substr(target.find('/') + 1);
    const bool by_number = std::string_view(one.member).find(one.number) != std::string::npos ||
                           std::string_view(one.member).find(own) != std::string::npos;
    if (!by_number || !one.as) continue;
    const std::string other = target.substr(0, target.find('/') + 1) + "other-1";
    EXPECT_EQ(GrantedByGoogle({one.role, one.member}, other, "999999999999"), std::nullopt)
        << one.member;
  }
}

TEST(GrantedByGoogle, ComparesTheNumberWithTheTargetsOwn) {
  struct Case {
    const char* why;
    const char* member;
    const char* role;
    const char* target;
    const char* number;
    std::optional<KeptAs> as;
  };
  constexpr const char* kPubsub =
      "serviceAccount:service-123456789012@gcp-sa-pubsub.iam.gserviceaccount.com";
  constexpr const char* kAgentRole = "roles/pubsub.serviceAgent";
  constexpr const char* kEditor = "roles/editor";
  constexpr auto kAgent = KeptAs::kServiceAgent;
  constexpr auto kDefault = KeptAs::kDefaultAccount;
  const Case cases[] = {
      {"its own agent", kPubsub, kAgentRole, kTopic, "123456789012", kAgent},
      {"another project's agent", kPubsub, kAgentRole, kTopic, "210987654321", std::nullopt},
      {"the number is not known", kPubsub, kAgentRole, kTopic, "", kAgent},
      {"the agent of the organization",
       "serviceAccount:service-org-77@security-center-api.iam.gserviceaccount.com",
       "roles/securitycenter.serviceAgent", "organizations/770", "", std::nullopt},
      {"the agent of the folder",
       "serviceAccount:service-folder-770@gcp-sa-osconfig.iam.gserviceaccount.com",
       "roles/osconfig.serviceAgent", "folders/7700", "", std::nullopt},
      {"its own legacy account of Cloud Build",
       "serviceAccount:123456789012@cloudbuild.gserviceaccount.com",
       "roles/cloudbuild.builds.builder", "projects/acme", "123456789012", kDefault},
      {"another project's account of Cloud Build",
       "serviceAccount:123456789012@cloudbuild.gserviceaccount.com",
       "roles/cloudbuild.builds.builder", "projects/acme", "210987654321", std::nullopt},
      {"the account of Cloud Build as an editor",
       "serviceAccount:123456789012@cloudbuild.gserviceaccount.com", kEditor, "projects/acme",
       "123456789012", std::nullopt},
      {"its own compute account",
       "serviceAccount:123456789012-compute@developer.gserviceaccount.com", kEditor,
       "projects/acme", "123456789012", kDefault},
      {"another project's compute account",
       "serviceAccount:123456789012-compute@developer.gserviceaccount.com", kEditor,
       "projects/acme", "210987654321", std::nullopt},
      {"a default account in another role",
       "serviceAccount:123456789012-compute@developer.gserviceaccount.com", "roles/owner",
       "projects/acme", "123456789012", std::nullopt},
      {"not the compute account", "serviceAccount:123456789012@developer.gserviceaccount.com",
       kEditor, "projects/acme", "", std::nullopt},
      {"its own App Engine account", "serviceAccount:acme@appspot.gserviceaccount.com", kEditor,
       "projects/acme", "", kDefault},
      {"another project's App Engine account", "serviceAccount:evil@appspot.gserviceaccount.com",
       kEditor, "projects/acme", "", std::nullopt},
      {"a project named by number", "serviceAccount:acme@appspot.gserviceaccount.com", kEditor,
       "projects/123456789012", "123456789012", kDefault},
      {"the account of Google's APIs",
       "serviceAccount:123456789012@cloudservices.gserviceaccount.com", kEditor, "projects/acme",
       "123456789012", kDefault},
      {"a user's project", "serviceAccount:123456789012@cloudservices.iam.gserviceaccount.com",
       kEditor, "projects/acme", "", std::nullopt},
  };
  for (const Case& one : cases) {
    EXPECT_THAT(GrantedByGoogle({one.role, one.member}, one.target, one.number), Eq(one.as))
        << one.why;
  }
}

TEST(KeepGrantsOfGoogle, DefaultAccountsAreDriftWhereTheConfigurationSaysSo) {
  const Grant compute{"roles/editor",
                      "serviceAccount:123456789012-compute@developer.gserviceaccount.com"};
  Desired desired;
  EXPECT_EQ(KeepGrantsOfGoogle(compute, desired), KeptAs::kDefaultAccount);
  ProtectedPrincipals configured;
  configured.default_accounts = DefaultAccounts::kDrift;
  desired.protected_principals = std::make_shared<const ProtectedPrincipals>(configured);
  EXPECT_EQ(KeepGrantsOfGoogle(compute, desired), std::nullopt);
}

}  // namespace
}  // namespace bindery
