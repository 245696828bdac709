// What a service stores under another name than it was asked for, and deleted principals that are
// left in policies.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controller/engine/dry_run.h"
#include "fakes/engine_world.h"

namespace bindery::testing {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr const char* kAlias = "user:alias@example.com";
constexpr const char* kPrimary = "user:primary@example.com";
constexpr const char* kPrimaryViews = "roles/viewer user:primary@example.com";
constexpr const char* kTold =
    "the service stores \"user:alias@example.com\" as \"user:primary@example.com\": write "
    "\"user:primary@example.com\"";

class EngineForms : public ::testing::Test {
 protected:
  EngineForms() {
    world.settings.catalog.keep_undeclared = true;
    world.Configure();
    world.cloud->AddTarget(EngineWorld::TargetName("t"));
    world.cloud->StoreAs(kAlias, kPrimary);
  }
  void DeclareMember(const std::string& name, const std::string& member,
                     const std::string& role = kViewer) {
    const Json spec = {{"name", EngineWorld::TargetName("t")}, {"role", role}, {"member", member}};
    world.Put(name, {"cloudnative:networksecurity/v1", "AuthorizationPolicyIamMember"}, spec);
  }
  void Seed(const std::string& bindings) {
    world.cloud->AddTarget(EngineWorld::TargetName("t"), bindings);
  }
  /// Nothing is written while time passes, and nobody is alarmed.
  void ExpectRest(int writes) {
    for (int i = 0; i < 3; ++i) world.NextInterval();
    EXPECT_EQ(world.Writes(), writes);
    EXPECT_EQ(world.Events("WriteContested"), 0);
    EXPECT_EQ(world.Events("Oscillating"), 0);
  }
  /// What is missing counts as gone, and removals may go.
  void Settle() {
    world.facts.ground = manifests::Ground{"/m", "/m", 1, 2, 3, false, false, {}};
    for (int i = 0; i < 3; ++i) {
      world.Pass();
      world.Advance(seconds(60));
    }
  }
  [[nodiscard]] std::vector<store::DriftRecord> Standing() const {
    return *world.store.Drift({true, std::nullopt, 1000});
  }
  EngineWorld world;
};

struct ShapeCase {
  const char* name;
  bool member;
};

class EngineFormsOfShapes : public EngineForms, public ::testing::WithParamInterface<ShapeCase> {
 protected:
  void DeclareAlias() {
    if (GetParam().member) return DeclareMember("m", kAlias);
    world.Declare("m", "t", kViewer, {kAlias});
  }
};

TEST_P(EngineFormsOfShapes, AnAliasIsWrittenOnceAndThePersonIsTold) {
  DeclareAlias();
  world.Pass();
  EXPECT_EQ(world.Status("m"), kReady);
  EXPECT_THAT(world.Message("m"), HasSubstr(kTold));
  EXPECT_THAT(world.Grants("t"), ElementsAre(kPrimaryViews));
  ExpectRest(1);
  ASSERT_EQ(Standing().size(), 1U);
  EXPECT_EQ(Standing().front().item.drift_class, DriftClass::kStoredDifferently);
  EXPECT_EQ(Standing().front().item.state, DriftState::kNoted);
}

TEST_P(EngineFormsOfShapes, TheOtherNameIsKnownAfterARestart) {
  DeclareAlias();
  world.Pass();
  world.Restart();
  world.Pass();
  EXPECT_EQ(world.Status("m"), kReady);
  EXPECT_THAT(world.Message("m"), HasSubstr(kTold));
  ExpectRest(1);
}

TEST_P(EngineFormsOfShapes, WhatTheWriteBroughtGoesWithItsManifest) {
  world.Declare("other", "t", kEditor, {kBob});
  DeclareAlias();
  world.Pass();
  world.Restart();
  world.Pass();
  world.Remove("m");
  world.Pass();
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/editor user:bob@example.com"));
  EXPECT_EQ(world.Status("m"), "gone");
}

TEST_P(EngineFormsOfShapes, WhatIsTakenAwayIsAskedForAgain) {
  DeclareAlias();
  world.Pass();
  Seed("[]");
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kPrimaryViews));
  EXPECT_EQ(world.Writes(), 2);
  ExpectRest(2);
}

TEST_P(EngineFormsOfShapes, TheStoredNameInTheManifestEndsTheRemark) {
  DeclareAlias();
  world.Pass();
  if (GetParam().member) {
    DeclareMember("m", kPrimary);
  } else {
    world.Declare("m", "t", kViewer, {kPrimary});
  }
  world.Pass();
  EXPECT_EQ(world.Message("m"), "the policy is as declared");
  EXPECT_THAT(Standing(), IsEmpty());
  ExpectRest(1);
}

INSTANTIATE_TEST_SUITE_P(Shapes, EngineFormsOfShapes,
                         ::testing::Values(ShapeCase{"Binding", false}, ShapeCase{"Member", true}),
                         [](const auto& one) { return one.param.name; });

TEST_F(EngineForms, APrimaryNameThatHeldTheRoleBeforeIsNeverTakenAway) {
  world.settings.settle = seconds(10);
  world.Configure();
  Seed(
      R"([{"role":"roles/viewer","members":["user:eve@example.com","user:primary@example.com"]}])");
  world.Declare("m", "t", kViewer, {kAlias});
  world.Pass();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kEveViews, kPrimaryViews)) << "removals wait";
  Settle();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kPrimaryViews));
  EXPECT_THAT(world.Message("m"), HasSubstr(kTold));
  const int writes = world.Writes();
  EXPECT_LE(writes, 3);
  ExpectRest(writes);
}

TEST_F(EngineForms, AMemberThatHeldTheRoleBeforeStaysWhenItsManifestGoes) {
  Seed(R"([{"role":"roles/viewer","members":["user:primary@example.com"]}])");
  world.Declare("other", "t", kEditor, {kBob});
  DeclareMember("m", kAlias);
  world.Pass();
  EXPECT_EQ(world.Status("m"), kReady);
  EXPECT_THAT(world.Message("m"), HasSubstr("as a principal that held the role before"));
  ExpectRest(1);
  world.Remove("m");
  world.Pass();
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/editor user:bob@example.com", kPrimaryViews));
  EXPECT_EQ(world.Status("m"), "gone");
}

TEST_F(EngineForms, AnAliasBesideItsPrimaryNameIsOneGrant) {
  world.Declare("m", "t", kViewer, {kPrimary, kAlias});
  world.Pass();
  EXPECT_EQ(world.Status("m"), kReady);
  EXPECT_THAT(world.Grants("t"), ElementsAre(kPrimaryViews));
  ExpectRest(1);
}

TEST_F(EngineForms, OfTwoAliasesOneThatIsNotDeclaredAnyMoreGoes) {
  world.cloud->StoreAs("user:a2@example.com", "user:second@example.com");
  world.Declare("m", "t", kViewer, {kAlias, "user:a2@example.com"});
  world.Pass();
  EXPECT_THAT(world.Grants("t"),
              ElementsAre(kPrimaryViews, "roles/viewer user:second@example.com"));
  ExpectRest(1);
  world.Declare("m", "t", kViewer, {"user:a2@example.com"});
  world.Pass();
  world.Advance(seconds(60));
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/viewer user:second@example.com"));
  EXPECT_EQ(world.Status("m"), kReady);
  const int writes = world.Writes();
  ExpectRest(writes);
}

TEST_F(EngineForms, OfTwoMembersTheOneWhoseManifestGoesLosesTheRole) {
  world.cloud->StoreAs("user:a2@example.com", "user:second@example.com");
  DeclareMember("m", kAlias);
  DeclareMember("n", "user:a2@example.com");
  world.Pass();
  ExpectRest(1);
  world.Remove("m");
  world.Pass();
  world.Advance(seconds(60));
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/viewer user:second@example.com"));
  EXPECT_EQ(world.Status("m"), "gone");
  EXPECT_EQ(world.Status("n"), kReady);
}

TEST_F(EngineForms, AnAliasThatBecomesItsOwnAccountIsStoredAsItself) {
  world.Declare("m", "t", kViewer, {kAlias});
  world.Pass();
  world.cloud->StoreAsWritten(kAlias);
  Seed(R"([{"role":"roles/viewer","members":["user:alias@example.com"]}])");
  world.NextInterval();
  EXPECT_EQ(world.Message("m"), "the policy is as declared");
  ExpectRest(1);
}

TEST_F(EngineForms, SpellingsOfOtherSortsAreLearnedTheSameWay) {
  const std::string asked =
      "principalSet://iam.googleapis.com/projects/acme/locations/global/workloadIdentityPools/p/*";
  const std::string stored =
      "principalSet://iam.googleapis.com/projects/123/locations/global/workloadIdentityPools/p/*";
  world.cloud->StoreAs(asked, stored);
  world.Declare("m", "t", kViewer, {asked, kBob});
  world.Pass();
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/viewer " + stored, kBobViews));
  EXPECT_THAT(world.Message("m"), HasSubstr("as \"" + stored + "\""));
  ExpectRest(1);
}

TEST_P(EngineFormsOfShapes, WhatTheWriteBroughtIsHeldAsALossOfTheManifest) {
  world.settings.guard = {50, 1.0};
  world.settings.guard.hold_severity = Severity::kLow;
  world.Configure();
  world.Declare("other", "t", kEditor, {kBob});
  DeclareAlias();
  world.Pass();
  ASSERT_THAT(world.Grants("t"), Contains(kPrimaryViews));
  world.Remove("m");
  world.Pass();
  EXPECT_EQ(world.Status("m"), "Stalled GuardHeld");
  EXPECT_THAT(world.Grants("t"), Contains(kPrimaryViews));
}

TEST_F(EngineForms, WhatAManifestGivesUpIsHeldUnderItsStoredName) {
  world.settings.guard = {50, 1.0};
  world.settings.guard.hold_severity = Severity::kLow;
  world.Configure();
  world.Declare("m", "t", kViewer, {kAlias, kBob});
  world.Pass();
  ASSERT_THAT(world.Grants("t"), ElementsAre(kBobViews, kPrimaryViews));
  world.Declare("m", "t", kViewer, {kBob});
  world.Pass();
  EXPECT_EQ(world.Status("m"), "Stalled GuardHeld");
  EXPECT_THAT(world.Grants("t"), ElementsAre(kBobViews, kPrimaryViews));
}

TEST_F(EngineForms, AnAliasThatCeasesToExistHoldsUpNoRemoval) {
  world.settings.settle = seconds(10);
  world.Configure();
  Seed(
      R"([{"role":"roles/viewer","members":["user:eve@example.com","user:primary@example.com"]}])");
  world.Declare("m", "t", kViewer, {kAlias, kBob});
  world.Pass();
  ASSERT_THAT(world.Grants("t"), ElementsAre(kBobViews, kEveViews, kPrimaryViews));
  world.cloud->StoreAs(kAlias, "");
  Settle();
  world.NextInterval();
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kBobViews));
  EXPECT_EQ(world.Status("m"), "Stalled INVALID_ARGUMENT");
}

// Deleted principals ------------------------------------------------------------------------------

constexpr const char* kTombstoneOfAna = "deleted:user:ana@example.com?uid=1";
const std::string kWithTombstone = std::string(R"([{"role":"roles/viewer","members":[")") +
                                   kTombstoneOfAna + R"(","user:bob@example.com"]}])";

TEST_F(EngineForms, AnAccountThatExistsAgainGetsItsRolesBackInOneWrite) {
  Seed(kWithTombstone);
  world.Declare("m", "t", kViewer, {kAna, kBob});
  DeclareMember("n", kAna, kEditor);
  world.Pass();
  EXPECT_THAT(world.Grants("t"),
              ElementsAre("roles/editor user:ana@example.com", kAnaViews, kBobViews));
  EXPECT_EQ(world.Status("m"), kReady);
  EXPECT_EQ(world.Status("n"), kReady);
  EXPECT_EQ(world.Writes(), 1);
  EXPECT_THAT(Standing(), IsEmpty());
}

TEST_F(EngineForms, AnAccountThatDoesNotExistHoldsNothingElseUp) {
  Seed(kWithTombstone);
  world.cloud->StoreAs(kAna, "");
  world.Declare("m", "t", kViewer, {kAna, kBob, kEve});
  DeclareMember("n", kAna, kEditor);
  DeclareMember("fine", kEve, kEditor);
  world.Pass();
  EXPECT_EQ(world.Writes(), 2) << "the refused one, and the one without it";
  EXPECT_THAT(world.Grants("t"),
              ElementsAre("roles/editor user:eve@example.com",
                          "roles/viewer " + std::string(kTombstoneOfAna), kBobViews, kEveViews));
  EXPECT_EQ(world.Status("fine"), kReady);
  EXPECT_EQ(world.Status("m"), "Stalled PrincipalDeleted");
  EXPECT_THAT(world.Message("m"),
              StartsWith("\"user:ana@example.com\" was deleted (the policy shows "
                         "\"deleted:user:ana@example.com?uid=1\"): take it out of the manifest, or "
                         "restore it; "));
  EXPECT_EQ(world.Status("n"), "Stalled INVALID_ARGUMENT");
}

TEST_F(EngineForms, AnAccountThatDoesNotExistIsTriedAgainNowAndThen) {
  Seed(kWithTombstone);
  world.cloud->StoreAs(kAna, "");
  world.Declare("m", "t", kViewer, {kAna, kBob});
  world.Pass();
  EXPECT_EQ(world.Writes(), 1);
  world.Advance(minutes(5));
  EXPECT_EQ(world.Writes(), 1);
  world.Advance(minutes(6));
  EXPECT_EQ(world.Writes(), 2);
  EXPECT_THAT(world.Grants("t"),
              ElementsAre("roles/viewer " + std::string(kTombstoneOfAna), kBobViews));
  EXPECT_EQ(world.Status("m"), "Stalled PrincipalDeleted");
  world.cloud->StoreAsWritten(kAna);
  ASSERT_TRUE(world.engine->commands().MakeUrgent({"m"}, "ops", world.now).has_value());
  world.Reconcile("m");
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews, kBobViews)) << "somebody asked for it";
  EXPECT_EQ(world.Status("m"), kReady);
}

TEST_F(EngineForms, ATombstoneIsNoLineOfAPlan) {
  Seed(kWithTombstone);
  world.Declare("m", "t", kViewer, {kBob, kEve});
  controller::DryRun run(*world.engine, world.now);
  run.Scan(world.Look());
  run.Work({}, {});
  const reconcilers::TargetPlan& written = run.foreseen().begin()->second.written;
  EXPECT_THAT(written.adds(), SizeIs(1));
  EXPECT_THAT(written.removes(), IsEmpty());
}

TEST_F(EngineForms, ATombstoneAloneIsNoDifferenceAndCausesNoWrite) {
  Seed(kWithTombstone);
  world.Declare("m", "t", kViewer, {kBob});
  world.Pass();
  ExpectRest(0);
  EXPECT_EQ(world.Status("m"), kReady);
  EXPECT_EQ(world.Message("m"),
            "the policy is as declared; 1 deleted principal is left in it and holds nothing");
  EXPECT_THAT(world.observer.found, IsEmpty());
  ASSERT_EQ(Standing().size(), 1U);
  EXPECT_EQ(Standing().front().item.drift_class, DriftClass::kTombstone);
  EXPECT_EQ(Standing().front().item.grant.principal, kTombstoneOfAna);
  world.Declare("m", "t", kViewer, {kBob, kEve});
  world.Pass();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kBobViews, kEveViews)) << "a write of its role";
  EXPECT_THAT(Standing(), IsEmpty());
}

TEST_F(EngineForms, SeveralTombstonesOfOneAddressGoTogether) {
  Seed(R"([{"role":"roles/viewer","members":["deleted:user:ana@example.com?uid=1",)"
       R"("deleted:user:ana@example.com?uid=2"]},)"
       R"({"role":"roles/owner","members":["deleted:user:ana@example.com?uid=1"]}])");
  world.Declare("m", "t", kViewer, {kAna});
  world.Pass();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
  EXPECT_EQ(world.Writes(), 1);
}

TEST_F(EngineForms, ATombstoneUnderAConditionIsOne) {
  Seed(R"([{"role":"roles/viewer","members":["deleted:user:ana@example.com?uid=1"],)"
       R"("condition":{"title":"t","expression":"true"}},)"
       R"({"role":"roles/viewer","members":["user:bob@example.com"]}])");
  world.Declare("m", "t", kViewer, {kBob});
  world.Pass();
  ExpectRest(0);
  world.Declare("m", "t", kViewer, {kBob, kAna});
  world.Pass();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews, kBobViews));
}

}  // namespace
}  // namespace bindery::testing
