#include "emulator_fixture.h"
#include "providers/google/clients/iam_policy_client.h"

namespace bindery::emulator {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

constexpr const char* kUntil = "request.time < timestamp(\"2027-06-01T00:00:00Z\")";

class PolicyRulesTest : public EmulatorTest {
 protected:
  Json Conditions() {
    return Json{{"version", 3},
                {"bindings",
                 {Conditional("roles/custom.reader", {"user:a@example.com"}, kUntil),
                  Binding("roles/viewer", {"user:b@example.com"})}}};
  }
};

TEST_F(PolicyRulesTest, ConditionsShowOnlyToReadersOfVersionThree) {
  const Json written = Write(Conditions());
  EXPECT_EQ(written.at("version"), 3);
  EXPECT_EQ(Read(kPolicyName, 3), written);
  for (const int version : {0, 1}) {
    const Json old = Read(kPolicyName, version);
    EXPECT_EQ(old.at("version"), 1);
    EXPECT_EQ(old.at("etag"), written.at("etag"));
    const Json& binding = old.at("bindings").at(0);
    EXPECT_FALSE(binding.contains("condition"));
    EXPECT_THAT(StringMember(binding, "role"),
                MatchesRegex("roles/custom.reader_withcond_[0-9a-f]{20}"));
    EXPECT_EQ(old.at("bindings").at(1).at("role"), "roles/viewer");
  }
}

TEST_F(PolicyRulesTest, WhatVersionOneShowsIsNoPolicyThatCanBeJudged) {
  Write(Conditions());
  cloud::PolicyCall call;
  call.request.service = "networksecurity";
  call.request.operation = "getIamPolicy";
  for (const int version : {0, 1}) {
    const auto read =
        google::IamPolicyClient::ParseResponse(call, Read(kPolicyName, version).dump());
    ASSERT_FALSE(read) << version;
    EXPECT_THAT(read.error().message, HasSubstr("a policy of version 1, which hides the condition "
                                                "of \"roles/custom.reader_withcond_"));
  }
  EXPECT_TRUE(google::IamPolicyClient::ParseResponse(call, Read(kPolicyName, 3).dump()));
}

TEST_F(PolicyRulesTest, ConditionsNeedVersionThreeToBeWritten) {
  Json policy = Conditions();
  policy["version"] = 1;
  EXPECT_EQ(Refusal(Write(policy, 400), "INVALID_ARGUMENT"),
            "Policies with conditional role bindings must specify policy version 3. See "
            "https://cloud.google.com/iam/docs/policies#versions.");
  policy["version"] = 2;
  EXPECT_EQ(Refusal(Write(policy, 400), "INVALID_ARGUMENT"),
            "Specified policy version (2) is invalid: valid values are 0, 1 and 3.");
}

TEST_F(PolicyRulesTest, AConditionalPolicyIsOverwrittenWithVersionThreeOrWithoutAnEtag) {
  const Json written = Write(Conditions());
  Json plain = {{"version", 1},
                {"etag", written.at("etag")},
                {"bindings", {Binding("roles/viewer", {"user:b@example.com"})}}};
  EXPECT_EQ(Refusal(Write(plain, 400), "INVALID_ARGUMENT"),
            "Specified policy version (1) cannot be less than the existing policy version (3). For "
            "more information, please refer to "
            "https://cloud.google.com/iam/docs/policies#versions.");
  plain["version"] = 3;
  EXPECT_EQ(Write(plain).at("version"), 1) << "no condition is left";

  Write(Conditions());
  plain["version"] = 1;
  plain.erase("etag");
  const Json lost = Write(plain);
  EXPECT_EQ(lost.at("version"), 1);
  EXPECT_EQ(lost.at("bindings").size(), 1U);
}

TEST_F(PolicyRulesTest, AnEmptiedPolicyKeepsAVersionAndShowsNoBindings) {
  Write(Conditions());
  const Json emptied = Write(Json{{"version", 3}});
  EXPECT_EQ(emptied.size(), 2U);
  EXPECT_EQ(emptied.at("version"), 1);
  EXPECT_NE(emptied.at("etag"), "ACAB");
  EXPECT_EQ(Read(), emptied);
}

TEST_F(PolicyRulesTest, BindingsAreMergedAndCleaned) {
  const Json written = Write(Json{
      {"version", 3},
      {"bindings",
       {Binding("roles/viewer", {"user:b@example.com", "user:a@example.com"}),
        Binding("roles/editor", {}), Conditional("roles/custom", {"user:a@example.com"}, kUntil),
        Binding("roles/viewer", {"user:a@example.com", "user:c@example.com"}),
        Binding("roles/custom", {"user:a@example.com", "user:a@example.com"})}}});
  const Json expected = Json::array(
      {Binding("roles/viewer", {"user:b@example.com", "user:a@example.com", "user:c@example.com"}),
       Conditional("roles/custom", {"user:a@example.com"}, kUntil),
       Binding("roles/custom", {"user:a@example.com"})});
  EXPECT_EQ(written.at("bindings"), expected);
}

struct RoleCase {
  const char* role;
  bool good;
};

TEST_F(PolicyRulesTest, RolesHaveOneOfThreeForms) {
  for (const RoleCase& one :
       {RoleCase{"roles/viewer", true}, RoleCase{"projects/acme/roles/my.role_2", true},
        RoleCase{"organizations/123/roles/x", true}, RoleCase{"viewer", false}, RoleCase{"", false},
        RoleCase{"roles/", false}, RoleCase{"roles/a b", false},
        RoleCase{"folders/1/roles/x", false}, RoleCase{"projects//roles/x", false},
        RoleCase{"projects/p/q/roles/x", false}}) {
    const Json policy = {{"bindings", {Binding(one.role, {"user:a@example.com"})}}};
    const Json answer = Write(policy, one.good ? 200 : 400);
    if (one.good) continue;
    EXPECT_THAT(Refusal(answer, "INVALID_ARGUMENT"), HasSubstr("The role name must be in the form"))
        << one.role;
  }
}

TEST_F(PolicyRulesTest, ARoleMustBeOneAndBeInReach) {
  const std::string unsupported = " is not supported for this resource.";
  const std::pair<const char*, std::string> cases[] = {
      {"roles/iap.tunnelInstances.accessViaIAP",
       "Role roles/iap.tunnelInstances.accessViaIAP" + unsupported},
      {"roles/x_withcond_0123456789abcdef0123",
       "Role roles/x_withcond_0123456789abcdef0123" + unsupported},
      {"projects/other/roles/x",
       "Role (projects/other/roles/x) does not exist in the resource's hierarchy."},
  };
  for (const auto& [role, text] : cases) {
    const Json policy = {{"bindings", {Binding(role, {"user:a@example.com"})}}};
    EXPECT_EQ(Refusal(Write(policy, 400), "INVALID_ARGUMENT"), text);
  }
  Write(Json{{"bindings",
              {Binding("projects/acme/roles/x", {"user:a@example.com"}),
               Binding("organizations/1/roles/x", {"user:a@example.com"}),
               Binding("roles/cloudbuild.builds.editor", {"user:a@example.com"})}}});
}

TEST_F(PolicyRulesTest, BasicRolesTakeConditionsUnlessTheSeedSaysOtherwise) {
  const Json policy = {{"version", 3},
                       {"bindings", {Conditional("roles/viewer", {"user:a@example.com"}, kUntil)}}};
  Write(policy);
  RunAfresh(std::string(kSeed) + "options: {conditionsOnBasicRoles: false}\n");
  EXPECT_EQ(Refusal(Write(policy, 400), "INVALID_ARGUMENT"),
            "LintValidationUnits/BindingRoleAllowConditionCheck Error: Conditions can't be set on "
            "primitive roles.");
}

TEST_F(PolicyRulesTest, ConditionsAreLinted) {
  Json policy = {{"version", 3},
                 {"bindings", {Conditional("roles/x", {"user:a@example.com"}, kUntil)}}};
  std::string expression = "true";
  for (int i = 0; i < 13; ++i) expression += " || true";
  policy["bindings"][0] = Conditional("roles/x", {"user:a@example.com"}, expression);
  EXPECT_EQ(Refusal(Write(policy, 400), "INVALID_ARGUMENT"),
            "LintValidationUnits/ConditionComplexityCheck Error: Logical operators count must not "
            "be more than 12");
  policy["bindings"][0] = Conditional("roles/x", {"user:a@example.com"}, "");
  EXPECT_THAT(Refusal(Write(policy, 400), "INVALID_ARGUMENT"),
              HasSubstr("LintValidationUnits/ConditionCompileCheck Error: "));
  policy["bindings"][0] = Conditional("roles/x", {"user:a@example.com"}, kUntil, "");
  Write(policy);  // The server takes a condition without a title.
}

TEST_F(PolicyRulesTest, PoliciesHaveLimits) {
  const auto members = [](const std::string& type, int count) {
    std::vector<std::string> list;
    for (int i = 0; i < count; ++i) {
      list.push_back(type + std::to_string(i) + "@example.com");
    }
    return list;
  };
  Json policy = {{"bindings", {Binding("roles/viewer", members("user:u", 1500))}}};
  Write(policy);
  policy["bindings"].push_back(Binding("roles/editor", {"user:u0@example.com"}));
  EXPECT_EQ(Refusal(Write(policy, 400), "INVALID_ARGUMENT"),
            "The number of members in the policy (1501) is larger than the maximum allowed size "
            "1500.");
  policy = {{"bindings",
             {Binding("roles/viewer", members("group:g", 250)),
              Binding("roles/editor", members("group:g", 250))}}};
  Write(policy);  // Each group counts once.
  policy["bindings"][0]["members"].push_back("domain:example.com");
  EXPECT_EQ(Refusal(Write(policy, 400), "INVALID_ARGUMENT"),
            "The number of groups and domains in the policy (251) is larger than the maximum "
            "allowed size 250.");
  policy = {{"version", 3}, {"bindings", Json::array()}};
  for (int i = 0; i < 20; ++i) {
    policy["bindings"].push_back(
        Conditional("roles/x", {"user:a@example.com"}, "destination.port == " + std::to_string(i)));
  }
  Write(policy);
  policy["bindings"].push_back(
      Conditional("roles/x", {"user:a@example.com"}, "destination.port == 20"));
  EXPECT_EQ(Refusal(Write(policy, 400), "INVALID_ARGUMENT"),
            "The number of conditional role bindings for role roles/x and member "
            "user:a@example.com (21) is larger than the maximum allowed 20.");
}

TEST_F(PolicyRulesTest, OptionsChangeTheService) {
  RunAfresh(std::string(kSeed) + R"(
options:
  preserveMemberCase: false
  unsupportedRoles: [roles/owner]
  conditionsOnBasicRoles: false
)");
  const Json written =
      Write(Json{{"version", 3},
                 {"bindings",
                  {Binding("roles/editor", {"user:Ana@Example.com", "principal://Pool/Subject"}),
                   Conditional("roles/x", {"user:a@example.com"}, kUntil)}}});
  EXPECT_EQ(written.at("bindings").at(0).at("members").at(0), "user:ana@example.com");
  EXPECT_EQ(written.at("bindings").at(0).at("members").at(1), "principal://Pool/Subject");
  EXPECT_EQ(
      Refusal(Write(Json{{"bindings", {Binding("roles/owner", {"user:a@example.com"})}}}, 400),
              "INVALID_ARGUMENT"),
      "Role roles/owner is not supported for this resource.");
  RunAfresh(std::string(kSeed) + "options: {acceptConditions: false}\n");
  EXPECT_EQ(Refusal(Write(Conditions(), 400), "INVALID_ARGUMENT"),
            "Conditions are not supported for this resource.");
}

TEST_F(PolicyRulesTest, MembersOfOtherDomainsCannotBeAdded) {
  RunAfresh(std::string(kSeed) + R"(
iamPolicies:
  //networksecurity.googleapis.com/projects/acme/locations/global/authorizationPolicies/other:
    bindings: [{role: roles/viewer, members: ["user:old@example.net"]}]
options: {allowedMemberDomains: [example.com]}
)");
  const std::string other = "projects/acme/locations/global/authorizationPolicies/other";
  const auto write = [&](const std::string& member, int status) {
    return Write(Json{{"bindings", {Binding("roles/viewer", {"user:old@example.net", member})}}},
                 status, other);
  };
  for (const char* member :
       {"user:Ana@Example.com", "group:ops@example.com", "domain:example.com",
        "serviceAccount:a@p.iam.gserviceaccount.com", "allAuthenticatedUsers"}) {
    write(member, 200);
  }
  for (const std::string member :
       {"user:eve@example.net", "group:ops@sub.example.com", "domain:example.net"}) {
    const Json answer = write(member, 400);
    EXPECT_EQ(Refusal(answer, "FAILED_PRECONDITION"),
              "One or more users named in the policy do not belong to a permitted customer.");
    const Json& violation = answer.at("error").at("details").at(0).at("violations").at(0);
    EXPECT_EQ(violation.at("type"), "constraints/iam.allowedPolicyMemberDomains");
    EXPECT_THAT(StringMember(violation, "subject"), HasSubstr("configvalue=" + member));
  }
}

TEST_F(PolicyRulesTest, OneBadMemberFailsTheWholeWrite) {
  Write(Json{{"bindings", {Binding("roles/viewer", {"user:a@example.com"})}}});
  const Json before = Read();
  Write(Json{{"bindings",
              {Binding("roles/viewer", {"user:b@example.com"}), Binding("roles/editor", {"x"})}}},
        400);
  EXPECT_EQ(Read(), before);
}

}  // namespace
}  // namespace bindery::emulator
