// What the guard counts a removal as: what others added is not held by guard.holdSeverity, however
// long it was only observed; what a manifest declared and no longer does is, also where that never
// was wholly in force.

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "fakes/engine_words.h"
#include "fakes/engine_world.h"

namespace bindery::controller {
namespace {

using testing::EngineWorld;
using testing::kAna;
using testing::kBob;
using testing::kEve;

constexpr const char* kGrave = "roles/networksecurity.admin";
constexpr const char* kAnaAdmin = "roles/networksecurity.admin user:ana@example.com";
constexpr const char* kBobAdmin = "roles/networksecurity.admin user:bob@example.com";
constexpr const char* kEveAdmin = "roles/networksecurity.admin user:eve@example.com";

/// Grave losses wait, whatever their number.
class RemovalCauses : public ::testing::Test {
 protected:
  RemovalCauses() {
    world.settings.guard = {50, 1.0};
    world.settings.guard.hold_severity = Severity::kHigh;
    world.Configure();
  }
  /// The policy holds these members of the grave role.
  void SetMembers(const std::string& members) {
    world.cloud->AddTarget(EngineWorld::TargetName("t"), std::string(R"([{"role":")") + kGrave +
                                                             R"(","members":[)" + members + "]}]");
  }
  /// Others add one.
  void Grant(const char* member) {
    world.cloud->Grant(EngineWorld::TargetName("t"), kGrave, member);
    world.NextInterval();
  }
  manifests::Manifest& DeclareBinding(const std::vector<std::string>& members,
                                      const std::string& name = "m") {
    return world.Declare(name, "t", kGrave, members);
  }
  /// No member may hold the grave role but by its own manifest.
  manifests::Manifest& DeclareAbsent(const char* member) {
    return world.Put("m", {"cloudnative:networksecurity/v1", "AuthorizationPolicyIamMember"},
                     {{"name", EngineWorld::TargetName("t")},
                      {"role", kGrave},
                      {"member", member},
                      {"absent", true}});
  }
  manifests::Manifest& DeclarePolicy(const std::string& name,
                                     const std::vector<std::string>& members) {
    return world.Put(name, {"cloudnative:networksecurity/v1", "AuthorizationPolicyIamPolicy"},
                     {{"name", EngineWorld::TargetName("t")},
                      {"bindings", {{{"role", kGrave}, {"members", members}}}}});
  }
  void PassTwice() {
    world.Pass();
    world.Pass();
    world.NextInterval();
  }
  [[nodiscard]] bool Holds(const char* grant) const {
    const std::vector<std::string> grants = world.Grants("t");
    return std::find(grants.begin(), grants.end(), grant) != grants.end();
  }

  EngineWorld world;
};

// Observe, then enforce ---------------------------------------------------------------------------

/// How what was observed is enforced.
struct Switch {
  const char* name;
  bool by_manifest;  ///< Else by the configuration.
  bool restarted;
};

class ObservedThenEnforced : public RemovalCauses, public ::testing::WithParamInterface<Switch> {
 protected:
  void Observe(manifests::Manifest& manifest) {
    if (GetParam().by_manifest) {
      manifest.options.mode = Mode::kObserve;
    } else {
      world.settings.catalog.mode = Mode::kObserve;
      world.Configure();
    }
    world.Pass();
    world.NextInterval();
  }
  void Enforce() {
    if (GetParam().by_manifest) {
      world.manifests["m"].options.mode.reset();
    } else {
      world.settings.catalog.mode = Mode::kEnforce;
    }
    if (GetParam().restarted) {
      world.Restart();
    } else {
      world.Configure();
    }
    PassTwice();
  }
};

INSTANTIATE_TEST_SUITE_P(By, ObservedThenEnforced,
                         ::testing::Values(Switch{"Reload", false, false},
                                           Switch{"Restart", false, true},
                                           Switch{"Manifest", true, false},
                                           Switch{"ManifestAndRestart", true, true}),
                         [](const auto& param) { return std::string(param.param.name); });

TEST_P(ObservedThenEnforced, WhatOthersAddedMeanwhileGoesAsWhereItWasEnforcedAllTheTime) {
  SetMembers(R"("user:ana@example.com")");
  Observe(DeclareBinding({kAna}));
  Grant(kEve);
  Enforce();
  EXPECT_FALSE(Holds(kEveAdmin));
  EXPECT_EQ(world.HoldDigest(), "");
  EXPECT_EQ(world.Status("m"), testing::kReady);
}

TEST_P(ObservedThenEnforced, SoDoesItBesideWhatWasThereAtFirst) {
  SetMembers(R"("user:ana@example.com","user:bob@example.com")");
  Observe(DeclareBinding({kAna}));
  Grant(kEve);
  Enforce();
  EXPECT_FALSE(Holds(kEveAdmin));
  EXPECT_FALSE(Holds(kBobAdmin)) << "it was there before the first manifest";
  EXPECT_EQ(world.HoldDigest(), "");
}

TEST_P(ObservedThenEnforced, SoDoesItOfAMemberThatIsDeclaredAbsent) {
  SetMembers(R"("user:ana@example.com")");
  Observe(DeclareAbsent(kEve));
  Grant(kEve);
  Enforce();
  EXPECT_FALSE(Holds(kEveAdmin));
  EXPECT_TRUE(Holds(kAnaAdmin));
}

TEST_P(ObservedThenEnforced, SoDoesItInARoleThatNobodyDeclares) {
  world.settings.guard.max_removed_grants = 1;  // Of the directory, and of others.
  world.Configure();
  SetMembers(R"("user:ana@example.com")");
  Observe(world.Declare("m", "t", testing::kViewer, {kAna}));
  Grant(kEve);
  Enforce();
  EXPECT_FALSE(Holds(kEveAdmin));
  EXPECT_FALSE(Holds(kAnaAdmin));
  EXPECT_EQ(world.HoldDigest(), "");
}

TEST_P(ObservedThenEnforced, WhatTheManifestGaveUpMeanwhileIsHeld) {
  SetMembers(R"("user:ana@example.com","user:bob@example.com")");
  Observe(DeclareBinding({kAna, kBob}));
  Grant(kEve);
  DeclareBinding({kAna});
  world.Pass();
  world.NextInterval();
  Enforce();
  EXPECT_TRUE(Holds(kBobAdmin));
  EXPECT_FALSE(Holds(kEveAdmin)) << "a hold of the directory does not delay it";
  EXPECT_EQ(world.Status("m"), "Stalled GuardHeld");
}

TEST_F(RemovalCauses, WhatCameWithTheFirstManifestOfARoleIsNotTakenForOthersLaterWork) {
  SetMembers(R"("user:ana@example.com")");
  world.settings.catalog.keep_undeclared = true;
  world.settings.guard.max_removed_grants = 0;
  world.Configure();
  world.Declare("other", "t", testing::kViewer, {kAna});
  world.Pass();
  world.cloud->Grant(EngineWorld::TargetName("t"), kGrave, kEve);
  DeclareBinding({kAna, kBob});
  PassTwice();
  EXPECT_TRUE(Holds(kBobAdmin)) << "what is to be added does not wait";
  EXPECT_TRUE(Holds(kEveAdmin)) << "it may be older than the manifest";
}

// Never wholly in force ---------------------------------------------------------------------------

/// What kept the first manifest from being wholly in force.
enum class Obstacle { kRefused, kNotChecked, kUnreadable };

struct Narrowing {
  const char* name;
  Obstacle obstacle;
  bool restarted;
  const char* manifest;  ///< What it is called afterwards.
};

class NeverInForce : public RemovalCauses, public ::testing::WithParamInterface<Narrowing> {
 protected:
  void MeetObstacle() {
    switch (GetParam().obstacle) {
      case Obstacle::kRefused:
        world.cloud->Fail({"setIamPolicy", "", 400, "INVALID_ARGUMENT", false, false, 4});
        world.Pass();
        break;
      case Obstacle::kNotChecked:
        ScanOnly();
        break;
      case Obstacle::kUnreadable:
        world.cloud->Fail({"getIamPolicy", "", 503, "UNAVAILABLE", false, false, 2});
        world.Pass();
        break;
    }
  }
  /// What the scan found is stored. Checks have begun, and did not end yet.
  void ScanOnly() {
    world.Scan();
    Engine::Actions actions = world.Step();
    std::ranges::move(actions.checks, std::back_inserter(begun_));
  }
  /// Checks that have begun end, unless a restart cuts them off.
  void GoOn() {
    if (GetParam().restarted) {
      world.Restart();
    } else {
      for (const Engine::CheckTask& task : begun_) world.Check(task);
    }
    PassTwice();
  }
  std::vector<Engine::CheckTask> begun_;
};

INSTANTIATE_TEST_SUITE_P(
    As, NeverInForce,
    ::testing::Values(Narrowing{"Refused", Obstacle::kRefused, false, "m"},
                      Narrowing{"RefusedAndRestarted", Obstacle::kRefused, true, "m"},
                      Narrowing{"RefusedAndRenamed", Obstacle::kRefused, false, "z"},
                      Narrowing{"NotChecked", Obstacle::kNotChecked, false, "m"},
                      Narrowing{"NotCheckedAndRestarted", Obstacle::kNotChecked, true, "m"},
                      Narrowing{"NotCheckedAndRenamed", Obstacle::kNotChecked, false, "a"},
                      Narrowing{"Unreadable", Obstacle::kUnreadable, false, "m"},
                      Narrowing{"UnreadableAndRestarted", Obstacle::kUnreadable, true, "m"}),
    [](const auto& param) { return std::string(param.param.name); });

TEST_P(NeverInForce, WhatTheManifestGivesUpIsHeldAllTheSame) {
  SetMembers(R"("user:ana@example.com","user:bob@example.com")");
  DeclareBinding({kAna, kBob, "user:zoe@example.com"});
  MeetObstacle();
  world.Remove("m");
  DeclareBinding({kAna}, GetParam().manifest);
  ScanOnly();
  GoOn();
  world.NextInterval();
  EXPECT_TRUE(Holds(kBobAdmin));
  EXPECT_EQ(world.Status(GetParam().manifest), "Stalled GuardHeld")
      << world.Message(GetParam().manifest);
}

TEST_F(RemovalCauses, WhatOthersPutBackAfterItWentIsTheirs) {
  SetMembers(R"("user:ana@example.com")");
  DeclareBinding({kAna, kBob});
  world.Pass();
  ASSERT_TRUE(Holds(kBobAdmin));
  DeclareBinding({kAna, "user:zoe@example.com"});
  world.Pass();
  const std::string digest = world.HoldDigest();
  ASSERT_NE(digest, "");
  world.cloud->Fail({"setIamPolicy", "", 400, "INVALID_ARGUMENT", false, false, 100});
  SetMembers(R"("user:ana@example.com")");
  world.NextInterval();
  EXPECT_EQ(world.HoldDigest(), "");
  Grant(kBob);
  EXPECT_EQ(world.HoldDigest(), "") << "nothing of the directory's waits";
  world.cloud->EndFaults();
  world.NextInterval();
  EXPECT_FALSE(Holds(kBobAdmin));
}

TEST_P(NeverInForce, WhatNoManifestDeclaredIsNot) {
  SetMembers(R"("user:ana@example.com","user:eve@example.com")");
  DeclareBinding({kAna, "user:zoe@example.com"});
  MeetObstacle();
  world.Remove("m");
  DeclareBinding({kAna, "user:yan@example.com"}, GetParam().manifest);
  GoOn();
  world.NextInterval();
  EXPECT_FALSE(Holds(kEveAdmin)) << world.Message(GetParam().manifest);
  EXPECT_EQ(world.HoldDigest(), "");
}

// A policy that becomes a binding -----------------------------------------------------------------

class PolicyToBinding : public RemovalCauses, public ::testing::WithParamInterface<const char*> {};

INSTANTIATE_TEST_SUITE_P(Called, PolicyToBinding, ::testing::Values("p", "z", "a"),
                         [](const auto& param) { return std::string(param.param); });

TEST_P(PolicyToBinding, TakesAwayWhatThePolicyGrantedAsANarrowingDoes) {
  SetMembers("");
  DeclarePolicy("p", {kAna, kBob});
  world.Pass();
  Grant(kEve);
  ASSERT_FALSE(Holds(kEveAdmin));
  world.Remove("p");
  DeclareBinding({kAna}, GetParam());
  PassTwice();
  EXPECT_TRUE(Holds(kBobAdmin));
  EXPECT_EQ(world.Status(GetParam()), "Stalled GuardHeld");
}

}  // namespace
}  // namespace bindery::controller
