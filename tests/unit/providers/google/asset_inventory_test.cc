// Pages of the index: what cannot be read is never taken for what is not there.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "cloud/authorizer.h"
#include "core/base/json.h"
#include "providers/google/clients/privileged_access.h"
#include "providers/inventory_source.h"

namespace bindery {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::size_t kHierarchy = 0;
constexpr std::size_t kPolicies = 1;

/// Answers every question with one text.
class OneAnswer final : public Transport {
 public:
  explicit OneAnswer(std::string text) : text_(std::move(text)) {}
  Expected<HttpResponse> Send(const HttpRequest& /*request*/) override {
    return HttpResponse{200, {}, text_};
  }
  void SendAsync(std::shared_ptr<HttpRequest> request, Done done) override { done(Send(*request)); }

 private:
  std::string text_;
};

Expected<InventoryPage> Read(std::size_t step, const std::string& answer,
                             const std::string& token = "") {
  Connection connection;
  connection.transport = std::make_shared<OneAnswer>(answer);
  connection.authorizer = NoCredentials();
  connection.endpoints[kCloudAsset] = "http://h";
  return InventoryOf("cloudnative")->Read(connection, {"organizations/1", step, token});
}

TEST(AssetInventory, APageMayBeEmpty) {
  const auto page = Read(kPolicies, "{}");
  ASSERT_TRUE(page.has_value());
  EXPECT_THAT(page->policies, IsEmpty());
  EXPECT_EQ(page->next, "");
}

TEST(AssetInventory, APolicyMayHaveNoBindings) {
  const auto page = Read(kPolicies, R"({"results": [
      {"resource": "//h/a", "policy": {"auditConfigs": []}},
      {"resource": "//h/b", "policy": {"bindings": []}}], "nextPageToken": "2"})");
  ASSERT_TRUE(page.has_value());
  ASSERT_THAT(page->policies, SizeIs(1));
  EXPECT_EQ(page->policies[0].resource, "//h/b");
  EXPECT_EQ(page->next, "2");
}

TEST(AssetInventory, WhatCannotBeReadIsAnError) {
  struct Case {
    std::size_t step;
    const char* answer;
    const char* message;
  };
  const std::vector<Case> cases = {
      {kPolicies, R"({"results": {}})", "\"results\" that is no list of objects"},
      {kPolicies, R"({"results": [1]})", "\"results\" that is no list of objects"},
      {kPolicies, R"({"nextPageToken": 5})", "a \"nextPageToken\" that is no text"},
      {kPolicies, R"({"results": [{"policy": {"bindings": []}}]})", "names no resource"},
      {kPolicies, R"({"results": [{"resource": "//h/a", "policy": {"bindings": {}}}]})",
       "whose bindings are no list"},
      {kHierarchy, R"({"results": "x"})", "\"results\" that is no list of objects"},
      {kHierarchy, R"({"results": [{"assetType": "cloudresourcemanager.googleapis.com/Project"}]})",
       "a container without a name"},
  };
  for (const Case& one : cases) {
    const auto page = Read(one.step, one.answer);
    ASSERT_FALSE(page.has_value()) << one.answer;
    EXPECT_EQ(page.error().code, Code::kInternal) << one.answer;
    EXPECT_THAT(page.error().message, HasSubstr(one.message));
    EXPECT_THAT(page.error().message, HasSubstr("cloudasset.search"));
  }
}

TEST(AssetInventory, ATokenThatLeadsToItsOwnPageIsAnError) {
  constexpr const char* kAnswer = R"({"nextPageToken": "same"})";
  EXPECT_TRUE(Read(kPolicies, kAnswer).has_value());
  EXPECT_FALSE(Read(kPolicies, kAnswer, "same").has_value());
}

}  // namespace
}  // namespace bindery
