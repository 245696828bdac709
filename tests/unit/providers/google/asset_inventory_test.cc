// Answers of Cloud Asset's searches: nothing is left out without a word.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cloud/authorizer.h"
#include "cloud/transport.h"
#include "core/base/json.h"
#include "providers/inventory_source.h"
#include "support/matchers.h"

namespace bindery::google {
namespace {

using ::testing::Contains;
using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;

/// Gives one answer to everything.
class OneAnswer final : public cloud::Transport {
 public:
  Expected<cloud::HttpResponse> Send(const cloud::HttpRequest& /*request*/) override {
    return cloud::HttpResponse{200, {}, answer};
  }
  void SendAsync(std::shared_ptr<cloud::HttpRequest> request, Done done) override {
    done(Send(*request));
  }

  std::string answer;
};

class AssetInventoryTest : public ::testing::Test {
 protected:
  AssetInventoryTest() {
    connection_.endpoints = {{"cloudasset", "http://asset"}};
    connection_.transport = transport_;
    connection_.authorizer = cloud::NoCredentials();
  }
  Expected<InventoryPage> Read(std::size_t step, const std::string& answer) {
    transport_->answer = answer;
    return source_.Read(connection_, {"organizations/1", step});
  }

  std::shared_ptr<OneAnswer> transport_ = std::make_shared<OneAnswer>();
  cloud::Connection connection_;
  const providers::InventorySource& source_ = *providers::FindInventory("cloudnative");
};

constexpr std::size_t kHierarchyStep = 0;
constexpr std::size_t kPoliciesStep = 1;

TEST_F(AssetInventoryTest, AnswersInAnotherFormAreErrorsAndNotTheEndOfTheList) {
  for (const char* answer :
       {R"({"results": {}})", R"({"results": "none"})", R"({"results": [], "nextPageToken": 7})"}) {
    for (const std::size_t step : {kHierarchyStep, kPoliciesStep}) {
      EXPECT_THAT(Read(step, answer), FailsWith(Code::kInternal, HasSubstr("an answer whose")))
          << answer;
    }
  }
  for (const char* answer : {"{}", R"({"results": null, "nextPageToken": null})"}) {
    EXPECT_THAT(Read(kPoliciesStep, answer), IsOk()) << answer;
  }
}

TEST_F(AssetInventoryTest, ABucketOfAnyProjectTellsNoProject) {
  Json bucket = Json::parse(R"({
      "resource": "//storage.googleapis.com/projects/_/buckets/acme.data_1",
      "policy": {"bindings": [{"role": "roles/a", "members": ["user:a@x.org"]}]}})");
  auto page = source_.ReadExport(Json::array({bucket}));
  ASSERT_TRUE(page.has_value());
  ASSERT_EQ(page->policies.size(), 1U);
  EXPECT_EQ(page->policies.front().target, "b/acme.data_1");
  EXPECT_EQ(page->policies.front().place, "");
  bucket["project"] = "projects/415104041262";
  page = source_.ReadExport(Json::array({bucket}));
  ASSERT_TRUE(page.has_value());
  EXPECT_EQ(page->policies.front().place, "projects/415104041262");
  EXPECT_TRUE(page->containers.empty()) << "no other name of the project";
}

TEST_F(AssetInventoryTest, AnExportOfASearchByPermissionsIsRefused) {
  Json result = {{"resource", "//pubsub.googleapis.com/projects/acme/topics/t"},
                 {"assetType", "pubsub.googleapis.com/Topic"},
                 {"policy", {{"bindings", Json::array()}}},
                 {"explanation", Json::object()}};
  EXPECT_THAT(source_.ReadExport(Json::array({result})), IsOk());
  result["explanation"]["matchedPermissions"]["roles/viewer"] = Json::object();
  EXPECT_THAT(source_.ReadExport(Json::array({result})),
              FailsWith(Code::kInvalidArgument, HasSubstr("search without a query")));
}

TEST_F(AssetInventoryTest, ResultsInAnUnknownFormAreCounted) {
  const auto policies = Read(kPoliciesStep, R"({"results": [
    {"resource": "//pubsub.googleapis.com/projects/p/topics/t", "assetType": "pubsub.googleapis.com/Topic",
     "policy": {"bindings": [{"role": "roles/viewer", "members": ["user:ana@example.com"]}]}},
    {"resource": "//x/a", "policy": {"auditConfigs": []}}, {"resource": "//x/b", "policy": {}},
    {"resource": "//x/c", "policy": {"bindings": {}}}, {"policy": {"bindings": []}}, "text", null]})");
  ASSERT_THAT(policies, IsOk());
  EXPECT_EQ(policies->policies.size(), 1U);
  InventoryRecord scan;
  scan.others = policies->others;
  EXPECT_THAT(source_.NotLookedAt(scan), Contains(HasSubstr("in an unknown form: 4")))
      << "a policy without bindings grants nothing";
  const auto hierarchy = Read(kHierarchyStep, R"({"results": [
    {"name": "//cloudresourcemanager.googleapis.com/folders/20",
     "assetType": "cloudresourcemanager.googleapis.com/Folder"},
    {"name": "//elsewhere/folders/20", "assetType": "cloudresourcemanager.googleapis.com/Folder"},
    {"assetType": "iam.googleapis.com/PolicyV2"}, {}]})");
  ASSERT_THAT(hierarchy, IsOk());
  EXPECT_EQ(hierarchy->containers.size(), 1U);
  scan.others = hierarchy->others;
  EXPECT_THAT(source_.NotLookedAt(scan), Contains(HasSubstr("in an unknown form: 2")));
  EXPECT_THAT(source_.NotLookedAt(scan), Contains(HasSubstr("deny policies: 1 found")));
}

TEST_F(AssetInventoryTest, APageOfPoliciesIsComparedByItsResultsAlone) {
  const std::string result =
      R"({"resource": "//pubsub.googleapis.com/projects/p/topics/t",
          "assetType": "pubsub.googleapis.com/Topic",
          "policy": {"bindings": [{"role": "r", "members": ["user:a]}@x.com"]}]}})";
  providers::InventoryQuestion question{"organizations/1", kPoliciesStep};
  const auto compare = [&](const std::string& answer) {
    transport_->answer = answer;
    return source_.Read(connection_, question);
  };
  const std::string first = R"({"results": [)" + result + R"(], "nextPageToken": "1"})";
  const auto unasked = compare(first);
  ASSERT_THAT(unasked, IsOk());
  EXPECT_EQ(unasked->digest, "");
  question.digest = true;
  const auto page = compare(first);
  ASSERT_THAT(page, IsOk());
  EXPECT_NE(page->digest, "");
  EXPECT_EQ(page->policies.size(), 1U);
  question.compare = true;
  const auto same = compare(R"({"nextPageToken": "2", "results": [)" + result + "]}");
  ASSERT_THAT(same, IsOk());
  EXPECT_EQ(same->digest, page->digest);
  EXPECT_EQ(same->next, "2");
  for (const std::string& other : {result + "," + result, std::string("{}"), std::string()}) {
    const auto changed = compare(R"({"results": [)" + other + "]}");
    ASSERT_THAT(changed, IsOk());
    EXPECT_NE(changed->digest, page->digest) << other;
  }
  // A list that is over early, or a page without a list, is never the same.
  for (const char* answer : {"{}", R"({"results": null})"}) {
    const auto changed = compare(answer);
    ASSERT_THAT(changed, IsOk());
    EXPECT_NE(changed->digest, page->digest) << answer;
  }
  EXPECT_THAT(compare(R"({"results": [)" + result), FailsWith(Code::kInternal, ::testing::_));
  EXPECT_THAT(compare(R"({"nextPageToken": "2" "results": [)" + result + "]}"),
              FailsWith(Code::kInternal, ::testing::_));
}

TEST_F(AssetInventoryTest, APolicyIsTheSameOnlyIfEveryByteIs) {
  const std::string one =
      R"({"resource": "//pubsub.googleapis.com/projects/acme/topics/a\"}", "assetType": "pubsub.googleapis.com/Topic",
          "project": "projects/1", "folders": ["folders/2"], "organization": "organizations/3",
          "policy": {"bindings": [{"role": "roles/viewer", "members": ["user:ana@example.com"],
                                   "condition": {"expression": "true"}}]}})";
  const std::string two = R"({"resource": "//pubsub.googleapis.com/projects/acme/topics/b",
                              "policy": {"bindings": []}})";
  providers::InventoryQuestion question{"organizations/1", kPoliciesStep};
  question.digest = true;
  const auto digest = [&](const std::string& results) {
    transport_->answer = R"({"results": [)" + results + "]}";
    const auto page = source_.Read(connection_, question);
    return page ? page->digest : std::string();
  };
  const std::string as_read = digest(one + ", " + two);
  ASSERT_NE(as_read, "");
  question.compare = true;
  EXPECT_EQ(digest(one + ", " + two), as_read);
  for (std::size_t i = 0; i < one.size(); ++i) {
    std::string changed = one;
    // Every field, also names of fields; the text stays JSON, or the page is refused.
    changed[i] = changed[i] == 'x' ? 'y' : 'x';
    EXPECT_NE(digest(changed + ", " + two), as_read) << i << ": " << changed;
  }
  const std::vector<std::pair<const char*, std::string>> cases = {
      {"another order", two + ", " + one},
      {"one is gone", one},
      {"one twice", one + ", " + two + ", " + two},
      {"one more", one + ", " + two + R"(, {"resource": "//x"})"},
      {"none", ""},
  };
  for (const auto& [name, results] : cases) EXPECT_NE(digest(results), as_read) << name;
}

}  // namespace
}  // namespace bindery::google
