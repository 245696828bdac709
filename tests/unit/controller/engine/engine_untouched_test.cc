// What goes with a manifest: all that was, or may have been, granted in its name where it was
// declared, and nothing else.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_world.h"

namespace bindery::controller {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using testing::EngineWorld;
using ::testing::IsEmpty;
using testing::kAna;
using testing::kAnaViews;
using testing::kEditor;
using testing::kEveViews;
using testing::kViewer;
using ::testing::SizeIs;

constexpr const char* kOther = R"([{"role":"roles/viewer","members":["user:eve@example.com"]}])";

class EngineUntouched : public ::testing::Test {
 protected:
  EngineUntouched() {
    // Roles that nobody declares stay: what goes, goes with its manifest.
    world.settings.catalog.keep_undeclared = true;
    world.Configure();
    for (const char* id : {"t", "u"}) world.cloud->AddTarget(EngineWorld::TargetName(id));
  }
  /// Reads until "m" is about to be written, and gives that write.
  Engine::WriteTask FirstWrite() {
    world.Scan();
    Engine::Actions actions = world.Step();
    EXPECT_THAT(actions.checks, SizeIs(1));
    world.Check(actions.checks.at(0));
    actions = world.Step();
    EXPECT_THAT(actions.writes, SizeIs(1));
    return std::move(actions.writes.at(0));
  }
  void DeclareM(const char* target = "t") { world.Declare("m", target, kViewer, {kAna}); }
  static std::shared_ptr<const manifests::ExtraOptions> Needing(const std::string& name) {
    auto rare = std::make_shared<manifests::ExtraOptions>();
    rare->depends_on = {name};
    return rare;
  }
  /// "base" fails for good: its target is not there.
  void DeclareFailingBase() { world.Declare("base", "nowhere", kViewer, {kAna}); }
  void RemoveM() {
    world.Remove("m");
    world.Pass();
    world.NextInterval();
  }
  EngineWorld world;
};

TEST_F(EngineUntouched, WhatIsBeingWrittenWhenTheManifestMovesIsTakenBack) {
  DeclareM();
  const Engine::WriteTask write = FirstWrite();
  DeclareM("u");
  world.Scan();
  world.Write(write);
  world.Work();
  world.NextInterval();
  EXPECT_THAT(world.Grants("u"), ElementsAre(kAnaViews));
  EXPECT_THAT(world.Grants("t"), IsEmpty());
}

TEST_F(EngineUntouched, WhatIsBeingWrittenWhenTheManifestBeginsToWaitIsTakenBackWithIt) {
  DeclareM();
  const Engine::WriteTask write = FirstWrite();
  DeclareFailingBase();
  world.manifests.at("m").options.rare = Needing("base");
  world.Scan();
  world.Write(write);
  world.Work();
  ASSERT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
  RemoveM();
  EXPECT_THAT(world.Grants("t"), IsEmpty());
}

TEST_F(EngineUntouched, WhoTakesOverAClaimTakesOverWhatWasGranted) {
  world.Declare("old", "t", kViewer, {kAna});
  world.Pass();
  world.Remove("old");
  DeclareFailingBase();
  DeclareM();
  world.manifests.at("m").options.rare = Needing("base");
  world.Pass();
  ASSERT_EQ(world.Status("m"), "Reconciling DependencyNotReady");
  RemoveM();
  EXPECT_THAT(world.Grants("t"), IsEmpty());
}

TEST_F(EngineUntouched, WhatWasWrittenBeforeACrashIsTakenBack) {
  DeclareM();
  const Engine::WriteTask write = FirstWrite();
  std::ignore = world.RunWrite(write.job);  // The process ends before it hears of it.
  world.Remove("m");
  world.Restart();
  world.Pass();
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), IsEmpty());
}

TEST_F(EngineUntouched, ARestartKnowsWhatWasGranted) {
  DeclareM();
  world.Pass();
  world.Restart();
  RemoveM();
  EXPECT_THAT(world.Grants("t"), IsEmpty());
}

TEST_F(EngineUntouched, WhatWasFoundAsDeclaredIsTakenAwayWithItsManifest) {
  world.cloud->AddTarget(EngineWorld::TargetName("t"),
                         R"([{"role":"roles/viewer","members":["user:ana@example.com"]}])");
  DeclareM();
  world.Pass();
  RemoveM();
  EXPECT_THAT(world.Grants("t"), IsEmpty());
}

TEST_F(EngineUntouched, WhatWasFoundAsDeclaredAndRevokedByHandIsDoneWith) {
  DeclareM();
  world.Pass();
  world.cloud->AddTarget(EngineWorld::TargetName("t"));
  RemoveM();
  EXPECT_EQ(world.Status("m"), "gone");
  EXPECT_THAT(world.store.state.targets, IsEmpty());
}

struct Untouched {
  const char* name;
  void (*arrange)(EngineWorld& world);  ///< So that nothing is done about "m".
  void (*relent)(EngineWorld& world);
};

class EngineNeverDone : public EngineUntouched, public ::testing::WithParamInterface<Untouched> {};

TEST_P(EngineNeverDone, LeavesWhatOthersGranted) {
  world.cloud->AddTarget(EngineWorld::TargetName("t"), kOther);
  DeclareM();
  GetParam().arrange(world);
  world.Pass();
  world.Remove("m");
  world.Pass();
  GetParam().relent(world);
  world.Restart();
  world.Pass();
  world.Advance(seconds(3600));
  EXPECT_THAT(world.Grants("t"), ElementsAre(kEveViews));
  EXPECT_EQ(world.Status("m"), "gone");
}

INSTANTIATE_TEST_SUITE_P(
    Why, EngineNeverDone,
    ::testing::Values(Untouched{"TheReadIsRefused",
                                [](EngineWorld& world) {
                                  world.cloud->Fail({.operation = "getIamPolicy",
                                                     .status = 403,
                                                     .code = "PERMISSION_DENIED",
                                                     .times = 2});
                                },
                                [](EngineWorld& /*world*/) {}},
                      Untouched{"TheServiceIsAway",
                                [](EngineWorld& world) {
                                  world.cloud->Fail({.operation = "getIamPolicy",
                                                     .status = 503,
                                                     .code = "UNAVAILABLE",
                                                     .times = 3});
                                },
                                [](EngineWorld& /*world*/) {}},
                      Untouched{"ItIsSuspendedFromTheFirst",
                                [](EngineWorld& world) {
                                  world.manifests.at("m").options.suspend = true;
                                },
                                [](EngineWorld& /*world*/) {}}),
    [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace bindery::controller
