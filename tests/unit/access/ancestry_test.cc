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

TEST(Ancestry, GivesTheTypesThatConditionsKnow) {
  const Places places(Containers());
  struct Case {
    Target target;
    const char* type;  ///< Empty: not documented.
  };
  const Case cases[] = {
      {{"storage:Object", "", "b/data/o/a"}, "storage.googleapis.com/Object"},
      {{"storage:ManagedFolder", "", "b/data/managedFolders/a/"},
       "storage.googleapis.com/ManagedFolder"},
      {{"storage:Bucket", "", "b/data"}, "storage.googleapis.com/Bucket"},
      {{"bigquery:Routine", "", "projects/acme/datasets/d/routines/r"},
       "bigquery.googleapis.com/Routine"},
      // Cloud Asset says ReservationAssignment.
      {{"bigqueryreservation:ReservationAssignment", "",
        "projects/acme/locations/l/reservations/r/assignments/a"},
       "bigqueryreservation.googleapis.com/Assignment"},
      {{"compute:RegionDisk", "", "projects/acme/regions/r/disks/d"},
       "compute.googleapis.com/Disk"},
      {{"compute:Subnetwork", "", "projects/acme/regions/r/subnetworks/s"}, ""},
      {{"cloudresourcemanager:Project", "", "projects/acme"},
       "cloudresourcemanager.googleapis.com/Project"},
      {{"cloudresourcemanager:Folder", "", "folders/20"}, ""},
      {{"", "", "projects/acme/secrets/key/versions/1"},
       "secretmanager.googleapis.com/SecretVersion"},
      {{"", "", "projects/acme/locations/l/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1"},
       "cloudkms.googleapis.com/CryptoKeyVersion"},
      {{"", "", "//bigtableadmin.googleapis.com/projects/acme/instances/i/clusters/c"},
       "bigtableadmin.googleapis.com/Cluster"},
      {{"", "", "projects/acme/secrets/key/things/1"}, ""},
      {{"", "", "//bigquery.googleapis.com/projects/acme/datasets/d"},
       "bigquery.googleapis.com/Dataset"},
      {{"", "", "projects/acme/datasets/d/models/m"}, "bigquery.googleapis.com/Model"},
      {{"bigquery.googleapis.com/Dataset", "",
        "//bigquery.googleapis.com/projects/acme/datasets/d"},
       "bigquery.googleapis.com/Dataset"},
      {{"", "", "//healthcare.googleapis.com/projects/acme/datasets/d"}, ""},
      {{"pubsub:Topic", "", "projects/acme/topics/t"}, ""},
  };
  for (const Case& one : cases) {
    auto attributes = FindAncestry(one.target, "projects/42", places).attributes;
    const auto& types = attributes["resource.type"];
    EXPECT_EQ(types.empty() ? "" : types.front(), one.type) << one.target.Key();
  }
}

TEST(Ancestry, GivesWhatCanBeInsideATarget) {
  const Places places(Containers());
  struct Case {
    Target target;
    std::vector<std::string> parts;  ///< "type form"
  };
  const Case cases[] = {
      {{"secretmanager:Secret", "", "projects/acme/secrets/k"},
       {"secretmanager.googleapis.com/SecretVersion projects/acme/secrets/k/versions/*",
        "secretmanager.googleapis.com/SecretVersion projects/42/secrets/k/versions/*"}},
      {{"secretmanager:Secret", "", "projects/other/secrets/k"},
       {"secretmanager.googleapis.com/SecretVersion projects/*/secrets/k/versions/*"}},
      {{"storage:Bucket", "", "b/data"},
       {"storage.googleapis.com/ManagedFolder projects/_/buckets/data/managedFolders/**",
        "storage.googleapis.com/Object projects/_/buckets/data/objects/**"}},
      {{"storage:ManagedFolder", "", "b/data/managedFolders/a/b/"},
       {"storage.googleapis.com/Object projects/_/buckets/data/objects/a/b/**",
        "storage.googleapis.com/ManagedFolder projects/_/buckets/data/managedFolders/a/b/**"}},
      {{"storage:Object", "", "b/data/o/a"}, {}},
      {{"pubsub:Topic", "", "projects/acme/topics/t"}, {}},
      {{"cloudresourcemanager:Project", "", "projects/acme"},
       {" projects/acme/**", " projects/42/**", " projects/_/**", " organizations/**"}},
      {{"cloudresourcemanager:Folder", "", "folders/20"}, {" "}},
      {{"", "", "//bigtableadmin.googleapis.com/projects/other/instances/i/clusters/c"},
       {"bigtableadmin.googleapis.com/Backup projects/*/instances/i/clusters/c/backups/*"}},
      {{"", "", "//bigquery.googleapis.com/projects/_/datasets/d"},
       {"bigquery.googleapis.com/Model projects/_/datasets/d/models/*",
        "bigquery.googleapis.com/Routine projects/_/datasets/d/routines/*",
        "bigquery.googleapis.com/Table projects/_/datasets/d/tables/*"}},
      {{"", "", "//container.googleapis.com/projects/acme/locations/l/clusters/c"}, {" "}},
  };
  for (const Case& one : cases) {
    std::vector<std::string> parts;
    for (const auto& part : FindAncestry(one.target, "", places).parts) {
      parts.push_back(part.type + " " + part.form);
    }
    EXPECT_EQ(parts, one.parts) << one.target.Key();
  }
}

TEST(Ancestry, OfANameThatNoKindHasIsOfWhatTheNameTells) {
  const Places places(Containers());
  struct Case {
    const char* name;
    Names above;
    const char* gap;
  };
  const Case cases[] = {
      {"projects/acme/secrets/k/versions/1", With({"projects/acme/secrets/k"}, kAcme), ""},
      {"//secretmanager.googleapis.com/projects/42/secrets/k/versions/1",
       With({"projects/42/secrets/k"}, kAcme), ""},
      {"projects/acme/locations/l/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1",
       With({"projects/acme/locations/l/keyRings/r/cryptoKeys/k",
             "projects/acme/locations/l/keyRings/r"},
            kAcme),
       ""},
      {"//container.googleapis.com/projects/acme/locations/l/clusters/c", kAcme, ""},
      {"//bigquery.googleapis.com/projects/acme/datasets/d", kAcme, ""},
      {"//bigquery.googleapis.com/projects/acme/datasets/d/models/m",
       With({"//bigquery.googleapis.com/projects/acme/datasets/d"}, kAcme), ""},
      {"projects/acme/instances/i/clusters/c", kAcme, "several services have such names"},
      {"//bigtableadmin.googleapis.com/projects/acme/instances/i/clusters/c",
       With({"projects/acme/instances/i"}, kAcme), ""},
      {"//example.googleapis.com/folders/20/things/a", {"folders/20", "organizations/1"}, ""},
  };
  for (const Case& one : cases) {
    const auto target = providers::TargetNamed(one.name);
    ASSERT_TRUE(target.has_value()) << one.name;
    EXPECT_EQ(target->Key(), std::string("|") + one.name);
    const Ancestry ancestry = FindAncestry(*target, "", places);
    EXPECT_EQ(NamesAbove(ancestry), one.above) << one.name;
    std::string gaps;
    for (const std::string& gap : ancestry.gaps) gaps += gap;
    EXPECT_THAT(gaps, HasSubstr(one.gap)) << one.name;
  }
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
      {"projects/acme/secrets/k/versions/1", "|projects/acme/secrets/k/versions/1"},
      {"projects/acme/datasets/d", "|projects/acme/datasets/d"},
      {"//example.googleapis.com/projects/acme/things/a",
       "|//example.googleapis.com/projects/acme/things/a"},
      {"projects/acme/things/a", ""},
      {"projects/acme/topcs/orders", ""},
      {"folders/20/things/a", ""},
      {"payments", ""},
      {"teams/payments", ""},
      {"projects/acme/", ""},
      {"projects/acme//topics", ""},
      {"projects/acme/topics/*", ""},
      {"//example.com/projects/acme/things/a", ""},
      {"//container.googleapis.com", ""},
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
