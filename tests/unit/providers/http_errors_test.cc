#include "cloud/http_errors.h"

#include "cloud/credentials/text.h"
#include "providers/datadog/clients/error_dialect.h"
#include "providers/google/clients/error_dialect.h"
#include "support/matchers.h"

namespace bindery::cloud {
namespace {

using namespace std::chrono_literals;
using testing::FailsWith;

struct Case {
  const char* name;
  const cloud::ErrorDialect& dialect;
  const char* method;
  int status;
  const char* content_type;
  const char* body;
  Code code;
  const char* message;
};

class MeaningOfAnAnswer : public ::testing::TestWithParam<Case> {};

cloud::HttpRequest Request(const char* method) {
  cloud::HttpRequest request;
  request.method = method;
  request.url = "https://h.example:8443/v1/projects/p:getIamPolicy?x=y";
  request.service = "backupdr";
  request.operation = "getIamPolicy";
  return request;
}

TEST_P(MeaningOfAnAnswer, IsTheCodeAndTheServicesOwnWords) {
  const Case& c = GetParam();
  cloud::HttpResponse response;
  response.status = c.status;
  response.headers = {{"content-type", c.content_type}};
  response.body = c.body;
  const Error error = ErrorFromResponse(Request(c.method), response, c.dialect, {});
  EXPECT_EQ(ToString(error.code), ToString(c.code));
  EXPECT_EQ(error.message, std::string("backupdr.getIamPolicy: ") + c.message);
  EXPECT_EQ(error.http_status, c.status);
  EXPECT_EQ(error.outcome_unknown,
            std::string_view(c.method) != "GET" && (c.status >= 500 || c.status == 408));
}

const cloud::ErrorDialect& kGoogle = google::GoogleErrors();
const cloud::ErrorDialect& kDatadog = datadog::DatadogErrors();
constexpr const char* kJson = "application/json; charset=UTF-8";
constexpr const char* kHtml = "text/html; charset=UTF-8";

const Case kCases[] = {
    {"NotFound", kGoogle, "GET", 404, kJson,
     R"({"error":{"code":404,"message":"gone","status":"NOT_FOUND"}})", Code::kNotFound, "gone"},
    {"Aborted", kGoogle, "POST", 409, kJson,
     R"({"error":{"code":409,"message":"concurrent policy changes","status":"ABORTED"}})",
     Code::kAborted, "concurrent policy changes"},
    {"AlreadyExists", kGoogle, "POST", 409, kJson,
     R"({"error":{"message":"m","status":"ALREADY_EXISTS"}})", Code::kAlreadyExists, "m"},
    {"ConflictWithoutStatus", kGoogle, "POST", 409, kJson, R"({"error":{"message":"m"}})",
     Code::kAborted, "m"},
    {"PreconditionFailedHttp", kGoogle, "POST", 412, kJson, R"({"error":{"message":"m"}})",
     Code::kFailedPrecondition, "m"},
    {"PreconditionFailedByItsName", kGoogle, "POST", 412, kJson,
     R"({"error":{"message":"m","status":"FAILED_PRECONDITION"}})", Code::kFailedPrecondition, "m"},
    {"PreconditionFailedForAnotherReason", kGoogle, "PUT", 412, kJson,
     R"({"error":{"code":412,"message":"m","errors":[{"reason":"orgPolicyConstraintFailed"}]}})",
     Code::kFailedPrecondition, "m"},
    {"MemberThatAnOrganizationForbidsOfBigQuery", kGoogle, "POST", 412, kJson,
     R"({"error":{"code":412,"message":"IAM setPolicy failed for Dataset D: Operation denied by org policy on resource.","errors":[{"reason":"conditionNotMet"}]}})",
     Code::kFailedPrecondition,
     "IAM setPolicy failed for Dataset D: Operation denied by org policy on resource."},
    {"StaleEtagOfCompute", kGoogle, "POST", 412, kJson,
     R"({"error":{"code":412,"message":"m","errors":[{"reason":"conditionNotMet"}]}})",
     Code::kAborted, "m"},
    {"StaleEtagOfBigQuery", kGoogle, "POST", 500, kJson,
     R"({"error":{"code":500,"message":"IAM setPolicy failed for Dataset D: There were concurrent policy changes.","status":"INTERNAL"}})",
     Code::kAborted, "IAM setPolicy failed for Dataset D: There were concurrent policy changes."},
    {"StaleEtagInWordsAlone", kGoogle, "POST", 400, kJson,
     R"({"error":{"message":"There were concurrent policy changes.","status":"FAILED_PRECONDITION"}})",
     Code::kAborted, "There were concurrent policy changes."},
    {"AlreadyExistsWithoutStatus", kGoogle, "POST", 409, kJson,
     R"({"error":{"code":409,"message":"m","errors":[{"reason":"alreadyExists"}]}})",
     Code::kFailedPrecondition, "m"},
    {"AnotherOperationUnderWay", kGoogle, "POST", 409, kJson,
     R"({"error":{"code":409,"message":"m","errors":[{"reason":"operationInProgress"}]}})",
     Code::kFailedPrecondition, "m"},
    {"StaleEtagOfStorage", kGoogle, "PUT", 412, kJson,
     R"({"error":{"code":412,"message":"m","errors":[{"reason":"conditionNotMet"}]}})",
     Code::kAborted, "m"},
    {"MemberThatAnOrganizationForbidsOfStorage", kGoogle, "PUT", 412, kJson,
     R"({"error":{"code":412,"message":"One or more users named in the policy do not belong to a permitted customer.","errors":[{"reason":"conditionNotMet"}]}})",
     Code::kFailedPrecondition,
     "One or more users named in the policy do not belong to a permitted customer."},
    {"NotFoundOfServicesWithoutStatus", kGoogle, "GET", 404, kJson,
     R"({"error":{"code":404,"message":"m","errors":[{"reason":"notFound"}]}})", Code::kNotFound,
     "m"},
    {"RateLimitOfCompute", kGoogle, "GET", 403, kJson,
     R"({"error":{"code":403,"message":"m","errors":[{"reason":"rateLimitExceeded"}]}})",
     Code::kResourceExhausted, "m"},
    {"FailedPrecondition", kGoogle, "POST", 400, kJson,
     R"({"error":{"message":"m","status":"FAILED_PRECONDITION"}})", Code::kFailedPrecondition, "m"},
    {"OutOfRange", kGoogle, "POST", 400, kJson,
     R"({"error":{"message":"m","status":"OUT_OF_RANGE"}})", Code::kInvalidArgument, "m"},
    {"InvalidArgument", kGoogle, "POST", 400, kJson,
     R"({"error":{"message":"m","status":"INVALID_ARGUMENT"}})", Code::kInvalidArgument, "m"},
    {"BadRequestWithoutStatus", kGoogle, "GET", 400, kJson, R"({"error":{"message":"m"}})",
     Code::kInvalidArgument, "m"},
    {"Unauthenticated", kGoogle, "GET", 401, kJson,
     R"({"error":{"message":"m","status":"UNAUTHENTICATED"}})", Code::kUnauthenticated, "m"},
    {"PermissionDenied", kGoogle, "GET", 403, kJson,
     R"({"error":{"message":"m","status":"PERMISSION_DENIED"}})", Code::kPermissionDenied, "m"},
    {"RateLimitAs403", kGoogle, "GET", 403, kJson,
     R"({"error":{"message":"m","status":"PERMISSION_DENIED","details":[{"reason":"RATE_LIMIT_EXCEEDED"}]}})",
     Code::kResourceExhausted, "m"},
    {"RateLimitAs403InTheOldForm", kGoogle, "GET", 403, kJson,
     R"({"error":{"message":"m","errors":[{"reason":"userRateLimitExceeded"}]}})",
     Code::kResourceExhausted, "m"},
    {"ResourceExhausted", kGoogle, "GET", 429, kJson,
     R"({"error":{"message":"m","status":"RESOURCE_EXHAUSTED"}})", Code::kResourceExhausted, "m"},
    {"Unavailable", kGoogle, "POST", 503, kJson,
     R"({"error":{"message":"m","status":"UNAVAILABLE"}})", Code::kUnavailable, "m"},
    {"DeadlineExceeded", kGoogle, "POST", 504, kJson,
     R"({"error":{"message":"m","status":"DEADLINE_EXCEEDED"}})", Code::kDeadlineExceeded, "m"},
    {"Unknown", kGoogle, "POST", 500, kJson, R"({"error":{"message":"m","status":"UNKNOWN"}})",
     Code::kInternal, "m"},
    {"Unimplemented", kGoogle, "POST", 501, kJson,
     R"({"error":{"message":"m","status":"UNIMPLEMENTED"}})", Code::kUnimplemented, "m"},
    {"CancelledByThem", kGoogle, "GET", 499, kJson,
     R"({"error":{"message":"m","status":"CANCELLED"}})", Code::kUnavailable, "m"},
    {"InAList", kGoogle, "GET", 403, kJson,
     R"([{"error":{"message":"m","status":"PERMISSION_DENIED"}}])", Code::kPermissionDenied, "m"},
    {"NoMessage", kGoogle, "GET", 404, kJson, R"({"error":{"status":"NOT_FOUND"}})",
     Code::kNotFound, "answered HTTP 404 without a reason"},
    {"OauthShape", kGoogle, "GET", 401, kJson,
     R"({"error":"invalid_grant","error_description":"expired"})", Code::kUnauthenticated,
     "invalid_grant: expired"},
    {"HtmlOfAWrongPath", kGoogle, "GET", 404, kHtml, "<html>404</html>", Code::kInternal,
     "answered HTTP 404 with text/html instead of the service's JSON: check the endpoint "
     "https://h.example:8443"},
    {"JsonOfSomebodyElse", kGoogle, "GET", 404, kJson, R"({"message":"no Route matched"})",
     Code::kInternal,
     "answered HTTP 404 with something else instead of the service's JSON: check the endpoint "
     "https://h.example:8443"},
    {"EmptyNotFound", kGoogle, "GET", 404, "", "", Code::kInternal,
     "answered HTTP 404 with an empty body instead of the service's JSON: check the endpoint "
     "https://h.example:8443"},
    {"JsonThatNamesNoStatus", kGoogle, "GET", 404, kJson,
     R"({"error":{"code":404,"message":"no route"}})", Code::kInternal,
     "answered HTTP 404 with something else instead of the service's JSON: check the endpoint "
     "https://h.example:8443"},
    {"JsonOfTheOtherDialect", kGoogle, "GET", 404, kJson, R"({"errors":["Not found"]})",
     Code::kInternal,
     "answered HTTP 404 with something else instead of the service's JSON: check the endpoint "
     "https://h.example:8443"},
    {"NotFoundOnAnotherStatus", kGoogle, "GET", 503, kJson,
     R"({"error":{"message":"m","status":"NOT_FOUND"}})", Code::kUnavailable,
     "answered HTTP 503 with something else instead of the service's JSON: check the endpoint "
     "https://h.example:8443"},
    {"GoneWithoutAStatus", kGoogle, "GET", 410, kJson, R"({"error":{"message":"m"}})",
     Code::kInternal,
     "answered HTTP 410 with something else instead of the service's JSON: check the endpoint "
     "https://h.example:8443"},
    {"DatadogNotFoundOfNothing", kDatadog, "GET", 404, kJson, R"({"errors":[]})", Code::kInternal,
     "answered HTTP 404 with something else instead of the service's JSON: check the endpoint "
     "https://h.example:8443"},
    {"DatadogNotFoundOfAGateway", kDatadog, "GET", 404, kJson,
     R"({"errors":[{"code":"route_not_found"}]})", Code::kInternal,
     "answered HTTP 404 with something else instead of the service's JSON: check the endpoint "
     "https://h.example:8443"},
    {"DatadogNotFoundByGoogle", kDatadog, "GET", 404, kJson,
     R"({"error":{"message":"m","status":"NOT_FOUND"}})", Code::kInternal,
     "answered HTTP 404 with something else instead of the service's JSON: check the endpoint "
     "https://h.example:8443"},
    {"HtmlOfAProxy", kGoogle, "POST", 502, kHtml, "<html>", Code::kUnavailable,
     "answered HTTP 502 with text/html instead of the service's JSON: check the endpoint "
     "https://h.example:8443"},
    {"HtmlThatForbids", kGoogle, "GET", 403, kHtml, "<html>", Code::kInternal,
     "answered HTTP 403 with text/html instead of the service's JSON: check the endpoint "
     "https://h.example:8443"},
    {"Redirect", kGoogle, "POST", 308, kHtml, "<html>", Code::kInternal,
     "answered HTTP 308, a redirect, which is not followed: check the endpoint "
     "https://h.example:8443"},
    {"DatadogForbidden", kDatadog, "GET", 403, kJson, R"({"errors":["Forbidden"]})",
     Code::kPermissionDenied, "Forbidden"},
    {"DatadogObjects", kDatadog, "GET", 403, "text/plain",
     R"({"errors":[{"title":"Forbidden"},{"detail":"why"}]})", Code::kPermissionDenied,
     "Forbidden; why"},
    {"DatadogStatusBody", kDatadog, "GET", 403, kJson,
     R"({"status":"error","code":403,"errors":["Forbidden"]})", Code::kPermissionDenied,
     "Forbidden"},
    {"DatadogInvalid", kDatadog, "POST", 400, kJson, R"({"errors":["a\n  b","c"]})",
     Code::kInvalidArgument, "a b; c"},
    {"DatadogNotFound", kDatadog, "GET", 404, kJson, R"({"errors":["Not found"]})", Code::kNotFound,
     "Not found"},
    {"DatadogEmpty429", kDatadog, "POST", 429, "", "", Code::kResourceExhausted,
     "answered HTTP 429, a rate limit"},
    {"DatadogHtml404", kDatadog, "GET", 404, kHtml, "<html>", Code::kInternal,
     "answered HTTP 404 with text/html instead of the service's JSON: check the endpoint "
     "https://h.example:8443"},
};

INSTANTIATE_TEST_SUITE_P(HttpErrors, MeaningOfAnAnswer, ::testing::ValuesIn(kCases),
                         [](const auto& param) { return std::string(param.param.name); });

TEST(HttpErrors, TheWaitThatIsAskedForIsKept) {
  cloud::HttpResponse response;
  response.status = 429;
  response.headers = {{"retry-after", "3"}};
  response.body =
      R"({"error":{"message":"m","status":"RESOURCE_EXHAUSTED","details":[{"retryDelay":"4s"}]}})";
  EXPECT_EQ(ErrorFromResponse(Request("GET"), response, kGoogle, {}).retry_after, 4s);
  EXPECT_EQ(ErrorFromResponse(Request("GET"), response, kDatadog, {}).retry_after, 3s);
}

TEST(HttpErrors, TheWaitInDetailsIsRead) {
  struct Wait {
    const char* body;
    std::optional<std::chrono::milliseconds> asked;
  };
  const Wait cases[] = {
      {R"({"error":{"details":[{"reason":"X"},{"retryDelay":"3.5s"}]}})", 3500ms},
      {R"({"error":{"details":[{"retryDelay":"604800s"}]}})", 604800s},
      {R"({"error":{"details":"none"}})", std::nullopt},
      {R"({"error":{"details":[{"retryDelay":"soon"}]}})", std::nullopt},
      {R"({})", std::nullopt},
  };
  for (const Wait& c : cases) EXPECT_EQ(kGoogle.requested_wait(*ParseJson(c.body)), c.asked);
}

TEST(HttpErrors, AWaitOfDaysIsBoundedAndToldInFull) {
  cloud::HttpResponse response;
  response.status = 503;
  response.headers = {{"retry-after", "345600"}};
  response.body = R"({"error":{"message":"m","status":"UNAVAILABLE"}})";
  const Error error = ErrorFromResponse(Request("GET"), response, kGoogle, {});
  EXPECT_EQ(error.retry_after, 5min);
  EXPECT_EQ(error.message,
            "backupdr.getIamPolicy: m; it asks to wait for 4d, and is asked again after 5m");
}

TEST(HttpErrors, CredentialsThatAreRepeatedAreNotShown) {
  cloud::HttpRequest request = Request("GET");
  request.headers = {{"Authorization", "Bearer token-1"},
                     {"DD-API-KEY", "api/key+1"},
                     {"DD-APPLICATION-KEY", "app-key-1"},
                     {"Accept", "application/json"}};
  cloud::HttpResponse response;
  response.status = 403;
  response.body =
      R"({"error":{"message":"bad Bearer token-1, token-1, api/key+1, api%2Fkey%2b1, app-key-1 for application/json","status":"PERMISSION_DENIED"}})";
  EXPECT_EQ(ErrorFromResponse(request, response, kGoogle, {}).message,
            "backupdr.getIamPolicy: bad [hidden], [hidden], [hidden], [hidden], [hidden] for "
            "application/json");
  response.body = R"({"errors":["no token-1"]})";
  EXPECT_EQ(ErrorFromResponse(request, response, kDatadog, {}).message,
            "backupdr.getIamPolicy: no [hidden]");
  response.body = R"({"errors":[")" + std::string(495, 'x') + R"(app-key-1"]})";
  EXPECT_EQ(ErrorFromResponse(request, response, kDatadog, {}).message,
            "backupdr.getIamPolicy: " + std::string(495, 'x') + "[hidd…")
      << "not the first half of it where the text is cut";
  response.headers = {{"content-type", "text/token-1"}};
  response.body = "<html>";
  EXPECT_EQ(ErrorFromResponse(request, response, kDatadog, {}).message,
            "backupdr.getIamPolicy: answered HTTP 403 with text/[hidden] instead of the service's "
            "JSON: check the endpoint https://h.example:8443");
}

TEST(HttpErrors, ASecretIsHiddenInEverySpelling) {
  struct Spelling {
    const char* secret;
    const char* text;
    const char* shown;
  };
  const Spelling cases[] = {
      {"secret", "a secret!", "a [hidden]!"},
      {"secret", "secretsecret", "[hidden][hidden]"},
      {"secret", "secre", "secre"},
      {"short", "short", "short"},
      {"a/b+c=", "x=a%2Fb%2Bc%3D&", "x=[hidden]&"},
      {"a/b+c=", "x=a%2fb%2bc%3d&", "x=[hidden]&"},
      {"a/b+c=", "a/b%2Bc=", "[hidden]"},
      {"a/b+c=", "a\\/b\\u002Bc\\u003d", "[hidden]"},
      {"pass word", "pass+word pass%20word", "[hidden] [hidden]"},
      {"a\"b\\c\nd", R"("a\"b\\c\nd")", "\"[hidden]\""},
      {"100%25", "100%25 100%2525", "[hidden] [hidden]"},
      {"secret", "%73%65%63%72%65%7", "%73%65%63%72%65%7"},
      {"secret", "", ""},
  };
  for (const Spelling& c : cases) EXPECT_EQ(Redacted(c.text, {c.secret}), c.shown) << c.text;
}

/// Counts what it is asked.
class CountingTransport final : public cloud::Transport {
 public:
  Expected<cloud::HttpResponse> Send(const cloud::HttpRequest& request) override {
    ++sent;
    return cloud::HttpResponse{
        403, {}, R"({"errors":["no )" + request.headers.at(0).second + R"("]})"};
  }
  int sent = 0;
};

class FailingAuthorizer final : public cloud::Authorizer {
 public:
  explicit FailingAuthorizer(Code code) : code_(code) {}
  Expected<void> Authorize(cloud::HttpRequest& /*request*/) override {
    Error error;
    error.code = code_;
    error.message = "no token";
    error.retry_after = 7s;
    return Fail(std::move(error));
  }

 private:
  const Code code_;
};

TEST(HttpErrors, WithoutATokenItIsNotTheServiceThatDoesNotAnswer) {
  const std::pair<Code, Code> cases[] = {{Code::kUnavailable, Code::kUnauthenticated},
                                         {Code::kDeadlineExceeded, Code::kUnauthenticated},
                                         {Code::kUnauthenticated, Code::kUnauthenticated},
                                         {Code::kCancelled, Code::kCancelled},
                                         {Code::kInvalidArgument, Code::kInvalidArgument}};
  CountingTransport transport;
  for (const auto& [code, expected] : cases) {
    FailingAuthorizer authorizer(code);
    const auto refused = Exchange(transport, authorizer, Request("POST"), kGoogle);
    EXPECT_THAT(refused, FailsWith(expected, "backupdr.getIamPolicy: no token"));
    EXPECT_EQ(refused.error().retry_after, 7s);
    EXPECT_FALSE(refused.error().outcome_unknown);
  }
  EXPECT_EQ(transport.sent, 0);
}

TEST(HttpErrors, TheCredentialsThatWereSentAreNotShown) {
  CountingTransport transport;
  const auto token = cloud::StaticBearerToken("token-1");
  EXPECT_THAT(Exchange(transport, *token, Request("GET"), kDatadog),
              FailsWith(Code::kPermissionDenied, "backupdr.getIamPolicy: no [hidden]"));
}

TEST(HttpErrors, AMessageIsOneShortLine) {
  EXPECT_EQ(OneLine("  a\r\n\tb\x1b[31m  c \n"), "a b [31m c");
  EXPECT_EQ(OneLine(std::string(500, 'x')), std::string(500, 'x'));
  EXPECT_EQ(OneLine(std::string(501, 'x')), std::string(500, 'x') + "…");
  EXPECT_EQ(OneLine(std::string(499, 'x') + "éé"), std::string(499, 'x') + "…")
      << "no half characters";
}

TEST(HttpErrors, APathIsEncodedSegmentBySegment) {
  EXPECT_EQ(*EncodePath("projects/example.com:acme/locations/global/x/a-b_c~1"),
            "projects/example.com%3Aacme/locations/global/x/a-b_c~1");
  EXPECT_EQ(*EncodePath("a b/c?d#e%2F/é"), "a%20b/c%3Fd%23e%252F/%C3%A9");
  EXPECT_EQ(EncodeSegment("dashboard:a/b"), "dashboard%3Aa%2Fb");
}

TEST(HttpErrors, APathThatWouldClimbIsRefused) {
  for (const char* path : {"", "a//b", "/a", "a/", "a/../b", "./a"}) {
    EXPECT_THAT(
        EncodePath(path),
        FailsWith(Code::kInvalidArgument, "\"" + std::string(path) + "\" is not a resource name"));
  }
}

}  // namespace
}  // namespace bindery::cloud
