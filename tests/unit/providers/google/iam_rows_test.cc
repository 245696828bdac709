#include "providers/google/rows/iam_rows.h"

#include <gtest/gtest.h>

#include <string_view>

#include "providers/google/rows/iam_aliases.h"

namespace bindery::google {
namespace {

TEST(IamRowsTest, FindsATypeByAnyOfItsVersions) {
  const IamRow* topic = FindIamRow("pubsub/v1:Topic");
  ASSERT_NE(topic, nullptr);
  EXPECT_EQ(topic->id, "pubsub/v1:Topic");
  EXPECT_EQ(FindIamRow("pubsub/v1beta2:Topic"), topic);
}

TEST(IamRowsTest, FindsEveryRowByItsId) {
  for (const IamRow& row : IamRows()) EXPECT_EQ(FindIamRow(row.id), &row) << row.id;
}

TEST(IamRowsTest, FindsNothingForUnknownTokens) {
  for (const std::string_view token :
       {"", "pubsub", "pubsub/v1", "pubsub/v1:", "pubsub:Topic/v1", "pubsub/v2:Topic",
        "pubsub/:Topic", "pubsub/v:Topic", "pubsub/v1 v1beta2:Topic", "pubsub/v1:topic",
        "pubsub/v1:TopicIamBinding", "pub/v1:Topic", "zzz/v1:Topic", "/v1:Topic"}) {
    EXPECT_EQ(FindIamRow(token), nullptr) << token;
  }
}

TEST(IamRowsTest, HasTheWireValuesOfEachFamily) {
  const IamRow& server = *FindIamRow("backupdr/v1:ManagementServer");
  EXPECT_EQ(server.get, IamVerb::kGet);
  EXPECT_EQ(server.version_place, IamVersionPlace::kDottedQuery);
  EXPECT_TRUE(server.update_mask);
  EXPECT_EQ(server.conflict, 409);

  const IamRow& disk = *FindIamRow("compute/v1:Disk");
  EXPECT_EQ(disk.path, "compute/v1/");
  EXPECT_EQ(disk.suffix, "/");
  EXPECT_EQ(disk.version_place, IamVersionPlace::kFlatQuery);

  const IamRow& bucket = *FindIamRow("storage/v1:Bucket");
  EXPECT_EQ(bucket.set, IamVerb::kPut);
  EXPECT_TRUE(bucket.bare_body);
  EXPECT_EQ(bucket.conflict, 412);

  const IamRow& project = *FindIamRow("cloudresourcemanager/v3:Project");
  EXPECT_EQ(project.get, IamVerb::kPost);
  EXPECT_EQ(project.version_place, IamVersionPlace::kBody);
  EXPECT_TRUE(project.container);
}

TEST(IamAliasesTest, FindsTheRowOfAnAlias) {
  const IamAlias* alias = FindIamAlias("iap/v1beta1:V1beta1");
  ASSERT_NE(alias, nullptr);
  EXPECT_NE(FindIamRow(alias->row), nullptr);
}

TEST(IamAliasesTest, ExplainsARemovedType) {
  const IamAlias* alias = FindIamAlias("looker/v1:Instance");
  ASSERT_NE(alias, nullptr);
  EXPECT_EQ(alias->row, "");
  EXPECT_NE(alias->sentence, "");
}

TEST(IamAliasesTest, FindsNothingForOtherTokens) {
  for (const std::string_view token : {"", "a", "pubsub/v1:Topic", "zzz/v1:Kind"}) {
    EXPECT_EQ(FindIamAlias(token), nullptr) << token;
  }
}

}  // namespace
}  // namespace bindery::google
