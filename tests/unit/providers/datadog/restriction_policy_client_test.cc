#include "providers/datadog/clients/restriction_policy_client.h"

#include "support/carry_call.h"
#include "support/http_impostor.h"
#include "support/matchers.h"
#include "unit/providers/subjects.h"

namespace bindery::datadog {
namespace {

using namespace std::chrono_literals;
using testing::FailsWith;
using testing::HttpImpostor;
using testing::IsOk;
using testing::kBoardId;
using ::testing::SizeIs;

constexpr const char* kBoardPath = "/api/v2/restriction_policy/dashboard%3Aabc-def-ghi";
constexpr const char* kPolicy =
    R"({"data":{"type":"restriction_policy","id":"dashboard:abc-def-ghi","attributes":{"bindings":[{"relation":"editor","principals":["org:1"]}]}}})";

/// The client's calls, sent.
class SendingRestrictionClient {
 public:
  explicit SendingRestrictionClient(std::string url) : url_(std::move(url)) {}

  Expected<Json> Get(const std::string& id, std::chrono::milliseconds timeout) {
    return Carry(RestrictionPolicyClient::BuildGet(url_, id, timeout));
  }
  Expected<Json> Post(const std::string& id, const Json& document,
                      std::chrono::milliseconds timeout) {
    return Carry(RestrictionPolicyClient::BuildSet(url_, id, document, timeout));
  }
  Expected<Json> Delete(const std::string& id, std::chrono::milliseconds timeout) {
    return Carry(RestrictionPolicyClient::Removing(url_, id, timeout));
  }

 private:
  Expected<Json> Carry(const Expected<cloud::PolicyCall>& call) {
    return testing::CarryCall(call, transport_, *cloud::NoCredentials(),
                              RestrictionPolicyClient::ParseResponse);
  }

  std::string url_;
  cloud::CurlTransport transport_{cloud::CurlTransportOptions{"bindery/test"}};
};

class RestrictionPolicyClientTest : public ::testing::Test {
 protected:
  HttpImpostor server_;
  SendingRestrictionClient client_{server_.Url()};
};

TEST_F(RestrictionPolicyClientTest, ReadsThePolicyAsItIs) {
  server_.When("GET", kBoardPath).Reply(200, kPolicy);
  const auto read = client_.Get(kBoardId, 5s);
  ASSERT_THAT(read, IsOk());
  EXPECT_EQ(read->dump(), kPolicy);
}

TEST_F(RestrictionPolicyClientTest, NotFoundIsNeverReadAsOpenToEveryone) {
  server_.When("GET", kBoardPath).Reply(404, R"({"errors":["Not found"]})");
  EXPECT_THAT(client_.Get(kBoardId, 5s),
              FailsWith(Code::kNotFound, "restrictionPolicy.get: Not found"));
}

TEST_F(RestrictionPolicyClientTest, ThePolicyOfAnotherResourceIsRefused) {
  struct Case {
    const char* body;
    const char* what;
  };
  const Case cases[] = {
      {R"({"data":{"type":"restriction_policy","id":"dashboard:other","attributes":{"bindings":[]}}})",
       "the policy of \"dashboard:other\""},
      {R"({"data":{"type":"restriction_policy","attributes":{"bindings":[]}}})",
       "a policy that does not say of which resource"},
      {R"({"data":{"type":"restriction_policy","id":7,"attributes":{"bindings":[]}}})",
       "a policy that does not say of which resource"},
      {R"({"data":{"type":"users","id":"dashboard:abc-def-ghi","attributes":{"bindings":[]}}})",
       "a document that is not a restriction policy"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.body);
    server_.When("GET", kBoardPath).Reply(200, c.body).Times(1);
    server_.When("POST", kBoardPath).Reply(200, c.body).Times(1);
    const std::string rest =
        std::string(" answered with ") + c.what + ": check the endpoint " + server_.Url();
    EXPECT_THAT(client_.Get(kBoardId, 5s),
                FailsWith(Code::kInternal, "restrictionPolicy.get" + rest));
    const auto written = client_.Post(kBoardId, *ParseJson(kPolicy), 5s);
    ASSERT_THAT(written, FailsWith(Code::kInternal, "restrictionPolicy.post" + rest));
    EXPECT_TRUE(written.error().outcome_unknown);
  }
}

TEST_F(RestrictionPolicyClientTest, APageOfAProxyIsNoPolicy) {
  server_.When("GET", kBoardPath).Reply(404, "<html>", {{"Content-Type", "text/html"}});
  server_.When("DELETE", kBoardPath).Reply(404, "<html>", {{"Content-Type", "text/html"}});
  const std::string rest =
      ": answered HTTP 404 with text/html instead of the service's JSON: check the endpoint " +
      server_.Url();
  EXPECT_THAT(client_.Get(kBoardId, 5s),
              FailsWith(Code::kInternal, "restrictionPolicy.get" + rest));
  EXPECT_THAT(client_.Delete(kBoardId, 5s),
              FailsWith(Code::kInternal, "restrictionPolicy.delete" + rest));
}

TEST_F(RestrictionPolicyClientTest, PostsTheDocumentAndGivesItAsStored) {
  server_.When("POST", kBoardPath).Reply(200, kPolicy);
  const auto stored = client_.Post(kBoardId, *ParseJson(R"({"data":{"b":1,"a":2}})"), 5s);
  ASSERT_THAT(stored, IsOk());
  EXPECT_EQ(stored->dump(), kPolicy);
  const auto request = server_.Requests().at(0);
  EXPECT_EQ(request.body, R"({"data":{"b":1,"a":2}})");
  EXPECT_EQ(request.headers.at("content-type"), "application/json");
}

TEST_F(RestrictionPolicyClientTest, ARefusalKeepsTheServicesWords) {
  server_.When("POST", kBoardPath).Reply(400, R"({"errors":["Invalid resource type: 'x'"]})");
  EXPECT_THAT(
      client_.Post(kBoardId, Json::object(), 5s),
      FailsWith(Code::kInvalidArgument, "restrictionPolicy.post: Invalid resource type: 'x'"));
}

TEST_F(RestrictionPolicyClientTest, TooManyRequestsSaysWhenToComeBack) {
  server_.When("GET", kBoardPath).Reply(429, "", {{"X-RateLimit-Reset", "9"}});
  const auto read = client_.Get(kBoardId, 5s);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, Code::kResourceExhausted);
  EXPECT_EQ(read.error().retry_after, 9s);
}

TEST_F(RestrictionPolicyClientTest, RemovingWhatIsNotThereSucceeds) {
  server_.When("DELETE", kBoardPath).Reply(204).Times(1);
  server_.When("DELETE", kBoardPath).Reply(404, R"({"errors":["Not found"]})").Times(1);
  server_.When("DELETE", kBoardPath).Reply(403, R"({"errors":["Forbidden"]})");
  EXPECT_THAT(client_.Delete(kBoardId, 5s), IsOk());
  EXPECT_THAT(client_.Delete(kBoardId, 5s), IsOk());
  EXPECT_THAT(client_.Delete(kBoardId, 5s),
              FailsWith(Code::kPermissionDenied, "restrictionPolicy.delete: Forbidden"));
}

TEST_F(RestrictionPolicyClientTest, APageOfAProxyDoesNotCountAsRemoved) {
  server_.When("DELETE", kBoardPath).Reply(200, "<html>welcome</html>");
  const auto removed = client_.Delete(kBoardId, 5s);
  ASSERT_FALSE(removed.has_value());
  EXPECT_EQ(removed.error().code, Code::kInternal);
  EXPECT_TRUE(removed.error().outcome_unknown);
}

TEST_F(RestrictionPolicyClientTest, ASuccessThatIsNoPolicyIsInternal) {
  struct Case {
    const char* body;
    const char* what;
  };
  const Case cases[] = {
      {"<html>", "something that is not JSON"},
      {"{}", "a policy without a list data.attributes.bindings"},
      {R"({"data":{"type":"restriction_policy","id":"dashboard:abc-def-ghi","attributes":{"bindings":[]},"attributes":{"bindings":[]}}})",
       "JSON with two members \"attributes\" in one object"},
      {R"({"data":{"attributes":{"bindings":{}}}})",
       "a policy without a list data.attributes.bindings"},
      {R"({"data":{"type":"restriction_policy","attributes":{"bindings":[{"principals":[]}]}}})",
       "a policy with a binding without a relation"},
      {R"({"data":{"type":"restriction_policy","attributes":{"bindings":[{"relation":"editor","principals":"org:1"}]}}})",
       "a policy with principals that are not a list of strings"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.body);
    server_.When("GET", kBoardPath).Reply(200, c.body).Times(1);
    EXPECT_THAT(client_.Get(kBoardId, 5s),
                FailsWith(Code::kInternal, std::string("restrictionPolicy.get answered with ") +
                                               c.what + ": check the endpoint " + server_.Url()));
  }
}

TEST_F(RestrictionPolicyClientTest, AnEmptyIdIsNeverSent) {
  const std::string message = "\"\" is not a resource id";
  EXPECT_THAT(client_.Get("", 5s), FailsWith(Code::kInvalidArgument, message));
  EXPECT_THAT(client_.Post("", Json::object(), 5s), FailsWith(Code::kInvalidArgument, message));
  EXPECT_THAT(client_.Delete("", 5s), FailsWith(Code::kInvalidArgument, message));
  EXPECT_THAT(client_.Get("..", 5s),
              FailsWith(Code::kInvalidArgument, "\"..\" is not a resource id"));
  EXPECT_THAT(server_.Requests(), SizeIs(0));
}

}  // namespace
}  // namespace bindery::datadog
