// A scan of Datadog: the objects are listed by type, and the policy of each is read.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>

#include "cloud/authorizer.h"
#include "cloud/transport.h"
#include "providers/datadog/object_lists.h"
#include "providers/inventory_source.h"
#include "support/matchers.h"

namespace bindery::datadog {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using testing::FailsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;

constexpr std::string_view kHost = "http://dog";
constexpr std::string_view kPolicyPath = "/api/v2/restriction_policy/";

/// Answers lists by their URL, and policies: empty ones unless the test says otherwise.
class Dog final : public cloud::Transport {
 public:
  Expected<cloud::HttpResponse> Send(const cloud::HttpRequest& request) override {
    const std::string path = request.url.substr(kHost.size());
    asked.push_back(path);
    if (!path.starts_with(kPolicyPath)) {
      const auto found = lists.find(path);
      if (found == lists.end()) return cloud::HttpResponse{404, {}, R"({"errors":["Not found"]})"};
      return cloud::HttpResponse{200, {}, found->second};
    }
    std::string id = path.substr(kPolicyPath.size());
    for (auto colon = id.find("%3A"); colon != std::string::npos; colon = id.find("%3A")) {
      id.replace(colon, 3, ":");
    }
    if (const auto status = statuses.find(id); status != statuses.end()) {
      return cloud::HttpResponse{status->second, {}, R"({"errors":["no"]})"};
    }
    const auto found = policies.find(id);
    const std::string bindings = found == policies.end() ? "[]" : found->second;
    return cloud::HttpResponse{200,
                               {},
                               R"({"data":{"type":"restriction_policy","id":")" + id +
                                   R"(","attributes":{"bindings":)" + bindings + "}}}"};
  }
  void SendAsync(std::shared_ptr<cloud::HttpRequest> request, Done done) override {
    done(Send(*request));
  }

  std::map<std::string, std::string> lists;
  std::map<std::string, std::string> policies;
  std::map<std::string, int> statuses;
  std::vector<std::string> asked;
};

std::size_t StepOf(std::string_view type) {
  const auto lists = ObjectLists();
  return static_cast<std::size_t>(std::ranges::find(lists, type, &ObjectList::type) -
                                  lists.begin());
}

/// `count` entries whose ids are numbers from `first` on.
std::string Entries(std::size_t first, std::size_t count) {
  std::string text = "[";
  for (std::size_t i = first; i < first + count; ++i) {
    text += (i == first ? "" : ",") + (R"({"id":)" + std::to_string(i) + "}");
  }
  return text + "]";
}

class ObjectInventoryTest : public ::testing::Test {
 protected:
  ObjectInventoryTest() {
    connection_.endpoints = {{"datadog", std::string(kHost)}};
    connection_.transport = dog_;
    connection_.authorizer = cloud::NoCredentials();
  }
  Expected<InventoryPage> Read(std::string_view type, const std::string& token = "") {
    return source_.Read(connection_, {"organization", StepOf(type), token});
  }
  /// The resources of all pages of a list.
  std::vector<std::string> AllOf(std::string_view type) {
    std::vector<std::string> resources;
    std::string token;
    do {
      const auto page = Read(type, token);
      if (!page) {
        ADD_FAILURE() << ToString(page.error());
        return resources;
      }
      for (const InventoryPolicy& policy : page->policies) resources.push_back(policy.resource);
      token = page->next;
    } while (!token.empty());
    return resources;
  }
  std::shared_ptr<Dog> dog_ = std::make_shared<Dog>();
  cloud::Connection connection_;
  const providers::InventorySource& source_ = *providers::FindInventory("monitoring");
};

TEST_F(ObjectInventoryTest, TellsRestrictedObjectsAndCountsOpenOnes) {
  dog_->lists["/api/v1/dashboard?count=25&start=0"] =
      R"({"dashboards":[{"id":"abc-def-ghi"},{"id":"jkl-mno-pqr"}]})";
  dog_->policies["dashboard:abc-def-ghi"] =
      R"([{"relation":"editor","principals":["role:a","team:b"]}])";
  const auto page = Read("dashboard");
  ASSERT_THAT(page, IsOk());
  ASSERT_EQ(page->policies.size(), 1U);
  const InventoryPolicy& policy = page->policies.front();
  EXPECT_EQ(policy.target, "dashboard:abc-def-ghi");
  EXPECT_EQ(policy.kind, source_.JudgedAs());
  EXPECT_EQ(policy.type, "dashboard");
  EXPECT_THAT(policy.bindings, HasSubstr("team:b"));
  EXPECT_EQ(page->others.at("open"), 1);
  EXPECT_EQ(page->next, "");
}

TEST_F(ObjectInventoryTest, ReadsEveryPageOfEveryKindOfList) {
  for (std::size_t i = 0; i < 60; ++i) {
    for (const char* type : {"monitor:", "notebook:", "rum-application:"}) {
      dog_->policies[type + std::to_string(i)] =
          R"([{"relation":"viewer","principals":["role:a"]}])";
    }
  }
  for (std::size_t page = 0; page < 3; ++page) {
    const std::size_t first = page * kObjectsAtOnce;
    const std::string entries = Entries(first, std::min(kObjectsAtOnce, 60 - first));
    dog_->lists["/api/v1/monitor?page_size=25&page=" + std::to_string(page)] = entries;
    dog_->lists["/api/v1/notebooks?count=25&start=" + std::to_string(first)] =
        R"({"data":)" + entries + "}";
  }
  dog_->lists["/api/v2/rum/applications"] = R"({"data":)" + Entries(0, 60) + "}";
  EXPECT_EQ(AllOf("monitor").size(), 60U);
  EXPECT_EQ(AllOf("notebook").size(), 60U);
  EXPECT_EQ(AllOf("rum-application").size(), 60U) << "a list without pages";
}

TEST_F(ObjectInventoryTest, AListThatIgnoresPagesEnds) {
  dog_->lists["/api/v1/notebooks?count=25&start=0"] = R"({"data":)" + Entries(0, 25) + "}";
  dog_->lists["/api/v1/notebooks?count=25&start=25"] = R"({"data":)" + Entries(0, 25) + "}";
  dog_->lists["/api/v1/slo?limit=25&offset=0"] = R"({"data":)" + Entries(0, 40) + "}";
  dog_->lists["/api/v1/slo?limit=25&offset=25"] = R"({"data":)" + Entries(0, 40) + "}";
  for (std::size_t i = 0; i < 40; ++i) {
    dog_->policies["slo:" + std::to_string(i)] =
        R"([{"relation":"viewer","principals":["role:a"]}])";
  }
  EXPECT_THAT(AllOf("notebook"), IsEmpty());
  EXPECT_EQ(AllOf("slo").size(), 40U) << "more than was asked for is the whole list";
}

TEST_F(ObjectInventoryTest, ARateLimitEndsThePageAndWhatWasReadIsKept) {
  dog_->lists["/api/v1/monitor?page_size=25&page=0"] = Entries(0, 3);
  for (const char* id : {"monitor:0", "monitor:1", "monitor:2"}) {
    dog_->policies[id] = R"([{"relation":"viewer","principals":["role:a"]}])";
  }
  dog_->statuses["monitor:2"] = 429;
  const auto page = Read("monitor");
  ASSERT_THAT(page, IsOk());
  EXPECT_EQ(page->policies.size(), 2U);
  EXPECT_THAT(Read("monitor", page->next), FailsWith(Code::kResourceExhausted, HasSubstr("")));
  dog_->statuses.clear();
  const auto rest = Read("monitor", page->next);
  ASSERT_THAT(rest, IsOk());
  ASSERT_EQ(rest->policies.size(), 1U);
  EXPECT_EQ(rest->policies.front().resource, "monitor:2");
  EXPECT_EQ(rest->next, "");
}

TEST_F(ObjectInventoryTest, AnObjectThatIsNotShownIsCountedAndTheRestIsRead) {
  dog_->lists["/api/v1/monitor?page_size=25&page=0"] = Entries(0, 2);
  dog_->statuses["monitor:0"] = 403;
  const auto page = Read("monitor");
  ASSERT_THAT(page, IsOk());
  EXPECT_EQ(page->others.at("refused"), 1);
  EXPECT_EQ(page->others.at("open"), 1);
  InventoryRecord scan;
  scan.others = page->others;
  const auto lines = source_.NotLookedAt(scan);
  EXPECT_THAT(lines, Contains(HasSubstr("does not show to these keys: 1")));
  EXPECT_THAT(lines, Contains(HasSubstr("whose role has the permission: 1")));
  EXPECT_THAT(lines, Contains(HasSubstr(" workflow ")));
}

TEST_F(ObjectInventoryTest, LocationsOfDatadogItselfAreNoPrivateOnes) {
  dog_->lists["/api/v1/synthetics/locations"] =
      R"({"locations":[{"id":"aws:eu-central-1"},{"id":"pl:office-1"}]})";
  dog_->policies["synthetics-private-location:pl:office-1"] =
      R"([{"relation":"viewer","principals":["role:a"]}])";
  EXPECT_THAT(AllOf("synthetics-private-location"),
              ElementsAre("synthetics-private-location:pl:office-1"));
  EXPECT_EQ(dog_->asked.size(), 2U);
}

TEST_F(ObjectInventoryTest, WhatIsNoListIsAnErrorAndNotAnEmptyList) {
  for (const char* answer :
       {"{}", "[]", "<html>", R"({"dashboards":null})", R"({"dashboards":[{"title":"x"}]})"}) {
    dog_->lists["/api/v1/dashboard?count=25&start=0"] = answer;
    EXPECT_THAT(Read("dashboard"), FailsWith(Code::kInternal, HasSubstr("list of dashboards")))
        << answer;
  }
  EXPECT_THAT(Read("dashboard", "later"), FailsWith(Code::kInvalidArgument, HasSubstr("place")));
}

TEST_F(ObjectInventoryTest, TheOnlyScopeIsTheOrganization) {
  EXPECT_THAT(source_.ReadScope("organization"), IsOk());
  EXPECT_THAT(source_.ReadScope("organizations/1"),
              FailsWith(Code::kInvalidArgument, HasSubstr("write organization")));
}

}  // namespace
}  // namespace bindery::datadog
