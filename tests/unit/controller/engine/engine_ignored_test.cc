// options.ignoreChanges: fields whose live value stays, while all else is enforced.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_world.h"

namespace bindery::controller {
namespace {

using ::testing::ElementsAre;
using testing::EngineWorld;
using testing::kAna;
using testing::kAnaOnT;
using testing::kAnaViews;
using testing::kBob;
using testing::kBobViews;
using testing::kReady;
using testing::kViewer;

class EngineIgnored : public ::testing::Test {
 protected:
  EngineIgnored() { world.cloud->AddTarget(EngineWorld::TargetName("t")); }
  /// "m", who views t.
  manifests::Manifest& Declare(std::vector<std::string> members,
                               const manifests::ExtraOptions& options) {
    manifests::Manifest& manifest = world.Declare("m", "t", kViewer, members);
    manifest.options.rare = std::make_shared<manifests::ExtraOptions>(options);
    return manifest;
  }
  static manifests::ExtraOptions Ignoring(std::vector<std::string> paths) {
    manifests::ExtraOptions options;
    options.ignore_changes = std::move(paths);
    return options;
  }
  void SetTarget(const std::string& target, const std::string& bindings) {
    world.cloud->AddTarget(EngineWorld::TargetName(target), bindings);
  }
  EngineWorld world;
};

TEST_F(EngineIgnored, IgnoredMembersKeepTheirLiveValue) {
  Declare({kAna}, Ignoring({"members"}));
  world.Pass();
  ASSERT_THAT(world.Grants("t"), ElementsAre(kAnaViews)) << "declared where there is nothing yet";
  SetTarget("t", R"([{"role":"roles/viewer","members":["user:bob@example.com"]}])");
  world.cloud->ResetCounts();
  world.NextInterval();
  EXPECT_EQ(world.Writes(), 0);
  EXPECT_EQ(world.Status("m"), kReady);
  EXPECT_TRUE(world.observer.found.size() <= 1) << "only the creation";
}

TEST_F(EngineIgnored, WhatIsIgnoredIsCarriedOverWhenTheRestIsWritten) {
  Declare({kAna}, Ignoring({"members"}));
  world.Pass();
  SetTarget("t", R"([{"role":"roles/viewer","members":["user:bob@example.com"]},
                     {"role":"roles/owner","members":["user:eve@example.com"]}])");
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kBobViews)) << "undeclared roles still go";
}

TEST_F(EngineIgnored, AnIgnoredConditionIsKeptAndMembersAreStillEnforced) {
  Declare({kAna}, Ignoring({"condition"}));
  world.Pass();
  SetTarget("t",
            R"([{"role":"roles/viewer","members":["user:ana@example.com","user:bob@example.com"],
                      "condition":{"title":"by hand","expression":"true"}}])");
  world.NextInterval();
  EXPECT_THAT(world.Grants("t"), ElementsAre("roles/viewer user:ana@example.com if by hand"));
}

TEST_F(EngineIgnored, IgnoredPrincipalsOfARestrictionPolicy) {
  world.DeclareRestriction("r", "dashboard:abc", "editor", {"user:u1"}).options.rare =
      std::make_shared<manifests::ExtraOptions>(Ignoring({"bindings[0].principals"}));
  world.Pass();
  world.cloud->SetRestriction("dashboard:abc",
                              R"([{"relation":"editor","principals":["user:u2"]}])");
  world.cloud->ResetCounts();
  world.NextInterval();
  EXPECT_EQ(world.cloud->Calls("post"), 0);
  EXPECT_EQ(world.Status("r"), kReady);
}

TEST_F(EngineIgnored, AnIgnoredBindingIsFoundByItsRelationNotByItsPlace) {
  manifests::Manifest& manifest =
      world.DeclareRestriction("r", "dashboard:abc", "viewer", {"org:all"});
  Json spec = *ParseJson(manifest.spec);
  spec["bindings"].push_back({{"relation", "editor"}, {"principals", {"role:admins"}}});
  manifest.spec = spec.dump();
  manifest.options.rare =
      std::make_shared<manifests::ExtraOptions>(Ignoring({"bindings[0].principals"}));
  world.cloud->SetRestriction("dashboard:abc",
                              R"([{"relation":"editor","principals":["role:admins"]},
                                  {"relation":"viewer","principals":["org:some"]}])");
  world.Pass();
  EXPECT_EQ(world.cloud->Calls("post"), 0);
  EXPECT_EQ(world.Status("r"), kReady);
}

TEST_F(EngineIgnored, APartOfAConditionThatIsNotThereIsDeclared) {
  manifests::Manifest& manifest = Declare({kAna}, Ignoring({"condition.expression"}));
  Json spec = *ParseJson(manifest.spec);
  spec["condition"] = {{"title", "office"}, {"expression", "true"}};
  manifest.spec = spec.dump();
  SetTarget("t", kAnaOnT);
  world.Pass();
  const Json binding = world.cloud->Policy(EngineWorld::TargetName("t"))["bindings"][0];
  EXPECT_EQ(binding["condition"]["expression"], "true");
  EXPECT_EQ(world.Status("m"), kReady);
}

struct OddGrant {
  const char* name;
  const char* live;  ///< Bindings beside what is declared: ana views, under no condition.
};

class EngineIgnoredOdd : public EngineIgnored, public ::testing::WithParamInterface<OddGrant> {};

TEST_P(EngineIgnoredOdd, WhatNoManifestCouldDeclareIsStillFoundAndRepaired) {
  Declare({kAna}, Ignoring({"condition.description"}));
  SetTarget("t", GetParam().live);
  world.Pass();
  EXPECT_THAT(world.Grants("t"), ElementsAre(kAnaViews));
  EXPECT_FALSE(world.observer.found.empty());
}

TEST_P(EngineIgnoredOdd, MembersThatAreIgnoredStayAllOfThem) {
  Declare({kBob}, Ignoring({"members"}));
  SetTarget("t", GetParam().live);
  const auto before = world.Grants("t");
  world.Pass();
  EXPECT_EQ(world.Grants("t"), before);
  EXPECT_EQ(world.Writes(), 0);
}

INSTANTIATE_TEST_SUITE_P(
    Odd, EngineIgnoredOdd,
    ::testing::Values(OddGrant{"Deleted",
                               R"([{"role":"roles/viewer","members":["user:ana@example.com",
                                "user:eve@example.com","deleted:user:gone@example.com?uid=1"]}])"},
                      OddGrant{"OtherCondition",
                               R"([{"role":"roles/viewer","members":["user:ana@example.com"]},
                     {"role":"roles/viewer","members":["user:eve@example.com"],
                      "condition":{"title":"by hand","expression":"true"}}])"},
                      OddGrant{"DeletedAndOtherCondition",
                               R"([{"role":"roles/viewer","members":["user:ana@example.com",
                      "deleted:user:gone@example.com?uid=1"]},
                     {"role":"roles/viewer","members":["user:eve@example.com"],
                      "condition":{"title":"by hand","expression":"true"}}])"}),
    [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace bindery::controller
