// Manifests that name others: what a change of one means for the other.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_world.h"

namespace bindery::controller {
namespace {

using ::testing::ElementsAre;
using testing::EngineWorld;
using ::testing::HasSubstr;
using testing::kAna;
using testing::kAnaViews;
using testing::kViewer;

class EngineLinks : public ::testing::Test {
 protected:
  EngineLinks() {
    world.cloud->AddTarget(EngineWorld::TargetName("t"));
    world.cloud->AddTarget(EngineWorld::TargetName("u"));
    world.Declare("base", "u", kViewer, {kAna}).source = {"base.yaml", 1};
    DependOn(world.Declare("m", "t", kViewer, {kAna}), "base");
  }

  static void DependOn(manifests::Manifest& manifest, const std::string& name) {
    manifest.source = {manifest.name + ".yaml", 1};
    manifests::ExtraOptions rare;
    rare.depends_on = {name};
    rare.depends_on_at = {{9, 4}};
    manifest.options.rare = std::make_shared<const manifests::ExtraOptions>(rare);
  }

  EngineWorld world;
};

TEST_F(EngineLinks, ADependencyThatIsThereIsFine) {
  world.Pass();
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
}

TEST_F(EngineLinks, AnUnknownDependencyKeepsTheManifestOut) {
  DependOn(world.manifests.at("m"), "bose");
  world.Pass();
  EXPECT_EQ(world.Status("m"), "Stalled ManifestInvalid");
  EXPECT_EQ(world.Message("m"),
            "m.yaml:9:4: options.dependsOn[0]: there is no manifest \"bose\", did you mean "
            "\"base\"?");
  EXPECT_TRUE(world.Grants("t").empty());
}

TEST_F(EngineLinks, AnEditOfAnotherFileThatTakesTheDependencyAwayIsNoticed) {
  world.Pass();
  world.Remove("base");
  world.Pass();
  EXPECT_EQ(world.Status("m"), "Stalled ManifestInvalid");
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews)) << "the last good version stays in force";
}

TEST_F(EngineLinks, SoIsOneAfterARestart) {
  world.Pass();
  world.Restart();
  world.Remove("base");
  world.Pass();
  EXPECT_EQ(world.Status("m"), "Stalled ManifestInvalid");
  EXPECT_THAT(world.Message("m"), HasSubstr("there is no manifest \"base\""));
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
}

}  // namespace
}  // namespace bindery::controller
