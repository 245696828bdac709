#pragma once

#include <gtest/gtest.h>

#include <string>

#include "fakes/engine_world.h"

namespace bindery::testing {

/// Twelve targets, each with one manifest that declares one viewer; no more than five removals may
/// go without an approval.
class TwelveTargets : public ::testing::Test {
 protected:
  TwelveTargets() {
    world.settings.guard = {5, 1.0};
    world.Configure();
    for (int i = 0; i < kTargets; ++i) {
      world.cloud->AddTarget(EngineWorld::TargetName(Id(i)));
      world.Declare(Id(i), Id(i), kViewer, {"user:ana@example.com"});
    }
    world.Pass();
  }
  static std::string Id(int i) { return "t" + std::to_string(10 + i); }
  [[nodiscard]] int EmptyTargets() const {
    int count = 0;
    for (int i = 0; i < kTargets; ++i) count += world.Grants(Id(i)).empty() ? 1 : 0;
    return count;
  }

  static constexpr int kTargets = 12;
  EngineWorld world;
};

}  // namespace bindery::testing
