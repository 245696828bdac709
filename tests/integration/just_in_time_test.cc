// Just-in-time access: what Privileged Access Manager grants stays and is no drift, whatever is
// declared beside it; what only looks so is drift.

#include "integration/just_in_time.h"

#include <string>
#include <tuple>
#include <vector>

namespace bindery::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(JustInTime, AnActiveGrantIsListedAndIsNoDrift) {
  Begin("iamPolicies:\n" + ProjectSeedOf("acme") + SeededGrant("acme"));
  world_->dir().Write("manifests/m.yaml", BindingOf("acme"));
  world_->StartDaemon();
  world_->Eventually("listed", [&] { return Count("justInTime") == 1; });
  Check("m-acme");
  EXPECT_EQ(AccessIn("acme"), Access{Held(kOnCall)});
  const Json item = ListItems("just-in-time").at(0);
  EXPECT_EQ(item.at("grant").at("member"), kOnCall);
  EXPECT_EQ(item.at("state"), "accepted");
  EXPECT_EQ(item.at("resource"), "m-acme");
  EXPECT_EQ(item.at("acceptance").at("until"), "2030-01-01T00:00:00.000Z");
  EXPECT_THAT(item.at("acceptance").at("reason").get<std::string>(),
              HasSubstr("projects/acme/locations/global/entitlements/"));
  EXPECT_EQ(Count("open"), 0);
  EXPECT_EQ(Count("accepted"), 0);
  const Outcome drift = world_->Run({"drift", "--all"});
  EXPECT_EQ(drift.exit_code, 0);
  EXPECT_THAT(drift.out, HasSubstr("just-in-time"));
  EXPECT_THAT(drift.out, HasSubstr("2030-01-01"));
  EXPECT_THAT(world_->Run({"drift"}).out, HasSubstr("1 just-in-time grant is no drift"));
  const Outcome plan = world_->Run({"plan"});
  EXPECT_EQ(plan.exit_code, 0) << plan.out;
  EXPECT_THAT(plan.out, HasSubstr("just-in-time"));
  EXPECT_THAT(world_->Run({"explain", "m-acme"}).out, HasSubstr("just-in-time"));
  EXPECT_THAT(world_->Run({"access", "of", kOnCall, "-o", "json"}).out,
              HasSubstr("just-in-time access"));
  world_->Eventually("counted", [&] {
    return world_->Ask("GET", "/metrics")
               .body.find("bindery_just_in_time_grants{kind=\"cloudresourcemanager:Project\"} 1") !=
           std::string::npos;
  });
  EXPECT_THAT(StringMember(world_->Status("m-acme"), "message"), HasSubstr("1 just-in-time grant"));
  EXPECT_THAT(world_->Ask("GET", "/drift").body, HasSubstr("Just-in-time"));
}

TEST_F(JustInTime, WhatTheServiceDoesNotKnowIsForeignDriftAndRepaired) {
  Begin("iamPolicies:\n" + ProjectSeedOf("acme") + SeededGrant("acme"));
  world_->dir().Write("manifests/m.yaml", BindingOf("acme"));
  world_->StartDaemon();
  world_->Eventually("listed", [&] { return Count("justInTime") == 1; });
  AddByHand("acme", "user:eve@example.com", kEnd);
  // The copy of a real one, ending later.
  AddByHand("acme", kOnCall, "2031-01-01T00:00:00Z");
  world_->Eventually("repaired", [&] { return AccessIn("acme") == Access{Held(kOnCall)}; });
  world_->Eventually("told", [&] { return ListItems("undeclared").size() == 2; });
  for (const Json& item : ListItems("undeclared")) {
    EXPECT_EQ(item.at("severity"), "high");
    EXPECT_EQ(item.at("cause"), "foreign");
  }
}

TEST_F(JustInTime, BesideIgnoredMembersAnImitationStaysAndIsReportedAndNotCalledRepaired) {
  Begin("iamPolicies:\n" + ProjectSeedOf("acme") + SeededGrant("acme"));
  world_->dir().Write("manifests/m.yaml",
                      BindingOf("acme", "options: {ignoreChanges: [members]}\n"));
  world_->StartDaemon();
  world_->Eventually("listed", [&] { return Count("justInTime") == 1; });
  AddByHand("acme", "user:eve@example.com", kEnd);
  world_->Eventually("told", [&] { return Count("open") == 1; });
  for (int i = 0; i < 3; ++i) Check("m-acme");
  EXPECT_EQ(AccessIn("acme"), (Access{Held(kOnCall), Held("user:eve@example.com")}));
  const std::vector<Json> items = ListItems("undeclared");
  ASSERT_EQ(items.size(), 1U);
  EXPECT_EQ(items[0].at("state"), "open");
  EXPECT_EQ(items[0].at("severity"), "high");
  EXPECT_EQ(Count("corrected"), 0);
  EXPECT_EQ(Count("justInTime"), 1);
  const Outcome explained = world_->Run({"explain", "m-acme"});
  EXPECT_THAT(explained.out, HasSubstr("user:eve@example.com"));
  EXPECT_THAT(explained.out, Not(HasSubstr("takes 1 grant away")));
}

TEST_F(JustInTime, WhatCannotBeProvenStaysAndIsShownAsUnproven) {
  Begin("iamPolicies:\n" + ProjectSeedOf("acme") + SeededGrant("acme") +
        "credentials:\n  - {token: us, permissions: [\"*\"]}\n  - {token: daemon, permissions: "
        "[\"resourcemanager.*\"]}\n");
  world_->SetOwnToken("us");
  world_->SignInWith("{type: accessToken, token: daemon}");
  world_->Configure(kSettings);
  world_->dir().Write("manifests/m.yaml", BindingOf("acme"));
  AddByHand("acme", "user:eve@example.com", kEnd);
  world_->StartDaemon();
  world_->Eventually("listed", [&] { return Count("justInTime") == 2; });
  Check("m-acme");
  EXPECT_EQ(AccessIn("acme"), (Access{Held(kOnCall), Held("user:eve@example.com")}));
  EXPECT_EQ(Count("open"), 0);
  EXPECT_THAT(StringMember(world_->Status("m-acme"), "message"),
              HasSubstr("2 unproven just-in-time grants"));
  const std::string reason = ListItems("just-in-time").at(0).at("acceptance").at("reason");
  EXPECT_THAT(reason, HasSubstr("unproven: "));
  EXPECT_THAT(reason, HasSubstr("privilegedaccessmanager.entitlements.list"));
  EXPECT_THAT(world_->Run({"check"}).out, HasSubstr("privilegedaccessmanager.grants.list"));
}

TEST_F(JustInTime, WhatTheServiceDeniedStaysOpenWhileTheServiceDoesNotAnswer) {
  Begin("iamPolicies:\n" + ProjectSeedOf("acme") + SeededGrant("acme"),
        "reconcile: {interval: 1s, mode: observe, fullReadEvery: 1}\n");
  world_->dir().Write("manifests/m.yaml", BindingOf("acme"));
  AddByHand("acme", "user:eve@example.com", kEnd);
  world_->StartDaemon();
  world_->Eventually("told", [&] { return Count("open") == 1 && Count("justInTime") == 1; });
  std::ignore = world_->Cloud("PUT", "/_emulator/faults",
                              R"([{"operation": "privilegedaccessmanager.*", "status": 503},
                    {"operation": "cloudasset.*", "status": 503}])");
  // Another change of the policy: the answers are asked for anew.
  AddByHand("acme", "user:new@example.com", kEnd);
  world_->Eventually("asked in vain", [&] {
    const std::vector<Json> listed = ListItems("just-in-time");
    return listed.size() == 2;
  });
  const std::vector<Json> open = ListItems("undeclared");
  ASSERT_EQ(open.size(), 1U);
  EXPECT_EQ(open[0].at("state"), "open");
  EXPECT_EQ(open[0].at("grant").at("member"), "user:eve@example.com");
}

TEST_F(JustInTime, WhatOnlyLooksSoAndStaysIsNamedByThePlanAsOpenDrift) {
  Begin("iamPolicies:\n" + ProjectSeedOf("acme") + SeededGrant("acme"));
  const std::string member = std::string("  role: ") + kRole + "\n  member: \"" + kGroup + "\"\n";
  world_->dir().Write("manifests/m.yaml", ProjectManifestOf("ProjectIamMember", "acme", member));
  AddByHand("acme", "user:eve@example.com", kEnd);
  const Outcome plan = world_->Run({"plan"});
  EXPECT_EQ(plan.exit_code, 1) << plan.out << plan.err;
  EXPECT_THAT(plan.out, HasSubstr("user:eve@example.com holds roles/storage.admin"));
  EXPECT_THAT(plan.out, HasSubstr("it looks like just-in-time access"));
  EXPECT_THAT(plan.out, Not(HasSubstr("No changes")));
  std::ignore = world_->Run({"run", "--once"});
  const std::vector<Json> open = ListItems("undeclared");
  ASSERT_EQ(open.size(), 1U);
  EXPECT_THAT(open[0].at("action").get<std::string>(), HasSubstr("none: only reported"));
  EXPECT_TRUE(AccessIn("acme").contains(Held("user:eve@example.com"))) << "nothing takes it";
}

TEST_F(JustInTime, WhereTheServiceIsNotUsedTheFormIsBelieved) {
  Begin("iamPolicies:\n" + ProjectSeedOf("acme"));
  world_->dir().Write("manifests/m.yaml", BindingOf("acme"));
  world_->StartDaemon();
  world_->Eventually("ready", [&] { return world_->IsReady("m-acme"); });
  AddByHand("acme", kOnCall, kEnd);
  // It ended long ago, and gives nothing any more.
  AddByHand("acme", "user:past@example.com", "2026-01-01T00:00:00Z");
  world_->Eventually("listed", [&] { return Count("justInTime") == 2; });
  Check("m-acme");
  EXPECT_EQ(AccessIn("acme").size(), 2U);
  EXPECT_EQ(Count("open"), 0);
  EXPECT_THAT(ListItems("undeclared"), ::testing::IsEmpty());
  EXPECT_EQ(world_->Run({"drift"}).exit_code, 0);
}

TEST_F(JustInTime, ByFormTheServiceIsNotAsked) {
  Begin("iamPolicies:\n" + ProjectSeedOf("acme") + SeededGrant("acme"));
  world_->Configure("justInTime: {proof: form}\n" + kSettings);
  world_->dir().Write("manifests/m.yaml", BindingOf("acme"));
  AddByHand("acme", "user:eve@example.com", kEnd);
  AddByHand("acme", "user:mallory@example.com", kEnd, "expires_soon");
  world_->StartDaemon();
  world_->Eventually("repaired", [&] {
    return AccessIn("acme") == Access{Held(kOnCall), Held("user:eve@example.com")};
  });
  EXPECT_EQ(Count("justInTime"), 2);
  EXPECT_EQ(world_->Count("privilegedaccessmanager.listEntitlements"), 0);
}

TEST_F(JustInTime, NothingIsImportedAndNothingBroughtBack) {
  Begin("iamPolicies:\n" + ProjectSeedOf("acme") + ProjectSeedOf("other") + SeededGrant("acme"));
  const Outcome one =
      world_->Run({"import", "cloudnative:cloudresourcemanager/v3:ProjectIamBinding", "m-acme",
                   std::string("projects/acme ") + kRole, "--stdout"});
  constexpr const char* kLeftAside =
      "1 grant with the mark of Privileged Access Manager is left aside: it ends by itself";
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_THAT(one.out, Not(HasSubstr("oncall")));
  EXPECT_THAT(one.out, HasSubstr("kind: ProjectIamBinding\n")) << "no role of two conditions";
  EXPECT_THAT(one.err, HasSubstr(kLeftAside));
  const Outcome all = world_->Run({"import", "cloudnative:cloudresourcemanager/v3:ProjectIamPolicy",
                                   "m-acme", "projects/acme", "--stdout"});
  EXPECT_EQ(all.exit_code, 0) << all.err;
  EXPECT_THAT(all.out, Not(HasSubstr("oncall")));
  EXPECT_THAT(all.out, HasSubstr("roles/owner"));
  const Outcome looked =
      world_->Run({"lookup", "cloudnative:cloudresourcemanager/v3:ProjectIamBinding",
                   std::string("projects/acme ") + kRole});
  EXPECT_THAT(looked.out, Not(HasSubstr("oncall")));
  EXPECT_THAT(looked.err, HasSubstr(kLeftAside));
  const std::string member = std::string("projects/acme ") + kRole + " " + kOnCall;
  const Outcome alone =
      world_->Run({"lookup", "cloudnative:cloudresourcemanager/v3:ProjectIamMember", member});
  EXPECT_EQ(alone.exit_code, 2);
  EXPECT_THAT(alone.err, HasSubstr(kLeftAside)) << "why the member seems not to be there";
  world_->Configure("reconcile: {bindingKey: roleAndCondition}\n");
  const Outcome by_condition =
      world_->Run({"import", "cloudnative:cloudresourcemanager/v3:ProjectIamBinding", "m-acme",
                   std::string("projects/acme ") + kRole, "--stdout"});
  EXPECT_EQ(by_condition.exit_code, 0) << by_condition.err;
  EXPECT_THAT(by_condition.out, HasSubstr("kind: ProjectIamBinding\n"));
}

}  // namespace
}  // namespace bindery::testing
