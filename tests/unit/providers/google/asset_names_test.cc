// Names of Cloud Asset: each is that of the target whose policy it shows.

#include "providers/google/rows/asset_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "providers/google/rows/asset_types.h"
#include "providers/google/rows/iam_kinds.h"
#include "support/iam_names.h"

namespace bindery::google {
namespace {

using testing::SampleNames;

std::string ToTarget(std::string_view type, const std::string& name) {
  const auto target = TargetOfAsset(type, name);
  return target ? target->kind + " " + target->name : "";
}

TEST(AssetNames, TellTheTarget) {
  struct Case {
    const char* type;
    const char* name;
    const char* target;
  };
  const std::vector<Case> cases = {
      {"pubsub.googleapis.com/Topic", "//pubsub.googleapis.com/projects/acme/topics/orders",
       "pubsub:Topic projects/acme/topics/orders"},
      {"cloudresourcemanager.googleapis.com/Project",
       "//cloudresourcemanager.googleapis.com/projects/acme",
       "cloudresourcemanager:Project projects/acme"},
      {"storage.googleapis.com/Bucket", "//storage.googleapis.com/acme-data",
       "storage:Bucket b/acme-data"},
      {"compute.googleapis.com/Disk",
       "//compute.googleapis.com/projects/acme/zones/europe-west1-b/disks/d",
       "compute:Disk projects/acme/zones/europe-west1-b/disks/d"},
      {"compute.googleapis.com/Disk",
       "//compute.googleapis.com/projects/acme/regions/europe-west1/disks/d",
       "compute:RegionDisk projects/acme/regions/europe-west1/disks/d"},
      {"pubsub.googleapis.com/Topic", "//pubsub.googleapis.com/projects/acme/things/x", ""},
      {"unknown.googleapis.com/Thing", "//unknown.googleapis.com/projects/acme/things/x", ""},
  };
  for (const Case& one : cases) EXPECT_EQ(ToTarget(one.type, one.name), one.target) << one.name;
}

TEST(AssetNames, AreReadForEveryTypeThatIsSearched) {
  for (const AssetType& type : AssetTypes()) {
    const IamRow* row = FindIamRow(type.row);
    ASSERT_NE(row, nullptr) << type.row;
    for (const std::string& name : SampleNames(*row)) {
      EXPECT_NE(ToTarget(type.name, "//" + std::string(row->host) + "/" + name), "")
          << type.row << " " << name;
    }
  }
}

}  // namespace
}  // namespace bindery::google
