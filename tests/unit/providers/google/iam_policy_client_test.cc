#include "providers/google/clients/iam_policy_client.h"

#include "support/carry_call.h"
#include "support/http_impostor.h"
#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery::google {
namespace {

using namespace std::chrono_literals;
using testing::CarryCall;
using testing::FailsWith;
using testing::HttpImpostor;
using testing::IsOk;
using ::testing::SizeIs;

constexpr const char* kName = "projects/p/locations/global/authorizationPolicies/a";
constexpr const char* kGetPath =
    "/v1/projects/p/locations/global/authorizationPolicies/a:getIamPolicy";
constexpr const char* kSetPath =
    "/v1/projects/p/locations/global/authorizationPolicies/a:setIamPolicy";

/// The client, and its calls sent.
class SendingIamClient {
 public:
  SendingIamClient(const std::string& url, std::shared_ptr<cloud::Transport> transport,
                   std::shared_ptr<cloud::Authorizer> authorizer)
      : endpoint_{*FindIamRow("networksecurity/v1:AuthorizationPolicy"), url},
        transport_(std::move(transport)),
        authorizer_(std::move(authorizer)) {}

  [[nodiscard]] Expected<Json> GetPolicy(const std::string& resource,
                                         std::chrono::milliseconds timeout) const {
    return CarryCall(IamPolicyClient::BuildGet(endpoint_, resource, timeout), *transport_,
                     *authorizer_, IamPolicyClient::ParseResponse);
  }
  [[nodiscard]] Expected<Json> SetPolicy(const std::string& resource, Json policy,
                                         std::chrono::milliseconds timeout) const {
    return CarryCall(IamPolicyClient::BuildSet(endpoint_, resource, {std::move(policy)}, timeout),
                     *transport_, *authorizer_, IamPolicyClient::ParseResponse);
  }
  [[nodiscard]] Expected<std::vector<std::string>> TestPermissions(
      const std::vector<std::string>& permissions) const {
    return IamPolicyClient(endpoint_, transport_, authorizer_)
        .TestPermissions(kName, permissions, 5s);
  }

 private:
  IamPolicyClient::Endpoint endpoint_;
  std::shared_ptr<cloud::Transport> transport_;
  std::shared_ptr<cloud::Authorizer> authorizer_;
};

class IamPolicyClientTest : public ::testing::Test {
 protected:
  SendingIamClient Client(
      std::shared_ptr<cloud::Authorizer> authorizer = cloud::StaticBearerToken("t")) {
    return {server_.Url(), transport_, std::move(authorizer)};
  }

  HttpImpostor server_;
  std::shared_ptr<cloud::Transport> transport_ =
      std::make_shared<cloud::CurlTransport>(cloud::CurlTransportOptions{"bindery/test"});
};

TEST_F(IamPolicyClientTest, ReadsAtVersionThree) {
  const std::string policy =
      R"({"version":3,"bindings":[{"role":"roles/viewer","members":["user:a@x"],"condition":{"title":"t"}}],"etag":"A=","unknown":{"kept":1}})";
  server_.When("GET", kGetPath).Reply(200, policy);
  const auto read = Client().GetPolicy(kName, 5s);
  ASSERT_THAT(read, IsOk());
  EXPECT_EQ(read->dump(), policy) << "order and unknown members survive";
  const auto request = server_.Requests().at(0);
  EXPECT_EQ(request.target, std::string(kGetPath) + "?options.requestedPolicyVersion=3");
  EXPECT_EQ(request.headers.at("authorization"), "Bearer t");
  EXPECT_EQ(request.body, "");
}

TEST_F(IamPolicyClientTest, AnEmptyPolicyIsAnEtagAlone) {
  server_.When("GET", kGetPath).Reply(200, R"({"etag":"ACAB"})");
  const auto read = Client().GetPolicy(kName, 5s);
  ASSERT_THAT(read, IsOk());
  EXPECT_EQ(read->dump(), R"({"etag":"ACAB"})");
}

TEST_F(IamPolicyClientTest, WritesTheWholePolicyAtVersionThree) {
  server_.When("POST", kSetPath).Reply(200, R"({"etag":"B="})");
  const Json policy = *ParseJson(R"({"version":1,"etag":"A=","bindings":[]})");
  const auto written = Client().SetPolicy(kName, policy, 5s);
  ASSERT_THAT(written, IsOk());
  EXPECT_EQ(written->dump(), R"({"etag":"B="})");
  const auto request = server_.Requests().at(0);
  EXPECT_EQ(request.headers.at("content-type"), "application/json");
  EXPECT_EQ(request.body,
            R"({"policy":{"version":3,"etag":"A=","bindings":[]},"updateMask":"bindings,etag"})");
}

TEST_F(IamPolicyClientTest, AMovedEtagIsAborted) {
  server_.When("POST", kSetPath)
      .Reply(409,
             R"({"error":{"code":409,"message":"concurrent policy changes","status":"ABORTED"}})");
  const auto written = Client().SetPolicy(kName, Json::object(), 5s);
  ASSERT_THAT(written,
              FailsWith(Code::kAborted, "networksecurity.setIamPolicy: concurrent policy changes"));
  EXPECT_EQ(written.error().http_status, 409);
  EXPECT_FALSE(written.error().outcome_unknown);
}

TEST_F(IamPolicyClientTest, AFailedWriteMayHaveLandedAndAFailedReadMayNot) {
  server_.When("POST", kSetPath)
      .Reply(503, R"({"error":{"message":"m","status":"UNAVAILABLE"}})")
      .Times(1);
  server_.When("POST", kSetPath).Close();
  server_.When("GET", kGetPath).Close();
  const auto answered = Client().SetPolicy(kName, Json::object(), 5s);
  ASSERT_FALSE(answered);
  EXPECT_TRUE(answered.error().outcome_unknown);
  const auto lost = Client().SetPolicy(kName, Json::object(), 5s);
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, Code::kUnavailable);
  EXPECT_TRUE(lost.error().outcome_unknown);
  const auto read = Client().GetPolicy(kName, 5s);
  ASSERT_FALSE(read);
  EXPECT_FALSE(read.error().outcome_unknown);
}

TEST_F(IamPolicyClientTest, ASuccessThatIsNoPolicyIsInternal) {
  struct Case {
    const char* body;
    const char* what;
  };
  const Case cases[] = {
      {"<html>", "something that is not JSON"},
      {"", "something that is not JSON"},
      {"[]", "JSON that is not an object"},
      {R"({"etag":7})", "a policy whose etag is not a string"},
      {R"({"etag":null,"bindings":[]})", "a policy whose etag is not a string"},
      {"{}", "a policy without an etag"},
      {R"({"version":1})", "a policy without an etag"},
      {R"({"bindings":[]})", "a policy without an etag"},
      {R"({"etag":"","bindings":[{"role":"r","members":["user:a@x"]}]})",
       "a policy without an etag"},
      {R"({"etag":"A","auditConfigs":{}})",
       "a policy whose audit configurations are not a list of services and log types"},
      {R"({"etag":"A","auditConfigs":[{"auditLogConfigs":[]}]})",
       "a policy whose audit configurations are not a list of services and log types"},
      {R"({"etag":"A","auditConfigs":[{"service":"s","auditLogConfigs":"ADMIN_READ"}]})",
       "a policy whose audit configurations are not a list of services and log types"},
      {R"({"etag":"A","auditConfigs":[{"service":"s","auditLogConfigs":[1]}]})",
       "a policy whose audit configurations are not a list of services and log types"},
      {R"({"etag":"A","bind)", "something that is not JSON"},
      {R"({"etag":"A","bindings":[{"role":"r","members":["user:a@x"]}],"bindings":[]})",
       "JSON with two members \"bindings\" in one object"},
      {R"({"etag":"A","bindings":[{"role":"r","members":[],"members":["user:a@x"]}]})",
       "JSON with two members \"members\" in one object"},
      {R"({"error":{"code":404,"message":"m","status":"NOT_FOUND"}})",
       "an error instead of a policy"},
      {R"({"etag":"A","errors":["m"]})", "an error instead of a policy"},
      {R"({"etag":"A","bindings":{}})", "a policy whose bindings are not a list"},
      {R"({"etag":"A","bindings":[{"members":[]}]})", "a policy with a binding without a role"},
      {R"({"etag":"A","bindings":["x"]})", "a policy with a binding without a role"},
      {R"({"etag":"A","bindings":[{"role":"r","members":[1]}]})",
       "a policy with members that are not a list of strings"},
      {R"({"etag":"A","bindings":[{"role":"r","condition":"c"}]})",
       "a policy with a condition that is not an object"},
      {R"({"etag":"A","version":1,"bindings":[{"role":"roles/x_withcond_0123456789abcdef0123"}]})",
       "a policy of version 1, which hides the condition of "
       "\"roles/x_withcond_0123456789abcdef0123\""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.body);
    server_.When("GET", kGetPath).Reply(200, c.body).Times(1);
    server_.When("POST", kSetPath).Reply(200, c.body).Times(1);
    const std::string rest =
        std::string(" answered with ") + c.what + ": check the endpoint " + server_.Url();
    const auto read = Client().GetPolicy(kName, 5s);
    ASSERT_THAT(read, FailsWith(Code::kInternal, "networksecurity.getIamPolicy" + rest));
    EXPECT_EQ(read.error().http_status, 200);
    const auto written = Client().SetPolicy(kName, Json::object(), 5s);
    ASSERT_THAT(written, FailsWith(Code::kInternal, "networksecurity.setIamPolicy" + rest));
    EXPECT_TRUE(written.error().outcome_unknown);
  }
}

TEST_F(IamPolicyClientTest, ARefusedTokenIsNotTriedAgainWhenThereIsNoOther) {
  const testing::TempDir dir;
  dir.Write("token", "old");
  const auto authorizer = cloud::BearerTokenFile(dir / "token");
  const SendingIamClient client = Client(authorizer);
  const std::string refused = R"({"error":{"message":"expired","status":"UNAUTHENTICATED"}})";
  server_.When("GET", kGetPath).Reply(401, refused);
  EXPECT_THAT(client.GetPolicy(kName, 5s),
              FailsWith(Code::kUnauthenticated, "networksecurity.getIamPolicy: expired"));
  EXPECT_THAT(server_.Requests(), SizeIs(1)) << "the same token again would be refused again";
}

/// Has a fresh token once.
class RenewingAuthorizer final : public cloud::Authorizer {
 public:
  Expected<void> Authorize(cloud::HttpRequest& request) override {
    request.headers.emplace_back("Authorization", renewals_ == 0 ? "Bearer old" : "Bearer new");
    return {};
  }
  bool Refused(const cloud::HttpRequest& /*sent*/) override { return ++renewals_ > 0; }

 private:
  int renewals_ = 0;
};

TEST_F(IamPolicyClientTest, AFreshTokenIsTriedOnceAndReplacesTheRefusedOne) {
  const std::string refused = R"({"error":{"message":"expired","status":"UNAUTHENTICATED"}})";
  server_.When("GET", kGetPath).Reply(401, refused).Times(1);
  server_.When("GET", kGetPath).Reply(200, R"({"etag":"ACAB"})").Times(1);
  server_.When("GET", kGetPath).Reply(401, refused);
  const SendingIamClient client = Client(std::make_shared<RenewingAuthorizer>());
  EXPECT_THAT(client.GetPolicy(kName, 5s), IsOk());
  EXPECT_EQ(server_.Requests().at(1).headers.at("authorization"), "Bearer new");
  EXPECT_FALSE(client.GetPolicy(kName, 5s));
  EXPECT_THAT(server_.Requests(), SizeIs(4)) << "no endless trying";
}

TEST_F(IamPolicyClientTest, NamesAreEncodedAndBadOnesAreNotSent) {
  server_.When("GET", "/v1/projects/example.com%3Aa/x/b%20c:getIamPolicy")
      .Reply(200, R"({"etag":"ACAB"})");
  EXPECT_THAT(Client().GetPolicy("projects/example.com:a/x/b c", 5s), IsOk());
  EXPECT_THAT(Client().GetPolicy("projects/../x", 5s),
              FailsWith(Code::kInvalidArgument, "\"projects/../x\" is not a resource name"));
  EXPECT_THAT(Client().SetPolicy("", Json::object(), 5s),
              FailsWith(Code::kInvalidArgument, "\"\" is not a resource name"));
  EXPECT_THAT(server_.Requests(), SizeIs(1));
}

TEST_F(IamPolicyClientTest, WithoutCredentialsNothingIsSent) {
  EXPECT_THAT(
      Client(cloud::StaticBearerToken("")).GetPolicy(kName, 5s),
      FailsWith(Code::kUnauthenticated, "networksecurity.getIamPolicy: the access token is empty"));
  EXPECT_THAT(server_.Requests(), SizeIs(0));
}

TEST_F(IamPolicyClientTest, TellsWhichPermissionsTheCallerHolds) {
  const std::string path =
      "/v1/projects/p/locations/global/authorizationPolicies/a:testIamPermissions";
  server_.When("POST", path).Reply(200, R"({"permissions":["x.get"]})").Times(1);
  server_.When("POST", path).Reply(200, "{}").Times(1);
  server_.When("POST", path).Reply(200, R"({"permissions":"x.get"})");
  const auto held = Client().TestPermissions({"x.get", "x.set"});
  ASSERT_THAT(held, IsOk());
  EXPECT_THAT(*held, ::testing::ElementsAre("x.get"));
  EXPECT_EQ(server_.Requests().at(0).body, R"({"permissions":["x.get","x.set"]})");
  EXPECT_THAT(*Client().TestPermissions({"x.get"}), SizeIs(0));
  EXPECT_EQ(Client().TestPermissions({"x.get"}).error().code, Code::kInternal);
}

}  // namespace
}  // namespace bindery::google
