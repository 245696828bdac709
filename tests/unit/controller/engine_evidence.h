#pragma once

#include <gtest/gtest.h>

#include "fakes/engine_world.h"

namespace bindery::testing {

inline constexpr const char* kEveEdits = "roles/editor user:eve@example.com";

/// Two manifests on two targets, in force and settled.
class EngineEvidence : public ::testing::Test {
 protected:
  EngineEvidence() {
    world.settings.settle = std::chrono::seconds(10);
    world.Configure();
    for (const char* id : {"t", "u"}) world.cloud->AddTarget(EngineWorld::TargetName(id));
    world.facts.ground = manifests::Ground{"/m", "/m", 1, 2, 3, false, false, {}};
    Touch();
    world.Declare("m", "t", kViewer, {kAna, kBob});
    world.Declare("n", "u", kViewer, {kAna});
    world.Scan();
    world.Work();
    Settle();
  }

  /// Something in the directory changes now.
  void Touch() { world.facts.newest = world.now.wall; }
  /// A scan that finds a change.
  void ScanChange() {
    Touch();
    if (world.Scan().confirm) world.Scan();
    world.Work();
  }
  /// Time passes until the directory has settled, as the loop sees to it.
  void Settle() {
    world.Advance(std::chrono::seconds(10));
    world.Scan();
    world.Work();
  }

  EngineWorld world;
};

}  // namespace bindery::testing
