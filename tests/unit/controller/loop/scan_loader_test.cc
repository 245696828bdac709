// Which scans come into force, and what is told of the others.

#include "controller/loop/scan_loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakes/engine_world.h"

namespace bindery::controller {
namespace {

using ::testing::ElementsAre;

/// Notes in short what it is told.
class LoadNotes final : public LoopObserver {
 public:
  void Loaded(const ScanInput& scan, const Engine::Scanned* changes) override {
    told.push_back(scan.digest + (changes == nullptr ? " is the same" : " is in force"));
  }
  void LoadFailed(const Error& error) override { told.push_back(error.message); }
  void StoreFailed(const Error& error) override { ADD_FAILURE() << error.message; }
  void Progress(const Engine& /*engine*/) override {}

  std::vector<std::string> told;
};

class ScanLoaderTest : public ::testing::Test {
 protected:
  ScanLoaderTest() {
    for (const char* name : {"a", "b"}) {
      world_.cloud->AddTarget(testing::EngineWorld::TargetName(name));
      world_.Declare(name, name, testing::kViewer, {"user:ana@example.com"});
    }
  }
  std::optional<bool> Take(const std::string& digest, bool confirming = false) {
    ManifestSource::Scanned scanned;
    scanned.input = world_.Look();
    scanned.input.digest = digest;
    return loader_.Take(std::move(scanned), /*usable=*/true, confirming, world_.now);
  }
  std::optional<bool> TakeFailure(Code code, bool usable) {
    return loader_.Take(Fail(code, "no such folder"), usable, /*confirming=*/false, world_.now);
  }

  testing::EngineWorld world_;
  LoadNotes notes_;
  ScanLoader loader_{*world_.engine, notes_};
};

TEST_F(ScanLoaderTest, TheDigestInForceChangesNothing) {
  EXPECT_EQ(Take("one"), false);
  EXPECT_EQ(Take("one"), std::nullopt);
  EXPECT_THAT(notes_.told, ElementsAre("one is in force", "one is the same"));
}

TEST_F(ScanLoaderTest, TheSameFilesComeIntoForceAgainAfterInvalidate) {
  EXPECT_EQ(Take("one"), false);
  loader_.Invalidate();
  EXPECT_EQ(Take("one"), false);
  EXPECT_THAT(notes_.told, ElementsAre("one is in force", "one is in force"));
}

TEST_F(ScanLoaderTest, WhatIsMissingIsConfirmedBySameDigestAgain) {
  EXPECT_EQ(Take("two"), false);
  world_.Remove("b");
  EXPECT_EQ(Take("one"), true);
  EXPECT_EQ(Take("one", /*confirming=*/true), false);
  EXPECT_EQ(world_.engine->catalog().claims().FindResource("b")->evidence.missing_scans, 2);
}

TEST_F(ScanLoaderTest, AManifestThatIsKeptForAnUnreadItemIsDecidedOnceTheItemIsGone) {
  EXPECT_EQ(Take("two"), false);
  world_.Remove("b");
  world_.facts.unread = {{"b.yaml.bak", "may hold \"b.yaml\"", "1", /*ignored=*/true}};
  EXPECT_EQ(Take("one"), false);
  EXPECT_EQ(Take("one"), std::nullopt) << "the item is still there";
  const auto missed = [this] {
    return world_.engine->catalog().claims().FindResource("b")->evidence.missing_scans;
  };
  EXPECT_EQ(missed(), 0);
  world_.facts.unread.clear();
  EXPECT_EQ(Take("one"), true) << "one more look has to decide";
  EXPECT_EQ(Take("one", /*confirming=*/true), true);
  EXPECT_EQ(Take("one", /*confirming=*/true), false);
  EXPECT_EQ(missed(), 2);
  EXPECT_EQ(Take("one"), std::nullopt);
}

TEST_F(ScanLoaderTest, AFailureIsToldAndLeavesWhatIsInForce) {
  EXPECT_EQ(Take("one"), false);
  EXPECT_EQ(TakeFailure(Code::kUnavailable, /*usable=*/true), std::nullopt);
  EXPECT_TRUE(loader_.failed());
  EXPECT_TRUE(loader_.loaded());
  EXPECT_EQ(Take("one"), std::nullopt);
  EXPECT_FALSE(loader_.failed());
  EXPECT_THAT(notes_.told, ElementsAre("one is in force", "no such folder", "one is the same"));
}

TEST_F(ScanLoaderTest, AScanToBeRepeatedTellsNothing) {
  EXPECT_EQ(TakeFailure(Code::kAborted, /*usable=*/false), std::nullopt);
  EXPECT_FALSE(loader_.failed());
  EXPECT_FALSE(loader_.loaded());
  EXPECT_THAT(notes_.told, ElementsAre());
}

TEST_F(ScanLoaderTest, WhenNoScanHasAResultForLongNothingIsRemovedAndTheReasonIsTold) {
  EXPECT_EQ(Take("one"), false);
  const DirectoryRest& rest = world_.engine->catalog().evidence().rest();
  const auto answer = [&] {
    return rest.Judge(world_.engine->catalog().evidence().look(), world_.now);
  };
  EXPECT_NE(answer().answer, EvidenceAnswer::kBlocked);
  EXPECT_EQ(TakeFailure(Code::kAborted, /*usable=*/false), std::nullopt);
  loader_.NoteOverdue({Code::kDeadlineExceeded, "no result"}, world_.now);
  EXPECT_EQ(answer().answer, EvidenceAnswer::kBlocked);
  EXPECT_EQ(answer().why, "no result");
  EXPECT_TRUE(loader_.failed());
  EXPECT_EQ(Take("one"), std::nullopt);
  EXPECT_NE(answer().answer, EvidenceAnswer::kBlocked);
  EXPECT_THAT(notes_.told, ElementsAre("one is in force", "no result", "one is the same"));
}

}  // namespace
}  // namespace bindery::controller
