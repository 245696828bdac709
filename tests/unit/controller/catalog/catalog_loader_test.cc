#include "controller/catalog/catalog_loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controller/claims/resource_record.h"
#include "fakes/claims_world.h"

namespace bindery::controller {
namespace {

using testing::ClaimsWorld;
using ::testing::ElementsAre;
using ::testing::SizeIs;

struct CatalogLoaderTest : public ::testing::Test {
  CatalogLoaderTest() {
    // What the last run left.
    for (const char* name : {"a", "b"}) {
      ResourceEntry& entry = before.Put(name, "t", std::string("roles/") + name, 2);
      ClaimsWorld::Settle(entry);
      records.push_back(MakeRecord(before.claims, entry));
    }
  }
  CatalogLoader Begin(bool by_same_rules = true) {
    return {{claims, links, ages, state, names, unknown_tokens, before.kinds,
             Placer(before.kinds, settings, names)},
            by_same_rules,
            /*settled=*/0};
  }
  void Load(CatalogLoader loader) {
    loader.LoadTarget(before.claims.FindTarget(ClaimsWorld::At("t"))->Record());
    for (const store::ResourceRecord& record : records) loader.LoadResource(record);
  }
  static StoredFile FileAt(const std::string& path) {
    store::FileRecord record;
    record.path = path;
    record.stamp = "stamp of " + path;
    record.digest = "digest";
    return StoredFile::Of(std::move(record));
  }

  ClaimsWorld before;
  std::vector<store::ResourceRecord> records;
  CatalogSettings settings;
  Claims claims;
  ProjectNames names;
  RemovalEvidence evidence;
  ClaimAges ages{claims, evidence};
  Links links{claims, settings};
  ScanState state;
  std::set<TypeToken> unknown_tokens;
};

TEST_F(CatalogLoaderTest, WhatWasInForceIsInForceAgain) {
  Load(Begin());
  EXPECT_THAT(claims.FindTarget(ClaimsWorld::At("t"))->Names(), ElementsAre("a", "b"));
  EXPECT_EQ(claims.DeclaredGrants(), 4);
  EXPECT_TRUE(state.sound);
  EXPECT_TRUE(claims.FindResource("a")->progress.settled);
}

TEST_F(CatalogLoaderTest, FilesAreKnownWhenAllTheyDeclareIsInForce) {
  CatalogLoader loader = Begin();
  for (const store::ResourceRecord& record : records) loader.LoadResource(record);
  const auto files = loader.KnownFiles({FileAt("b.yaml"), FileAt("a.yaml"), FileAt("c.yaml")});
  ASSERT_TRUE(files.has_value());
  ASSERT_THAT(*files, SizeIs(3));
  EXPECT_EQ((*files)[0].content->path, "a.yaml");
  EXPECT_EQ((*files)[0].stamp, "stamp of a.yaml");
  ASSERT_THAT((*files)[0].content->manifests, SizeIs(1));
  EXPECT_EQ((*files)[0].content->manifests[0], claims.FindResource("a")->manifest)
      << "one object, not two";
  EXPECT_THAT((*files)[2].content->manifests, SizeIs(0)) << "a file without manifests";
}

TEST_F(CatalogLoaderTest, NoFileIsKnownWhenAResourceIsInNone) {
  CatalogLoader loader = Begin();
  for (const store::ResourceRecord& record : records) loader.LoadResource(record);
  EXPECT_FALSE(loader.KnownFiles({FileAt("a.yaml")}).has_value());
}

TEST_F(CatalogLoaderTest, NoFileIsKnownUnderOtherRulesOrWhenSomethingIsNotInForce) {
  const auto knows = [this](bool by_same_rules) {
    CatalogLoader loader = Begin(by_same_rules);
    for (const store::ResourceRecord& record : records) loader.LoadResource(record);
    return loader.KnownFiles({FileAt("a.yaml"), FileAt("b.yaml")}).has_value();
  };
  EXPECT_TRUE(knows(true));
  EXPECT_FALSE(knows(false));
  records[1].accepted = false;
  EXPECT_FALSE(knows(true));
  EXPECT_THAT(state.unaccepted, ElementsAre("b"));
}

TEST_F(CatalogLoaderTest, NothingIsDoneInTheNameOfWhatCannotBeMadeOutAgain) {
  records[0].spec = "{broken";
  Load(Begin(/*by_same_rules=*/false));
  const ResourceEntry& entry = *claims.FindResource("a");
  EXPECT_TRUE(entry.unreadable);
  EXPECT_TRUE(entry.standing.rejected != nullptr);
  EXPECT_FALSE(state.sound);
  EXPECT_EQ(claims.DeclaredGrants(), 1 + entry.grants) << "the other one was counted anew";
}

TEST_F(CatalogLoaderTest, AResourceOfAnUnknownKindIsKeptAndOnNoTarget) {
  records[0].token = {"cloudnative:later/v9", "LaterBinding"};
  Load(Begin());
  EXPECT_EQ(claims.FindResource("a")->kind, nullptr);
  EXPECT_EQ(claims.FindResource("a")->manifest->token->kind, "LaterBinding");
  EXPECT_THAT(claims.FindTarget(ClaimsWorld::At("t"))->Names(), ElementsAre("b"));
  EXPECT_FALSE(state.sound);
}

TEST_F(CatalogLoaderTest, TargetsThatNobodyDeclaresAnythingOnGoAtTheEnd) {
  records.clear();
  Load(Begin());
  EXPECT_THAT(claims.targets(), SizeIs(1));
  FinishLoad(claims, {}, {});
  EXPECT_THAT(claims.targets(), SizeIs(0));
}

TEST_F(CatalogLoaderTest, AnUnfinishedWriteMayHaveBeenForAnyResourceOfItsTarget) {
  for (store::ResourceRecord& record : records) record.untouched = true;
  Load(Begin());
  store::IntentRecord intent;
  intent.target = ClaimsWorld::At("t");
  FinishLoad(claims, {}, {intent});
  EXPECT_NE(claims.FindTarget(ClaimsWorld::At("t"))->unresolved, nullptr);
  EXPECT_FALSE(claims.FindResource("a")->progress.untouched);
  EXPECT_FALSE(claims.FindResource("b")->progress.untouched);
}

}  // namespace
}  // namespace bindery::controller
