#include "controller/catalog/management_policies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "fakes/claims_world.h"

namespace bindery::controller {
namespace {

using testing::ClaimsWorld;

struct ManagementPoliciesTest : public ::testing::Test, public ClaimsWorld {
  ManagementPoliciesTest() {
    entry = &Put("m", "t", "roles/one", 2);
    entry->progress.untouched = false;
    state.scanned = true;
    state.unknown_content = false;
  }
  [[nodiscard]] const TargetEntry& ToTarget() const {
    return *claims.FindTarget(entry->place.target);
  }
  void SetOptions(const std::function<void(manifests::Options&)>& edit) const {
    manifests::Manifest manifest = *entry->manifest;
    edit(manifest.options);
    entry->manifest = std::make_shared<const manifests::Manifest>(std::move(manifest));
  }

  CatalogSettings settings;
  Links links{claims, settings};
  ProjectNames names;
  ScanState state;
  ManagementPolicies treatments{{settings, claims, links, names, state}};
  ResourceEntry* entry = nullptr;
};

TEST_F(ManagementPoliciesTest, WhatIsDeclaredIsEnforcedOrObservedByItsMode) {
  EXPECT_EQ(treatments.Of(*entry), reconcilers::ManagementPolicy::kEnforce);
  settings.mode = Mode::kObserve;
  EXPECT_EQ(treatments.Of(*entry), reconcilers::ManagementPolicy::kObserve);
  SetOptions([](manifests::Options& options) { options.mode = Mode::kEnforce; });
  EXPECT_EQ(treatments.Of(*entry), reconcilers::ManagementPolicy::kEnforce)
      << "its own mode comes first";
}

TEST_F(ManagementPoliciesTest, WhatLeavesIsRemovedUnlessSomethingForbidsIt) {
  entry->evidence.missing_scans = 2;
  EXPECT_EQ(treatments.Of(*entry), reconcilers::ManagementPolicy::kRemove);
  settings.mode = Mode::kObserve;
  EXPECT_EQ(treatments.Of(*entry), reconcilers::ManagementPolicy::kObserveRemoved);
  settings.mode = Mode::kEnforce;

  const auto frozen = [&](const char* why) {
    EXPECT_EQ(treatments.Of(*entry), reconcilers::ManagementPolicy::kPause) << why;
    EXPECT_TRUE(treatments.IsFrozen(ToTarget())) << why;
  };
  state.scanned = false;
  frozen("before the first scan its manifest may be there again");
  state.scanned = true;
  entry->evidence.missing_scans = 1;
  frozen("one scan alone did not find it");
  entry->evidence.missing_scans = 2;
  entry->suspended_by_operator = true;
  frozen("it is suspended");
  entry->suspended_by_operator = false;
  entry->unreadable = true;
  frozen("what it declares is not known");
  entry->unreadable = false;
  entry->progress.untouched = true;
  frozen("nothing was done in its name");
  entry->progress.untouched = false;
  SetOptions([](manifests::Options& options) { options.protect = true; });
  frozen("it is protected");
  SetOptions([](manifests::Options& options) {
    options.protect = false, options.retain_on_delete = true;
  });
  frozen("what it granted is to stay");
}

TEST_F(ManagementPoliciesTest, WhatStaysInTheCloudIsLeftAloneByItsRole) {
  SetOptions([](manifests::Options& options) { options.retain_on_delete = true; });
  entry->evidence.missing_scans = 2;
  const CheckJob job = treatments.MakeJob(ToTarget());
  ASSERT_EQ(job.declared.size(), 1U);
  EXPECT_EQ(job.declared[0].manifest, nullptr);
  EXPECT_EQ(job.declared[0].role, "roles/one");
  EXPECT_EQ(job.declared[0].treatment, reconcilers::ManagementPolicy::kPause);
}

TEST_F(ManagementPoliciesTest, AJobHoldsAllThatIsDeclaredAndWhatIsContested) {
  Put("n", "t", "roles/two", 3);
  claims.FindTarget(entry->place.target)->contested.Set({"roles/three"});
  settings.projects["cloudnative"] = "acme";
  const CheckJob job = treatments.MakeJob(ToTarget());
  ASSERT_EQ(job.declared.size(), 3U);
  EXPECT_EQ(job.declared[1].role, "roles/two");
  EXPECT_EQ(job.declared[2].role, "roles/three");
  EXPECT_EQ(job.declared[2].treatment, reconcilers::ManagementPolicy::kPause);
  EXPECT_EQ(job.declared_grants, 5);
  EXPECT_EQ(job.project, "acme");
  EXPECT_FALSE(job.keep_undeclared);
}

TEST_F(ManagementPoliciesTest, WhatNobodyDeclaresIsKeptWhileAFileIsUnknown) {
  state.unknown_content = true;
  EXPECT_TRUE(treatments.MakeJob(ToTarget()).keep_undeclared);
  EXPECT_TRUE(treatments.MakeJob(ToTarget()).undeclared_in_doubt);
  settings.keep_undeclared = true;
  EXPECT_TRUE(treatments.MakeJob(ToTarget()).keep_undeclared);
  EXPECT_FALSE(treatments.MakeJob(ToTarget()).undeclared_in_doubt) << "it is kept in any case";
}

TEST_F(ManagementPoliciesTest, WhatIsOnlyReportedIsKeptAndInDoubtWhileAFileIsUnknown) {
  settings.keep_undeclared = true;
  settings.report_undeclared = true;
  EXPECT_TRUE(treatments.MakeJob(ToTarget()).keep_undeclared);
  EXPECT_TRUE(treatments.MakeJob(ToTarget()).report_undeclared);
  EXPECT_FALSE(treatments.MakeJob(ToTarget()).undeclared_in_doubt);
  state.unknown_content = true;
  EXPECT_TRUE(treatments.MakeJob(ToTarget()).undeclared_in_doubt);
  settings.target_rules = {{.match = "*", .undeclared_roles = UndeclaredRoles::kKeep}};
  EXPECT_FALSE(treatments.MakeJob(ToTarget()).report_undeclared) << "a rule comes first";
  EXPECT_FALSE(treatments.MakeJob(ToTarget()).undeclared_in_doubt);
}

TEST_F(ManagementPoliciesTest, OnlyAClaimNothingWasDoneForLeavesNothing) {
  entry->evidence.missing_scans = 2;
  EXPECT_FALSE(treatments.LeavesNothing(*entry));
  entry->progress.untouched = true;
  EXPECT_TRUE(treatments.LeavesNothing(*entry));
  entry->evidence.missing_scans = 1;
  EXPECT_FALSE(treatments.LeavesNothing(*entry));
  entry->evidence.missing_scans = 2;
  state.scanned = false;
  EXPECT_FALSE(treatments.LeavesNothing(*entry));
}

TEST_F(ManagementPoliciesTest, WhatIsForgottenIsRemovedByTheChecksOfAnotherOneOnItsTarget) {
  EXPECT_EQ(treatments.FindRemover(*entry, {"m"}), nullptr);
  ResourceEntry& other = Put("n", "t", "roles/two");
  EXPECT_EQ(treatments.FindRemover(*entry, {"m"}), &other);
  EXPECT_EQ(treatments.FindRemover(*entry, {"m", "n"}), nullptr);
  other.evidence.missing_scans = 2;
  EXPECT_EQ(treatments.FindRemover(*entry, {"m"}), nullptr);
  other.evidence.missing_scans = 0;
  settings.keep_undeclared = true;
  EXPECT_EQ(treatments.FindRemover(*entry, {"m"}), nullptr);
}

TEST_F(ManagementPoliciesTest, OnATargetOfAnUnknownKindNobodyRemovesAnything) {
  ResourceEntry& foreign = claims.Obtain("foreign");
  foreign.manifest = std::make_shared<const manifests::Manifest>();
  foreign.accepted = true;
  foreign.place.target = TargetKey(At("elsewhere"));
  EXPECT_EQ(treatments.FindRemover(foreign, {}), nullptr);
}

}  // namespace
}  // namespace bindery::controller
