// Which rows of users are accepted, and what is said of the others.

#include "providers/google/rows/user_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "providers/undescribed_types.h"

namespace bindery::google {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

UserRow Index() {
  UserRow row;
  row.service = "vectorsearch";
  row.kind = "Index";
  row.versions = {"v1", "v1beta"};
  row.names = {"projects/{project}/locations/{location}/indexes/{index}"};
  return row;
}

std::vector<std::string> Faults(const std::vector<UserRow>& rows) {
  std::vector<std::string> texts;
  for (const providers::KindRowFault& fault : CheckUserRows(rows)) {
    texts.push_back(std::to_string(fault.row) + " " + fault.key + ": " + fault.message);
  }
  return texts;
}

TEST(CheckUserRows, AcceptsWhatTheTableItselfHas) {
  UserRow other = Index();
  other.kind = "Collection";
  other.names = {"projects/{project}/collections/{collection}", "folders/{folder}/c-{collection}"};
  other.location_host = "";
  UserRow regional = Index();
  regional.kind = "Shard";
  regional.names = {"projects/{project}/locations/{location}/shards/{shard}"};
  regional.location_host = "{location}-vectorsearch.googleapis.com";
  regional.get = IamVerb::kPost;
  regional.version_place = IamVersionPlace::kBody;
  regional.suffix = "/";
  regional.conflict = 412;
  EXPECT_THAT(Faults({Index(), other, regional}), IsEmpty());
}

TEST(CheckUserRows, SaysWhatIsWrongAndWithWhichKey) {
  struct Case {
    const char* key;
    const char* message;
    void (*spoil)(UserRow& row);
  };
  const Case cases[] = {
      {"service", "lower case", [](UserRow& row) { row.service = "VectorSearch"; }},
      {"service", "lower case", [](UserRow& row) { row.service = ""; }},
      {"kind", "begins with a capital", [](UserRow& row) { row.kind = "index"; }},
      {"kind", "is the type without IamMember", [](UserRow& row) { row.kind = "IndexIamMember"; }},
      {"versions", "one version at least", [](UserRow& row) { row.versions = {}; }},
      {"versions", "v1 or v1beta2",
       [](UserRow& row) {
         row.versions = {"v1", "latest"};
       }},
      {"host", "a host name", [](UserRow& row) { row.host = "https://x.example.com"; }},
      {"locationHost", "with {location}",
       [](UserRow& row) { row.location_host = "x.example.com"; }},
      {"locationHost", "a form of names with {location}",
       [](UserRow& row) {
         row.location_host = "{location}-x.example.com";
         row.names = {"projects/{project}/indexes/{index}"};
       }},
      {"path", "such as v1/", [](UserRow& row) { row.path = "/v1/"; }},
      {"names", "one form of names at least", [](UserRow& row) { row.names = {}; }},
      {"names", "has an empty part", [](UserRow& row) { row.names = {"a//{b}"}; }},
      {"names", "has no {variable}", [](UserRow& row) { row.names = {"a/b"}; }},
      {"names", "expected a word or {variable}", [](UserRow& row) { row.names = {"a/{b}x"}; }},
      {"names", "the variable b twice", [](UserRow& row) { row.names = {"a/{b}/c/{b}"}; }},
      {"names", "match the same name",
       [](UserRow& row) {
         row.names = {"a/{b}/c/{d}", "a/{x}/c/{y}"};
       }},
      {"suffix", "\"/iam\"", [](UserRow& row) { row.suffix = "."; }},
      {"get", "GET or POST", [](UserRow& row) { row.get = IamVerb::kPut; }},
      {"set", "POST or PUT", [](UserRow& row) { row.set = IamVerb::kGet; }},
      {"test", "GET, POST or none", [](UserRow& row) { row.test = IamVerb::kPut; }},
      {"policyVersion", "a get of POST",
       [](UserRow& row) { row.version_place = IamVersionPlace::kBody; }},
      {"conflictStatus", "409 or 412", [](UserRow& row) { row.conflict = 410; }},
      {"permission", "SERVICE.TYPE", [](UserRow& row) { row.permission = "indexes"; }},
  };
  for (const Case& one : cases) {
    UserRow row = Index();
    one.spoil(row);
    EXPECT_THAT(Faults({row}), ElementsAre(AllOf(HasSubstr(std::string("0 ") + one.key + ": "),
                                                 HasSubstr(one.message))))
        << one.key << " " << one.message;
  }
}

TEST(CheckUserRows, NoNameIsClaimedTwice) {
  UserRow topic = Index();
  topic.service = "pubsub";
  topic.kind = "Topic";
  topic.names = {"projects/{project}/things/{thing}"};
  EXPECT_THAT(Faults({topic}), ElementsAre("0 kind: pubsub Topic is built in: leave the row out"));
  UserRow lane = topic;
  lane.kind = "Lane";
  lane.names = {"projects/{project}/topics/{lane}"};
  EXPECT_THAT(Faults({lane}),
              ElementsAre("0 names: \"projects/{project}/topics/{lane}\" and "
                          "\"projects/{project}/topics/{topic}\" of Topic match the same name"));
  UserRow elsewhere = lane;
  elsewhere.names = {"projects/{project}/lanes/{lane}"};
  elsewhere.host = "pubsub.example.com";
  EXPECT_THAT(Faults({elsewhere}),
              ElementsAre("0 host: the service pubsub is at pubsub.googleapis.com"));
  UserRow second = Index();
  second.versions = {"v2"};
  second.names = {"projects/{project}/indexes/{index}"};
  EXPECT_THAT(Faults({Index(), second}), ElementsAre("1 kind: vectorsearch Index is there twice"));
  second.kind = "Table";
  second.names = {"projects/{p}/locations/{l}/indexes/{t}"};
  EXPECT_THAT(Faults({Index(), second}), ElementsAre(HasSubstr("1 names: ")));
}

/// Types that only the configurations of services know: none is built in.
TEST(UndescribedTypes, CanEachBeDeclared) {
  std::vector<UserRow> rows;
  for (const manifests::KindSchema& type : providers::UndescribedTypes()) {
    const std::string& module = type.token.api_version;  // "cloudnative:networkservices/v1"
    const std::size_t service = module.find(':') + 1;
    const std::size_t slash = module.find('/');
    UserRow& row = rows.emplace_back();
    row.service = module.substr(service, slash - service);
    row.versions = {module.substr(slash + 1)};
    row.kind = type.token.kind.substr(0, type.token.kind.rfind("IamBinding"));
    row.names = type.name_forms;
  }
  EXPECT_EQ(rows.size(), 24U);
  EXPECT_THAT(Faults(rows), IsEmpty());
}

}  // namespace
}  // namespace bindery::google
