// Settings that give the same manifests other places: nothing is left behind, an operator is asked
// where access is at stake, and all is as before when they are changed back.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_words.h"
#include "fakes/engine_world.h"

namespace bindery::controller {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using testing::EngineWorld;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kAna;
using testing::kBob;
using testing::kEve;
using testing::kReady;
using testing::kViewer;
using ::testing::Not;

const Condition kWeek{"request.time < timestamp(\"2030-01-01T00:00:00Z\")", "week", ""};

/// By a reload, or by a restart.
class PlacedOtherwise : public ::testing::TestWithParam<bool> {
 protected:
  PlacedOtherwise() {
    world.by_same_rules = false;
    world.settings.catalog.keep_undeclared = true;
    world.Configure();
    world.cloud->AddTarget(EngineWorld::TargetName("t"));
  }
  void DeclareIf(const std::string& name, const std::string& role, const char* member) {
    world.Put(name, {"cloudnative:networksecurity/v1", "AuthorizationPolicyIamBinding"},
              {{"name", EngineWorld::TargetName("t")},
               {"role", role},
               {"members", {member}},
               {"condition", ToJson(kWeek)}});
  }
  void Change() {
    if (GetParam()) {
      world.Restart();
    } else {
      world.Configure();
    }
    world.Pass();
    world.Pass();
    world.NextInterval();
  }
  void KeyByCondition(bool by_condition) {
    world.settings.catalog.key_by_condition = by_condition;
    Change();
  }
  void ExpectAllReady() {
    for (const std::string& name : world.Names())
      EXPECT_EQ(world.Status(name), kReady) << name << ": " << world.Message(name);
    EXPECT_EQ(world.HoldDigest(), "");
    EXPECT_FALSE(world.engine->catalog().evidence().question().open());
  }
  EngineWorld world;
};

INSTANTIATE_TEST_SUITE_P(By, PlacedOtherwise, ::testing::Bool(), [](const auto& param) {
  return std::string(param.param ? "Restart" : "Reload");
});

TEST_P(PlacedOtherwise, ClaimsThatAreKeyedOtherwiseStayWhereTheyAre) {
  world.Declare("plain", "t", kViewer, {kAna}).options.protect = true;
  DeclareIf("week", "roles/editor", kBob);
  world.Pass();
  const auto before = world.Grants("t");
  for (const bool by_condition : {true, false, true}) {
    KeyByCondition(by_condition);
    EXPECT_THAT(world.Names(), ElementsAre("plain", "week"));
    EXPECT_EQ(world.Grants("t"), before);
    ExpectAllReady();
  }
}

TEST_P(PlacedOtherwise, WhatAWiderClaimWouldTakeAwayIsAskedAbout) {
  world.settings.catalog.key_by_condition = true;
  world.Configure();
  world.Declare("plain", "t", kViewer, {kAna});
  world.Pass();
  const Json beside = {{{"role", kViewer}, {"members", {kAna}}},
                       {{"role", kViewer}, {"members", {kEve}}, {"condition", ToJson(kWeek)}}};
  world.cloud->AddTarget(EngineWorld::TargetName("t"), beside.dump());
  world.NextInterval();
  const auto before = world.Grants("t");
  ASSERT_EQ(before.size(), 2U) << "the other condition is nobody's";
  KeyByCondition(false);
  EXPECT_EQ(world.Grants("t"), before);
  EXPECT_EQ(world.Status("plain"), "Stalled RemovalBlocked");
  EXPECT_THAT(world.Message("plain"), HasSubstr("the configuration was changed"));
  ASSERT_NE(world.HoldDigest(), "");
  // Changed back, nothing is to be asked any more.
  KeyByCondition(true);
  EXPECT_THAT(world.Names(), ElementsAre("plain"));
  EXPECT_EQ(world.Grants("t"), before);
  ExpectAllReady();
  KeyByCondition(false);
  ASSERT_TRUE(world.engine->commands().Approve(world.HoldDigest(), "ops", world.now).has_value());
  world.Work();
  EXPECT_THAT(world.Grants("t"), ElementsAre(testing::kAnaViews));
  world.Pass();
  world.NextInterval();
  ExpectAllReady();
}

TEST_P(PlacedOtherwise, TwoOfOneRoleStayInForceAsTheyWere) {
  world.settings.catalog.key_by_condition = true;
  world.Configure();
  world.Declare("plain", "t", kViewer, {kAna});
  DeclareIf("week", kViewer, kBob);
  world.Pass();
  const auto before = world.Grants("t");
  KeyByCondition(false);
  EXPECT_EQ(world.Status("plain"), "Stalled RoleConflict");
  EXPECT_EQ(world.Grants("t"), before);
  KeyByCondition(true);
  EXPECT_THAT(world.Names(), ElementsAre("plain", "week"));
  ExpectAllReady();
  // One of them goes meanwhile: the other has the whole role.
  KeyByCondition(false);
  world.Remove("week");
  for (int i = 0; i < 3; ++i) world.Pass();
  world.NextInterval();
  EXPECT_THAT(world.Names(), ElementsAre("plain"));
  EXPECT_THAT(world.Grants("t"), ElementsAre(testing::kAnaViews));
  ExpectAllReady();
}

TEST_P(PlacedOtherwise, AConditionThatIsEditedWithItLeavesNothing) {
  world.Put("m", {"cloudnative:networksecurity/v1", "AuthorizationPolicyIamBinding"},
            {{"name", EngineWorld::TargetName("t")}, {"role", kViewer}, {"members", {kAna}}});
  world.Pass();
  DeclareIf("m", kViewer, kAna);
  KeyByCondition(true);
  EXPECT_THAT(world.Names(), ElementsAre("m"));
  EXPECT_THAT(world.Grants("t"), Not(Contains(testing::kAnaViews)));
  ExpectAllReady();
}

/// On a policy of the provider's default project.
class OtherProject : public PlacedOtherwise {
 protected:
  OtherProject() {
    world.cloud->AddTarget(kElsewhere);
    world.Put("m", {"cloudnative:networksecurity/v1", "AuthorizationPolicyIamBinding"},
              {{"name", "locations/global/authorizationPolicies/t"},
               {"role", kViewer},
               {"members", {kAna}}});
    world.Pass();
  }
  void SetProject(const std::string& project) {
    world.settings.catalog.projects = {{"cloudnative", project}};
    Change();
  }
  static constexpr const char* kElsewhere =
      "projects/other/locations/global/authorizationPolicies/t";
};

INSTANTIATE_TEST_SUITE_P(By, OtherProject, ::testing::Bool(), [](const auto& param) {
  return std::string(param.param ? "Restart" : "Reload");
});

TEST_P(OtherProject, WhatIsLeftWhereManifestsWereIsAskedAbout) {
  SetProject("other");
  EXPECT_THAT(world.Grants("t"), ElementsAre(testing::kAnaViews));
  EXPECT_EQ(world.Status("m (before generation 2)"), "Stalled RemovalBlocked");
  EXPECT_NE(world.HoldDigest(), "");
  SetProject("acme");
  EXPECT_EQ(world.Status("m"), kReady);
  EXPECT_THAT(world.Grants("t"), ElementsAre(testing::kAnaViews));
}

TEST_P(OtherProject, WhereNothingIsLeftNobodyIsAsked) {
  world.cloud->AddTarget(EngineWorld::TargetName("t"), "[]");
  SetProject("other");
  world.Pass();
  EXPECT_THAT(world.Names(), ElementsAre("m"));
  EXPECT_THAT(world.cloud->Grants(kElsewhere), ElementsAre(testing::kAnaViews));
  ExpectAllReady();
}

/// On a policy whose name means something within an account.
class OtherProvider : public PlacedOtherwise {
 protected:
  void NameProvider(const std::string& provider) {
    world.settings.catalog.provider_types = {{"cloudnative", "cloudnative"},
                                             {provider, "monitoring"}};
    world.DeclareRestriction("d", "dashboard:d", "editor", {"role:r"}).options.provider = provider;
    if (GetParam()) {
      world.Restart();
    } else {
      world.Configure();
    }
    auto connections = world.Connections();
    auto node = connections.extract("monitoring");
    node.key() = provider;
    connections.insert(std::move(node));
    world.engine->SetConnections(std::move(connections));
    world.Pass();
    world.Pass();
    world.NextInterval();
  }
};

INSTANTIATE_TEST_SUITE_P(By, OtherProvider, ::testing::Bool(), [](const auto& param) {
  return std::string(param.param ? "Restart" : "Reload");
});

TEST_P(OtherProvider, OneThatIsRenamedLeavesNothingBehind) {
  NameProvider("one");
  ASSERT_EQ(world.Status("d"), kReady);
  for (const char* provider : {"two", "one"}) {
    NameProvider(provider);
    EXPECT_THAT(world.Names(), ElementsAre("d")) << provider;
    EXPECT_THAT(world.cloud->Restriction("dashboard:d").dump(), HasSubstr("role:r"));
    ExpectAllReady();
  }
  EXPECT_EQ(world.Events("Released"), 2) << "it may have been another account";
}

}  // namespace
}  // namespace bindery::controller
