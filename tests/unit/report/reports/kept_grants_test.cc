#include "report/access/kept_grants.h"

#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "report/reports/target_report.h"
#include "unit/report/report_fixture.h"

namespace bindery::report {
namespace {

using testing::At;
using ::testing::HasSubstr;
using testing::IsOk;
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
  EXPECT_THAT(kept.begin()->second.why, HasSubstr("service agent"));
  EXPECT_FALSE(kept.begin()->second.configured);
  ProtectedPrincipals removed;
  removed.remove = {agent};
  EXPECT_TRUE(
      FindKeptGrants(topic, grants, {std::make_shared<const ProtectedPrincipals>(removed)}, Now())
          .empty());
}

TEST(FindKeptGrants, SayWhatTheConfigurationProtects) {
  const Target topic = {"pubsub:Topic", "", "projects/acme/topics/orders"};
  ProtectedPrincipals rules;
  rules.add = {"user:break-glass@example.com"};
  const auto kept = FindKeptGrants(topic, {{"roles/owner", "user:break-glass@example.com"}},
                                   {std::make_shared<const ProtectedPrincipals>(rules)}, Now());
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_TRUE(kept.begin()->second.configured);
}

using TargetsWithRules = testing::ReportTest;

TEST_F(TargetsWithRules, TellGrantsThatStay) {
  const Target topic = {"pubsub:Topic", "", "projects/acme/topics/orders"};
  const std::string agent =
      "serviceAccount:service-1234567@gcp-sa-ns-authz.iam.gserviceaccount.com";
  const std::string other =
      "serviceAccount:service-7654321@gcp-sa-ns-authz.iam.gserviceaccount.com";
  const auto binding = [](const char* role, const std::vector<std::string>& members) {
    return Json{{"role", role}, {"members", members}};
  };
  store::StoreChange change;
  store::RevisionRecord revision;
  revision.target = topic;
  revision.time = At("2026-11-21T11:59:00Z");
  revision.policy =
      Json{{"bindings",
            Json::array({binding("roles/networksecurity.authzServiceAgent", {agent, other}),
                         binding("roles/editor",
                                 {agent, "user:ana@example.com", "user:on.call@example.com"})})}}
          .dump();
  revision.digest = "d";
  change.revisions.push_back(revision);
  store::TargetRecord record;
  record.target = topic;
  record.provider = "cloudnative";
  record.observed = true;
  record.exists = true;
  record.observed_at = revision.time;
  record.policy_digest = "d";
  change.upsert_targets.push_back(record);
  DriftItem accepted;
  accepted.drift_class = DriftClass::kUndeclared;
  accepted.state = DriftState::kAccepted;
  accepted.grant = {"roles/editor", "user:ANA@example.com"};
  DriftItem changed;
  changed.drift_class = DriftClass::kConditionChanged;
  changed.grant = {"roles/networksecurity.authzServiceAgent", other,
                   Condition{"1 < 2", "june", ""}};
  change.drift.push_back({topic, revision.time, {accepted, changed}});
  Apply(std::move(change));
  ProtectedPrincipals rules;
  rules.add = {"user:on.call@example.com"};
  const TargetRules known = {false, {std::make_shared<const ProtectedPrincipals>(rules)}};
  const auto report = TargetReport(*store_, {topic.kind.str(), topic.name, ""}, Now(), known);
  ASSERT_THAT(report, IsOk());
  std::vector<std::string> lines;
  for (const PolicyLine& line : report->lines) {
    lines.push_back(std::string(ToString(line.state)) + " " + line.grant.grant.principal);
  }
  EXPECT_THAT(lines, ::testing::UnorderedElementsAre(
                         "service agent " + agent, "undeclared " + agent, "undeclared " + other,
                         "accepted user:ana@example.com", "accepted user:on.call@example.com"))
      << "of the agent its own role alone, and no part of a difference";
}

}  // namespace
}  // namespace bindery::report
