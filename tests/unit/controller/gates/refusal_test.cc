// What the answer to a write says of its content.

#include "controller/gates/refusal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace bindery::controller {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const Grant kGone{"roles/viewer", "user:gone@example.com"};
const Grant kGoneEdits{"roles/editor", "user:gone@example.com"};
const Grant kStays{"roles/viewer", "user:ana@example.com"};
const Grant kOld{"roles/viewer", "deleted:user:old@example.com?uid=7"};

Error MakeAnswer(const std::string& message, int status = 400, Code code = Code::kInvalidArgument) {
  Error error;
  error.code = code;
  error.http_status = status;
  error.message = message;
  return error;
}

std::optional<Refusal> Judge(const Error& error) {
  const std::vector<Grant> adds = {kGone, kGoneEdits, kStays};
  const std::vector<Grant> before = {kOld};
  return FindRefusal(error, {adds, before, {}});
}

struct NameCase {
  const char* name;
  const char* message;
  const char* principal;
  bool named;
};

class NamesPrincipalTest : public ::testing::TestWithParam<NameCase> {};

TEST_P(NamesPrincipalTest, AsAWholeName) {
  EXPECT_EQ(NamesPrincipal(GetParam().message, GetParam().principal), GetParam().named);
}

INSTANTIATE_TEST_SUITE_P(
    Messages, NamesPrincipalTest,
    ::testing::Values(
        NameCase{"Address", "User gone@example.com does not exist.", "user:gone@example.com", true},
        NameCase{"EndOfSentence", "no such user: gone@example.com.", "user:gone@example.com", true},
        NameCase{"Whole", "[c user:gone@example.com; d]", "user:gone@example.com", true},
        NameCase{"Encoded", "configvalue=user%3Agone%40example.com", "user:gone@example.com", true},
        NameCase{"Capitals", "User Gone@Example.com does not exist.", "user:gone@example.com",
                 true},
        NameCase{"Deleted", "'deleted:user:old@example.com?uid=7' and 'user:old@example.com'",
                 "deleted:user:old@example.com?uid=7", true},
        NameCase{"DeletedByAddress", "User old@example.com is gone",
                 "deleted:user:old@example.com?uid=7", true},
        NameCase{"Id", "no role has the id \"7f3d-01\"", "role:7f3d-01", true},
        NameCase{"Everybody", "Member allUsers is not supported", "allUsers", true},
        NameCase{"EndOfALongerName", "User be.gone@example.com does not exist.",
                 "user:gone@example.com", false},
        NameCase{"BeginningOfALongerName", "User gone@example.com.au does not exist.",
                 "user:gone@example.com", false},
        NameCase{"DomainOfAnother", "User gone@example.com does not exist.", "domain:example.com",
                 false},
        NameCase{"Word", "no team has the id", "team:id", false}),
    [](const auto& param) { return std::string(param.param.name); });

TEST(TellsOfSize, OfAnswersThatNameALimit) {
  for (const char* words : {"The number of members in the policy (1,501) is larger than the "
                            "maximum allowed size 1,500.",
                            "Policy size exceeds the limit", "Too many bindings"}) {
    EXPECT_TRUE(TellsOfSize(MakeAnswer(words))) << words;
  }
  for (const char* words : {"User gone@example.com does not exist.", "not supported"}) {
    EXPECT_FALSE(TellsOfSize(MakeAnswer(words))) << words;
  }
}

TEST(FindRefusal, BlamesTheAdditionsThatTheAnswerNames) {
  const auto refusal = Judge(MakeAnswer("User gone@example.com does not exist."));
  ASSERT_TRUE(refusal);
  EXPECT_THAT(refusal->named, ElementsAre(kGone, kGoneEdits));
}

TEST(FindRefusal, OfAPrincipalInOneRoleOnlyThat) {
  const auto refusal = Judge(MakeAnswer("MUST_INVITE user:gone@example.com (roles/editor)"));
  ASSERT_TRUE(refusal);
  EXPECT_THAT(refusal->named, ElementsAre(kGoneEdits));
}

TEST(FindRefusal, OfARoleAllAdditionsOfThatRole) {
  const auto refusal = Judge(MakeAnswer("Role roles/viewer is not supported for this resource."));
  ASSERT_TRUE(refusal);
  EXPECT_THAT(refusal->named, ElementsAre(kGone, kStays));
}

TEST(FindRefusal, WhatWasThereBeforeIsNoAddition) {
  const auto refusal = Judge(MakeAnswer("Principal old@example.com is not valid."));
  ASSERT_TRUE(refusal);
  EXPECT_THAT(refusal->named, IsEmpty());
  EXPECT_THAT(refusal->of_policy, ElementsAre(kOld));
}

TEST(FindRefusal, AnAdditionIsNotBlamedForTheRoleOfAnother) {
  const auto of_policy = Judge(MakeAnswer("MUST_INVITE user:old@example.com (roles/viewer)"));
  ASSERT_TRUE(of_policy);
  EXPECT_THAT(of_policy->named, IsEmpty());
  EXPECT_THAT(of_policy->of_policy, ElementsAre(kOld));
  const auto of_nobody = Judge(MakeAnswer("MUST_INVITE user:who@example.com (roles/viewer)"));
  ASSERT_TRUE(of_nobody);
  EXPECT_THAT(of_nobody->named, IsEmpty());
  EXPECT_EQ(of_nobody->elsewhere, "who@example.com");
}

TEST(FindRefusal, OfAnybodyElseTheAddressIsKept) {
  const auto refusal = Judge(MakeAnswer("Email 'X.Y@Example.com' is not known."));
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->elsewhere, "x.y@example.com");
  EXPECT_EQ(Judge(MakeAnswer("Request contains an invalid argument."))->elsewhere, "");
  EXPECT_EQ(Judge(MakeAnswer("at @ the end @"))->elsewhere, "");
}

TEST(FindRefusal, AnAdditionIsNamedBeforeWhatWasThere) {
  const std::vector<Grant> adds = {{"roles/editor", "user:old@example.com"}};
  const auto refusal =
      FindRefusal(MakeAnswer("Inconsistent: 'deleted:user:old@example.com?uid=7' and "
                             "'user:old@example.com'"),
                  {adds, {kOld}, {}});
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->named, adds);
}

TEST(FindRefusal, WhatGoesWithTheWriteIsNotInThePolicy) {
  const auto refusal =
      FindRefusal(MakeAnswer("Principal old@example.com is not valid."), {{kGone}, {kOld}, {kOld}});
  ASSERT_TRUE(refusal);
  EXPECT_THAT(refusal->of_policy, IsEmpty());
}

TEST(FindRefusal, APreconditionOfTheOrganizationRefusesContent) {
  EXPECT_TRUE(Judge(MakeAnswer("not permitted", 412, Code::kFailedPrecondition)));
}

TEST(FindRefusal, ATargetThatIsNotThereDoesNotUnlessAnAdditionIsNamed) {
  EXPECT_FALSE(Judge(MakeAnswer("Resource was not found.", 404, Code::kNotFound)));
  EXPECT_TRUE(Judge(MakeAnswer("Group gone@example.com not found", 404, Code::kNotFound)));
}

struct NoRefusalCase {
  const char* name;
  Error error;
};

class NoRefusalTest : public ::testing::TestWithParam<NoRefusalCase> {};

TEST_P(NoRefusalTest, OfContent) { EXPECT_FALSE(Judge(GetParam().error)); }

Error WithoutOutcome() {
  Error error = MakeAnswer("User gone@example.com does not exist.");
  error.outcome_unknown = true;
  return error;
}

INSTANTIATE_TEST_SUITE_P(
    Answers, NoRefusalTest,
    ::testing::Values(
        NoRefusalCase{"Permission", MakeAnswer("gone@example.com", 403, Code::kPermissionDenied)},
        NoRefusalCase{"AnotherWriter", MakeAnswer("gone@example.com", 409, Code::kAborted)},
        NoRefusalCase{"Quota", MakeAnswer("gone@example.com", 429, Code::kResourceExhausted)},
        NoRefusalCase{"QuotaSaidOtherwise", MakeAnswer("limit", 400, Code::kResourceExhausted)},
        NoRefusalCase{"Away", MakeAnswer("gone@example.com", 503, Code::kUnavailable)},
        NoRefusalCase{"Credentials", MakeAnswer("gone@example.com", 401, Code::kUnauthenticated)},
        NoRefusalCase{"Unimplemented", MakeAnswer("gone@example.com", 501, Code::kUnimplemented)},
        NoRefusalCase{"Proxy",
                      MakeAnswer("answered HTTP 400 with text/html", 400, Code::kInternal)},
        NoRefusalCase{"NoAnswer", MakeAnswer("gone@example.com", 0)},
        NoRefusalCase{"Etag", MakeAnswer("Invalid Etag.")},
        NoRefusalCase{"OutcomeUnknown", WithoutOutcome()}),
    [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace bindery::controller
