// From whom a target inherits access: containers by the scan, resources by the names.

#include "access/ancestry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "providers/resource_place.h"

namespace bindery::access {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::vector<InventoryContainer>& Containers() {
  static const std::vector<InventoryContainer> kContainers = {
      {"organizations/1", "", "", "", "ACTIVE"},
      {"folders/20", "", "organizations/1", "", "ACTIVE"},
      {"folders/21", "", "folders/20", "", "ACTIVE"},
      {"projects/acme", "projects/42", "folders/21", "Acme", "ACTIVE"},
      {"projects/lone", "projects/43", "", "", "ACTIVE"},
      {"folders/30", "", "folders/31", "", "ACTIVE"},
      {"folders/31", "", "folders/30", "", "ACTIVE"}};
  return kContainers;
}

std::vector<std::string> NamesAbove(const Ancestry& ancestry) {
  std::vector<std::string> names;
  for (const Target& above : ancestry.above) names.push_back(above.name);
  return names;
}

using Names = std::vector<std::string>;
const Names kAcme = {"projects/acme", "folders/21", "folders/20", "organizations/1"};

Names With(Names names, const Names& more) {
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

TEST(Ancestry, IsOfResourcesInTheNameAndThenOfContainers) {
  const Places places(Containers());
  struct Case {
    Target target;
    std::string place;
    Names above;
  };
  const Case cases[] = {
      {{"pubsub:Topic", "", "projects/acme/topics/orders"}, "", kAcme},
      {{"pubsub:Topic", "", "projects/42/topics/orders"}, "", kAcme},
      {{"pubsub:Subscription", "", "projects/acme/subscriptions/orders"}, "", kAcme},
      {{"cloudresourcemanager:Project", "", "projects/acme"},
       "",
       {"folders/21", "folders/20", "organizations/1"}},
      {{"cloudresourcemanager:Project", "", "projects/42"},
       "",
       {"folders/21", "folders/20", "organizations/1"}},
      {{"cloudresourcemanager:Folder", "", "folders/20"}, "", {"organizations/1"}},
      {{"cloudresourcemanager:Organization", "", "organizations/1"}, "", {}},
      {{"cloudkms:KeyRingCryptoKey", "", "projects/acme/locations/l/keyRings/r/cryptoKeys/k"},
       "",
       With({"projects/acme/locations/l/keyRings/r"}, kAcme)},
      {{"bigtableadmin:InstanceClusterBackup", "",
        "projects/acme/instances/i/clusters/c/backups/b"},
       "",
       With({"projects/acme/instances/i"}, kAcme)},
      {{"storage:Bucket", "", "b/data"}, "projects/42", kAcme},
      {{"storage:Bucket", "", "b/data"}, "", {}},
      {{"storage:Object", "", "b/data/o/2026/may/a.csv"},
       "",
       {"b/data/managedFolders/2026/may/", "b/data/managedFolders/2026/", "b/data"}},
      {{"storage:ManagedFolder", "", "b/data/managedFolders/2026/may/"},
       "projects/42",
       With({"b/data/managedFolders/2026/", "b/data"}, kAcme)},
      {{"bigquery:Table", "", "projects/acme/datasets/d/tables/t"},
       "",
       With({"//bigquery.googleapis.com/projects/acme/datasets/d"}, kAcme)},
      {{"apigee:OrganizationEnvironment", "", "organizations/acme/environments/e"}, "", kAcme},
      {{"iam:ServiceAccount", "", "projects/acme/serviceAccounts/a@acme.iam.gserviceaccount.com"},
       "",
       kAcme},
      {{"cloudbilling:BillingAccount", "", "billingAccounts/0"},
       "organizations/1",
       {"organizations/1"}},
      {{"some.host/Thing", "", "//some.host/thing"},
       "folders/21",
       {"folders/21", "folders/20", "organizations/1"}},
      {{"", "", "projects/acme/things/a"}, "", kAcme},
      {{"RestrictionPolicy", "monitoring", "dashboard:abc"}, "", {}},
      {{"cloudresourcemanager:Folder", "", "folders/30"}, "", {"folders/31"}},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(NamesAbove(FindAncestry(one.target, one.place, places)), one.above)
        << one.target.Key();
  }
}

TEST(Ancestry, SaysWhatIsNotKnown) {
  const Places places(Containers());
  struct Case {
    Target target;
    const char* gap;
  };
  const Case cases[] = {
      {{"pubsub:Topic", "", "projects/lone/topics/t"}, "policies above projects/lone: "},
      {{"pubsub:Topic", "", "projects/other/topics/t"}, "policies above projects/other: "},
      {{"storage:Bucket", "", "b/data"}, "project, folder or organization of b/data"},
      {{"cloudresourcemanager:TagValue", "", "tagValues/1"}, "the tag key of tagValues/1"},
      {{"pubsub:Topic", "", "projects/acme/topics/t"}, ""},
  };
  for (const Case& one : cases) {
    std::string gaps;
    for (const std::string& gap : FindAncestry(one.target, "", places).gaps) gaps += gap + "\n";
    EXPECT_THAT(gaps, HasSubstr(one.gap)) << one.target.Key();
    if (*one.gap == '\0') {
      EXPECT_EQ(gaps, "");
    }
  }
  EXPECT_FALSE(FindAncestry({"RestrictionPolicy", "monitoring", "a:b"}, "", places).inherits);
}

TEST(Ancestry, GivesTheValuesOfAttributes) {
  const Places places(Containers());
  const auto names = [&](const char* kind, const char* name) {
    auto attributes = FindAncestry({kind, "", name}, "", places).attributes;
    return attributes["resource.name"];
  };
  EXPECT_THAT(names("secretmanager:Secret", "projects/acme/secrets/s"),
              ElementsAre("projects/acme/secrets/s", "projects/42/secrets/s"));
  EXPECT_THAT(names("secretmanager:Secret", "projects/other/secrets/s"), IsEmpty())
      << "the number is not known";
  EXPECT_THAT(names("storage:Bucket", "b/data"), ElementsAre("projects/_/buckets/data"));
  EXPECT_THAT(names("storage:Object", "b/data/o/a/b"),
              ElementsAre("projects/_/buckets/data/objects/a/b"));
  EXPECT_THAT(names("pubsub:Topic", "projects/acme/topics/t"), IsEmpty());
}

TEST(ResourcePlace, NamesThatAreOnNoRecordHaveATarget) {
  struct Case {
    const char* name;
    const char* key;  ///< Empty: no target.
  };
  const Case cases[] = {
      {"projects/acme/topics/t", "pubsub:Topic|projects/acme/topics/t"},
      {"//storage.googleapis.com/projects/_/buckets/data", "storage:Bucket|b/data"},
      {"folders/20", "cloudresourcemanager:Folder|folders/20"},
      {"payments", ""},
      {"", ""},
  };
  for (const Case& one : cases) {
    const auto target = providers::TargetNamed(one.name);
    EXPECT_EQ(target ? target->Key() : "", one.key) << one.name;
  }
  const auto several = providers::TargetNamed("projects/acme/instances/i");
  ASSERT_TRUE(several.has_value());
  EXPECT_EQ(several->kind.str(), "") << "instances of several services";
}

}  // namespace
}  // namespace bindery::access
