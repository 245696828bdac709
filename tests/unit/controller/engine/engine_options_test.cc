// Resource options: adoption, own timeouts, former names, and the order of a replacement.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_world.h"

namespace bindery::controller {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::EngineWorld;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kAna;
using testing::kAnaOnT;
using testing::kAnaViews;
using testing::kBob;
using testing::kBobViews;
using testing::kEditor;
using testing::kReady;
using testing::kViewer;
using ::testing::SizeIs;
using namespace std::chrono_literals;

class EngineOptions : public ::testing::Test {
 protected:
  EngineOptions() {
    for (const char* target : {"t", "u"}) {
      world.cloud->AddTarget(EngineWorld::TargetName(target));
    }
  }
  /// "m", who views t.
  manifests::Manifest& Declare(std::vector<std::string> members,
                               const manifests::ExtraOptions& options) {
    manifests::Manifest& manifest = world.Declare("m", "t", kViewer, members);
    manifest.options.rare = std::make_shared<manifests::ExtraOptions>(options);
    return manifest;
  }
  static manifests::ExtraOptions Importing(const std::string& id) {
    manifests::ExtraOptions options;
    options.import_id = id;
    return options;
  }
  static manifests::ExtraOptions FormerlyKnownAs(const std::string& name) {
    manifests::ExtraOptions options;
    options.aliases = {name};
    return options;
  }
  void SetTarget(const std::string& target, const std::string& bindings) {
    world.cloud->AddTarget(EngineWorld::TargetName(target), bindings);
  }
  EngineWorld world;
  const std::string id_ = EngineWorld::TargetName("t") + " roles/viewer";
};

// Adoption ------------------------------------------------------------------------------------

TEST_F(EngineOptions, WhatIsImportedAsItIsIsAdoptedWithoutAWrite) {
  SetTarget("t", kAnaOnT);
  Declare({kAna}, Importing(id_));
  world.Pass();
  EXPECT_EQ(world.Status("m"), kReady);
  EXPECT_EQ(world.Writes(), 0);
}

TEST_F(EngineOptions, WhatDiffersIsNotAdoptedAndTheDifferenceIsShown) {
  SetTarget("t", kAnaOnT);
  Declare({kAna, kBob}, Importing(id_));
  world.Pass();
  EXPECT_EQ(world.Status("m"), "Stalled ImportMismatch");
  EXPECT_THAT(world.Message("m"),
              AllOf(HasSubstr("roles/viewer of user:bob@example.com"), HasSubstr("absent")));
  EXPECT_EQ(world.Writes(), 0);
  world.NextInterval();
  EXPECT_EQ(world.Writes(), 0) << "also later";
  world.Restart();
  world.Pass();
  EXPECT_EQ(world.Status("m"), "Stalled ImportMismatch") << "and after a restart";
  EXPECT_EQ(world.Writes(), 0);
  Declare({kAna}, Importing(id_));
  world.Pass();
  EXPECT_EQ(world.Status("m"), kReady);
  EXPECT_EQ(world.Writes(), 0);
}

TEST_F(EngineOptions, AMismatchStaysWhileOthersOfTheTargetAreWritten) {
  SetTarget("t", kAnaOnT);
  Declare({kBob}, Importing(id_));
  world.Declare("other", "t", kEditor, {kBob});
  world.Pass();
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/editor user:bob@example.com", kAnaViews));
  EXPECT_EQ(world.Status("m"), "Stalled ImportMismatch");
  EXPECT_EQ(world.Status("other"), kReady);
}

TEST_F(EngineOptions, AnImportThatWouldRemoveAnotherRoleIsRefused) {
  SetTarget("t", R"([{"role":"roles/viewer","members":["user:ana@example.com"]},
                     {"role":"roles/owner","members":["user:bob@example.com"]}])");
  Declare({kAna}, Importing(id_));
  world.Pass();
  EXPECT_EQ(world.Status("m"), "Stalled ImportMismatch");
  EXPECT_THAT(world.Message("m"), HasSubstr("roles/owner of user:bob@example.com"));
  EXPECT_EQ(world.Writes(), 0);
  world.Declare("o", "t", "roles/owner", {kBob}).options.rare =
      std::make_shared<manifests::ExtraOptions>(
          Importing(EngineWorld::TargetName("t") + " roles/owner"));
  world.Pass();
  EXPECT_EQ(world.Status("m"), kReady);
  EXPECT_EQ(world.Status("o"), kReady);
  EXPECT_EQ(world.Writes(), 0);
}

TEST_F(EngineOptions, AMoveWithAnImportIsAnAdoptionAnew) {
  SetTarget("t", kAnaOnT);
  world.Declare("m", "u", kViewer, {kAna});
  world.Pass();
  Declare({kBob}, Importing(id_));
  world.Pass();
  EXPECT_EQ(world.Status("m"), "Stalled ImportMismatch");
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
  EXPECT_THAT(world.Grants("u"), ElementsAre(kAnaViews)) << "until there is another in its place";
  Declare({kAna}, Importing(id_));
  world.Pass();
  EXPECT_EQ(world.Status("m"), kReady);
  EXPECT_THAT(world.Grants("u"), IsEmpty());
}

TEST_F(EngineOptions, AReplacementThatIsOnlyObservedTakesNothingAway) {
  world.Declare("m", "t", kViewer, {kAna});
  world.Pass();
  world.Declare("m", "t", kEditor, {kAna}).options.mode = Mode::kObserve;
  world.Pass();
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
  world.Declare("m", "t", kEditor, {kAna}).options.mode.reset();
  world.Pass();
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/editor user:ana@example.com"));
}

TEST_F(EngineOptions, OnceAdoptedItIsEnforcedLikeAnyOther) {
  SetTarget("t", kAnaOnT);
  Declare({kAna}, Importing(id_));
  world.Pass();
  SetTarget("t", "[]");
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
  Declare({kAna, kBob}, Importing(id_));
  world.Pass();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews, kBobViews));
}

TEST_F(EngineOptions, AFailedFirstReadDoesNotCountAsAdoption) {
  SetTarget("t", kAnaOnT);
  Declare({kBob}, Importing(id_));
  world.cloud->Fail({.operation = "getIamPolicy", .status = 403, .code = "PERMISSION_DENIED"});
  world.Pass();
  ASSERT_EQ(world.Status("m"), "Stalled PERMISSION_DENIED");
  world.NextInterval();
  EXPECT_EQ(world.Status("m"), "Stalled ImportMismatch");
  EXPECT_EQ(world.Writes(), 0);
}

TEST_F(EngineOptions, WhatWasNotAdoptedIsLeftAsItIsWhenItsManifestGoes) {
  world.settings.catalog.keep_undeclared = true;
  world.Configure();
  SetTarget("t", kAnaOnT);
  Declare({kBob}, Importing(id_));
  world.DeclareRestriction("r", "dashboard:abc", "editor", {"user:u1"}).options.rare =
      std::make_shared<manifests::ExtraOptions>(Importing("dashboard:abc"));
  world.cloud->SetRestriction("dashboard:abc",
                              R"([{"relation":"editor","principals":["user:u2"]}])");
  world.Pass();
  ASSERT_EQ(world.Status("r"), "Stalled ImportMismatch");
  world.Remove("m");
  world.Remove("r");
  world.Pass();
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
  EXPECT_EQ(world.cloud->Calls("delete") + world.Writes(), 0);
  EXPECT_THAT(world.Names(), IsEmpty());
  EXPECT_THAT(world.store.state.targets, IsEmpty());
}

TEST_F(EngineOptions, AnImportThatIsCorrectedLeavesTheWrongTargetAsItIs) {
  for (const char* id : {"dashboard:abc", "dashboard:xyz"}) {
    world.cloud->SetRestriction(id, R"([{"relation":"editor","principals":["user:u2"]}])");
  }
  world.DeclareRestriction("r", "dashboard:abc", "editor", {"user:u1"}).options.rare =
      std::make_shared<manifests::ExtraOptions>(Importing("dashboard:abc"));
  world.Pass();
  ASSERT_EQ(world.Status("r"), "Stalled ImportMismatch");
  world.DeclareRestriction("r", "dashboard:xyz", "editor", {"user:u2"}).options.rare =
      std::make_shared<manifests::ExtraOptions>(Importing("dashboard:xyz"));
  world.Pass();
  world.NextInterval();
  EXPECT_EQ(world.Status("r"), kReady);
  EXPECT_EQ(world.cloud->Calls("delete") + world.cloud->Calls("post"), 0);
  EXPECT_THAT(world.Names(), ElementsAre("r"));
}

TEST_F(EngineOptions, WhatArrivesDuringAWriteIsNotAdoptedByIt) {
  world.settings.catalog.keep_undeclared = true;
  world.Configure();
  SetTarget("t", kAnaOnT);
  world.Declare("other", "t", kEditor, {kBob});
  ASSERT_FALSE(world.Scan().confirm);
  Engine::Actions actions = world.Step();
  ASSERT_THAT(actions.checks, SizeIs(1));
  world.Check(actions.checks[0]);
  actions = world.Step();
  ASSERT_THAT(actions.writes, SizeIs(1));
  Declare({kBob}, Importing(id_));
  ASSERT_FALSE(world.Scan().confirm);
  world.Write(actions.writes[0]);
  world.Work();
  EXPECT_EQ(world.Status("m"), "Stalled ImportMismatch");
  EXPECT_EQ(world.Record("m").observed_generation, 0);
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/editor user:bob@example.com", kAnaViews));
}

TEST_F(EngineOptions, AnIdOfSomethingElseIsRefused) {
  for (const std::string& id :
       {EngineWorld::TargetName("u") + " roles/viewer",
        EngineWorld::TargetName("t") + " roles/owner", std::string("nonsense")}) {
    Declare({kAna}, Importing(id));
    world.Pass();
    EXPECT_EQ(world.Status("m"), "Stalled ManifestInvalid") << id;
    EXPECT_THAT(world.Message("m"), HasSubstr("options.import")) << id;
  }
  EXPECT_EQ(world.Writes(), 0);
}

// Timeouts --------------------------------------------------------------------------------------

TEST_F(EngineOptions, EachKindOfWriteHasItsOwnTimeout) {
  manifests::ExtraOptions options;
  options.create_timeout = 61s;
  options.update_timeout = 62s;
  options.delete_timeout = 63s;
  Declare({kAna}, options);
  world.Pass();
  EXPECT_EQ(world.cloud->LastWrite().timeout, 61s);
  Declare({kAna, kBob}, options);
  world.Pass();
  EXPECT_EQ(world.cloud->LastWrite().timeout, 62s);
  world.Remove("m");
  world.Pass();
  EXPECT_EQ(world.cloud->LastWrite().timeout, 63s);
}

TEST_F(EngineOptions, WithoutOneTheConfiguredTimeoutHolds) {
  world.settings.call_timeout = 17s;
  world.Configure();
  world.Declare("m", "t", kViewer, {kAna});
  world.Pass();
  EXPECT_EQ(world.cloud->LastWrite().timeout, 17s);
}

// Former names ----------------------------------------------------------------------------------

TEST_F(EngineOptions, ARenamedManifestIsTheSameResource) {
  world.Declare("old", "t", kViewer, {kAna});
  world.Pass();
  ASSERT_TRUE(world.engine->commands().Suspend({"old"}, true, "ana", world.now).has_value());
  world.Work();
  world.cloud->ResetCounts();
  world.Remove("old");
  Declare({kAna}, FormerlyKnownAs("old"));
  EXPECT_FALSE(world.Scan().confirm) << "nothing is missing";
  world.Work();
  EXPECT_THAT(world.Names(), ElementsAre("m"));
  EXPECT_EQ(world.Writes(), 0);
  EXPECT_TRUE(world.Record("m").suspended);
  EXPECT_EQ(world.Events("Renamed"), 1);
}

TEST_F(EngineOptions, ARenamedManifestThatAlsoMovesIsReplacedNotLeftBehind) {
  world.Declare("old", "t", kViewer, {kAna});
  world.Pass();
  world.Remove("old");
  manifests::Manifest& renamed = world.Declare("m", "u", kViewer, {kAna});
  renamed.options.rare = std::make_shared<manifests::ExtraOptions>(FormerlyKnownAs("old"));
  world.Pass();
  EXPECT_THAT(world.Grants("u"), ElementsAre(kAnaViews));
  EXPECT_THAT(world.Grants("t"), IsEmpty());
  EXPECT_THAT(world.Names(), ElementsAre("m"));
}

TEST_F(EngineOptions, ARenameIsKnownAfterARestart) {
  world.Declare("old", "t", kViewer, {kAna});
  world.Pass();
  world.Restart();
  world.Remove("old");
  Declare({kAna}, FormerlyKnownAs("old"));
  world.cloud->ResetCounts();
  world.Pass();
  EXPECT_THAT(world.Names(), ElementsAre("m"));
  EXPECT_EQ(world.Writes(), 0);
  world.Restart();
  world.Pass();
  EXPECT_THAT(world.Names(), ElementsAre("m"));
}

TEST_F(EngineOptions, AProtectedManifestCanBeRenamed) {
  world.Declare("old", "t", kViewer, {kAna}).options.protect = true;
  world.Pass();
  world.Remove("old");
  Declare({kAna}, FormerlyKnownAs("old")).options.protect = true;
  world.Pass();
  EXPECT_THAT(world.Names(), ElementsAre("m"));
  EXPECT_EQ(world.Status("m"), kReady);
}

// Replacement -----------------------------------------------------------------------------------

TEST_F(EngineOptions, TheNewGrantIsMadeBeforeTheOldOneIsTakenAway) {
  world.Declare("m", "t", kViewer, {kAna});
  world.Pass();
  world.cloud->Fail({.operation = "setIamPolicy",
                     .target = EngineWorld::TargetName("u"),
                     .status = 403,
                     .code = "PERMISSION_DENIED"});
  world.Declare("m", "u", kViewer, {kAna});
  world.Pass();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews)) << "ana is never without access";
  EXPECT_THAT(world.Grants("u"), IsEmpty());
  world.Restart();
  world.cloud->Fail({.operation = "setIamPolicy",
                     .target = EngineWorld::TargetName("u"),
                     .status = 403,
                     .code = "PERMISSION_DENIED"});
  world.Pass();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews)) << "not after a restart either";
  world.NextInterval();
  EXPECT_THAT(world.Grants("u"), ElementsAre(kAnaViews));
  EXPECT_THAT(world.Grants("t"), IsEmpty()) << "and the old grant is never left behind";
  EXPECT_THAT(world.Names(), ElementsAre("m"));
}

TEST_F(EngineOptions, AnotherRoleOnTheSameTargetIsOneWrite) {
  world.Declare("m", "t", kViewer, {kAna});
  world.Pass();
  world.cloud->ResetCounts();
  world.Declare("m", "t", kEditor, {kAna});
  world.Pass();
  EXPECT_EQ(world.Writes(), 1);
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/editor user:ana@example.com"));
}

TEST_F(EngineOptions, AReplacedRestrictionPolicyComesFirstToo) {
  world.DeclareRestriction("r", "dashboard:old", "editor", {"user:u1"});
  world.Pass();
  world.cloud->Fail({.operation = "post", .status = 403, .code = "PERMISSION_DENIED"});
  world.DeclareRestriction("r", "dashboard:new", "editor", {"user:u1"});
  world.Pass();
  EXPECT_FALSE(world.cloud->Restriction("dashboard:old").empty());
  world.NextInterval();
  EXPECT_TRUE(world.cloud->Restriction("dashboard:old").empty());
  EXPECT_FALSE(world.cloud->Restriction("dashboard:new").empty());
}

TEST_F(EngineOptions, AReplacementThatIsDeletedMeanwhileLeavesNothingBehind) {
  world.Declare("m", "t", kViewer, {kAna});
  world.Pass();
  world.cloud->Fail({.operation = "setIamPolicy",
                     .target = EngineWorld::TargetName("u"),
                     .status = 403,
                     .code = "PERMISSION_DENIED"});
  world.Declare("m", "u", kViewer, {kAna});
  world.Pass();
  world.Remove("m");
  world.Pass();
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), IsEmpty());
  EXPECT_THAT(world.Names(), IsEmpty());
}

}  // namespace
}  // namespace bindery::controller
