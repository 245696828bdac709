#include "controller/catalog/directory_in_force.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/claims_world.h"

namespace bindery::controller {
namespace {

using testing::ClaimsWorld;
using ::testing::HasSubstr;

struct DirectoryInForceTest : public ::testing::Test, public ClaimsWorld {
  CatalogSettings settings;
  ProjectNames names;
  RemovalEvidence evidence;
  ClaimAges ages{claims, evidence};
  Links links{claims, settings};
  ScanState state;
  DirectoryInForce directory{{kinds, settings, claims, links, ages, evidence, names, state}};
};

TEST_F(DirectoryInForceTest, AScanWithoutManifestsIsRefusedWhereSomeAreInForce) {
  EXPECT_FALSE(directory.WouldEmpty({})) << "nothing is in force";
  Put("a", "t", "roles/one");
  const auto refused = directory.WouldEmpty({});
  ASSERT_TRUE(refused.has_value());
  EXPECT_EQ(refused->code, Code::kFailedPrecondition);
  EXPECT_THAT(refused->message, HasSubstr("no manifest any more"));
  ScanInput some;
  some.manifests = 1;
  EXPECT_FALSE(directory.WouldEmpty(some));
}

TEST_F(DirectoryInForceTest, AScanThatIsAppliedIsOnRecordAndItsMissingManifestsAreConfirmed) {
  Put("a", "t", "roles/one");
  ScanInput scan;
  scan.digest = "digest";
  evidence.Looked(scan.facts, scan.digest, {});
  const ScanOutcome outcome = directory.Apply(scan, {});
  EXPECT_TRUE(outcome.confirm);
  EXPECT_EQ(claims.FindResource("a")->evidence.missing_scans, 1);
  EXPECT_TRUE(outcome.change.generation.has_value());
  EXPECT_TRUE(outcome.change.problems.has_value());
}

TEST_F(DirectoryInForceTest, WhatCannotBeMadeOutLeavesNothingSound) {
  state.sound = true;
  ResourceEntry& entry = Put("a", "t", "roles/one");
  directory.NoteUnreadable(entry, "its spec is damaged");
  EXPECT_TRUE(entry.unreadable);
  EXPECT_FALSE(state.sound) << "the next scan looks at all";
}

TEST_F(DirectoryInForceTest, TheLastScanIsKeptWhileSomethingMayChangeWhatItMeans) {
  EXPECT_FALSE(directory.AwaitsOthers());
  ScanInput scan;
  scan.edit.emplace();
  directory.last_scan().Keep(scan, directory.AwaitsOthers());
  directory.last_scan().NoteChange();
  EXPECT_EQ(directory.last_scan().TakeDue(), nullptr);

  state.awaits_forget = true;
  EXPECT_TRUE(directory.AwaitsOthers());
  directory.last_scan().Keep(scan, directory.AwaitsOthers());
  EXPECT_EQ(directory.last_scan().TakeDue(), nullptr) << "nothing has changed";
  directory.last_scan().NoteChange();
  const ScanInput* again = directory.last_scan().TakeDue();
  ASSERT_NE(again, nullptr);
  EXPECT_TRUE(again->again);
  EXPECT_FALSE(again->edit.has_value()) << "all of it is looked at";
  EXPECT_EQ(directory.last_scan().TakeDue(), nullptr);
}

}  // namespace
}  // namespace bindery::controller
