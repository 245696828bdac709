// What is known of a resource and of a target, part by part.

#include "controller/claims/resource_entry.h"

#include <gtest/gtest.h>

namespace bindery::controller {
namespace {

TEST(TargetReading, OutputsMoveWithTheEtag) {
  TargetEntry::Reading reading;
  reading.SetEtag("BwOld=");
  EXPECT_TRUE(reading.outputs_moved);
  reading.outputs_moved = false;
  reading.SetEtag("BwOld=");
  EXPECT_FALSE(reading.outputs_moved);
}

TEST(TargetReading, APolicyThatWasNeverReadHasNoName) {
  TargetEntry::Reading reading;
  EXPECT_EQ(reading.PolicyName(), "");
  reading.policy_digest = Sha256Digest::Of("{}");
  EXPECT_EQ(reading.PolicyName(), Sha256Hex("{}"));
}

TEST(ResourcePlace, IsWhereItsTargetProviderAndRoleAre) {
  const admission::Placement placement{{"K", "", "t"}, "cloudnative", "roles/viewer"};
  ResourceEntry::Place place;
  EXPECT_FALSE(place.IsAt({})) << "it has no target yet";
  place = {TargetKey(placement.target), placement.provider, placement.role};
  EXPECT_TRUE(place.IsAt(placement));
  EXPECT_EQ(place.placement(), placement);
  place.role = "roles/editor";
  EXPECT_FALSE(place.IsAt(placement));
}

TEST(ResourceEvidence, TheSecondMissingScanConfirmsThatItIsGone) {
  ResourceEntry::Evidence evidence;
  evidence.missing_scans = 1;
  EXPECT_FALSE(evidence.gone());
  ++evidence.missing_scans;
  EXPECT_TRUE(evidence.gone());
}

TEST(ResourceStanding, TheReasonWhyItIsKeptOutComesFirst) {
  ResourceEntry::Standing standing;
  standing.status = SharedStatus::AsDeclared();
  EXPECT_EQ(standing.headline(), SharedStatus::AsDeclared());
  standing.rejected = std::make_shared<const SharedStatus>(SharedStatus::Waiting());
  EXPECT_EQ(standing.headline(), SharedStatus::Waiting());
}

}  // namespace
}  // namespace bindery::controller
