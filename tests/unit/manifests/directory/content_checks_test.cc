// When files are read again though their stamps are the same.

#include "manifests/directory/content_checks.h"

#include <sys/sysmacros.h>

#include "manifests/files/volume_kind.h"
#include "support/own_mounts.h"
#include "unit/manifests/directory_fixture.h"

namespace bindery::manifests {
namespace {

using ::bindery::testing::DirectoryTest;
using ::bindery::testing::IsOk;
using ::bindery::testing::OwnMounts;
using std::chrono::hours;
using ::testing::ElementsAre;
using ::testing::Pair;

constexpr std::int64_t kMinute = 60'000'000'000;
constexpr std::int64_t kStart = 24L * 20'000 * 60 * kMinute;  // Where a period begins.

class ContentChecksTest : public ::testing::Test {
 protected:
  ContentChecksTest() {
    for (const char* path : {"", "team"}) {
      ListedFolder folder{path, {}, 0, false, {}, {}};
      for (int i = 0; i < kFiles; ++i) folder.files.push_back(folder.Named(std::to_string(i)));
      empty_.folders.push_back(std::move(folder));
    }
  }
  /// How many a look at that time has to read.
  int MarkedAt(std::int64_t now) {
    Listing listing = empty_;
    checks_.Mark(now, listing);
    int marked = 0;
    for (std::size_t folder = 0; folder < 2; ++folder) {
      for (std::size_t i = 0; i < kFiles; ++i) {
        if (!listing.folders[folder].files[i].read_anyway) continue;
        ++marked;
        ++times_[folder * kFiles + i];
      }
    }
    EXPECT_EQ(HasMarked(listing), marked > 0);
    return marked;
  }

  static constexpr int kFiles = 500;
  ContentChecks checks_{hours(24)};
  Listing empty_;
  std::map<std::size_t, int> times_;
};

TEST_F(ContentChecksTest, EachFileIsReadOnceInThePeriodAndNeverManyAtOnce) {
  int most = 0;
  for (int minute = 0; minute <= 3 * 24 * 60; ++minute) {
    most = std::max(most, MarkedAt(kStart + minute * kMinute));
  }
  EXPECT_EQ(times_.size(), 2U * kFiles);
  for (const auto& [file, times] : times_) EXPECT_EQ(times, 3) << file;
  EXPECT_LE(most, 10);
}

TEST_F(ContentChecksTest, AStartAndAClockThatIsSetBackMarkNone) {
  EXPECT_EQ(MarkedAt(kStart), 0);
  EXPECT_EQ(MarkedAt(kStart - 60 * kMinute), 0);
  EXPECT_GT(MarkedAt(kStart + 60 * kMinute), 0);
  EXPECT_EQ(MarkedAt(kStart + 60 * 60 * kMinute), 2 * kFiles) << "after longer than the period";
}

TEST_F(ContentChecksTest, WithoutAPeriodNoneIsRead) {
  checks_ = ContentChecks(hours(0));
  MarkedAt(kStart);
  EXPECT_EQ(MarkedAt(kStart + 60 * 60 * kMinute), 0);
}

/// A file whose stamp is that of other content: as where who writes sets the times back.
class SameStampTest : public DirectoryTest {
 protected:
  void SetUp() override { temp_.Write("m/a.yaml", "new"); }
  DirectorySource SourceThatKnows(const char* text, std::chrono::milliseconds verify) {
    const auto scan = TrustingSource().Scan(true);
    std::vector<KnownFile> known;
    for (const auto& file : scan->remember) {
      FileContent content = *file.content;
      content.digest = text;
      content.problems.front().message = text;
      known.push_back({file.stamp, std::make_shared<const FileContent>(std::move(content))});
    }
    DirectorySettings settings = Settings(root_);
    settings.coarsest_clock = -hours(1);
    settings.verify_content = verify;
    DirectorySource source = Source(std::move(settings));
    source.Seed(std::move(known));
    return source;
  }

  OwnMounts mounts_;
};

TEST_F(SameStampTest, IsBelievedWhereStampsProve) {
  DirectorySource source = SourceThatKnows("old", hours(0));
  for (int look = 0; look < 2; ++look) {
    EXPECT_THAT(GetTexts(*source.Scan(true)), ElementsAre(Pair("a.yaml", "old")));
  }
}

TEST_F(SameStampTest, IsReadOnceInThePeriod) {
  DirectorySource source = SourceThatKnows("old", std::chrono::milliseconds(1));
  ASSERT_THAT(source.Scan(true), IsOk());
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  std::string text = "old";
  while (text == "old" && std::chrono::steady_clock::now() < end) {
    text = GetTexts(*source.Scan(true))["a.yaml"];
  }
  EXPECT_EQ(text, "new");
}

TEST_F(SameStampTest, IsReadByAHintOfIt) {
  DirectorySource source = SourceThatKnows("old", hours(0));
  ASSERT_THAT(source.Scan(true), IsOk());
  ASSERT_THAT(source.Scan(true), IsOk());
  const auto scan = source.ScanHinted({"a.yaml"});
  EXPECT_FALSE(scan->complete);
  EXPECT_THAT(GetTexts(*scan), ElementsAre(Pair("a.yaml", "new")));
}

TEST_F(SameStampTest, IsReadByEveryScanWhereStampsProveNothing) {
  std::filesystem::create_directories(temp_.path() / "upper");
  std::filesystem::create_directories(temp_.path() / "work");
  if (!mounts_.allowed() || !mounts_.Overlay(root_, temp_ / "upper", temp_ / "work", root_)) {
    GTEST_SKIP() << "mounting takes CAP_SYS_ADMIN, and a kernel with overlayfs";
  }
  DirectorySource source = SourceThatKnows("old", hours(0));
  const auto scan = source.Scan(true);
  EXPECT_THAT(GetTexts(*scan), ElementsAre(Pair("a.yaml", "new")));
  EXPECT_FALSE(scan->facts.stamps_prove);
  EXPECT_TRUE(Source().Scan(true)->facts.begun.has_value());
}

TEST(VolumeKind, TellsWhoseStampsProveAndWhoseIdIsTheirOwn) {
  struct Row {
    const char* name;
    std::uint32_t type;
    bool prove;
    bool own_id;
  };
  for (const Row& row :
       {Row{"ext4", 0xEF53, true, true}, Row{"btrfs", 0x9123683E, true, true},
        Row{"tmpfs", 0x01021994, true, true}, Row{"xfs", 0x58465342, true, false},
        Row{"overlay", 0x794C7630, false, false}, Row{"squashfs", 0x73717368, false, false},
        Row{"erofs", 0xE0F5E1E2, false, false}, Row{"ISO 9660", 0x9660, false, false},
        Row{"FUSE", 0x65735546, false, false}, Row{"NFS", 0x6969, false, false},
        Row{"SMB", 0xFF534D42, false, false}, Row{"SMB 2", 0xFE534D42, false, false},
        Row{"9p", 0x01021997, false, false}, Row{"FAT", 0x4D44, false, false},
        Row{"exFAT", 0x2011BAB0, false, false}, Row{"Ceph", 0x00C36400, false, false},
        Row{"unknown", 0x12345678, false, false}}) {
    EXPECT_EQ(StampsProve(row.type), row.prove) << row.name;
    EXPECT_EQ(HasOwnId(VolumeTypeText(row.type) + ":id:01"), row.own_id) << row.name;
    EXPECT_FALSE(HasOwnId(VolumeTypeText(row.type))) << row.name;
  }
  EXPECT_TRUE(HasOwnId("58465342:uuid:02"));
}

TEST(VolumeKind, AnImageIsReadOnlyAsAWhole) {
  const char* const mounts =
      "23 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,errors=remount-ro\n"
      "24 23 7:0 / /image ro,relatime - ext4 /dev/loop0 ro\n"
      "25 23 8:1 /data /data ro,relatime - ext4 /dev/sda1 rw,errors=remount-ro\n"
      "26 23 0:9 / /odd ro\n"
      "27 23 7:2 / /options ro - ext4 /dev/loop2 ro,norecovery";
  EXPECT_FALSE(IsReadOnlyImage(mounts, makedev(8, 1))) << "others may write to it";
  EXPECT_TRUE(IsReadOnlyImage(mounts, makedev(7, 0)));
  EXPECT_TRUE(IsReadOnlyImage(mounts, makedev(7, 2)));
  EXPECT_FALSE(IsReadOnlyImage(mounts, makedev(0, 9)));
  EXPECT_FALSE(IsReadOnlyImage("", makedev(7, 0)));
}

}  // namespace
}  // namespace bindery::manifests
