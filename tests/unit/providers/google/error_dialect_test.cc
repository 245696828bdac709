#include "providers/google/clients/error_dialect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bindery::google {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// What the body of an answer means.
struct Meaning {
  const char* name;
  int status;
  const char* body;
  Code code;
  bool may_pass;  ///< The dialect asks for a wait although nobody else does.
  const char* part_of_message;
};

class GoogleErrorDialect : public ::testing::TestWithParam<Meaning> {};

TEST_P(GoogleErrorDialect, IsReadAsItsCodeItsWaitAndItsWords) {
  const Meaning& meaning = GetParam();
  const Expected<Json> body = ParseJson(meaning.body);
  ASSERT_TRUE(body);
  const auto said = GoogleErrors().read(*body, meaning.status);
  ASSERT_TRUE(said);
  EXPECT_EQ(ToString(said->code), ToString(meaning.code));
  EXPECT_EQ(GoogleErrors().requested_wait(*body).has_value(), meaning.may_pass);
  EXPECT_THAT(said->message, HasSubstr(meaning.part_of_message));
}

const Meaning kMeanings[] = {
    {"RateLimitOfCompute", 403,
     R"({"error":{"code":403,"message":"m","errors":[{"reason":"rateLimitExceeded"}]}})",
     Code::kResourceExhausted, false, "m"},
    {"RateLimitOfJobs", 403,
     R"({"error":{"code":403,"message":"m","errors":[{"reason":"jobRateLimitExceeded"}]}})",
     Code::kResourceExhausted, false, "m"},
    {"RateLimitInTheWordsOfBigQuery", 403,
     R"({"error":{"code":403,"message":"Exceeded rate limits: too many table updates"}})",
     Code::kResourceExhausted, false, "too many table updates"},
    {"RateLimitInTheWordsOfAnIamCall", 400,
     R"({"error":{"message":"IAM setPolicy exceeded rate limits","status":"INVALID_ARGUMENT"}})",
     Code::kResourceExhausted, false, "exceeded rate limits"},
    {"QuotaAMinute", 403,
     R"({"error":{"message":"Quota exceeded for quota metric 'Writes' and limit 'Writes per minute' of service 's'.","status":"PERMISSION_DENIED"}})",
     Code::kResourceExhausted, false, "per minute"},
    {"QuotaAHundredSeconds", 403,
     R"({"error":{"message":"Quota exceeded: limit 'WriteGroup per 100 seconds'","errors":[{"reason":"quotaExceeded"}]}})",
     Code::kResourceExhausted, false, "WriteGroup"},
    {"QuotaOfADayDoesNotPass", 403,
     R"({"error":{"message":"Quota exceeded for quota metric 'Writes' and limit 'Writes per day'","status":"PERMISSION_DENIED"}})",
     Code::kPermissionDenied, false, "per day"},
    {"QuotaOfThingsDoesNotPass", 403,
     R"({"error":{"message":"too many disks","errors":[{"reason":"quotaExceeded"}]}})",
     Code::kPermissionDenied, false, "too many disks"},
    {"ConcurrentOperations", 403,
     R"({"error":{"message":"m","status":"PERMISSION_DENIED","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"CONCURRENT_OPERATIONS_QUOTA_EXCEEDED"}]}})",
     Code::kResourceExhausted, false, "m"},
    {"ProjectThatIsNotReady", 400,
     R"({"error":{"message":"The project is not ready. Please retry this operation.","status":"FAILED_PRECONDITION"}})",
     Code::kFailedPrecondition, true, "not ready"},
    {"NewServiceAccount", 400,
     R"({"error":{"message":"Service account a@p.iam.gserviceaccount.com does not exist.","status":"INVALID_ARGUMENT"}})",
     Code::kInvalidArgument, true, "a@p.iam.gserviceaccount.com"},
    {"NewServiceAccountOfBigQuery", 400,
     R"({"error":{"code":400,"message":"IAM setPolicy failed for Dataset D: Service account a@p.iam.gserviceaccount.com does not exist.","errors":[{"reason":"invalid"}]}})",
     Code::kInvalidArgument, true, "Dataset D"},
    {"AnotherUnknownPrincipal", 400,
     R"({"error":{"message":"Group ops@example.com does not exist.","status":"INVALID_ARGUMENT"}})",
     Code::kInvalidArgument, false, "ops@example.com"},
    {"OwnersThatAProjectDoesNotTake", 400,
     R"({"error":{"message":"Request contains an invalid argument.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.cloudresourcemanager.v1.ProjectIamPolicyError","type":"SOLO_MUST_INVITE_OWNERS","member":"user:eve@example.com","role":"roles/owner"},{"@type":"type.googleapis.com/google.cloudresourcemanager.v1.ProjectIamPolicyError","type":"NEW_TYPE","member":"group:ops@example.com"}]}})",
     Code::kInvalidArgument, false,
     "invalid argument. [SOLO_MUST_INVITE_OWNERS user:eve@example.com (roles/owner); NEW_TYPE "
     "group:ops@example.com]"},
    {"MemberOutsideTheOrganization", 400,
     R"({"error":{"message":"One or more users named in the policy do not belong to a permitted customer.","status":"FAILED_PRECONDITION","details":[{"@type":"type.googleapis.com/google.rpc.PreconditionFailure","violations":[{"type":"constraints/iam.allowedPolicyMemberDomains","subject":"orgpolicy:projects/p?configvalue=user:eve@example.net"}]}]}})",
     Code::kFailedPrecondition, false,
     "customer. [constraints/iam.allowedPolicyMemberDomains user:eve@example.net]"},
    {"ViolationOfNoMember", 400,
     R"({"error":{"message":"m","status":"FAILED_PRECONDITION","details":[{"@type":"type.googleapis.com/google.rpc.PreconditionFailure","violations":[{"type":"constraints/x","subject":"orgpolicy:projects/p"}]}]}})",
     Code::kFailedPrecondition, false, "m [constraints/x orgpolicy:projects/p]"},
};

INSTANTIATE_TEST_SUITE_P(Answers, GoogleErrorDialect, ::testing::ValuesIn(kMeanings),
                         [](const auto& param) { return std::string(param.param.name); });

TEST(GoogleErrorDialectDetails, OfManyParticularsTheFirstAreShown) {
  Json detail = {{"@type", "type.googleapis.com/google.rpc.PreconditionFailure"}};
  for (int i = 0; i < 7; ++i) {
    detail["violations"].push_back({{"type", "constraints/c" + std::to_string(i)}});
  }
  const Json body = {
      {"error", {{"message", "m"}, {"status", "FAILED_PRECONDITION"}, {"details", {detail}}}}};
  const auto said = GoogleErrors().read(body, 400);
  ASSERT_TRUE(said);
  EXPECT_THAT(said->message, HasSubstr("constraints/c4 ; 2 more]"));
  EXPECT_THAT(said->message, Not(HasSubstr("constraints/c5")));
}

TEST(GoogleErrorDialectDetails, WhatTheyAskForGoesFirst) {
  const auto body =
      ParseJson(R"({"error":{"message":"retry this operation","details":[{"retryDelay":"40s"}]}})");
  ASSERT_TRUE(body);
  EXPECT_EQ(GoogleErrors().requested_wait(*body), std::chrono::seconds(40));
}

TEST(GoogleErrorDialectDetails, OfAnotherShapeAreLeftOut) {
  for (const char* details : {R"("none")", "[7]", R"([{"@type":7}])",
                              R"([{"@type":"x/google.rpc.PreconditionFailure","violations":7}])"}) {
    const auto body =
        ParseJson(R"({"error":{"message":"m","status":"INVALID_ARGUMENT","details":)" +
                  std::string(details) + "}}");
    ASSERT_TRUE(body);
    EXPECT_EQ(GoogleErrors().read(*body, 400)->message, "m") << details;
  }
}

}  // namespace
}  // namespace bindery::google
