// Which grants are those of Google's own services.

#include "providers/google/service_agents.h"

#include <gtest/gtest.h>

namespace bindery {
namespace {

struct AgentCase {
  const char* why;
  const char* member;
  const char* role;
  bool is_agent;
};

TEST(IsOfServiceAgent, HoldsForGooglesOwnAccountsInTheirOwnRolesAlone) {
  const AgentCase cases[] = {
      {"the agent of a service",
       "serviceAccount:service-123456789012@gcp-sa-pubsub.iam.gserviceaccount.com",
       "roles/pubsub.serviceAgent", true},
      {"an older domain",
       "serviceAccount:service-123456789012@compute-system.iam.gserviceaccount.com",
       "roles/compute.serviceAgent", true},
      {"a default account", "serviceAccount:123456789012@cloudservices.gserviceaccount.com",
       "roles/editor", false},
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
    EXPECT_EQ(IsOfServiceAgent({one.role, one.member}), one.is_agent) << one.why;
  }
  const Grant conditional{
      "roles/pubsub.serviceAgent",
      "serviceAccount:service-123456789012@gcp-sa-pubsub.iam.gserviceaccount.com",
      Condition{"request.time < timestamp(\"2027-01-01T00:00:00Z\")", "t", ""}};
  EXPECT_FALSE(IsOfServiceAgent(conditional)) << "Google grants without conditions";
}

}  // namespace
}  // namespace bindery
