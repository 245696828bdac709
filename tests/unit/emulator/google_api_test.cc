#include "emulator_fixture.h"

namespace bindery::emulator {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::HttpResult;
using ::testing::StartsWith;

TEST_F(EmulatorTest, APolicyNobodyWroteIsAnEtagOnly) {
  const HttpResult result = Send("GET", kPolicyPath + ":getIamPolicy");
  EXPECT_EQ(result.status, 200);
  EXPECT_EQ(result.body, "{\n  \"etag\": \"ACAB\"\n}\n");
  EXPECT_EQ(result.Header("Content-Type"), "application/json; charset=UTF-8");
  EXPECT_EQ(result.Header("Cache-Control"), "private");
}

TEST_F(EmulatorTest, AWriteIsAnsweredAndReadBackWithANewEtag) {
  const Json written = Write(Json{{"etag", "ACAB"},
                                  {"version", 3},
                                  {"bindings", {Binding("roles/viewer", {"user:a@example.com"})}}});
  const Json expected = {{"version", 1},
                         {"etag", written.at("etag")},
                         {"bindings", {Binding("roles/viewer", {"user:a@example.com"})}}};
  EXPECT_EQ(written.dump(), expected.dump());
  EXPECT_THAT(StringMember(written, "etag"), StartsWith("Bw"));
  EXPECT_EQ(Read(), written);
  EXPECT_EQ(Read(kServerName).dump(), R"({"etag":"ACAB"})");
}

TEST_F(EmulatorTest, EveryWriteMovesTheEtagAlsoOneThatChangesNothing) {
  const Json policy = {{"bindings", {Binding("roles/viewer", {"user:a@example.com"})}}};
  const std::string first = StringMember(Write(policy), "etag");
  const std::string second = StringMember(Write(policy), "etag");
  EXPECT_LT(first, second) << "the clock stands still, the etag must not";
}

TEST_F(EmulatorTest, AStaleEtagIsAborted) {
  const Json policy = {{"bindings", {Binding("roles/viewer", {"user:a@example.com"})}}};
  Json stale = policy;
  stale["etag"] = "ACAB";
  Write(policy);
  const Json answer = Write(stale, 409);
  EXPECT_EQ(Refusal(answer, "ABORTED"),
            "There were concurrent policy changes. Please retry the whole read-modify-write with "
            "exponential backoff.");
  EXPECT_EQ(answer.at("error").at("code"), 409);
  stale["etag"] = "";
  Write(stale);
}

TEST_F(EmulatorTest, EtagsComeInEitherAlphabetAndMustBeEtags) {
  std::string etag = StringMember(Write(Json::object()), "etag");
  for (char& c : etag) c = c == '+' ? '-' : c == '/' ? '_' : c;
  while (etag.back() == '=') etag.pop_back();
  Write(Json{{"etag", etag}});
  EXPECT_EQ(Refusal(Write(Json{{"etag", "aGVsbG8="}}, 400), "INVALID_ARGUMENT"), "Invalid etag.");
  EXPECT_EQ(Refusal(Write(Json{{"etag", "!"}}, 400), "INVALID_ARGUMENT"),
            "Invalid value at 'policy.etag' (TYPE_BYTES), Base64 decoding failed for \"!\"");
}

TEST_F(EmulatorTest, TheVersionParameterTakesZeroOneAndThree) {
  for (const char* version : {"0", "1", "3", ""}) {
    Call("GET", kPolicyPath + ":getIamPolicy?options.requestedPolicyVersion=" + version, 200);
  }
  EXPECT_EQ(
      Refusal(Call("GET", kPolicyPath + ":getIamPolicy?options.requestedPolicyVersion=2", 400),
              "INVALID_ARGUMENT"),
      "Requested policy version (2) is invalid: valid values are 0, 1 and 3.");
  EXPECT_EQ(
      Refusal(Call("GET", kPolicyPath + ":getIamPolicy?options.requestedPolicyVersion=x", 400),
              "INVALID_ARGUMENT"),
      "Invalid value at 'options.requested_policy_version' (TYPE_INT32), \"x\"");
}

TEST_F(EmulatorTest, AnUnknownQueryParameterIsRefusedAndCommonOnesAreNot) {
  const Json answer =
      Call("GET", kPolicyPath + ":getIamPolicy?optionsRequestedPolicyVersion=3", 400);
  const std::string text =
      "Invalid JSON payload received. Unknown name \"optionsRequestedPolicyVersion\": Cannot bind "
      "query parameter. Field 'optionsRequestedPolicyVersion' could not be found in request "
      "message.";
  EXPECT_EQ(Refusal(answer, "INVALID_ARGUMENT"), text);
  const Json detail = {{"@type", "type.googleapis.com/google.rpc.BadRequest"},
                       {"fieldViolations", {Json{{"description", text}}}}};
  EXPECT_EQ(answer.at("error").at("details").at(0), detail);
  Call("GET",
       kPolicyPath +
           ":getIamPolicy?alt=json&key=k&quotaUser=q&access_token=t&oauth_token=o&%24.xgafv=2"
           "&uploadType=m&upload_protocol=r&callback=c&$alt=json&fields=etag",
       200);
}

TEST_F(EmulatorTest, PrettyPrintCanBeSwitchedOffAndFieldsSelected) {
  EXPECT_EQ(Send("GET", kPolicyPath + ":getIamPolicy?prettyPrint=false").body,
            "{\"etag\":\"ACAB\"}\n");
  Write(Json{{"bindings", {Binding("roles/viewer", {"user:a@example.com"})}}});
  const Json selected =
      Call("GET", kPolicyPath + ":getIamPolicy?fields=version,bindings(role)", 200);
  EXPECT_EQ(selected.size(), 2U);
  EXPECT_TRUE(selected.contains("bindings"));
}

TEST_F(EmulatorTest, UnknownBodyFieldsAreNamedWithTheirPlace) {
  Json policy = {{"bindings", {Binding("roles/viewer", {"user:a@example.com"})}}, {"x", 1}};
  policy["bindings"][0]["y"] = 2;
  const Json answer =
      Call("POST", kPolicyPath + ":setIamPolicy", 400, Json{{"policy", policy}, {"z", 3}}.dump());
  EXPECT_EQ(Refusal(answer, "INVALID_ARGUMENT"),
            "Invalid JSON payload received. Unknown name \"z\": Cannot find field.\n"
            "Invalid JSON payload received. Unknown name \"x\" at 'policy': Cannot find field.\n"
            "Invalid JSON payload received. Unknown name \"y\" at 'policy.bindings[0]': Cannot "
            "find field.");
  EXPECT_EQ(answer.at("error").at("details").at(0).at("fieldViolations").size(), 3U);
  EXPECT_EQ(Read().at("etag"), "ACAB");
}

TEST_F(EmulatorTest, WrongTypesAndBrokenJsonAreRefused) {
  EXPECT_EQ(Refusal(Write(Json{{"bindings", "x"}}, 400), "INVALID_ARGUMENT"),
            "Invalid value at 'policy.bindings' (type.googleapis.com/google.iam.v1.Binding), "
            "\"x\"");
  EXPECT_EQ(Refusal(Write(Json{{"version", "x"}}, 400), "INVALID_ARGUMENT"),
            "Invalid value at 'policy.version' (TYPE_INT32), \"x\"");
  EXPECT_EQ(Refusal(Write(Json{{"bindings", {Json{{"role", 5}}}}}, 400), "INVALID_ARGUMENT"),
            "Invalid value at 'policy.bindings[0].role' (TYPE_STRING), 5");
  for (const char* broken : {"{", "{\"policy\": }", "nonsense", "{} {}"}) {
    EXPECT_THAT(
        Refusal(Call("POST", kPolicyPath + ":setIamPolicy", 400, broken), "INVALID_ARGUMENT"),
        StartsWith("Invalid JSON payload received."))
        << broken;
  }
  EXPECT_EQ(Refusal(Call("POST", kPolicyPath + ":setIamPolicy", 400, "[]"), "INVALID_ARGUMENT"),
            "Invalid JSON payload received. Unknown name \"\": Root element must be a message.");
  EXPECT_EQ(Refusal(Call("POST", kPolicyPath + ":setIamPolicy", 400, "{}"), "INVALID_ARGUMENT"),
            "Request contains an invalid argument.");
}

TEST_F(EmulatorTest, ProtoNamesAndNumericStringsAreAccepted) {
  const Json answer =
      Call("POST", kPolicyPath + ":setIamPolicy", 200,
           R"({"policy": {"version": "3", "etag": null, "audit_configs": [{"service": "allServices",
          "audit_log_configs": [{"log_type": "ADMIN_READ"}]}]}, "update_mask": "audit_configs"})");
  EXPECT_EQ(answer.at("auditConfigs").at(0).at("auditLogConfigs").at(0).at("logType"),
            "ADMIN_READ");
}

TEST_F(EmulatorTest, AuditConfigsSurviveWritesThatDoNotNameThem) {
  const Json audit = Json::array({Json{
      {"service", "allServices"},
      {"auditLogConfigs", {Json{{"logType", "DATA_READ"}, {"exemptedMembers", {"user:a@b.c"}}}}}}});
  Call("POST", kPolicyPath + ":setIamPolicy", 200,
       Json{{"policy", {{"auditConfigs", audit}}}, {"updateMask", "auditConfigs"}}.dump());
  Write(Json{{"bindings", {Binding("roles/viewer", {"user:a@example.com"})}}});
  const Json policy = Read();
  EXPECT_EQ(policy.at("auditConfigs"), audit);
  EXPECT_EQ(policy.at("bindings").size(), 1U);
  Call("POST", kPolicyPath + ":setIamPolicy", 200,
       Json{{"policy", Json::object()}, {"updateMask", "auditConfigs,etag"}}.dump());
  EXPECT_FALSE(Read().contains("auditConfigs"));
  EXPECT_TRUE(Read().contains("bindings")) << "the mask did not name them";
}

TEST_F(EmulatorTest, AMaskMayNameOnlyFieldsOfAPolicy) {
  EXPECT_EQ(Refusal(Call("POST", kPolicyPath + ":setIamPolicy", 400,
                         R"({"policy": {}, "updateMask": "bindings,members"})"),
                    "INVALID_ARGUMENT"),
            "Invalid value at 'update_mask' (type.googleapis.com/google.protobuf.FieldMask), "
            "\"members\"");
}

TEST_F(EmulatorTest, WhatWasNotSeededIsNotFound) {
  const std::string other = "projects/acme/locations/global/authorizationPolicies/other";
  const Json answer = Call("GET", "/v1/" + other + ":getIamPolicy", 404);
  EXPECT_EQ(Refusal(answer, "NOT_FOUND"), "Resource '" + other + "' was not found");
  Call("GET", "/v1/" + other, 404);
  Call("POST", "/v1/" + other + ":setIamPolicy", 404, R"({"policy": {}})");
  Call("POST", "/v1/" + other + ":testIamPermissions", 404, R"({"permissions": ["a.b.c"]})");
  Call("GET", "/v1/projects/acme/locations/eu/importJobs/job/importDataFiles/none", 404);
}

TEST_F(EmulatorTest, UnknownMethodsAndPathsGetTheFrontEndsHtml) {
  for (const auto& [method, path] : std::vector<std::pair<std::string, std::string>>{
           {"POST", kPolicyPath + ":getIamPolicy"},
           {"GET", kPolicyPath + ":setIamPolicy"},
           {"PUT", kPolicyPath + ":setIamPolicy"},
           {"GET", kPolicyPath + ":noSuchVerb"},
           {"DELETE", kPolicyPath},
           {"GET", "/v1/projects/acme/locations/global/authorizationPolicies"},
           {"GET", "/v2/" + std::string(kPolicyName) + ":getIamPolicy"},
           {"GET", "/v1/" + std::string(kFileName) + ":getIamPolicy"},
           {"GET", "/<script>"}}) {
    const HttpResult result = Send(method, path);
    EXPECT_EQ(result.status, 404) << method << " " << path;
    EXPECT_EQ(result.Header("Content-Type"), "text/html; charset=UTF-8");
    EXPECT_THAT(result.body, HasSubstr("<b>404.</b>"));
    EXPECT_THAT(result.body, ::testing::Not(HasSubstr("<script>")));
  }
}

TEST_F(EmulatorTest, EncodedPathsAreTheSamePaths) {
  const HttpResult result = Send("GET",
                                 "/v1/projects%2Facme/locations/global/authorizationPolicies/"
                                 "payments%3AgetIamPolicy?alt=json");
  EXPECT_EQ(result.status, 200);
}

TEST_F(EmulatorTest, ResourcesThemselvesCanBeRead) {
  const Json policy = Call("GET", kPolicyPath, 200);
  EXPECT_EQ(policy.at("name"), kPolicyName);
  EXPECT_EQ(policy.at("action"), "ALLOW");
  const Json server = Call("GET", "/v1/" + std::string(kServerName), 200);
  EXPECT_EQ(server.at("type"), "BACKUP_RESTORE");
  EXPECT_EQ(server.at("state"), "READY");
  const Json file = Call("GET", "/v1/" + std::string(kFileName), 200);
  EXPECT_EQ(file.at("name"), kFileName);
  EXPECT_EQ(file.at("displayName"), "inventory");
  EXPECT_EQ(file.at("state"), "ACTIVE");
  EXPECT_EQ(file.at("format"), "IMPORT_JOB_FORMAT_RVTOOLS_XLSX");
}

TEST_F(EmulatorTest, PermissionTestsAnswerTheSubsetHeld) {
  const std::string path = kPolicyPath + ":testIamPermissions";
  const Json held = Call("POST", path, 200,
                         R"({"permissions": ["networksecurity.authorizationPolicies.get",
                             "networksecurity.authorizationPolicies.get"]})");
  EXPECT_EQ(held.dump(), R"({"permissions":["networksecurity.authorizationPolicies.get"]})");
  EXPECT_EQ(Call("POST", path, 200, "{}").dump(), "{}");
  EXPECT_EQ(Refusal(Call("POST", path, 400, R"({"permissions": ["networksecurity.*.get"]})"),
                    "INVALID_ARGUMENT"),
            "Permissions with wildcards (such as 'networksecurity.*.get') are not allowed.");
  Json many = Json::array();
  for (int i = 0; i < 101; ++i) many.push_back("a.b.c" + std::to_string(i));
  EXPECT_EQ(
      Refusal(Call("POST", path, 400, Json{{"permissions", many}}.dump()), "INVALID_ARGUMENT"),
      "At most 100 permissions can be tested in one call, got 101.");
}

}  // namespace
}  // namespace bindery::emulator
