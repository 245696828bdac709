#include "report/explain/kept_grants.h"

#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <vector>

#include "unit/report/report_fixture.h"

namespace bindery::report {
namespace {

using ::testing::HasSubstr;
using testing::Now;

TEST(FindKeptGrants, ThoseOfServiceAgentsStayAsTheConfigurationSays) {
  const Target topic = {"pubsub:Topic", "", "projects/acme/topics/orders"};
  const std::string agent =
      "serviceAccount:service-1234567@gcp-sa-ns-authz.iam.gserviceaccount.com";
  const std::vector<Grant> grants = {{"roles/networksecurity.authzServiceAgent", agent},
                                     {"roles/owner", agent},
                                     {"roles/viewer", "user:eve@example.com"}};
  const auto kept = FindKeptGrants(topic, grants, {}, Now());
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept.begin()->first, grants[0]);
  EXPECT_THAT(kept.begin()->second, HasSubstr("service agent"));
  ProtectedPrincipals removed;
  removed.remove = {agent};
  EXPECT_TRUE(
      FindKeptGrants(topic, grants, {std::make_shared<const ProtectedPrincipals>(removed)}, Now())
          .empty());
}

}  // namespace
}  // namespace bindery::report
