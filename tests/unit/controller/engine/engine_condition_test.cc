// A change of a condition is one change: one write, and a loss only where access gets less.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "fakes/engine_words.h"
#include "fakes/engine_world.h"

namespace bindery::controller {
namespace {

using ::testing::ElementsAre;
using testing::EngineWorld;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kAna;
using testing::kViewer;
using ::testing::SizeIs;

enum class ConditionShape { kBinding, kBindingByCondition, kMember };

struct Until {
  std::string title;
  std::string date;
  std::string description = {};
};

const Until kJune{"until-june", "2027-06-01"};
const Until kJuly{"until-july", "2027-07-01"};
const Until kMay{"until-may", "2027-05-01"};

Json MakeCondition(const Until& until) {
  Json condition = {{"title", until.title},
                    {"expression", "request.time < timestamp('" + until.date + "T00:00:00Z')"}};
  if (!until.description.empty()) condition["description"] = until.description;
  return condition;
}

class EngineCondition : public ::testing::TestWithParam<ConditionShape> {
 protected:
  EngineCondition() {
    world.settings.guard = {};  // As it is without a configuration.
    world.settings.catalog.key_by_condition = GetParam() == ConditionShape::kBindingByCondition;
    world.Configure();
  }

  static std::string Id(int i) { return "t" + std::to_string(100 + i); }

  void Declare(int count, const Until& until) {
    for (int i = 0; i < count; ++i) {
      Json spec = {{"name", EngineWorld::TargetName(Id(i))}, {"role", kViewer}};
      const bool member = GetParam() == ConditionShape::kMember;
      if (member) {
        spec["member"] = kAna;
      } else {
        spec["members"] = {kAna};
      }
      spec["condition"] = MakeCondition(until);
      world.Put(Id(i),
                {"cloudnative:networksecurity/v1",
                 member ? "AuthorizationPolicyIamMember" : "AuthorizationPolicyIamBinding"},
                spec);
    }
  }

  void Begin(int count, const Until& until) {
    for (int i = 0; i < count; ++i) world.cloud->AddTarget(EngineWorld::TargetName(Id(i)));
    Declare(count, until);
    world.Pass();
    world.NextInterval();
    world.cloud->ResetCounts();
    world.observer.found.clear();
  }

  /// What happened to a bulk edit that takes nothing from anybody.
  void ExpectOneWriteEach(int count, const std::string& grant) {
    for (int i = 0; i < count; ++i) EXPECT_THAT(world.Grants(Id(i)), ElementsAre(grant)) << i;
    EXPECT_EQ(world.Writes(), count) << "one write each";
    EXPECT_EQ(world.HoldDigest(), "");
    EXPECT_EQ(world.Events("GuardHeld"), 0);
    for (const DriftItem& item : world.observer.found) {
      EXPECT_EQ(item.drift_class, DriftClass::kConditionChanged);
      EXPECT_NE(item.cause, DriftCause::kForeign);
      EXPECT_LE(item.severity, Severity::kMedium) << "nobody is alarmed";
      EXPECT_NE(item.desired, item.observed);
    }
    for (const auto& [id, event] : world.store.state.events) {
      EXPECT_NE(event.type, EventType::kWarning) << event.reason << ": " << event.message;
    }
    world.NextInterval();
    EXPECT_EQ(world.Writes(), count) << "and no more";
    EXPECT_EQ(world.Status(Id(0)), "Ready ReconciliationSucceeded");
  }

  EngineWorld world;
};

TEST_P(EngineCondition, SixtyEndsThatMoveAMonthAreSixtyWrites) {
  Begin(60, kJune);
  Declare(60, kJuly);
  world.Pass();
  ExpectOneWriteEach(60, "roles/viewer user:ana@example.com if until-july");
}

TEST_P(EngineCondition, SoAreSixtyDescriptions) {
  Until by_bo = kJune;
  by_bo.description = "approved by Bo";
  Until by_cy = kJune;
  by_cy.description = "approved by Cy";
  Begin(60, by_bo);
  Declare(60, by_cy);
  world.Pass();
  ExpectOneWriteEach(60, "roles/viewer user:ana@example.com if until-june");
}

TEST_P(EngineCondition, WhatEndsEarlierWaitsForTheGuardAsOneChange) {
  world.settings.guard.max_removed_grants = 2;
  world.Configure();
  Begin(3, kJuly);
  Declare(3, kJune);
  world.Pass();
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(world.Grants(Id(i)), ElementsAre("roles/viewer user:ana@example.com if until-july"))
        << "neither absent nor there twice";
  }
  EXPECT_EQ(world.Writes(), 0);
  EXPECT_EQ(world.Status(Id(0)), "Stalled GuardHeld");
  EXPECT_THAT(world.Message(Id(0)), HasSubstr("3 grants would be removed"));
  const std::string digest = world.HoldDigest();
  world.Restart();
  world.Pass();
  EXPECT_EQ(world.HoldDigest(), digest);
  ASSERT_TRUE(world.engine->commands().Approve(digest, "ops", world.now).has_value());
  world.Work();
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(world.Grants(Id(i)),
                ElementsAre("roles/viewer user:ana@example.com if until-june"));
  }
  world.NextInterval();
  EXPECT_EQ(world.Writes(), 3);
  EXPECT_EQ(world.Names().size(), 3U) << "no former claim is left";
}

TEST_P(EngineCondition, AWiderGrantIsDriftAndGoesInOneWrite) {
  Begin(1, kJune);
  const std::string target = EngineWorld::TargetName(Id(0));
  for (const bool beside : {false, true}) {
    for (const bool later : {false, true}) {
      Json declared = {{"role", kViewer}, {"members", {kAna}}, {"condition", MakeCondition(kJune)}};
      Json wider = {{"role", kViewer}, {"members", {kAna}}};
      if (later) wider["condition"] = MakeCondition({"until-june", "2037-06-01"});
      Json bindings = Json::array({wider});
      if (beside) bindings.push_back(declared);
      world.cloud->AddTarget(target, bindings.dump());
      world.cloud->ResetCounts();
      world.observer.found.clear();
      world.NextInterval();
      world.NextInterval();
      EXPECT_THAT(world.Grants(Id(0)),
                  ElementsAre("roles/viewer user:ana@example.com if until-june"));
      EXPECT_EQ(world.Writes(), 1);
      ASSERT_THAT(world.observer.found, SizeIs(1)) << beside << later;
      EXPECT_EQ(world.observer.found[0].drift_class, DriftClass::kConditionChanged);
      EXPECT_EQ(world.observer.found[0].severity, Severity::kHigh);
      EXPECT_EQ(world.observer.found[0].cause, DriftCause::kForeign);
    }
  }
}

TEST_P(EngineCondition, AHoldIsToldByOneCountAfterARestart) {
  world.settings.guard.max_removed_grants = 3;
  world.settings.guard.max_removed_fraction = 1;
  world.Configure();
  Begin(8, kJune);
  for (int i = 0; i < 5; ++i) world.Remove(Id(i));
  world.Pass();
  ASSERT_THAT(world.engine->removals().guard().held().Reason(), HasSubstr("5 grants"));
  world.Restart();
  world.Pass();
  world.Remove(Id(5));
  world.Pass();
  EXPECT_EQ(world.engine->removals().guard().held().Reason(),
            "6 grants would be removed, more than guard.maxRemovedGrants (3)");
  for (int i = 0; i < 6; ++i) EXPECT_THAT(world.Message(Id(i)), HasSubstr("(6 grants")) << i;
}

INSTANTIATE_TEST_SUITE_P(Shapes, EngineCondition,
                         ::testing::Values(ConditionShape::kBinding,
                                           ConditionShape::kBindingByCondition,
                                           ConditionShape::kMember),
                         [](const auto& test) {
                           return std::string(test.param == ConditionShape::kBinding ? "Binding"
                                              : test.param == ConditionShape::kMember
                                                  ? "Member"
                                                  : "BindingByCondition");
                         });

}  // namespace
}  // namespace bindery::controller
