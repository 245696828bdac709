// A check of a policy with access that a service gave on request: what is asked, and what the
// answers make of it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "cloud/authorizer.h"
#include "controller/gates/target_work.h"
#include "core/text/time_text.h"
#include "providers/registry/kinds.h"

namespace bindery::controller {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const char* kEntitlement = "projects/acme/locations/global/entitlements/e";

/// Answers by URL; what it does not know is refused.
class Services final : public cloud::Transport {
 public:
  Expected<cloud::HttpResponse> Send(const cloud::HttpRequest& request) override {
    ++asked;
    const auto found = answers.find(request.url.substr(std::string_view("http://h").size()));
    if (found != answers.end()) return cloud::HttpResponse{200, {}, found->second.dump()};
    return cloud::HttpResponse{
        403, {}, R"({"error": {"code": 403, "status": "PERMISSION_DENIED"}})"};
  }
  void SendAsync(std::shared_ptr<cloud::HttpRequest> request, Done done) override {
    done(Send(*request));
  }

  std::map<std::string, Json> answers;
  int asked = 0;
};

Json GrantIn(const std::string& role, const std::string& member, bool access) {
  Json binding = {{"role", role}, {"members", {member}}};
  if (access) {
    binding["condition"] =
        Json{{"title", "Created by: PAM"},
             {"expression", R"(request.time < timestamp("2026-11-29T12:00:00Z"))"}};
  }
  return binding;
}

class JustInTimeCheck : public ::testing::Test {
 protected:
  JustInTimeCheck() {
    job_.kind =
        providers::KnownKinds().Find({"cloudnative:cloudresourcemanager/v3", "ProjectIamBinding"});
    job_.target = {job_.kind->traits().policy, "", "projects/acme"};
    job_.keep_undeclared = true;
    const WallTime now = *ParseRfc3339("2026-11-29T11:00:00Z");
    job_.now = {now, now};
    auto connection = std::make_shared<cloud::Connection>();
    connection->transport = services_;
    connection->authorizer = cloud::NoCredentials();
    for (const char* service : {"privilegedaccessmanager", "cloudasset", "cloudresourcemanager"}) {
      connection->endpoints[service] = "http://h";
    }
    connection_ = connection;
    job_.connection = connection_;
    auto manifest = std::make_shared<manifests::Manifest>();
    manifest->name = "m";
    manifest->spec =
        R"({"name":"projects/acme","role":"roles/viewer","members":["group:g@example.com"]})";
    job_.declared.push_back(
        {std::move(manifest), "roles/viewer", reconcilers::ManagementPolicy::kEnforce});
  }

  /// The service has these grants of user:ana@example.com on roles/viewer.
  void Offer(std::vector<Json> grants) {
    services_->answers["/v1/projects/acme/locations/global/entitlements"] =
        Json{{"entitlements", Json::array({Json{{"name", kEntitlement}}})}};
    services_->answers[std::string("/v1/") + kEntitlement + "/grants"] =
        Json{{"grants", std::move(grants)}};
    services_->answers["/v3/projects/acme"] = Json::object();
  }
  static Json Active() {
    return Json{{"name", std::string(kEntitlement) + "/grants/g"},
                {"requester", "ana@example.com"},
                {"requestedDuration", "7200s"},
                {"state", "ACTIVE"},
                {"auditTrail", Json{{"accessGrantTime", "2026-11-29T10:00:00Z"}}},
                {"privilegedAccess",
                 Json{{"gcpIamAccess",
                       Json{{"resource", "//cloudresourcemanager.googleapis.com/projects/acme"},
                            {"roleBindings", Json::array({Json{{"role", "roles/viewer"}}})}}}}}};
  }
  static std::string Policy(const std::string& role = "roles/viewer") {
    return Json{{"version", 3},
                {"etag", "BwX"},
                {"bindings", Json::array({GrantIn("roles/viewer", "group:g@example.com", false),
                                          GrantIn(role, "user:ana@example.com", true)})}}
        .dump();
  }
  static std::size_t Listed(const CheckResult& result) {
    return result.plan.Items(reconcilers::DriftRecordKind::kJustInTime).size();
  }

  std::shared_ptr<Services> services_ = std::make_shared<Services>();
  std::shared_ptr<cloud::Connection> connection_;
  CheckJob job_;
};

TEST_F(JustInTimeCheck, IsComparedOnceTheServiceHasAnswered) {
  Offer({Active()});
  const CheckResult open = FinishCheck(job_, *MakeReading(job_), Policy());
  ASSERT_THAT(open.questions, SizeIs(1));
  EXPECT_EQ(open.questions[0].grant.principal, "user:ana@example.com");
  EXPECT_THAT(open.plan.changes, IsEmpty());
  EXPECT_EQ(services_->asked, 0);
  const CheckResult result = CheckFetched(job_, Policy());
  EXPECT_FALSE(result.plan.writes());
  EXPECT_THAT(result.plan.drift(), IsEmpty());
  EXPECT_EQ(Listed(result), 1U);
}

TEST_F(JustInTimeCheck, WhatTheServiceDoesNotKnowIsForeignDrift) {
  Offer({});
  const CheckResult result = CheckFetched(job_, Policy());
  ASSERT_THAT(result.plan.drift(), SizeIs(1));
  EXPECT_EQ(result.plan.drift()[0].cause, DriftCause::kForeign);
  EXPECT_EQ(result.plan.drift()[0].severity, Severity::kHigh);
  EXPECT_THAT(result.plan.removes(), SizeIs(1));
  EXPECT_EQ(Listed(result), 0U);
}

TEST_F(JustInTimeCheck, WhereTheServiceDoesNotAnswerAllStays) {
  const CheckResult result = CheckFetched(job_, Policy());
  EXPECT_FALSE(result.plan.writes());
  EXPECT_THAT(result.plan.drift(), IsEmpty());
  ASSERT_EQ(Listed(result), 1U);
  EXPECT_EQ(result.plan.changes.back().reason.code, reconcilers::ReasonCode::kJustInTimeInDoubt);
}

TEST_F(JustInTimeCheck, ByFormNobodyIsAsked) {
  connection_->just_in_time = JustInTimeProof::kForm;
  EXPECT_EQ(Listed(CheckFetched(job_, Policy())), 1U);
  EXPECT_EQ(services_->asked, 0);
}

TEST_F(JustInTimeCheck, AnImitationInAnotherRoleKeepsNothingFromBeingImported) {
  Offer({});
  job_.declared[0].adopting = true;
  const CheckResult result = CheckFetched(job_, Policy("roles/editor"));
  EXPECT_THAT(result.desired.refused, IsEmpty());
  ASSERT_THAT(result.plan.drift(), SizeIs(1)) << "it is told all the same";
  EXPECT_THAT(result.plan.removes(), IsEmpty());
}

TEST_F(JustInTimeCheck, ARuleAcceptsNoneOfIt) {
  Offer({Active()});
  AcceptedDriftRule rule;
  rule.member = "user:*";
  job_.accepted = std::make_shared<const AcceptedDriftRules>(AcceptedDriftRules{rule});
  const CheckResult result = CheckFetched(job_, Policy());
  EXPECT_THAT(result.plan.accepted(), IsEmpty());
  EXPECT_EQ(Listed(result), 1U);
}

}  // namespace
}  // namespace bindery::controller
