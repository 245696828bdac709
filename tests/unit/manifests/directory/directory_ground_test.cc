// Where the directory is: what is mounted there, below it, and behind its links.

#include <optional>
#include <ostream>

#include "manifests/directory/directory.h"
#include "support/own_mounts.h"
#include "unit/manifests/directory_fixture.h"

namespace bindery::manifests {
namespace {

using ::bindery::testing::DirectoryTest;
using ::bindery::testing::OwnMounts;
using ::testing::HasSubstr;

class DirectoryMountTest : public DirectoryTest {
 protected:
  void SetUp() override {
    if (!mounts_.allowed()) GTEST_SKIP() << "mounting takes CAP_SYS_ADMIN";
    temp_.Write("m/a.yaml", "one");
    temp_.Write("m/team/b.yaml", "two");
  }
  static Ground GroundAt(DirectorySource& source) {
    const auto scan = source.Scan(true);
    return scan ? scan->facts.ground.value_or(Ground()) : Ground();
  }
  /// What a run that starts later says of it; it knows what the store keeps.
  static std::string ChangeOverRuns(const Ground& before, const Ground& now) {
    return GroundChange(GroundFromText(GroundText(before)).value_or(Ground()), now, false)
        .value_or("");
  }
  static std::string ChangeInRun(const Ground& before, const Ground& now) {
    return GroundChange(before, now, true).value_or("");
  }
  Ground GroundNow() {
    DirectorySource source = Source();
    return GroundAt(source);
  }

  OwnMounts mounts_;
};

TEST_F(DirectoryMountTest, AFileThatIsMountedIsPartOfIt) {
  temp_.Write("new.yaml", "three");
  DirectorySource source = Source();
  const Ground without = GroundAt(source);
  ASSERT_TRUE(mounts_.Bind(temp_ / "new.yaml", root_ + "/team/b.yaml"));
  const Ground with = GroundAt(source);
  EXPECT_THAT(ChangeInRun(without, with), HasSubstr("mounted on \"team/b.yaml\""));
  mounts_.Undo(root_ + "/team/b.yaml");
  EXPECT_THAT(ChangeInRun(with, GroundAt(source)),
              HasSubstr("\"team/b.yaml\" was a mounted volume, and is none now"));
  EXPECT_THAT(ChangeOverRuns(with, GroundNow()), HasSubstr("team/b.yaml"));
}

struct Behind {
  const char* name;
  void (*link)(const std::string& root);
};

void PrintTo(const Behind& behind, std::ostream* out) { *out << behind.name; }

class DirectoryBehindLinksTest : public DirectoryMountTest,
                                 public ::testing::WithParamInterface<Behind> {
 protected:
  void SetUp() override {
    DirectoryMountTest::SetUp();
    if (IsSkipped()) return;
    temp_.Write("m/.vol/v1/c.yaml", "stale");
    ASSERT_TRUE(mounts_.Empty(root_ + "/.vol"));
    temp_.Write("m/.vol/v1/c.yaml", "three");
    temp_.Write("m/.vol/v2/c.yaml", "four");
    Link("v1", root_ + "/.vol/current");
    GetParam().link(root_);
  }
};

TEST_P(DirectoryBehindLinksTest, AVolumeIsPartOfIt) {
  DirectorySource source = Source();
  const Ground with = GroundAt(source);
  Swap("v2", root_ + "/.vol/current");
  EXPECT_EQ(ChangeInRun(with, GroundAt(source)), "") << "a link that moves on one volume";
  EXPECT_EQ(ChangeOverRuns(with, GroundNow()), "");
  mounts_.Undo(root_ + "/.vol");
  EXPECT_THAT(ChangeInRun(with, GroundAt(source)),
              HasSubstr("\".vol\" was a mounted volume, and is none now"));
  EXPECT_THAT(ChangeOverRuns(with, GroundNow()), HasSubstr("\".vol\""));
}

TEST_P(DirectoryBehindLinksTest, ItIsStillThereWhenNoLinkLeadsToIt) {
  DirectorySource source = Source();
  const Ground with = GroundAt(source);
  temp_.Remove("m/link");
  temp_.Remove("m/link.yaml");
  EXPECT_EQ(ChangeInRun(with, GroundAt(source)), "");
}

TEST_P(DirectoryBehindLinksTest, AnotherVolumeInItsPlaceIsTold) {
  DirectorySource source = Source();
  const Ground with = GroundAt(source);
  mounts_.Undo(root_ + "/.vol");
  ASSERT_TRUE(mounts_.Empty(root_ + "/.vol"));
  temp_.Write("m/.vol/v1/c.yaml", "five");
  Link("v1", root_ + "/.vol/current");
  EXPECT_THAT(ChangeInRun(with, GroundAt(source)), HasSubstr("another volume"));
  EXPECT_THAT(ChangeOverRuns(with, GroundNow()), HasSubstr("another volume"));
}

INSTANTIATE_TEST_SUITE_P(Directory, DirectoryBehindLinksTest,
                         ::testing::Values(Behind{"Folder",
                                                  [](const std::string& root) {
                                                    std::filesystem::create_symlink(".vol/current",
                                                                                    root + "/link");
                                                  }},
                                           Behind{"File",
                                                  [](const std::string& root) {
                                                    std::filesystem::create_symlink(
                                                        ".vol/current/c.yaml", root + "/link.yaml");
                                                  }}),
                         [](const auto& param) { return std::string(param.param.name); });

TEST_F(DirectoryMountTest, AnotherVolumeIsToldOverARestart) {
  const auto fill = [&](const char* text) {
    ASSERT_TRUE(mounts_.Empty(temp_ / "m"));
    temp_.Write("m/a.yaml", text);
  };
  fill("one");
  const Ground before = GroundNow();
  EXPECT_EQ(ChangeOverRuns(before, GroundNow()), "");
  mounts_.Undo(root_);
  fill("two");
  EXPECT_THAT(ChangeOverRuns(before, GroundNow()), HasSubstr("another volume"));
  mounts_.Undo(root_);
  EXPECT_THAT(ChangeOverRuns(before, GroundNow()), HasSubstr("another volume"));
}

TEST_F(DirectoryMountTest, TheVolumeOfAFolderAboveIsPartOfIt) {
  temp_.Write("vol/m/a.yaml", "stale");
  const std::string directory = temp_ / "vol/m";
  const auto ground = [&] {
    DirectorySource source = Source(Settings(directory));
    return GroundAt(source);
  };
  const Ground without = ground();
  ASSERT_TRUE(mounts_.Empty(temp_ / "vol"));
  temp_.Write("vol/m/a.yaml", "one");
  const Ground tmpfs = ground();
  EXPECT_THAT(ChangeOverRuns(tmpfs, without), HasSubstr("another volume"));
  mounts_.Undo(temp_ / "vol");
  // A folder of the same file system.
  temp_.Write("other/m/a.yaml", "one");
  ASSERT_TRUE(mounts_.Bind(temp_ / "other", temp_ / "vol"));
  const Ground bound = ground();
  EXPECT_EQ(bound.mounted_at, temp_ / "vol");
  EXPECT_THAT(ChangeOverRuns(bound, without), HasSubstr("mounted on \"" + (temp_ / "vol") + "\""));
  EXPECT_EQ(ChangeOverRuns(bound, ground()), "");
}

TEST_F(DirectoryMountTest, SoIsThatBehindTheLinkWhichLeadsToIt) {
  temp_.Write("vol/m/a.yaml", "stale");
  Link("vol/m", temp_ / "link");
  const auto ground = [&] {
    DirectorySource source = Source(Settings(temp_ / "link"));
    return GroundAt(source);
  };
  ASSERT_TRUE(mounts_.Empty(temp_ / "vol"));
  temp_.Write("vol/m/a.yaml", "one");
  const Ground before = ground();
  temp_.Write("vol/m2/a.yaml", "two");
  Swap("vol/m2", temp_ / "link");
  EXPECT_EQ(ChangeOverRuns(before, ground()), "") << "on one volume";
  Swap("vol/m", temp_ / "link");
  mounts_.Undo(temp_ / "vol");
  EXPECT_THAT(ChangeOverRuns(before, ground()), HasSubstr("another volume"));
}

/// Squashfs images, FUSE and NFS may bear the same numbers after another mount.
TEST(GroundMountTest, AVolumeWithoutAnIdThatIsMountedAgainIsTold) {
  for (const char* volume : {"73717368:id:01", "65735546", "00006969", ""}) {
    const Ground before{"/m", "/m", 1, 2, 3, false, true, {{"team", 5, 6, volume, 7}}, volume};
    Ground now = before;
    now.mount = 8;
    EXPECT_THAT(GroundChange(before, now, true).value_or(""), HasSubstr("mounted again"));
    EXPECT_EQ(GroundChange(before, now, false), std::nullopt) << "after a restart it says nothing";
    now = before;
    now.mounts[0].mount = 8;
    EXPECT_THAT(GroundChange(before, now, true).value_or(""), HasSubstr("another volume"));
    now.mounts[0].mount = 0;
    EXPECT_EQ(GroundChange(before, now, true), std::nullopt) << "not known";
  }
  const Ground before{"/m", "/m", 1, 2, 3, false, true, {}, "0000ef53:id:01"};
  Ground now = before;
  now.mount = 8;
  EXPECT_EQ(GroundChange(before, now, true), std::nullopt) << "its id says that it is the same";
}

TEST_F(DirectoryTest, WhetherFoldersAreReadIsPartOfIt) {
  temp_.Write("m/a.yaml", "one");
  DirectorySettings flat = Settings(root_);
  flat.recursive = false;
  const Ground with = Source().Scan(true)->facts.ground.value_or(Ground());
  Ground without = Source(flat).Scan(true)->facts.ground.value_or(Ground());
  EXPECT_THAT(GroundChange(with, without, false).value_or(""), HasSubstr("manifests.recursive"));
  EXPECT_THAT(GroundChange(without, with, false).value_or(""), HasSubstr("manifests.recursive"));
  without.mount = 0;  // The kernel gives another number each time.
  EXPECT_EQ(GroundFromText(GroundText(without)), std::optional(without)) << GroundText(without);
}

TEST_F(DirectoryTest, WhatAnEarlierVersionDidNotRecordSaysNothing) {
  temp_.Write("m/a.yaml", "one");
  const Ground now = Source().Scan(true)->facts.ground.value_or(Ground());
  const auto before = GroundFromText(R"({"directory":")" + now.directory +
                                     R"(","inode":7,"mounts":[],"mountPoint":false})");
  ASSERT_TRUE(before);
  EXPECT_EQ(GroundChange(*before, now, false), std::nullopt);
}

struct Volumes {
  const char* name;
  const char* before;
  const char* now;
  bool asks;
};

void PrintTo(const Volumes& volumes, std::ostream* out) { *out << volumes.name; }

class GroundVolumesTest : public ::testing::TestWithParam<Volumes> {};

TEST_P(GroundVolumesTest, AreComparedWhereBothAreKnown) {
  const Volumes& volumes = GetParam();
  Ground before{"/m", "/m", 1, 2, 3, false, false, {{"team", 5, 6, volumes.before}}};
  Ground now = before;
  now.mounts = {{"team", 5, 6, volumes.now}};
  EXPECT_EQ(GroundChange(before, now, false).has_value(), volumes.asks);
  EXPECT_EQ(GroundChange(before, now, true).has_value(), volumes.asks);
  before.mounts = now.mounts;
  before.volume = volumes.before;
  now.volume = volumes.now;
  EXPECT_EQ(GroundChange(before, now, false).has_value(), volumes.asks);
  EXPECT_EQ(GroundChange(before, now, true).has_value(), volumes.asks);
}

INSTANTIATE_TEST_SUITE_P(
    Directory, GroundVolumesTest,
    ::testing::Values(Volumes{"Same", "0000ef53:id:01", "0000ef53:id:01", false},
                      Volumes{"AnotherId", "0000ef53:id:01", "0000ef53:id:02", true},
                      Volumes{"AnotherType", "0000ef53:id:01", "01021994:id:01", true},
                      Volumes{"AnotherTypeWithoutIds", "00006969", "01021994", true},
                      Volumes{"IdNotKnownBefore", "00006969", "00006969:id:01", false},
                      Volumes{"IdNotKnownNow", "00006969:id:01", "00006969", false},
                      Volumes{"AnotherFormOfId", "58465342:id:01", "58465342:uuid:02", false},
                      Volumes{"NotKnownBefore", "", "0000ef53:id:02", false},
                      Volumes{"NotKnownNow", "0000ef53:id:01", "", false}),
    [](const auto& param) { return std::string(param.param.name); });

}  // namespace
}  // namespace bindery::manifests
