#include "controller/loop/check_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "core/text/digest.h"
#include "support/matchers.h"
#include "unit/controller/runner_fixture.h"

namespace bindery::controller {
namespace {

using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;
using ::testing::SizeIs;

constexpr const char* kAnswer =
    R"({"etag":"BwX","bindings":[{"role":"roles/viewer","members":["user:ana@example.com"]}]})";

class CheckRunnerTest : public testing::RunnerTest<CheckRunner::Finished> {
 protected:
  CheckRunnerTest() {
    PutOnTarget(job_);
    Declare("viewers",
            R"({"name":"locations/eu/authorizationPolicies/other","role":"roles/editor",)"
            R"("members":["user:ana@example.com"]})");
  }

  void Declare(const std::string& name, const std::string& spec) {
    auto manifest = std::make_shared<manifests::Manifest>();
    manifest->name = name;
    manifest->spec = spec;
    job_.declared.push_back(
        {std::move(manifest), "roles/viewer", reconcilers::ManagementPolicy::kEnforce});
  }

  void Start() { runner_.Start(Key(), std::make_shared<CheckJob>(job_)); }

  CheckJob job_;
  CheckRunner runner_{threads_, results_};
};

TEST_F(CheckRunnerTest, WhateverIsSentIsOfTheJobsTrace) {
  job_.trace = telemetry::NewTrace(1);
  Start();
  transport_->Answer(0, 200, kAnswer);
  std::ignore = Result();
  tokens_->at_hand.reset();
  Start();
  transport_->Answer(1, 200, kAnswer);
  std::ignore = Result();
  for (const std::size_t sent : {0U, 1U}) EXPECT_EQ(transport_->TraceOf(sent), job_.trace);
  EXPECT_FALSE(telemetry::CurrentTrace().valid());
}

TEST_F(CheckRunnerTest, AnAnswerLargerThanAPolicyMayBeIsNotTaken) {
  Start();
  EXPECT_EQ(transport_->Request(0).max_response_bytes, kMaxPolicyBytes);
  transport_->Answer(0, 200, kAnswer);
  std::ignore = Result();
}

TEST_F(CheckRunnerTest, AnAnswerIsComparedWithWhatIsDeclared) {
  Start();
  const cloud::HttpRequest request = transport_->Request(0);
  EXPECT_THAT(request.url, HasSubstr(std::string(testing::kRunTarget) + ":getIamPolicy"));
  EXPECT_THAT(request.headers, ElementsAre(std::pair("Accept", "application/json"),
                                           std::pair("Authorization", "Bearer kept-by-the-test")));
  transport_->Answer(0, 200, kAnswer);
  const CheckResult result = Result();
  ASSERT_THAT(result.observed, IsOk());
  EXPECT_EQ(result.observed->etag, "BwX");
  EXPECT_FALSE(result.unchanged);
  EXPECT_EQ(result.body, Sha256Digest::Of(kAnswer));
  EXPECT_EQ(result.policy.digest, GetText(*result.observed).digest);
  ASSERT_THAT(result.desired.claims, SizeIs(1));
  EXPECT_EQ(result.desired.claims[0].resource, "viewers");
  EXPECT_EQ(transport_->Sent(), 1);
}

TEST_F(CheckRunnerTest, WhatWasPlacedStaysWhereItWasPlaced) {
  job_.project = "elsewhere";
  job_.declared.push_back({nullptr, "roles/contested", reconcilers::ManagementPolicy::kPause});
  Declare("broken", "{");
  const reconcilers::Desired desired = MakeDesired(job_);
  ASSERT_THAT(desired.claims, SizeIs(3));
  EXPECT_EQ(desired.claims[0].declaration.target, testing::kRunTarget);
  EXPECT_EQ(desired.claims[0].declaration.role, "roles/viewer");
  EXPECT_THAT(desired.claims[0].declaration.grants, SizeIs(1));
  EXPECT_EQ(desired.claims[1].resource, "");
  EXPECT_EQ(desired.claims[1].declaration.role, "roles/contested");
  EXPECT_EQ(desired.claims[1].treatment, reconcilers::ManagementPolicy::kPause);
  EXPECT_EQ(desired.claims[2].treatment, reconcilers::ManagementPolicy::kPause)
      << "nobody knows what it claims";
}

TEST_F(CheckRunnerTest, TheKnownBodyIsNotComparedAgain) {
  job_.known_body = Sha256Digest::Of(kAnswer);
  Start();
  transport_->Answer(0, 200, kAnswer);
  const CheckResult same = Result();
  EXPECT_TRUE(same.unchanged);
  EXPECT_EQ(same.body, job_.known_body);
  EXPECT_THAT(same.desired.claims, IsEmpty());

  Start();
  transport_->Answer(1, 200, R"({"etag":"BwY"})");
  const CheckResult other = Result();
  EXPECT_FALSE(other.unchanged);
  ASSERT_THAT(other.observed, IsOk());
  EXPECT_EQ(other.observed->etag, "BwY");
}

class CheckRunnerEtagTest : public CheckRunnerTest {
 protected:
  CheckRunnerEtagTest() {
    job_.known_body = Sha256Digest::Of(kAnswer);
    job_.last_etag = "BwX";
    job_.etag_first = true;
  }
};

TEST_F(CheckRunnerEtagTest, TheKnownEtagIsTheWholeAnswer) {
  Start();
  EXPECT_TRUE(transport_->Request(0).url.ends_with(
      ":getIamPolicy?options.requestedPolicyVersion=3&fields=etag"));
  transport_->Answer(0, 200, "{\n  \"etag\": \"BwX\"\n}\n");
  const CheckResult result = Result();
  EXPECT_TRUE(result.unchanged);
  EXPECT_EQ(result.etag_answer, EtagAnswer::kSame);
  EXPECT_EQ(result.body, job_.known_body);
  EXPECT_EQ(transport_->Sent(), 1);
}

TEST_F(CheckRunnerEtagTest, AnotherEtagHasThePolicyRead) {
  Start();
  transport_->Answer(0, 200, R"({"etag":"BwY"})");
  EXPECT_TRUE(transport_->Request(1).url.ends_with("?options.requestedPolicyVersion=3"));
  EXPECT_THAT(transport_->Request(1).headers, SizeIs(2)) << "no credentials twice";
  transport_->Answer(1, 200, R"({"etag":"BwY"})");
  const CheckResult result = Result();
  EXPECT_EQ(result.etag_answer, EtagAnswer::kMoved);
  ASSERT_THAT(result.observed, IsOk());
  EXPECT_EQ(result.observed->etag, "BwY");
  EXPECT_FALSE(result.etag_stood_still);
}

TEST_F(CheckRunnerEtagTest, WhatIsNoEtagHasThePolicyReadAlsoWhereItIsTheKnownOne) {
  Start();
  transport_->Answer(0, 200, kAnswer);
  std::ignore = transport_->Request(1);
  transport_->Answer(1, 200, kAnswer);
  const CheckResult result = Result();
  EXPECT_EQ(result.etag_answer, EtagAnswer::kUnusable);
  EXPECT_TRUE(result.unchanged);
}

TEST_F(CheckRunnerEtagTest, WhatThePolicyIsAnsweredWithCounts) {
  Start();
  transport_->Answer(0, 400, R"({"error":{"code":400,"status":"INVALID_ARGUMENT","message":"m"}})");
  std::ignore = transport_->Request(1);
  transport_->Answer(1, 404, R"({"error":{"code":404,"status":"NOT_FOUND","message":"none"}})");
  EXPECT_THAT(Result().observed, FailsWith(Code::kNotFound, "networksecurity.getIamPolicy: none"));
}

TEST_F(CheckRunnerEtagTest, AServiceThatIsAwayIsNotAskedTwice) {
  Start();
  transport_->Answer(0, Fail(Code::kUnavailable, "connection reset"));
  EXPECT_THAT(Result().observed,
              FailsWith(Code::kUnavailable, "networksecurity.getIamPolicy: connection reset"));
  Start();
  transport_->Answer(
      1, 429, R"({"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"slow down"}})");
  EXPECT_THAT(Result().observed, FailsWith(Code::kResourceExhausted, HasSubstr("slow down")));
  EXPECT_EQ(transport_->Sent(), 2);
}

TEST_F(CheckRunnerEtagTest, AnotherPolicyUnderTheKnownEtagIsTold) {
  job_.observed = true;
  job_.last_policy = Sha256Digest::Of("a policy that cannot be read any more");
  job_.etag_first = false;
  job_.known_body = {};
  Start();
  transport_->Answer(0, 200, kAnswer);
  EXPECT_TRUE(Result().etag_stood_still);
  job_.last_etag = "BwV";
  Start();
  transport_->Answer(1, 200, kAnswer);
  EXPECT_FALSE(Result().etag_stood_still);
}

TEST_F(CheckRunnerTest, AFailureSaysWhatWasWantedAsWell) {
  Start();
  transport_->Answer(0, 404, R"({"error":{"code":404,"status":"NOT_FOUND","message":"none"}})");
  const CheckResult absent = Result();
  EXPECT_THAT(absent.observed, FailsWith(Code::kNotFound, "networksecurity.getIamPolicy: none"));
  EXPECT_THAT(absent.desired.claims, SizeIs(1));
  EXPECT_TRUE(absent.body.empty());

  Start();
  transport_->Answer(1, Fail(Code::kCancelled, "shutting down"));
  EXPECT_THAT(Result().observed,
              FailsWith(Code::kCancelled, "networksecurity.getIamPolicy: shutting down"));
}

/// A page of roles that begins with the one of that number.
std::string RolesFrom(int first, int count) {
  Json data = Json::array();
  for (int i = first; i < first + count; ++i) {
    data.push_back({{"type", "roles"},
                    {"id", "id-" + std::to_string(i)},
                    {"attributes", {{"name", "on-call " + std::to_string(i)}}}});
  }
  return Json{{"data", std::move(data)}}.dump();
}

TEST_F(CheckRunnerTest, AListIsReadToItsEndBeforeItIsCompared) {
  job_.kind = kinds_.FindByName("getRole");
  job_.target = {"getRole", "", "on-call 29"};
  job_.declared.clear();
  Start();
  EXPECT_THAT(transport_->Request(0).url, HasSubstr("/api/v2/roles?filter=on-call%2029&"));
  EXPECT_THAT(transport_->Request(0).url, HasSubstr("&page%5Bnumber%5D=0"));
  transport_->Answer(0, 200, RolesFrom(0, 25));
  const cloud::HttpRequest second = transport_->Request(1);
  EXPECT_THAT(second.url, HasSubstr("&page%5Bnumber%5D=1"));
  EXPECT_THAT(second.headers, SizeIs(2)) << "no credentials twice";
  tokens_->another = true;
  transport_->Answer(1, 401, "");
  EXPECT_EQ(transport_->Request(2).url, second.url);
  EXPECT_THAT(transport_->Request(2).headers,
              ElementsAre(std::pair("Accept", "application/json"),
                          std::pair("Authorization", "Bearer fetched")));
  transport_->Answer(2, 200, RolesFrom(25, 7));
  const CheckResult result = Result();
  ASSERT_THAT(result.observed, IsOk());
  EXPECT_EQ(result.observed->document.at("id"), "id-29");
  EXPECT_EQ(result.body, Sha256Digest::Of(RolesFrom(0, 25) + "\x1e" + RolesFrom(25, 7)));

  // The same again is known, and is not compared.
  job_.known_body = result.body;
  Start();
  transport_->Answer(3, 200, RolesFrom(0, 25));
  std::ignore = transport_->Request(4);
  transport_->Answer(4, 200, RolesFrom(25, 7));
  EXPECT_TRUE(Result().unchanged);

  Start();
  transport_->Answer(5, 200, RolesFrom(0, 25));
  std::ignore = transport_->Request(6);
  transport_->Answer(6, 403, R"({"errors":["Forbidden"]})");
  EXPECT_THAT(Result().observed, FailsWith(Code::kPermissionDenied, HasSubstr("roles.list")));
}

TEST_F(CheckRunnerTest, ARestrictionPolicyIsAbsentWhenTheServiceSaysSoWithAPolicy) {
  job_.kind = kinds_.FindByName("RestrictionPolicy");
  job_.target = {"RestrictionPolicy", "", "dashboard:abc"};
  job_.declared.clear();
  Start();
  transport_->Answer(0, 404, R"({"errors":["Not found"]})");
  EXPECT_THAT(Result().observed, FailsWith(Code::kNotFound, "restrictionPolicy.get: Not found"));
  Start();
  transport_->Answer(
      1, 200,
      R"({"data":{"type":"restriction_policy","id":"dashboard:abc","attributes":{"bindings":[]}}})");
  const CheckResult empty = Result();
  ASSERT_THAT(empty.observed, IsOk());
  EXPECT_FALSE(empty.observed->exists);
}

TEST_F(CheckRunnerTest, CredentialsThatAreNotAtHandAreFetchedWhereThatMayBlock) {
  tokens_->at_hand.reset();
  Start();
  EXPECT_EQ(transport_->Request(0).headers.back().second, "Bearer fetched");
  transport_->Answer(0, 200, kAnswer);
  EXPECT_THAT(Result().observed, IsOk());
}

TEST_F(CheckRunnerTest, WithoutCredentialsNothingIsSent) {
  tokens_->at_hand.reset();
  tokens_->fetched.reset();
  Start();
  EXPECT_THAT(Result().observed,
              FailsWith(Code::kUnauthenticated,
                        "networksecurity.getIamPolicy: the token endpoint is away"));
  EXPECT_EQ(transport_->Sent(), 0);
}

TEST_F(CheckRunnerTest, RefusedCredentialsAreTriedOnceMoreWithOthers) {
  tokens_->another = true;
  Start();
  transport_->Answer(0, 401, "{}");
  EXPECT_THAT(transport_->Request(1).headers,
              ElementsAre(std::pair("Accept", "application/json"),
                          std::pair("Authorization", "Bearer fetched")));
  EXPECT_THAT(tokens_->refused, ElementsAre("Bearer kept-by-the-test"));
  transport_->Answer(1, 401, "{}");
  EXPECT_THAT(Result().observed, FailsWith(Code::kUnauthenticated, HasSubstr("getIamPolicy")));
  EXPECT_EQ(transport_->Sent(), 2) << "once more, not for ever";
}

TEST_F(CheckRunnerTest, WithoutOtherCredentialsARefusalIsTheAnswer) {
  Start();
  transport_->Answer(
      0, 401, R"({"error":{"status":"UNAUTHENTICATED","message":"bad token kept-by-the-test"}})");
  const CheckResult result = Result();
  ASSERT_FALSE(result.observed);
  EXPECT_EQ(result.observed.error().code, Code::kUnauthenticated);
  EXPECT_THAT(result.observed.error().message, ::testing::Not(HasSubstr("kept")));
  EXPECT_EQ(transport_->Sent(), 1);
}

TEST_F(CheckRunnerTest, ANameThatCannotBeAskedForIsTold) {
  job_.target.name = "projects//x";
  Start();
  EXPECT_THAT(Result().observed,
              FailsWith(Code::kInvalidArgument, "\"projects//x\" is not a resource name"));
  EXPECT_EQ(transport_->Sent(), 0);
}

TEST_F(CheckRunnerTest, ATransportThatThrowsIsAResultToo) {
  transport_->breaks = true;
  Start();
  EXPECT_THAT(Result().observed, FailsWith(Code::kInternal, "unexpected: out of sockets"));
}

/// Reads like the kind it stands for, and then throws.
class ThrowingKind final : public reconcilers::Kind {
 public:
  explicit ThrowingKind(const reconcilers::Kind& kind)
      : reconcilers::Kind(kind.schema(), kind.traits()), kind_(kind) {}

  Expected<reconcilers::Declaration> Declare(const Json& spec,
                                             const std::string& project) const override {
    return kind_.Declare(spec, project);
  }
  Expected<cloud::PolicyCall> BuildGet(const cloud::Connection& connection,
                                       const std::string& target,
                                       std::chrono::milliseconds timeout) const override {
    return kind_.BuildGet(connection, target, timeout);
  }
  Expected<reconcilers::Observation> ParseResponse(const cloud::PolicyCall& /*read*/,
                                                   const std::string& /*body*/) const override {
    throw std::runtime_error("no such shape");
  }
  reconcilers::TargetPlan Plan(const reconcilers::Desired& desired,
                               const reconcilers::Observation& now) const override {
    return kind_.Plan(desired, now);
  }
  Expected<cloud::PolicyCall> BuildSet(const cloud::Connection& /*connection*/,
                                       const std::string& /*target*/,
                                       const reconcilers::TargetPlan& /*plan*/,
                                       const reconcilers::Observation& /*now*/,
                                       std::chrono::milliseconds /*timeout*/) const override {
    return Fail(Code::kUnimplemented, "not written");
  }
  Expected<std::vector<std::string>> MissingPermissions(
      const cloud::Connection& /*connection*/, const std::string& /*target*/, bool /*to_write*/,
      std::chrono::milliseconds /*timeout*/) const override {
    return std::vector<std::string>{};
  }
  Json Outputs(const std::string& target, const reconcilers::Observation& now) const override {
    return kind_.Outputs(target, now);
  }
  Expected<reconcilers::ResourceId> ParseId(const std::string& id,
                                            const std::string& project) const override {
    return kind_.ParseId(id, project);
  }
  std::vector<std::string> Roles(const reconcilers::Observation& now) const override {
    return kind_.Roles(now);
  }
  Expected<Json> Inputs(const std::string& target, const std::string& role,
                        const reconcilers::Observation& now) const override {
    return kind_.Inputs(target, role, now);
  }

 private:
  const reconcilers::Kind& kind_;
};

TEST_F(CheckRunnerTest, AKindThatThrowsIsAResultToo) {
  const ThrowingKind kind(*job_.kind);
  job_.kind = &kind;
  Start();
  transport_->Answer(0, 200, kAnswer);
  const CheckResult result = Result();
  EXPECT_THAT(result.observed, FailsWith(Code::kInternal, "unexpected: no such shape"));
  EXPECT_TRUE(result.observed.error().unexpected);
}

}  // namespace
}  // namespace bindery::controller
