// Which grants are those of Google's own services.

#include "providers/google/roles/service_agents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

namespace bindery::google {
namespace {

constexpr const char* kTopic = "projects/acme/topics/orders";

using reconcilers::KeptAs;
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

struct OwnedCase {
  const char* why;
  const char* member;
  const char* role;
  const char* target;
  const char* number;  ///< Of the target's project.
  std::optional<KeptAs> as;
};

void ExpectKept(const OwnedCase& one) {
  EXPECT_THAT(GrantedByGoogle({one.role, one.member}, one.target, one.number), Eq(one.as))
      << one.why;
}

TEST(GrantedByGoogle, DoubtsWhatMayBeAnAgent) {
  constexpr auto kDoubt = KeptAs::kUnknownAgent;
  constexpr const char* kNew =
      "serviceAccount:service-123456789012@gcp-sa-newthing.iam.gserviceaccount.com";
  constexpr const char* kPubsub =
      "serviceAccount:service-123456789012@gcp-sa-pubsub.iam.gserviceaccount.com";
  constexpr const char* kPubsubRole = "roles/pubsub.serviceAgent";
  constexpr const char* kOrganizations =
      "serviceAccount:service-org-770@security-center-api.iam.gserviceaccount.com";
  constexpr const char* kOrganizationsRole = "roles/securitycenter.serviceAgent";
  constexpr const char* kCompute =
      "serviceAccount:123456789012-compute@developer.gserviceaccount.com";
  const OwnedCase cases[] = {
      {"a new service", kNew, "roles/newthing.serviceAgent", kTopic, "123456789012", kDoubt},
      {"in any role", kNew, "roles/owner", kTopic, "", kDoubt},
      {"a new service of another project", kNew, "roles/owner", kTopic, "2109876543", std::nullopt},
      {"a new service on a folder", kNew, "roles/owner", "folders/1", "", std::nullopt},
      {"another form of address", "serviceAccount:x@gcp-sa-newthing.iam.gserviceaccount.com",
       "roles/owner", kTopic, "", std::nullopt},
      {"a bucket tells no project", kPubsub, kPubsubRole, "b/data", "", kDoubt},
      {"a project's agent on an organization", kPubsub, kPubsubRole, "organizations/770", "",
       std::nullopt},
      {"a project's agent on a billing account", kPubsub, kPubsubRole,
       "billingAccounts/01AB23-45CD67-89EF01", "", std::nullopt},
      {"a project's account on a folder", kCompute, "roles/editor", "folders/1", "", std::nullopt},
      {"a project's account on an organization", kCompute, "roles/editor", "organizations/1", "",
       std::nullopt},
      {"an organization's agent there", kOrganizations, kOrganizationsRole, "organizations/770", "",
       KeptAs::kServiceAgent},
      {"an organization's agent on a project", kOrganizations, kOrganizationsRole, "projects/acme",
       "123456789012", kDoubt},
      {"an organization's agent on a folder", kOrganizations, kOrganizationsRole, "folders/1", "",
       kDoubt},
      {"a known agent in a role that the table does not know",
       "serviceAccount:service-123456789012@gcp-sa-privateca.iam.gserviceaccount.com",
       "roles/privateca.serviceAgent", kTopic, "123456789012", kDoubt},
  };
  for (const OwnedCase& one : cases) ExpectKept(one);
}

TEST(GrantedByGoogle, HoldsInOtherUniverses) {
  const std::pair<const char*, const char*> cases[] = {
      {"serviceAccount:service-123456789012@gcp-sa-pubsub.eu0-system.iam.gserviceaccount.com",
       "roles/pubsub.serviceAgent"},
      {"serviceAccount:123456789012@cloudservices.eu0-system.iam.gserviceaccount.com",
       "roles/editor"},
      {"serviceAccount:123456789012-compute@developer.eu0-system.iam.gserviceaccount.com",
       "roles/editor"},
  };
  for (const auto& [member, role] : cases) {
    EXPECT_TRUE(GrantedByGoogle({role, member}, kTopic, "123456789012")) << member;
    EXPECT_FALSE(GrantedByGoogle({role, member}, kTopic, "2109876543")) << member;
    EXPECT_TRUE(IsOfGoogle(member));
  }
  EXPECT_FALSE(GrantedByGoogle(
      {"roles/pubsub.serviceAgent",
       "serviceAccount:service-123456789012@gcp-sa-pubsub.eu0.iam.gserviceaccount.com"},
      kTopic, "123456789012"))
      << "of a user's project there";
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
    if (one.as != KeptAs::kUnknownAgent) {
      EXPECT_EQ(GrantedByGoogle({"roles/owner", one.member}, one.target, one.number), std::nullopt)
          << one.member;
    }
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
  constexpr const char* kPubsub =
      "serviceAccount:service-123456789012@gcp-sa-pubsub.iam.gserviceaccount.com";
  constexpr const char* kAgentRole = "roles/pubsub.serviceAgent";
  constexpr const char* kEditor = "roles/editor";
  constexpr auto kAgent = KeptAs::kServiceAgent;
  constexpr auto kDefault = KeptAs::kDefaultAccount;
  const OwnedCase cases[] = {
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
  for (const OwnedCase& one : cases) ExpectKept(one);
}

TEST(KeepGrantsOfGoogle, DefaultAccountsAreDriftWhereTheConfigurationSaysSo) {
  const Grant compute{"roles/editor",
                      "serviceAccount:123456789012-compute@developer.gserviceaccount.com"};
  reconcilers::Desired desired;
  desired.claims = {
      reconcilers::Claim{"m", reconcilers::Declaration{"projects/acme", "roles/editor", {}}}};
  EXPECT_EQ(KeepGrantsOfGoogle(compute, desired), KeptAs::kDefaultAccount);
  ProtectedPrincipals configured;
  configured.default_accounts = DefaultAccounts::kDrift;
  desired.protected_principals = std::make_shared<const ProtectedPrincipals>(configured);
  EXPECT_EQ(KeepGrantsOfGoogle(compute, desired), std::nullopt);
}

}  // namespace
}  // namespace bindery::google
