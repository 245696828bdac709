#include "manifests/directory/known_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "manifests/directory/known_files.h"

namespace bindery::manifests {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

KnownFile KnownFileAt(const std::string& path, std::int64_t changed) {
  FileContent content;
  content.path = path;
  content.digest = "digest of " + path;
  FileStamp stamp;
  stamp.changed_ns = changed;
  return {stamp.Bytes(), std::make_shared<const FileContent>(std::move(content))};
}

/// What a look finds before anything is read.
Listing Look(std::vector<KnownFile> files) {
  Listing listing = MakeListing(std::move(files));
  listing.real_root = "/root";
  for (ListedFolder& folder : listing.folders) {
    for (ListedFile& file : folder.files) {
      file.content = nullptr;
      file.proven = false;
      file.record = WhatIsKept::kNone;
    }
  }
  return listing;
}

/// Paths that are remembered, and, after a "-", paths that are not any more.
std::vector<std::string> Records(KnownDirectory& known) {
  DirectoryScan scan;
  known.NoteRecords(scan);
  std::vector<std::string> paths;
  for (const auto& file : scan.remember) paths.push_back(file.content->path);
  for (const std::string& path : scan.unremember) paths.push_back("-" + path);
  return paths;
}

class KnownDirectoryTest : public ::testing::Test {
 protected:
  KnownDirectoryTest() { known_.Seed({KnownFileAt("a", 1), KnownFileAt("d/b", 1)}, std::nullopt); }

  /// As a scan does when no file needs reading.
  void See(Listing found) {
    const bool same = known_.IsSame(found);
    known_.HandOver(found, same);
    known_.Become(std::move(found), true);
    known_.BringInStep();
  }

  KnownDirectory known_;
};

TEST_F(KnownDirectoryTest, OfASeedIsOnRecord) {
  EXPECT_TRUE(known_.has_listing());
  EXPECT_FALSE(known_.HasUnread());
  EXPECT_EQ(known_.contents().files().size(), 2U);
  EXPECT_THAT(Records(known_), IsEmpty());
}

TEST_F(KnownDirectoryTest, TheFirstLookSaysWhatTheRootOfASeedIs) {
  EXPECT_TRUE(known_.IsSame(Look({KnownFileAt("a", 1), KnownFileAt("d/b", 1)})));
  Listing elsewhere = Look({KnownFileAt("a", 1), KnownFileAt("d/b", 1)});
  elsewhere.real_root = "/other";
  EXPECT_FALSE(known_.IsSame(elsewhere));
}

TEST_F(KnownDirectoryTest, WhatIsUnchangedNeedsNoReading) {
  Listing found = Look({KnownFileAt("a", 1), KnownFileAt("d/b", 2)});
  known_.HandOver(found, known_.IsSame(found));
  EXPECT_TRUE(found.folders[0].files[0].proven);
  EXPECT_FALSE(found.folders[1].files[0].proven);
  known_.Become(std::move(found), false);
  EXPECT_TRUE(known_.HasUnread());
}

TEST_F(KnownDirectoryTest, OfAFileThatIsGoneNothingIsKept) {
  See(Look({KnownFileAt("a", 1)}));
  EXPECT_EQ(known_.contents().files().size(), 1U);
  EXPECT_THAT(Records(known_), ElementsAre("-d/b"));
  EXPECT_THAT(Records(known_), IsEmpty());
}

TEST_F(KnownDirectoryTest, AFileThatIsBackBeforeAnythingWasSaidIsOnRecordAsAnother) {
  See(Look({KnownFileAt("a", 1)}));
  See(Look({KnownFileAt("a", 1), KnownFileAt("d/b", 1)}));
  EXPECT_THAT(Records(known_), ElementsAre("-d/b"));
}

TEST_F(KnownDirectoryTest, IsVerifiedUntilItChanges) {
  EXPECT_FALSE(known_.is_verified());
  known_.SetVerified();
  EXPECT_TRUE(known_.is_verified());
  See(Look({KnownFileAt("a", 1), KnownFileAt("d/b", 1)}));
  EXPECT_FALSE(known_.is_verified());
}

TEST_F(KnownDirectoryTest, APatchChangesWhatItNames) {
  See(Look({KnownFileAt("a", 1), KnownFileAt("d/b", 1)}));
  HintedLook look;
  look.present = MakeListing({KnownFileAt("c", 3)});
  look.present.folders[0].files[0].record = WhatIsKept::kNone;
  look.gone = {"a"};
  known_.Patch(look);
  EXPECT_EQ(known_.contents().files().Find("a"), nullptr);
  EXPECT_NE(known_.contents().files().Find("c"), nullptr);
  EXPECT_NE(known_.contents().files().Find("d/b"), nullptr);
  DirectoryScan scan;
  known_.NoteRecords(look.present, scan);
  ASSERT_EQ(scan.remember.size(), 1U);
  EXPECT_EQ(scan.remember.front().content->path, "c");
  EXPECT_THAT(scan.unremember, ElementsAre("a"));
}

}  // namespace
}  // namespace bindery::manifests
