#include "notify/signature.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/matchers.h"

namespace bindery::notify {
namespace {

using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;
using ::testing::Not;
using ::testing::Pair;

constexpr const char* kSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
constexpr SignedContent kContent{"msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330,
                                 R"({"test": 2432232314})"};

TEST(WebhookSignature, IsThatOfThePublishedExample) {
  const auto keys = ParseSecrets(kSecret);
  ASSERT_THAT(keys, IsOk());
  EXPECT_EQ(Signature(kContent, *keys), "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
}

TEST(WebhookSignature, EachKeyOfARotationSigns) {
  const auto keys =
      ParseSecrets(std::string(kSecret) + "\n\n  whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA \r\n");
  ASSERT_THAT(keys, IsOk());
  const std::string signatures = Signature(kContent, *keys);
  EXPECT_THAT(signatures,
              ::testing::StartsWith("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= v1,"));
}

TEST(WebhookSignature, HeadersAreThoseOfStandardWebhooks) {
  EXPECT_THAT(SignatureHeaders(kContent, {}),
              ElementsAre(Pair("webhook-id", "msg_p5jXN8AQM9LWM0D4loKWxJek"),
                          Pair("webhook-timestamp", "1614265330")));
  EXPECT_THAT(SignatureHeaders(kContent, *ParseSecrets(kSecret)).back(),
              Pair("webhook-signature", HasSubstr("v1,")));
}

TEST(WebhookSignature, WhatIsNoSecretIsRefusedByItsLine) {
  for (const std::string line :
       {"hunter2", "whsec_", "whsec_AAAA", "whsec_***", "MfKQ9r8GKYqrTwjUPD8I"}) {
    const auto keys = ParseSecrets(std::string(kSecret) + "\n" + line);
    EXPECT_THAT(keys, FailsWith(Code::kInvalidArgument, HasSubstr("line 2"))) << line;
    EXPECT_THAT(ToString(keys.error()), Not(HasSubstr("hunter2")));
  }
  EXPECT_THAT(ParseSecrets("\n \n"), FailsWith(Code::kInvalidArgument, HasSubstr("no signing")));
}

}  // namespace
}  // namespace bindery::notify
