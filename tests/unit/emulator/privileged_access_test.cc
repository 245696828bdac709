// Privileged Access Manager: entitlements, grants, and what an active grant means for a policy.

#include "emulator/seed.h"
#include "emulator_fixture.h"

namespace bindery::emulator {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

constexpr const char* kGrantSeed = R"(
iamPolicies:
  //cloudresourcemanager.googleapis.com/organizations/1:
  //cloudresourcemanager.googleapis.com/projects/acme:
    bindings:
      - {role: roles/owner, members: ["user:root@example.com"]}
  //cloudresourcemanager.googleapis.com/projects/other:
privilegedAccessGrants:
  - resource: //cloudresourcemanager.googleapis.com/projects/acme
    role: roles/storage.admin
    requester: user:oncall@example.com
    endTime: 2030-01-01T00:00:00Z
    state: ACTIVE
  - resource: //cloudresourcemanager.googleapis.com/projects/acme
    role: roles/storage.admin
    requester: user:yesterday@example.com
    endTime: 2026-11-20T00:00:00Z
    state: ENDED
)";
constexpr const char* kParent = "/v1/projects/acme/locations/global/entitlements";

class EmulatorPrivilegedAccess : public EmulatorTest {
 protected:
  void SetUp() override { Run(kGrantSeed); }

  Json PolicyOfProject() {
    return Call("POST", "/v3/projects/acme:getIamPolicy", 200,
                R"({"options": {"requestedPolicyVersion": 3}})");
  }
  /// The conditional bindings: "ROLE MEMBER TITLE EXPRESSION", one a member.
  std::vector<std::string> Conditional() {
    std::vector<std::string> found;
    for (const Json& binding : PolicyOfProject().value("bindings", Json::array())) {
      if (!binding.contains("condition")) continue;
      for (const Json& member : binding.at("members")) {
        found.push_back(StringMember(binding, "role") + " " + member.get<std::string>() + " " +
                        StringMember(binding.at("condition"), "title") + " " +
                        StringMember(binding.at("condition"), "expression"));
      }
    }
    return found;
  }
  void WriteProject(const Json& bindings) {
    Call("POST", "/v3/projects/acme:setIamPolicy", 200,
         Json{{"policy", Json{{"version", 3}, {"bindings", bindings}}}}.dump());
  }
  /// Its name.
  std::string MakeEntitlement(const std::string& id, Json more = Json::object()) {
    Json body = {{"maxRequestDuration", "7200s"},
                 {"eligibleUsers", {Json{{"principals", {"user:ana@example.com"}}}}},
                 {"privilegedAccess",
                  Json{{"gcpIamAccess",
                        Json{{"resourceType", "cloudresourcemanager.googleapis.com/Project"},
                             {"resource", "//cloudresourcemanager.googleapis.com/projects/acme"},
                             {"roleBindings", {Json{{"role", "roles/pubsub.admin"}}}}}}}}};
    body.update(more);
    const Json made = Call("POST", std::string(kParent) + "?entitlementId=" + id, 200, body.dump());
    EXPECT_TRUE(made.value("done", false));
    return StringMember(made.value("response", Json::object()), "name");
  }
  Json Ask(const std::string& entitlement, int status = 200) {
    return Call("POST", "/v1/" + entitlement + "/grants", status,
                R"({"requestedDuration": "3600s"})");
  }
  Json GrantNamed(const std::string& name) { return Call("GET", "/v1/" + name, 200); }
};

TEST_F(EmulatorPrivilegedAccess, ASeededActiveGrantHasItsBindingInThePolicy) {
  EXPECT_THAT(Conditional(),
              ::testing::ElementsAre(
                  "roles/storage.admin user:oncall@example.com Created by: PAM request.time < "
                  "timestamp(\"2030-01-01T00:00:00Z\")"));
  // Not once more at the next start.
  Run(kGrantSeed);
  EXPECT_EQ(Conditional().size(), 1U);
}

TEST_F(EmulatorPrivilegedAccess, SeededGrantsAreListedUnderAnEntitlementOfTheirOwn) {
  const Json entitlements = Call("GET", kParent, 200).at("entitlements");
  ASSERT_EQ(entitlements.size(), 1U);
  const Json grants =
      Call("GET", "/v1/" + StringMember(entitlements[0], "name") + "/grants", 200).at("grants");
  ASSERT_EQ(grants.size(), 2U);
  std::map<std::string, std::string> states;
  for (const Json& grant : grants) {
    states[StringMember(grant, "requester")] = StringMember(grant, "state");
    EXPECT_FALSE(grant.contains("member"));
    EXPECT_TRUE(grant.contains("requestedDuration"));
    EXPECT_EQ(*FindPath(grant, {"privilegedAccess", "gcpIamAccess", "resource"}),
              "//cloudresourcemanager.googleapis.com/projects/acme");
  }
  EXPECT_EQ(states, (std::map<std::string, std::string>{{"oncall@example.com", "ACTIVE"},
                                                        {"yesterday@example.com", "ENDED"}}));
}

TEST_F(EmulatorPrivilegedAccess, AGrantWithoutApprovalIsActiveAtOnceAndEndsByItself) {
  const std::string entitlement = MakeEntitlement("topics");
  const Json grant = Ask(entitlement);
  EXPECT_EQ(StringMember(grant, "state"), "ACTIVE");
  EXPECT_EQ(StringMember(grant, "requester"), "ana@example.com");
  EXPECT_THAT(Conditional(),
              ::testing::Contains("roles/pubsub.admin user:ana@example.com Created by: PAM "
                                  "request.time < timestamp(\"2026-11-21T01:00:00Z\")"));
  clock_.Advance(hours(1));
  EXPECT_EQ(Conditional().size(), 1U);
  EXPECT_EQ(StringMember(GrantNamed(StringMember(grant, "name")), "state"), "ENDED");
}

TEST_F(EmulatorPrivilegedAccess, AGrantThatNeedsApprovalWaitsForIt) {
  const Json workflow = {{"approvalWorkflow", Json{{"manualApprovals", Json::object()}}}};
  const std::string entitlement = MakeEntitlement("approved", workflow);
  const std::string first = StringMember(Ask(entitlement), "name");
  const std::string second = StringMember(Ask(entitlement), "name");
  EXPECT_EQ(StringMember(GrantNamed(first), "state"), "APPROVAL_AWAITED");
  EXPECT_EQ(Conditional().size(), 1U);
  Call("POST", "/v1/" + first + ":approve", 200, R"({"reason": "incident"})");
  Call("POST", "/v1/" + second + ":deny", 200, "{}");
  EXPECT_EQ(StringMember(GrantNamed(first), "state"), "ACTIVE");
  EXPECT_EQ(StringMember(GrantNamed(second), "state"), "DENIED");
  EXPECT_EQ(Conditional().size(), 2U);
  Call("POST", "/v1/" + first + ":approve", 400, "{}");
}

TEST_F(EmulatorPrivilegedAccess, ARevocationTakesTheBindingOutAtOnce) {
  const std::string name = StringMember(Ask(MakeEntitlement("topics")), "name");
  const Json done = Call("POST", "/v1/" + name + ":revoke", 200, R"({"reason": "done"})");
  EXPECT_TRUE(done.value("done", false));
  EXPECT_EQ(Conditional().size(), 1U);
  EXPECT_EQ(StringMember(GrantNamed(name), "state"), "REVOKED");
  Call("POST", "/v1/" + name + ":revoke", 400, "{}");
}

TEST_F(EmulatorPrivilegedAccess, AGrantWhoseBindingOthersChangeIsExternallyModified) {
  const std::string name = StringMember(Ask(MakeEntitlement("topics")), "name");
  const Json bindings = PolicyOfProject().at("bindings");
  WriteProject(bindings);
  EXPECT_FALSE(GrantNamed(name).contains("externallyModified"));
  Json others = Json::array();
  for (const Json& binding : bindings) {
    if (StringMember(binding, "role") != "roles/pubsub.admin") others.push_back(binding);
  }
  WriteProject(others);
  EXPECT_TRUE(GrantNamed(name).value("externallyModified", false));
  // It stays so, also when the binding is back.
  WriteProject(Json::array());
  Call("POST", "/v1/" + name + ":revoke", 200, "{}");
  EXPECT_TRUE(GrantNamed(name).value("externallyModified", false));
}

TEST_F(EmulatorPrivilegedAccess, TheConditionOfAnEntitlementIsJoinedToTheTime) {
  const std::string condition = "resource.name.startsWith(\"projects/_/buckets/a\")";
  MakeEntitlement("plain");
  const Json narrowed = {
      {"privilegedAccess",
       Json{{"gcpIamAccess",
             Json{{"resource", "//cloudresourcemanager.googleapis.com/projects/acme"},
                  {"roleBindings",
                   {Json{{"role", "roles/storage.objectAdmin"},
                         {"conditionExpression", condition}}}}}}}}};
  Ask(MakeEntitlement("narrowed", narrowed));
  EXPECT_THAT(Conditional(), ::testing::Contains("roles/storage.objectAdmin user:ana@example.com "
                                                 "Created by: PAM (" +
                                                 condition +
                                                 ") && request.time < timestamp("
                                                 "\"2026-11-21T01:00:00Z\")"));
}

TEST_F(EmulatorPrivilegedAccess, WhatTheServiceRefusesIsRefused) {
  const std::string entitlement = MakeEntitlement("topics");
  Call("GET", "/v1/projects/acme/locations/global/entitlements/none", 404);
  Call("GET", "/v1/projects/acme/locations/global/entitlements/-/grants", 404);
  Call("POST", std::string(kParent) + "?entitlementId=x", 400, R"({"maxRequestDuration": "60s"})");
  Call("POST", std::string(kParent) + "?entitlementId=x", 400, R"({"surprise": 1})");
  Call("POST", "/v1/" + entitlement + "/grants", 400, "{}");
  Call("POST", "/v1/" + entitlement + "/grants", 400, R"({"requestedDuration": "7201s"})");
  for (int i = 0; i < 5; ++i) Ask(entitlement);
  EXPECT_EQ(Refusal(Ask(entitlement, 400), "FAILED_PRECONDITION").find("The requester already"),
            0U);
}

TEST_F(EmulatorPrivilegedAccess, GrantsAreFoundByASearchForAssets) {
  const std::string search =
      ":searchAllResources?assetTypes=privilegedaccessmanager.googleapis.com"
      "/Grant&readMask=*";
  const Json all = Call("GET", "/v1/organizations/1" + search, 200).at("results");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(Call("GET", "/v1/projects/acme" + search, 200).at("results"), all);
  EXPECT_TRUE(Call("GET", "/v1/projects/other" + search, 200).empty());
  const Json grant = all[0].at("versionedResources")[0].at("resource");
  EXPECT_EQ(StringMember(all[0], "name"),
            "//privilegedaccessmanager.googleapis.com/" + StringMember(grant, "name"));
  const Json page = Call("GET", "/v1/projects/acme" + search + "&pageSize=1", 200);
  EXPECT_EQ(page.at("results").size(), 1U);
  EXPECT_NE(StringMember(page, "nextPageToken"), "");
  const std::string narrow = search.substr(0, search.find("&readMask"));
  EXPECT_FALSE(Call("GET", "/v1/projects/acme" + narrow, 200)
                   .at("results")[0]
                   .contains("versionedResources"));
}

TEST_F(EmulatorPrivilegedAccess, CallersNeedPermissions) {
  RunAfresh(std::string(kGrantSeed) + R"(
credentials:
  - {token: reader, permissions: ["privilegedaccessmanager.entitlements.list"]}
)");
  const testing::HttpHeaders reader = {{"Authorization", "Bearer reader"}};
  const Json list = Call("GET", kParent, 200, {}, reader).at("entitlements");
  const std::string grants = "/v1/" + StringMember(list[0], "name") + "/grants";
  EXPECT_THAT(Refusal(Call("GET", grants, 403, {}, reader), "PERMISSION_DENIED"),
              ::testing::HasSubstr("privilegedaccessmanager.grants.list"));
  Call("GET", "/v1/projects/acme:searchAllResources", 403, {}, reader);
}

TEST_F(EmulatorPrivilegedAccess, WithoutEntitlementsTheApiIsNotEnabled) {
  RunAfresh("iamPolicies: {//cloudresourcemanager.googleapis.com/projects/acme:}");
  EXPECT_THAT(Refusal(Call("GET", kParent, 403), "PERMISSION_DENIED"),
              ::testing::HasSubstr("disabled"));
  MakeEntitlement("topics");
  EXPECT_EQ(Call("GET", kParent, 200).at("entitlements").size(), 1U);
}

TEST_F(EmulatorPrivilegedAccess, ADumpBringsAllOfItBack) {
  const std::string name = StringMember(Ask(MakeEntitlement("topics")), "name");
  const Json before = GrantNamed(name);
  const std::vector<std::string> bindings = Conditional();
  const Json dump = Call("GET", "/_emulator/seed", 200);
  Call("PUT", "/_emulator/seed", 200, dump.dump());
  EXPECT_EQ(GrantNamed(name), before);
  EXPECT_EQ(Conditional(), bindings);
}

TEST_F(EmulatorPrivilegedAccess, ASeedThatNamesNoContainerIsRefused) {
  for (const char* grant :
       {"resource: //pubsub.googleapis.com/projects/acme/topics/t, role: r, requester: a, "
        "endTime: 2030-01-01T00:00:00Z",
        "resource: //cloudresourcemanager.googleapis.com/projects/123456789012, role: r, "
        "requester: a, endTime: 2030-01-01T00:00:00Z",
        "resource: //cloudresourcemanager.googleapis.com/projects/acme, role: r, requester: a",
        "resource: //cloudresourcemanager.googleapis.com/projects/acme, role: r, requester: a, "
        "endTime: soon",
        "resource: //cloudresourcemanager.googleapis.com/projects/acme, role: r, requester: a, "
        "endTime: 2030-01-01T00:00:00Z, state: OPEN"}) {
    EXPECT_FALSE(ReadSeed("privilegedAccessGrants: [{" + std::string(grant) + "}]", "seed"))
        << grant;
  }
}

}  // namespace
}  // namespace bindery::emulator
