#include "controller/claims/links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controller/claims/claim_status.h"
#include "fakes/claims_world.h"

namespace bindery::controller {
namespace {

using testing::ClaimsWorld;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// "app" needs "base"; each is on a target of its own.
struct LinksTest : public ::testing::Test, public ClaimsWorld {
  LinksTest() {
    base = &Put("base", "b", "roles/one");
    app = &Put("app", "a", "roles/one");
    Need("app", {"base"});
  }
  void Need(const std::string& name, std::vector<std::string> needs) {
    ResourceEntry& entry = *claims.FindResource(name);
    manifests::Manifest manifest = *entry.manifest;
    auto rare = std::make_shared<manifests::ExtraOptions>();
    rare->depends_on = std::move(needs);
    manifest.options.rare = std::move(rare);
    entry.manifest = std::make_shared<const manifests::Manifest>(std::move(manifest));
    links.NoteManifest(*entry.manifest);
    links.Relink();
  }
  /// Its target was checked, and is as it declares.
  void Check(ResourceEntry& entry) {
    Settle(entry);
    claims.FindTarget(entry.place.target)->calls.checked = true;
  }
  /// Its manifest is gone.
  static void Leave(ResourceEntry& entry) { entry.evidence.missing_scans = 2; }
  [[nodiscard]] std::set<TargetKey> UnblockedBy(const ResourceEntry& entry) const {
    return links.UnblockedBy(*claims.FindTarget(entry.place.target)).targets;
  }
  ResourceEntry& Former(ResourceEntry& entry, const std::string& target) {
    ResourceEntry former = entry;
    former.name = entry.name + std::string(kFormerClaim) + "2)";
    Leave(former);
    ResourceEntry& stored = claims.LeaveBehind(entry, std::move(former));
    Put(entry.name, target, entry.place.role.str());
    return stored;
  }

  CatalogSettings settings;
  Links links{claims, settings};
  ResourceEntry* base = nullptr;
  ResourceEntry* app = nullptr;
};

TEST_F(LinksTest, AResourceWaitsForWhatItNeedsUntilThatWasCheckedAndIsAsDeclared) {
  EXPECT_EQ(links.BlockedBy(*app), base);
  Settle(*base);
  EXPECT_EQ(links.BlockedBy(*app), base) << "settled by an earlier run: its target is unread yet";
  Check(*base);
  EXPECT_EQ(links.BlockedBy(*app), nullptr);
  EXPECT_EQ(links.BlockedBy(*base), nullptr);
  base->progress.generation = 2;
  EXPECT_EQ(links.BlockedBy(*app), base) << "its manifest changed";
}

TEST_F(LinksTest, WhatOnlyHasRemovalsLeftBlocksNobody) {
  Check(*base);
  for (const std::string_view reason : {reason::kRemovalPending, reason::kRemovalBlocked}) {
    base->standing.status =
        SharedStatus(ResourceStatus{ResourceState::kStalled, std::string(reason), "waits"});
    EXPECT_EQ(links.BlockedBy(*app), nullptr) << reason;
  }
  base->standing.status =
      SharedStatus(ResourceStatus{ResourceState::kStalled, "PermissionDenied", "no"});
  EXPECT_EQ(links.BlockedBy(*app), base);
}

TEST_F(LinksTest, WhatIsOnItsWayOutOrGoneBlocksNobody) {
  Leave(*base);
  EXPECT_THAT(links.NeedsInForce(*app), IsEmpty());
  claims.Erase("base", change);
  EXPECT_EQ(links.BlockedBy(*app), nullptr);
}

TEST_F(LinksTest, WhatOthersNeedStaysUntilTheseAreGone) {
  Leave(*base);
  EXPECT_EQ(links.DeletionBlockedBy(*base), app);
  EXPECT_EQ(KeptStatus(*base, *app).message,
            "what it granted is removed once \"app\" (app.yaml:1), which depends on it, is gone");
  Leave(*app);
  EXPECT_EQ(links.DeletionBlockedBy(*base), app) << "what that granted is still there";
  app->standing.status = SharedStatus(
      ResourceStatus{ResourceState::kReconciling, std::string(reason::kTargetNotFound), ""});
  EXPECT_EQ(links.DeletionBlockedBy(*base), nullptr);
}

TEST_F(LinksTest, WhatIsToStayInTheCloudKeepsNothingElseThere) {
  Leave(*base);
  Leave(*app);
  manifests::Manifest kept = *app->manifest;
  kept.options.retain_on_delete = true;
  app->manifest = std::make_shared<const manifests::Manifest>(kept);
  EXPECT_EQ(links.DeletionBlockedBy(*base), nullptr);
}

TEST_F(LinksTest, WhatWasNeededIsFreedWhenTheOneThatNeededItGoes) {
  Leave(*base);
  EXPECT_THAT(links.TakeFreed(), IsEmpty());
  links.NoteFreed("app");
  EXPECT_THAT(links.TakeFreed(), ElementsAre(base->place.target));
  EXPECT_THAT(links.TakeFreed(), IsEmpty()) << "told once";
}

TEST_F(LinksTest, WhatIsNotNeededAnyMoreIsFreedByTheChange) {
  Leave(*base);
  Need("app", {});
  EXPECT_THAT(links.TakeFreed(), ElementsAre(base->place.target));
  EXPECT_TRUE(links.empty());
}

TEST_F(LinksTest, WhoWaitedIsUnblockedOnceByWhatItWaitedFor) {
  app->standing.status = WaitingStatus(*base);
  EXPECT_THAT(UnblockedBy(*base), IsEmpty()) << "it waits on, for the same reason";
  base->standing.status =
      SharedStatus(ResourceStatus{ResourceState::kStalled, "PermissionDenied", "no"});
  EXPECT_THAT(UnblockedBy(*base), ElementsAre(app->place.target)) << "for another reason";
  app->standing.status = WaitingStatus(*base);
  Check(*base);
  EXPECT_THAT(UnblockedBy(*base), ElementsAre(app->place.target));
  Check(*app);
  EXPECT_THAT(UnblockedBy(*base), IsEmpty());
}

TEST_F(LinksTest, AFormerClaimStaysUntilTheNewOneIsInPlace) {
  ResourceEntry& former = Former(*base, "elsewhere");
  EXPECT_EQ(links.DeletionBlockedBy(former), base);
  EXPECT_EQ(KeptStatus(former, *base).message,
            "what it granted is removed once \"base\" (base.yaml:1) grants in its place");
  former.standing.status = SharedStatus(KeptStatus(former, *base));
  EXPECT_THAT(UnblockedBy(*base), IsEmpty());
  Check(*base);
  EXPECT_EQ(links.DeletionBlockedBy(former), nullptr);
  EXPECT_THAT(UnblockedBy(*base), ElementsAre(former.place.target));
}

TEST_F(LinksTest, OnOneTargetAFormerClaimGoesWithTheWriteThatReplacesIt) {
  ResourceEntry& former = Former(*base, "b");
  EXPECT_EQ(links.DeletionBlockedBy(former), nullptr);
  base->suspended_by_operator = true;
  EXPECT_EQ(links.DeletionBlockedBy(former), base) << "nothing is written for it";
  base->suspended_by_operator = false;
  settings.mode = Mode::kObserve;
  EXPECT_EQ(links.DeletionBlockedBy(former), base);
}

TEST_F(LinksTest, AnEditTouchesLinksWhenOneOfItsManifestsHasAny) {
  Put("alone", "c", "roles/one");
  const auto edit_of = [this](const std::string& name) {
    manifests::FileContent file;
    file.manifests.push_back(claims.FindResource(name)->manifest);
    return ScanEdit{{std::make_shared<const manifests::FileContent>(file)}, {}};
  };
  EXPECT_TRUE(links.TouchedBy(edit_of("app")));
  EXPECT_TRUE(links.TouchedBy(edit_of("base"))) << "another one needs it";
  EXPECT_FALSE(links.TouchedBy(edit_of("alone")));
}

TEST_F(LinksTest, ADocumentWithReferencesIsKnownAsLongAsOneOfItsCopiesIsThere) {
  const auto file_of = [](const std::string& path) {
    auto manifest = std::make_shared<manifests::Manifest>();
    manifest->name = "app";
    manifest->source.file = path;
    manifest->references = std::make_shared<const std::vector<manifests::Reference>>();
    auto file = std::make_shared<manifests::FileContent>();
    file->path = path;
    file->manifests.push_back(std::move(manifest));
    return std::shared_ptr<const manifests::FileContent>(std::move(file));
  };
  const auto first = file_of("a.yaml");
  const auto copy = file_of("a.sync-conflict-1.yaml");
  ScanInput scan;
  scan.edit = ScanEdit{{first, copy}, {}};
  links.NoteTemplates(scan);
  scan.edit = ScanEdit{{}, {copy}};
  links.NoteTemplates(scan);
  EXPECT_TRUE(links.has_templates());
  scan.edit = ScanEdit{{}, {first}};
  links.NoteTemplates(scan);
  EXPECT_FALSE(links.has_templates());
}

TEST_F(LinksTest, OutputsAreKnownOnceTheTargetOfWhatIsInForceWasRead) {
  EXPECT_EQ(links.GetOutputs("nobody").error().code, Code::kUnavailable);
  EXPECT_EQ(links.GetOutputs("base").error().message,
            "waits for \"base\": waiting for the next check of its target");
  Check(*base);
  TargetEntry& target = *claims.FindTarget(base->place.target);
  target.reading.etag = "e1";
  target.reading.outputs_known = true;
  ASSERT_TRUE(links.GetOutputs("base").has_value());
  EXPECT_EQ(links.GetOutputs("base")->at("etag"), "e1");
  EXPECT_EQ(links.GetOutputs("base")->at("role"), "roles/one") << "what it declares is given, too";
  Leave(*base);
  EXPECT_FALSE(links.GetOutputs("base").has_value());
}

}  // namespace
}  // namespace bindery::controller
