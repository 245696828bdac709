// Cloud Asset's searches and Resource Manager's containers, over what this cloud holds.

#include "emulator/google/containers.h"
#include "emulator_fixture.h"

namespace bindery::emulator {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kPolicies = R"(
iamPolicies:
  //cloudresourcemanager.googleapis.com/organizations/100000000001:
    bindings: [{role: roles/viewer, members: ["group:all@example.com"]}]
  //cloudresourcemanager.googleapis.com/folders/20:
  //cloudresourcemanager.googleapis.com/projects/acme:
    bindings: [{role: roles/owner, members: ["user:root@example.com"]}]
  //pubsub.googleapis.com/projects/acme/topics/orders:
    bindings:
      - role: roles/pubsub.publisher
        members: ["user:ana@example.com"]
        condition: {title: until, expression: 'request.time < timestamp("2030-01-01T00:00:00Z")'}
  //pubsub.googleapis.com/projects/acme/topics/empty:
)";
constexpr const char* kHierarchy = R"(
folders:
  - {name: folders/21, parent: folders/20}
projects:
  - {id: acme, number: "415104041262", parent: folders/21}
  - {id: beta}
)";

class EmulatorAssetSearch : public EmulatorTest {
 protected:
  void SetUp() override { Run(std::string(kPolicies) + kHierarchy); }

  std::vector<std::string> Names(const Json& answer, const char* list, const char* field) {
    std::vector<std::string> names;
    for (const Json& one : answer.value(list, Json::array())) {
      names.push_back(StringMember(one, field));
    }
    return names;
  }
  std::vector<std::string> Policies(const std::string& scope, const std::string& query = "") {
    return Names(Call("GET", "/v1/" + scope + ":searchAllIamPolicies" + query, 200), "results",
                 "resource");
  }
};

TEST_F(EmulatorAssetSearch, PoliciesThatGrantSomethingAreFoundWithTheirPlace) {
  EXPECT_THAT(Policies("organizations/100000000001"),
              ElementsAre("//cloudresourcemanager.googleapis.com/organizations/100000000001",
                          "//cloudresourcemanager.googleapis.com/projects/acme",
                          "//pubsub.googleapis.com/projects/acme/topics/orders"));
  const Json found = Call("GET", "/v1/projects/415104041262:searchAllIamPolicies", 200);
  ASSERT_EQ(found.at("results").size(), 2U);
  const Json& topic = found.at("results")[1];
  EXPECT_EQ(StringMember(topic, "assetType"), "pubsub.googleapis.com/Topic");
  EXPECT_EQ(StringMember(topic, "project"), "projects/415104041262");
  EXPECT_EQ(topic.at("folders"), Json::parse(R"(["folders/21", "folders/20"])"));
  EXPECT_EQ(StringMember(topic, "organization"), "organizations/100000000001");
  EXPECT_EQ(StringMember(topic.at("policy").at("bindings")[0].at("condition"), "title"), "until");
  EXPECT_FALSE(topic.at("policy").contains("etag"));
}

TEST_F(EmulatorAssetSearch, TypesOrderAndPagesAreAsAskedFor) {
  EXPECT_THAT(Policies("folders/20", "?assetTypes=pubsub.googleapis.com/.*"),
              ElementsAre("//pubsub.googleapis.com/projects/acme/topics/orders"));
  EXPECT_THAT(Policies("folders/20", "?orderBy=assetType%20DESC,resource"),
              ElementsAre("//pubsub.googleapis.com/projects/acme/topics/orders",
                          "//cloudresourcemanager.googleapis.com/projects/acme"));
  const std::string all = "/v1/organizations/100000000001:searchAllIamPolicies";
  const Json first = Call("GET", all + "?pageSize=2", 200);
  ASSERT_EQ(first.at("results").size(), 2U);
  const std::string token = "&pageToken=" + StringMember(first, "nextPageToken");
  const Json last = Call("GET", all + "?pageSize=2" + token, 200);
  EXPECT_EQ(last.at("results").size(), 1U);
  EXPECT_FALSE(last.contains("nextPageToken"));
  // A token goes with the other parameters that it was given for.
  Call("GET", all + "?orderBy=resource" + token, 400);
}

TEST_F(EmulatorAssetSearch, WhatTheSearchDoesNotKnowIsRefused) {
  const std::string all = "/v1/organizations/100000000001:searchAllIamPolicies";
  EXPECT_THAT(Refusal(Call("GET", all + "?assetTypes=x.googleapis.com/Y", 400), "INVALID_ARGUMENT"),
              HasSubstr("x.googleapis.com/Y"));
  Call("GET", all + "?assetTypes=%28", 400);
  Call("GET", all + "?orderBy=policy", 400);
  Call("GET", all + "?query=policy:ana", 400);
  Call("GET", all + "?pageSize=many", 400);
  Call("GET", "/v1/organizations/7:searchAllIamPolicies", 403);
}

TEST_F(EmulatorAssetSearch, ContainersAreResourcesWithTheirParents) {
  const Json found = Call("GET",
                          "/v1/organizations/100000000001:searchAllResources"
                          "?assetTypes=cloudresourcemanager.googleapis.com/.*",
                          200);
  EXPECT_THAT(Names(found, "results", "name"),
              ElementsAre("//cloudresourcemanager.googleapis.com/folders/20",
                          "//cloudresourcemanager.googleapis.com/folders/21",
                          "//cloudresourcemanager.googleapis.com/organizations/100000000001",
                          "//cloudresourcemanager.googleapis.com/projects/acme",
                          "//cloudresourcemanager.googleapis.com/projects/beta"));
  EXPECT_THAT(Names(found, "results", "parentFullResourceName"),
              ElementsAre("//cloudresourcemanager.googleapis.com/organizations/100000000001",
                          "//cloudresourcemanager.googleapis.com/folders/20", "",
                          "//cloudresourcemanager.googleapis.com/folders/21",
                          "//cloudresourcemanager.googleapis.com/organizations/100000000001"));
}

TEST_F(EmulatorAssetSearch, ResourceManagerTellsParents) {
  const Json acme = Call("GET", "/v3/projects/acme", 200);
  EXPECT_EQ(StringMember(acme, "name"), "projects/415104041262");
  EXPECT_EQ(StringMember(acme, "parent"), "folders/21");
  EXPECT_EQ(StringMember(Call("GET", "/v3/folders/20", 200), "parent"),
            "organizations/100000000001");
  EXPECT_EQ(StringMember(Call("GET", "/v3/organizations/100000000001", 200), "parent"), "");
  EXPECT_EQ(Call("POST", "/v1/projects/acme:getAncestry", 200, "{}").at("ancestor").size(), 4U);
  EXPECT_THAT(Names(Call("GET", "/v3/projects:search", 200), "projects", "projectId"),
              ElementsAre("acme", "beta"));
  EXPECT_THAT(Names(Call("GET", "/v3/projects:search?query=parent:folders/21", 200), "projects",
                    "projectId"),
              ElementsAre("acme"));
  EXPECT_THAT(Names(Call("GET", "/v3/folders?parent=folders/20", 200), "folders", "name"),
              ElementsAre("folders/21"));
  EXPECT_THAT(Names(Call("GET", "/v3/organizations:search", 200), "organizations", "name"),
              ElementsAre("organizations/100000000001"));
  Call("GET", "/v3/folders", 400);
  Call("GET", "/v3/projects:search?query=state:ACTIVE", 400);
  Call("GET", "/v3/folders/99", 403);
}

TEST_F(EmulatorAssetSearch, CallersSeeWhatTheyMay) {
  RunAfresh(std::string(kPolicies) + kHierarchy + R"(
credentials:
  - token: reader
    permissions:
      - {permission: "cloudasset.assets.*", resources: ["folders/20"]}
      - {permission: "resourcemanager.projects.get", resources: ["projects/beta"]}
)");
  const testing::HttpHeaders reader = {{"Authorization", "Bearer reader"}};
  Call("GET", "/v1/folders/20:searchAllIamPolicies", 200, {}, reader);
  Call("GET", "/v1/organizations/100000000001:searchAllIamPolicies", 403, {}, reader);
  EXPECT_THAT(Names(Call("GET", "/v3/projects:search", 200, {}, reader), "projects", "projectId"),
              ElementsAre("beta"));
}

TEST(EmulatorContainers, ThatContainEachOtherHaveAnEnd) {
  Containers containers;
  containers.Seed("folders/1", "folders/2");
  containers.Seed("folders/2", "folders/1");
  EXPECT_LE(containers.ListAncestors("folders/1").size(), 32U);
  EXPECT_FALSE(containers.LiesIn("folders/1", "organizations/1"));
}

}  // namespace
}  // namespace bindery::emulator
