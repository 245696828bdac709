// Lookups: docs/manifests.md, "Lookups".

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_world.h"
#include "support/matchers.h"

namespace bindery::testing {
namespace {

using std::chrono::minutes;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kHosts =
    "projects/acme/locations/eu/importJobs/inventory/importDataFiles/hosts";

class EngineLookup : public ::testing::Test {
 protected:
  void Put(const std::string& state, const std::string& expires = "2026-12-01T00:00:00Z") {
    ++uploads_;
    world.cloud->SetDocument(kHosts,
                             {{"name", kHosts},
                              {"state", state},
                              {"uploadFileInfo",
                               {{"signedUri", "https://s/SECRET-" + std::to_string(uploads_)},
                                {"headers", {{"x", "SECRET"}}},
                                {"uriExpirationTime", expires}}}});
  }
  [[nodiscard]] Json Outputs(const std::string& name) const {
    return ParseJson(world.Record(name).outputs).value_or(Json());
  }
  [[nodiscard]] std::string LastEvent() const {
    const Event& event = world.store.state.events.rbegin()->second;
    return event.reason + " " + event.resource + ": " + event.message;
  }
  [[nodiscard]] std::vector<std::string> Drift() const {
    std::vector<std::string> texts;
    const auto records = world.store.Drift({false, std::nullopt, 100});
    for (const store::DriftRecord& record : *records) {
      const DriftItem& item = record.item;
      texts.push_back(std::string(ToString(item.drift_class)) + " " + item.resource + " " +
                      item.grant.role + ": " + item.desired + " | " + item.observed +
                      (record.resolved_at ? "" : " open"));
    }
    return texts;
  }

  EngineWorld world;
  int uploads_ = 0;
};

TEST_F(EngineLookup, ItsResultIsKeptWithoutSecretsAndNoPolicyIs) {
  Put("CREATING");
  world.DeclareLookup("hosts", "inventory", "hosts");
  world.Pass();
  EXPECT_EQ(world.Status("hosts"), "Ready ReconciliationSucceeded");
  EXPECT_EQ(world.Message("hosts"), "found");
  EXPECT_EQ(Outputs("hosts").at("state"), "CREATING");
  EXPECT_EQ(Outputs("hosts").at("uploadFileInfo").at("signedUri"), "[secret]");
  EXPECT_THAT(world.store.state.revisions, IsEmpty());
  EXPECT_THAT(world.store.state.policies, IsEmpty());
  EXPECT_EQ(world.Events("LookupChanged"), 0) << "the first result is no change";
  EXPECT_THAT(Drift(), IsEmpty());
}

TEST_F(EngineLookup, AnotherResultIsToldByFieldAndDoneWith) {
  Put("CREATING");
  world.DeclareLookup("hosts", "inventory", "hosts");
  world.Pass();
  Put("ACTIVE", "2026-12-02T00:00:00Z");
  world.NextInterval();
  EXPECT_EQ(LastEvent(),
            "LookupChanged hosts: state from CREATING to ACTIVE, uploadFileInfo.uriExpirationTime "
            "from 2026-12-01T00:00:00Z to 2026-12-02T00:00:00Z");
  EXPECT_THAT(Drift(), ElementsAre("lookup-changed hosts state: CREATING | ACTIVE",
                                   "lookup-changed hosts uploadFileInfo.uriExpirationTime: "
                                   "2026-12-01T00:00:00Z | 2026-12-02T00:00:00Z"));
  EXPECT_EQ(Outputs("hosts").at("state"), "ACTIVE");
  EXPECT_EQ(world.Status("hosts"), "Ready ReconciliationSucceeded");
  world.NextInterval();
  EXPECT_EQ(world.Events("LookupChanged"), 1);
}

TEST_F(EngineLookup, AnUploadUrlThatIsNewEachTimeIsNoChangeAndWritesNothing) {
  Put("ACTIVE");
  world.DeclareLookup("hosts", "inventory", "hosts");
  world.Pass();
  const int before = world.changes_with_content;
  for (int i = 0; i < 5; ++i) {
    Put("ACTIVE");
    world.NextInterval();
  }
  EXPECT_GE(world.cloud->Calls("get"), 6);
  EXPECT_EQ(world.changes_with_content, before);
  EXPECT_EQ(world.Events("LookupChanged"), 0);
}

TEST_F(EngineLookup, TheResultOutlivesARestartAndIsComparedWithTheNextOne) {
  Put("CREATING");
  world.DeclareLookup("hosts", "inventory", "hosts");
  world.Pass();
  world.Restart();
  Put("ACTIVE");
  world.Pass();
  EXPECT_EQ(world.Events("LookupChanged"), 1);
  EXPECT_EQ(Outputs("hosts").at("state"), "ACTIVE");
}

TEST_F(EngineLookup, WhatIsNotThereIsSaidWithWhatWasLookedFor) {
  world.DeclareLookup("hosts", "inventory", "hosts");
  world.Pass();
  EXPECT_EQ(world.Status("hosts"), "Stalled NOT_FOUND");
  EXPECT_THAT(world.Message("hosts"),
              HasSubstr("looked for import data file \"hosts\" of import job \"inventory\" in "
                        "location \"eu\" of project \"acme\"; the import job itself may be what "
                        "is absent"));
  EXPECT_THAT(Drift(), ElementsAre("target-missing  : present | not there open"));
  Put("ACTIVE");
  world.NextInterval();
  EXPECT_EQ(world.Status("hosts"), "Ready ReconciliationSucceeded");
  EXPECT_THAT(Drift(), ElementsAre("target-missing  : present | not there"));
  EXPECT_EQ(world.Events("LookupChanged"), 0);
}

TEST_F(EngineLookup, SeveralManifestsMayLookUpTheSameWithOneRead) {
  Put("CREATING");
  world.DeclareLookup("one", "inventory", "hosts");
  world.DeclareLookup("two", "inventory", "hosts");
  world.Pass();
  EXPECT_EQ(world.cloud->Calls("get"), 1);
  EXPECT_EQ(world.Status("one"), "Ready ReconciliationSucceeded");
  EXPECT_EQ(world.Status("two"), "Ready ReconciliationSucceeded");
  EXPECT_EQ(Outputs("two"), Outputs("one"));
  world.DeclareLookup("three", "inventory", "hosts");
  world.Pass();
  EXPECT_EQ(Outputs("three"), Outputs("one"));
  Put("ACTIVE");
  world.NextInterval();
  EXPECT_EQ(world.Events("LookupChanged"), 3);
}

TEST_F(EngineLookup, OneWhoseManifestIsGoneIsForgottenAtOnceEvenIfNobodyAnswers) {
  Put("ACTIVE");
  world.DeclareLookup("hosts", "inventory", "hosts").options.protect = true;
  world.Pass();
  const int reads = world.cloud->Calls("get");
  world.Remove("hosts");
  world.Declare("other", "a", kViewer, {"user:ana@example.com"});
  world.cloud->AddTarget(EngineWorld::TargetName("a"));
  world.Pass();
  EXPECT_THAT(world.Names(), ElementsAre("other"));
  EXPECT_EQ(world.cloud->Calls("get"), reads);
  EXPECT_EQ(world.Events("ManifestRemoved"), 1);
}

TEST_F(EngineLookup, OneThatLooksElsewhereHasItsNextResultFirst) {
  Put("ACTIVE");
  world.DeclareLookup("hosts", "inventory", "hosts");
  world.Pass();
  world.DeclareLookup("hosts", "inventory", "others");
  world.Pass();
  EXPECT_THAT(world.Names(), ElementsAre("hosts"));
  EXPECT_EQ(world.Status("hosts"), "Stalled NOT_FOUND");
  const std::string others =
      "projects/acme/locations/eu/importJobs/inventory/importDataFiles/others";
  world.cloud->SetDocument(others, {{"name", others}, {"state", "CREATING"}});
  world.NextInterval();
  EXPECT_EQ(Outputs("hosts").at("state"), "CREATING");
  EXPECT_EQ(world.Events("LookupChanged"), 0);
}

/// A manifest refers to a lookup, and waits for one that finds nothing at first.
struct Awaited {
  std::string name;
  bool refers_anew = false;  ///< To another lookup; else that one looks elsewhere.
  bool restarts = false;     ///< In the meantime.
};

class EngineLookupAwaited : public EngineLookup, public ::testing::WithParamInterface<Awaited> {
 protected:
  void Refer(const std::string& lookup) {
    world.DeclareYaml(
        "apiVersion: cloudnative:networksecurity/v1\nkind: AuthorizationPolicyIamBinding\n"
        "metadata: {name: m}\nspec: {name: locations/global/authorizationPolicies/a, role: "
        "roles/viewer, members: [\"user:${" +
        lookup + ".displayName}@x.example\"]}\n");
  }
};

TEST_P(EngineLookupAwaited, WhatWaitsForItGoesOnOnceItIsFound) {
  world.cloud->AddTarget(EngineWorld::TargetName("a"));
  world.cloud->SetDocument(kHosts, {{"name", kHosts}, {"displayName", "ana"}});
  world.DeclareLookup("hosts", "inventory", "hosts");
  Refer("hosts");
  world.Pass();
  ASSERT_THAT(world.Grants("a"), ElementsAre("roles/viewer user:ana@x.example"));
  const std::string changed = GetParam().refers_anew ? "others" : "hosts";
  world.DeclareLookup(changed, "inventory", "others");
  Refer(changed);
  world.Pass();
  if (GetParam().restarts) {
    world.Restart();
    world.Pass();
  }
  ASSERT_EQ(world.Status("m"), "Reconciling DependencyNotReady");
  EXPECT_THAT(world.Grants("a"), ElementsAre("roles/viewer user:ana@x.example"));
  const std::string others =
      "projects/acme/locations/eu/importJobs/inventory/importDataFiles/others";
  world.cloud->SetDocument(others, {{"name", others}, {"displayName", "eve"}});
  world.NextInterval();
  EXPECT_EQ(world.Status("m"), "Ready ReconciliationSucceeded");
  EXPECT_THAT(world.Grants("a"), ElementsAre("roles/viewer user:eve@x.example"));
}

INSTANTIATE_TEST_SUITE_P(
    , EngineLookupAwaited,
    ::testing::Values(Awaited{"OneThatLooksElsewhere"},
                      Awaited{"OneThatLooksElsewhereOverARestart", false, true},
                      Awaited{"AnotherOne", true}, Awaited{"AnotherOneOverARestart", true, true}),
    [](const auto& awaited) { return awaited.param.name; });

TEST_F(EngineLookup, IsRefreshedEachIntervalHoweverSeldomPoliciesAreChecked) {
  world.settings.recheck.longest = minutes(60);
  world.Configure();
  Put("ACTIVE");
  world.DeclareLookup("hosts", "inventory", "hosts");
  world.Pass();
  const int before = world.cloud->Calls("get");
  world.Advance(minutes(50));
  EXPECT_GE(world.cloud->Calls("get") - before, 9);
}

TEST_F(EngineLookup, HasNothingToRollBack) {
  Put("ACTIVE");
  world.DeclareLookup("hosts", "inventory", "hosts");
  world.Pass();
  EXPECT_THAT(world.engine->commands().MayRollBack("hosts"),
              FailsWith(Code::kFailedPrecondition, HasSubstr("\"hosts\" is a lookup")));
  EXPECT_THAT(world.engine->commands().Rollback("hosts", {}, "ana", world.now, {}),
              FailsWith(Code::kFailedPrecondition, HasSubstr("is a lookup")));
}

TEST_F(EngineLookup, NoSecretGoesAnywhere) {
  Put("CREATING");
  world.DeclareLookup("hosts", "inventory", "hosts");
  world.Pass();
  Put("ACTIVE");
  world.NextInterval();
  std::string all = world.Record("hosts").outputs + world.Message("hosts");
  for (const auto& [id, event] : world.store.state.events) all += event.message;
  for (const std::string& text : Drift()) all += text;
  for (const controller::TargetReport& report : world.observer.reports) all += report.message;
  EXPECT_THAT(all, Not(HasSubstr("SECRET")));
}

}  // namespace
}  // namespace bindery::testing
