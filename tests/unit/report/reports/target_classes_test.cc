// A target's page tells of each grant who answers for it, as a coverage does.

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "providers/bindery/own_kinds.h"
#include "report/reports/target_report.h"
#include "unit/report/report_fixture.h"

namespace bindery::report {
namespace {

using testing::At;
using testing::IsOk;
using testing::Now;

constexpr const char* kClassedTopic = "projects/acme/topics/orders";
constexpr const char* kAgentRole = "roles/networksecurity.authzServiceAgent";
constexpr const char* kOwnAgent =
    "serviceAccount:service-1234567@gcp-sa-ns-authz.iam.gserviceaccount.com";
constexpr const char* kOtherAgent =
    "serviceAccount:service-7654321@gcp-sa-ns-authz.iam.gserviceaccount.com";

class TargetClasses : public testing::ReportTest {
 protected:
  /// A policy with the members of each role.
  void ReadTopic(const Json& bindings, std::vector<DriftItem> drift = {}) {
    store::StoreChange change;
    store::RevisionRecord revision;
    revision.target = topic_;
    revision.time = At("2026-11-21T11:59:00Z");
    revision.policy = Json{{"bindings", bindings}}.dump();
    revision.digest = "digest of " + revision.policy;
    change.revisions.push_back(revision);
    store::TargetRecord record;
    record.target = topic_;
    record.provider = "cloudnative";
    record.observed = true;
    record.exists = true;
    record.observed_at = revision.time;
    record.policy_digest = revision.digest;
    change.upsert_targets.push_back(record);
    change.drift.push_back({topic_, revision.time, std::move(drift)});
    Apply(std::move(change));
  }

  static Json Binding(const char* role, const std::vector<std::string>& members) {
    return {{"role", role}, {"members", members}};
  }

  /// A manifest on the topic.
  store::ResourceRecord Declare(const std::string& role, const Json& spec) {
    store::ResourceRecord record = testing::Binding("declared", role);
    record.token = {"cloudnative:pubsub/v1", "TopicIamBinding"};
    record.target = topic_;
    record.spec = spec.dump();
    return record;
  }

  /// "accepted user:ana@example.com", in the order of the letters.
  std::vector<std::string> Lines() {
    const auto report = TargetReport(*store_, {topic_.kind.str(), topic_.name, ""}, Now(), rules_);
    EXPECT_THAT(report, IsOk());
    std::vector<std::string> lines;
    if (!report) return lines;
    for (const PolicyLine& line : report->lines) {
      lines.push_back(std::string(ToString(line.state)) + " " + line.grant.grant.principal);
    }
    std::sort(lines.begin(), lines.end());
    return lines;
  }

  Target topic_ = {"pubsub:Topic", "", kClassedTopic};
  TargetRules rules_;
};

TEST_F(TargetClasses, GrantsOfTheCloudAndProtectedOnesStay) {
  ReadTopic(Json::array({Binding(kAgentRole, {kOwnAgent}),
                         Binding("roles/editor", {kOwnAgent, "user:on.call@example.com"})}));
  ProtectedPrincipals protect;
  protect.add = {"user:on.call@example.com"};
  rules_.keeping.protected_principals = std::make_shared<const ProtectedPrincipals>(protect);
  EXPECT_THAT(Lines(), ::testing::ElementsAre("accepted user:on.call@example.com",
                                              std::string("service agent ") + kOwnAgent,
                                              std::string("undeclared ") + kOwnAgent))
      << "of the agent its own role alone";
  protect.remove = {kOwnAgent};
  rules_.keeping.protected_principals = std::make_shared<const ProtectedPrincipals>(protect);
  EXPECT_THAT(Lines(), ::testing::ElementsAre("accepted user:on.call@example.com",
                                              std::string("undeclared ") + kOwnAgent,
                                              std::string("undeclared ") + kOwnAgent));
}

TEST_F(TargetClasses, WhatIsOnRecordAsAcceptedIsAccepted) {
  DriftItem accepted;
  accepted.drift_class = DriftClass::kUndeclared;
  accepted.state = DriftState::kAccepted;
  accepted.grant = {"roles/editor", "user:ANA@example.com"};
  ReadTopic(
      Json::array({Binding("roles/editor", {"user:ana@example.com", "user:bob@example.com"})}),
      {accepted});
  EXPECT_THAT(Lines(), ::testing::ElementsAre("accepted user:ana@example.com",
                                              "undeclared user:bob@example.com"));
}

TEST_F(TargetClasses, AccessOnRequestIsThatOfItsService) {
  topic_ = {"cloudresourcemanager:Project", "", "projects/acme"};
  const Json condition = {{"title", "Created by: PAM"},
                          {"expression", "request.time < timestamp(\"2026-11-21T13:00:00Z\")"}};
  Json given = Binding("roles/viewer", {"user:ana@example.com"});
  given["condition"] = condition;
  DriftItem known;
  known.drift_class = DriftClass::kJustInTime;
  known.state = DriftState::kAccepted;
  known.grant = {"roles/viewer", "user:ana@example.com",
                 Condition{condition["expression"], condition["title"], ""}};
  ReadTopic(Json::array({given}), {known});
  EXPECT_THAT(Lines(), ::testing::ElementsAre("just-in-time user:ana@example.com"));
  known.drift_class = DriftClass::kUndeclared;
  known.state = DriftState::kOpen;
  known.rest = DriftRest::kImitation;
  ReadTopic(Json::array({given}), {known});
  EXPECT_THAT(Lines(), ::testing::ElementsAre("undeclared user:ana@example.com"))
      << "the service knows no such access";
}

TEST_F(TargetClasses, ARuleAcceptsGrantsWithoutADifferenceOnRecord) {
  ReadTopic(
      Json::array({Binding("roles/editor", {"user:ana@example.com", "user:bob@example.com",
                                            "user:eve@example.com", "user:zoe@example.com"})}));
  AcceptedDriftRules configured(2);
  configured[0].member = "user:ana@*";
  configured[1].member = "user:bob@*";
  configured[1].acceptance.until = Now() - std::chrono::hours(1);
  rules_.keeping.accepted = std::make_shared<const AcceptedDriftRules>(configured);
  store::ResourceRecord manifest = testing::Binding("incident");
  manifest.token = {"bindery", "AcceptedDrift"};
  manifest.target = providers::AcceptedDriftTarget();
  manifest.provider = providers::kOwnProvider;
  manifest.spec = R"({"match":{"member":"user:eve@example.com"},"owner":"ana","reason":"audit"})";
  store::ResourceRecord refused = manifest;
  refused.name = "refused";
  refused.accepted = false;
  refused.spec = R"({"match":{"member":"user:zoe@example.com"},"owner":"ana","reason":"audit"})";
  Put({manifest, refused});
  EXPECT_THAT(Lines(), ::testing::ElementsAre(
                           "accepted user:ana@example.com", "accepted user:eve@example.com",
                           "undeclared user:bob@example.com", "undeclared user:zoe@example.com"))
      << "that of bob is over, and the manifest about zoe is not in force";
}

TEST_F(TargetClasses, AWiderGrantBesideADeclaredOneIsNotOneThatStays) {
  Put({Declare(kAgentRole, {{"role", kAgentRole},
                            {"members", {kOtherAgent}},
                            {"condition",
                             {{"title", "june"},
                              {"expression", "request.time < timestamp(\"2030-06-01T00:00:00Z\")"},
                              {"description", ""}}}})});
  ReadTopic(Json::array({Binding(kAgentRole, {kOwnAgent, kOtherAgent})}));
  EXPECT_THAT(Lines(), ::testing::ElementsAre(std::string("missing ") + kOtherAgent,
                                              std::string("service agent ") + kOwnAgent,
                                              std::string("undeclared ") + kOtherAgent));
}

}  // namespace
}  // namespace bindery::report
