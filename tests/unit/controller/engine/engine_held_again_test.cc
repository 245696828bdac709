// What the guard holds stays held while the directory changes again.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/controller/engine_evidence.h"

namespace bindery::controller {
namespace {

using testing::kAna;
using testing::kBob;
using testing::kEditor;
using testing::kViewer;

/// Two removals on one target wait for approval: those of a manifest that is gone, and of one that
/// was narrowed.
class EngineHeldAgain : public testing::EngineEvidence {
 protected:
  EngineHeldAgain() {
    world.settings.guard.max_removed_grants = 1;
    world.Configure();
    world.Declare("e", "t", kEditor, {kAna, kBob});
    ScanChange();
    Settle();
    world.Declare("e", "t", kEditor, {kAna});
    world.Remove("m");
    ScanChange();
    Settle();
  }
};

TEST_F(EngineHeldAgain, AnUnrelatedEditChangesNoHoldAndTellsNothing) {
  const std::string digest = world.HoldDigest();
  ASSERT_NE(digest, "");
  ASSERT_EQ(world.Status("m"), "Stalled GuardHeld");
  ASSERT_EQ(world.Status("e"), "Stalled GuardHeld");
  const int told = world.Events("GuardHeld");
  const int writes = world.Writes();
  const auto edited = [&] {
    ScanChange();
    world.Reconcile("e");
    EXPECT_EQ(world.HoldDigest(), digest);
    EXPECT_EQ(world.Status("m"), "Stalled GuardHeld");
    EXPECT_EQ(world.Status("e"), "Stalled GuardHeld");
    Settle();
    EXPECT_EQ(world.HoldDigest(), digest);
  };
  world.Declare("n", "u", kViewer, {kAna, kBob});
  edited();
  world.Declare("o", "t", "roles/browser", {kAna});
  edited();
  EXPECT_EQ(world.Status("o"), "Ready ReconciliationSucceeded");
  EXPECT_EQ(world.Events("GuardHeld"), told);
  EXPECT_GT(world.Writes(), writes) << "what is added goes";
}

TEST_F(EngineHeldAgain, WhatIsDeclaredAgainIsHeldNoMore) {
  const std::string digest = world.HoldDigest();
  world.Declare("m", "t", kViewer, {kAna, kBob});
  ScanChange();
  EXPECT_NE(world.HoldDigest(), digest);
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
}

}  // namespace
}  // namespace bindery::controller
