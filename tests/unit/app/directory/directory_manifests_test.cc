// The manifests directory as the loop sees it: what hints lead to, and that none is lost.

#include "app/directory/directory_manifests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery::app {
namespace {

using ::bindery::testing::IsOk;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class DirectoryManifestsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Write("a");
    Write("b");
  }
  void Write(const std::string& name, const std::string& member = "user:ana@example.com") {
    temp_.Write("m/" + name + ".yaml",
                "apiVersion: cloudnative:networksecurity/v1\n"
                "kind: AuthorizationPolicyIamBinding\n"
                "metadata: {name: " +
                    name +
                    "}\n"
                    "spec:\n"
                    "  name: projects/p/locations/l/authorizationPolicies/" +
                    name + "\n  role: roles/viewer\n  members: [\"" + member + "\"]\n");
  }
  [[nodiscard]] config::ManifestsConfig Config() const {
    config::ManifestsConfig config;
    config.directory = temp_ / "m";
    return config;
  }

  testing::TempDir temp_;
  providers::Kinds kinds_;
};

TEST_F(DirectoryManifestsTest, AHintedEditCostsOneFileAndSaysSo) {
  DirectoryManifests manifests(Config(), kinds_);
  const auto first = manifests.Scan(controller::ScanMode::kSettled);
  ASSERT_THAT(first, IsOk());
  EXPECT_FALSE(first->same);
  EXPECT_THAT(first->input.files, SizeIs(2));
  EXPECT_FALSE(first->input.edit) << "nobody knows what was before";
  Write("a", "user:bo@example.com");
  ASSERT_TRUE(manifests.TakeHints());
  const auto scan = manifests.Scan(controller::ScanMode::kHinted);
  ASSERT_THAT(scan, IsOk());
  EXPECT_FALSE(scan->scan.complete);
  EXPECT_FALSE(scan->same);
  EXPECT_THAT(scan->input.files, SizeIs(2));
  ASSERT_TRUE(scan->input.edit);
  EXPECT_THAT(scan->input.edit->now, SizeIs(1));
  EXPECT_THAT(scan->input.edit->before, SizeIs(1));
}

TEST_F(DirectoryManifestsTest, WhatIsTheSameIsNotListed) {
  DirectoryManifests manifests(Config(), kinds_);
  ASSERT_THAT(manifests.Scan(controller::ScanMode::kSettled), IsOk());
  auto scan = manifests.Scan(controller::ScanMode::kFull);
  ASSERT_THAT(scan, IsOk());
  EXPECT_TRUE(scan->same);
  EXPECT_TRUE(scan->settled);
  EXPECT_THAT(scan->input.files, IsEmpty());
  controller::ListAll(scan->scan, scan->input);
  EXPECT_THAT(scan->input.files, SizeIs(2));
  ASSERT_TRUE(scan->input.edit);
  EXPECT_THAT(scan->input.edit->now, IsEmpty());
}

TEST_F(DirectoryManifestsTest, WithoutHintsEverythingIsLookedAt) {
  DirectoryManifests manifests(Config(), kinds_);
  ASSERT_THAT(manifests.Scan(controller::ScanMode::kSettled), IsOk());
  EXPECT_TRUE(manifests.Scan(controller::ScanMode::kHinted)->scan.complete);
}

TEST_F(DirectoryManifestsTest, HintsOfAScanThatWasNotSettledAreThoseOfTheNext) {
  DirectoryManifests manifests(Config(), kinds_);
  ASSERT_THAT(manifests.Scan(controller::ScanMode::kSettled), IsOk());
  Write("a", "user:bo@example.com");
  ASSERT_TRUE(manifests.TakeHints());
  ASSERT_FALSE(manifests.Scan(controller::ScanMode::kFull)->settled);
  const auto scan = manifests.Scan(controller::ScanMode::kHinted);
  ASSERT_THAT(scan, IsOk());
  EXPECT_TRUE(scan->settled);
  ASSERT_TRUE(scan->input.edit);
  EXPECT_THAT(scan->input.edit->now, SizeIs(1));
}

TEST_F(DirectoryManifestsTest, HintsAreLeftToTheScanAfterOneThatWasListedAhead) {
  DirectoryManifests manifests(Config(), kinds_);
  Write("a", "user:bo@example.com");
  ASSERT_TRUE(manifests.TakeHints());
  manifests.ListAhead();
  const auto first = manifests.Scan(controller::ScanMode::kSettled);
  ASSERT_THAT(first, IsOk());
  EXPECT_THAT(first->input.files, SizeIs(2));
  const auto second = manifests.Scan(controller::ScanMode::kHinted);
  ASSERT_THAT(second, IsOk());
  EXPECT_FALSE(second->scan.complete) << "looks at what the hint names";
  EXPECT_TRUE(manifests.Scan(controller::ScanMode::kHinted)->scan.complete) << "no hint is left";
}

TEST_F(DirectoryManifestsTest, HintsOfAScanThatFailedAreThoseOfTheNext) {
  DirectoryManifests manifests(Config(), kinds_);
  ASSERT_THAT(manifests.Scan(controller::ScanMode::kSettled), IsOk());
  temp_.Remove("m/a.yaml");
  temp_.Remove("m/b.yaml");
  ASSERT_TRUE(manifests.TakeHints());
  ASSERT_FALSE(manifests.Scan(controller::ScanMode::kHinted)) << "nothing is left";
  Write("b");
  ASSERT_TRUE(manifests.TakeHints());
  const auto scan = manifests.Scan(controller::ScanMode::kHinted);
  ASSERT_THAT(scan, IsOk());
  EXPECT_THAT(scan->scan.gone, SizeIs(1)) << "a.yaml, whose hint is from before the failure";
}

}  // namespace
}  // namespace bindery::app
