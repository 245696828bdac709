// The forms in which official clients send requests and want answers.

#include <string>
#include <vector>

#include "support/gzip.h"
#include "unit/emulator/emulator_fixture.h"

namespace bindery::emulator {
namespace {

using ::testing::HasSubstr;

const std::string kSet = kPolicyPath + ":setIamPolicy";
const std::string kTest = kPolicyPath + ":testIamPermissions";
const std::string kForm = "application/x-www-form-urlencoded";

using WireForms = EmulatorTest;

Json OnePolicy() {
  return Json{
      {"policy",
       {{"bindings", {Json{{"role", "roles/viewer"}, {"members", {"user:a@b.example"}}}}}}}};
}

TEST_F(WireForms, GzippedBodiesAreTaken) {
  // As every generated Java client sends them.
  const Json written =
      Call("POST", kSet, 200, testing::Gzip(OnePolicy().dump()),
           {{"Content-Type", "application/json; charset=UTF-8"}, {"Content-Encoding", "gzip"}});
  EXPECT_EQ(written.at("bindings").at(0).at("role"), "roles/viewer");
  EXPECT_EQ(Read().at("bindings"), written.at("bindings"));

  const std::string policy = "/api/v2/restriction_policy/dashboard:abc-def-ghi";
  const Json body = {{"data",
                      {{"type", "restriction_policy"},
                       {"id", "dashboard:abc-def-ghi"},
                       {"attributes", {{"bindings", Json::array()}}}}}};
  Call("POST", policy, 200, testing::Gzip(body.dump()),
       {{"DD-API-KEY", "k"}, {"DD-APPLICATION-KEY", "a"}, {"Content-Encoding", "gzip"}});
}

TEST_F(WireForms, WhatCannotBeDecodedIsRefusedInTheServicesDialect) {
  const testing::HttpHeaders gzip = {{"Content-Encoding", "gzip"}};
  EXPECT_EQ(Refusal(Call("POST", kSet, 400, "{}", gzip), "INVALID_ARGUMENT"),
            "the body is not valid gzip");
  const std::string bomb = testing::Gzip(std::string(std::size_t{2} << 20U, ' '));
  EXPECT_THAT(Call("POST", kSet, 413, bomb, gzip).at("error").at("message").get<std::string>(),
              HasSubstr("bytes when decoded"));
  Call("POST", kSet, 415, "{}", {{"Content-Encoding", "br"}});
  const Json datadog =
      Call("POST", "/api/v2/restriction_policy/dashboard:abc-def-ghi", 413, bomb, gzip);
  EXPECT_TRUE(datadog.contains("errors"));
  EXPECT_EQ(Call("POST", "/token", 400, "x", gzip).at("error"), "invalid_request");
  EXPECT_EQ(Read().at("etag"), "ACAB");
}

TEST_F(WireForms, FieldsSelectAtAnyDepth) {
  Json policy = {{"version", 3},
                 {"bindings", {Conditional("roles/x", {"user:a@b.example"}, "true", "why")}}};
  Write(policy);
  const auto selected = [this](const std::string& fields) {
    return Call("GET",
                kPolicyPath + ":getIamPolicy?options.requestedPolicyVersion=3&fields=" + fields,
                200);
  };
  const Json titles = {{"bindings", {{{"condition", {{"title", "why"}}}}}}};
  EXPECT_EQ(selected("bindings/condition/title"), titles);
  EXPECT_EQ(selected("bindings(condition(title))"), titles);
  EXPECT_EQ(selected("version,bindings(role)").at("bindings"),
            Json::parse(R"([{"role": "roles/x"}])"));
  EXPECT_EQ(selected("*"), Read());
  EXPECT_EQ(selected("bindings(*)").at("bindings"), Read().at("bindings"));
  EXPECT_EQ(selected("audit_configs"), Json::object());
}

TEST_F(WireForms, UnknownFieldsAreRefusedBeforeAnythingIsWritten) {
  for (const auto& [fields, path] : std::vector<std::pair<std::string, std::string>>{
           {"nextPageToke", "nextPageToke"},
           {"etag,bindings(rol)", "bindings.rol"},
           {"bindings/condition/x", "bindings.condition.x"},
           {"etag/x", "etag.x"}}) {
    const Json answer = Call("POST", kSet + "?fields=" + fields, 400, OnePolicy().dump());
    EXPECT_EQ(Refusal(answer, "INVALID_ARGUMENT"), "Request contains an invalid argument.");
    const Json violation = {{"field", path},
                            {"description",
                             "Error expanding 'fields' parameter. Cannot find "
                             "matching fields for path '" +
                                 path + "'."}};
    EXPECT_EQ(answer.at("error").at("details").at(0).at("fieldViolations"),
              Json::array({violation}));
  }
  for (const char* broken : {"a(", "a)", ",", "a,,b", "a//b", "()", "a(b)c"}) {
    Call("POST", kSet + "?fields=" + broken, 400, OnePolicy().dump());
  }
  Call("POST", kSet + "?fields=" + std::string(4000, '('), 400, OnePolicy().dump());
  std::string deep = "etag";
  for (int i = 0; i < 500; ++i) deep += "/x";
  Call("POST", kSet + "?fields=" + deep, 400, OnePolicy().dump());
  EXPECT_EQ(Read().at("etag"), "ACAB");
  Call("GET", std::string("/v1/") + kServerName + "?fields=managementUri(webUi),networks/network",
       200);
  Call("GET", std::string("/v1/") + kServerName + "?fields=displayName", 400);
}

TEST_F(WireForms, EnumerationsAreNumbersWhereThatIsAsked) {
  Write(Json{{"bindings", Json::array()}});
  Call("POST", kSet, 200,
       R"({"updateMask": "auditConfigs", "policy": {"auditConfigs": [{"service": "allServices",
           "auditLogConfigs": [{"logType": "DATA_READ"}]}]}})");
  const auto log_type = [this](const std::string& query) {
    return Call("GET", kPolicyPath + ":getIamPolicy?" + query, 200)
        .at("auditConfigs")
        .at(0)
        .at("auditLogConfigs")
        .at(0)
        .at("logType");
  };
  EXPECT_EQ(log_type("alt=json"), "DATA_READ");
  EXPECT_EQ(log_type("%24alt=json%3Benum-encoding%3Dint"), 3);
  EXPECT_EQ(log_type("$alt=json;enum-encoding=int"), 3);
  const std::string numbers = "?%24alt=json%3Benum-encoding%3Dint";
  EXPECT_EQ(Call("GET", kPolicyPath + numbers, 200).at("action"), 1);
  const Json server = Call("GET", std::string("/v1/") + kServerName + numbers, 200);
  EXPECT_EQ(server.at("type"), 1);
  EXPECT_EQ(server.at("state"), 2);
  EXPECT_EQ(server.at("networks").at(0).at("peeringMode"), 1);
  const Json file = Call("GET", std::string("/v1/") + kFileName + numbers, 200);
  EXPECT_EQ(file.at("state"), 2);
  EXPECT_EQ(file.at("format"), 1);
  EXPECT_EQ(file.at("displayName"), "inventory");
}

TEST_F(WireForms, MalformedPermissionNamesAreRefused) {
  for (const char* name : {"", "x", "a.b", "a.b.c.d", "a..b", ".a.b", "a.b.", "..", "a.b c.d",
                           "a.b.c\n", "1.b.c", "networksecurity.authorizationPolicies.*"}) {
    const Json answer = Call("POST", kTest, 400, Json{{"permissions", {name}}}.dump());
    EXPECT_THAT(Refusal(answer, "INVALID_ARGUMENT"),
                ::testing::AnyOf(HasSubstr("is not valid."), HasSubstr("wildcards")))
        << name;
  }
  const std::string good = "networksecurity.authorizationPolicies.getIamPolicy";
  EXPECT_EQ(Call("POST", kTest, 200, Json{{"permissions", {good}}}.dump()).at("permissions"),
            Json::array({good}));
}

TEST_F(WireForms, FormsAreReadAsParameters) {
  // "curl -d" without a Content-Type.
  const std::string text = R"({"policy":{}})";
  EXPECT_EQ(Refusal(Call("POST", kSet, 400, text, {{"Content-Type", kForm}}), "INVALID_ARGUMENT"),
            "Invalid JSON payload received. Unknown name \"" + text +
                "\": Cannot bind query parameter. Field '" + text +
                "' could not be found in request message.");
  EXPECT_EQ(Read().at("etag"), "ACAB");
  const std::string good = "networksecurity.authorizationPolicies.getIamPolicy";
  EXPECT_EQ(
      Call("POST", kTest, 200, "permissions=" + good, {{"Content-Type", kForm + "; charset=UTF-8"}})
          .at("permissions"),
      Json::array({good}));
  Call("POST", kSet, 400, "policy=%ZZ", {{"Content-Type", kForm}});
}

TEST_F(WireForms, OptionsMayBeEncodedTwice) {
  Run(std::string(kSeed) + R"(
identityPools:
  - audience: //iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/ci/providers/r
    subjectTokenType: urn:ietf:params:oauth:token-type:jwt
    subjectTokens: [{token: t, subject: main}]
)");
  // The body that google-auth for Python 2.x sends for a credential with a user project.
  const std::string body =
      "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange"
      "&audience=%2F%2Fiam.googleapis.com%2Fprojects%2F1%2Flocations%2Fglobal%2F"
      "workloadIdentityPools%2Fci%2Fproviders%2Fr"
      "&requested_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Aaccess_token"
      "&subject_token=t&subject_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Ajwt"
      "&scope=https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fcloud-platform&options=";
  const testing::HttpHeaders form = {{"Content-Type", kForm}};
  for (const std::string options : {"%257B%2522userProject%2522%253A%2520%2522123%2522%257D",
                                    "%7B%22userProject%22%3A%22123%22%7D"}) {
    EXPECT_TRUE(Call("POST", "/v1/token", 200, body + options, form).contains("access_token"));
  }
  for (const std::string options : {"%257Bx", "x", "%255B%255D", "%25257B%25257D"}) {
    EXPECT_EQ(Call("POST", "/v1/token", 400, body + options, form).at("error"), "invalid_request");
  }
}

TEST_F(WireForms, NetworkPathsCanBeRestricted) {
  const std::string id = "network-path-config:abc";
  const Json body = {
      {"data",
       {{"type", "restriction_policy"},
        {"id", id},
        {"attributes",
         {{"bindings",
           {Json{{"relation", "editor"},
                 {"principals", {"org:00000000-0000-0000-0000-000000000001"}}}}}}}}}};
  Call("POST", "/api/v2/restriction_policy/" + id + "?allow_self_lockout=true", 200, body.dump(),
       {{"DD-API-KEY", "k"}, {"DD-APPLICATION-KEY", "a"}});
}

}  // namespace
}  // namespace bindery::emulator
