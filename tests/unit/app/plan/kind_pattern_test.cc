// Which kinds a pattern of `bindery kinds` asks for.

#include "app/plan/kind_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "providers/google/rows/iam_kinds.h"

namespace bindery::app {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> KindsThatFit(const std::string& pattern) {
  std::vector<std::string> names;
  for (const char* row : {"pubsub/v1:Topic", "pubsub/v1:Subscription", "storage/v1:Bucket"}) {
    const manifests::KindSchema& schema =
        google::IamSchema(*google::FindIamRow(row), google::IamShape::kBinding);
    if (FitsKindPattern(schema, pattern)) names.push_back(schema.token.kind);
  }
  return names;
}

TEST(KindPattern, ATextIsPartOfAnySpelling) {
  EXPECT_THAT(KindsThatFit("bucket"), ElementsAre("BucketIamBinding"));
  EXPECT_THAT(KindsThatFit("PUBSUB"), ElementsAre("TopicIamBinding", "SubscriptionIamBinding"));
  EXPECT_THAT(KindsThatFit("google-native:pubsub/v1:Topic"), ElementsAre("TopicIamBinding"));
  EXPECT_THAT(KindsThatFit("pubsub/v1beta2:Topic"), ElementsAre("TopicIamBinding"));
  EXPECT_THAT(KindsThatFit("pubsub/v9"), IsEmpty());
}

TEST(KindPattern, AGlobMatchesWithAndWithoutThePackage) {
  for (const char* pattern :
       {"pubsub/v1:Topic*", "cloudnative:pubsub/v1:Topic*", "google-native:pubsub/*:topic*",
        "pubsub/v1beta2:TopicIamBindin?", "TopicIam*"}) {
    EXPECT_THAT(KindsThatFit(pattern), ElementsAre("TopicIamBinding")) << pattern;
  }
  EXPECT_THAT(KindsThatFit("pubsub*"), ElementsAre("TopicIamBinding", "SubscriptionIamBinding"));
  EXPECT_THAT(KindsThatFit("*"),
              ElementsAre("TopicIamBinding", "SubscriptionIamBinding", "BucketIamBinding"));
  EXPECT_THAT(KindsThatFit("pub*sub"), IsEmpty());
}

}  // namespace
}  // namespace bindery::app
