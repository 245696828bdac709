#include "manifests/files/held_names.h"

#include <gtest/gtest.h>

#include <ostream>

#include "unit/manifests/directory_fixture.h"

namespace bindery::manifests {
namespace {

using ::bindery::testing::DirectoryTest;
using ::bindery::testing::IsOk;

struct Left {
  const char* tool;
  const char* name;
  const char* held;  ///< "": it may hold nothing.
};

void PrintTo(const Left& left, std::ostream* out) { *out << left.tool; }

class HeldNamesTest : public DirectoryTest, public ::testing::WithParamInterface<Left> {
 protected:
  /// What is told of the file; nothing: it is not.
  std::optional<UnreadItem> ToldBy(DirectorySource& source) {
    const auto scan = source.Scan(true);
    if (!scan) return UnreadItem{};
    for (const UnreadItem& item : scan->facts.unread) {
      if (item.path == std::string("team/") + GetParam().name) return item;
    }
    return std::nullopt;
  }
};

TEST_P(HeldNamesTest, TellWhatTheFileMayHold) {
  const auto held = HeldBy(GetParam().name);
  EXPECT_EQ(held ? held->name : "", GetParam().held);
}

TEST_P(HeldNamesTest, WhatIsLeftOfAMissingFileIsTold) {
  temp_.Write("m/keep.yaml", "keep");
  temp_.Write("m/team/a.yaml", "one");
  temp_.Write("m/team/keep.yaml", "keep");
  DirectorySource source = Source();
  ASSERT_THAT(source.Scan(true), IsOk());
  const bool told_of = std::string(GetParam().held) != "";
  std::filesystem::rename(root_ + "/team/a.yaml", root_ + "/team/" + GetParam().name);
  const auto told = ToldBy(source);
  ASSERT_EQ(told.has_value(), told_of);
  if (!told_of) return;
  EXPECT_TRUE(told->ignored && !told->harmless && !told->opaque) << told->why;
  temp_.Write(std::string("m/team/") + GetParam().held, "two");
  EXPECT_TRUE(ToldBy(source)->harmless) << "what it may hold is there";
}

INSTANTIATE_TEST_SUITE_P(
    Directory, HeldNamesTest,
    ::testing::Values(
        Left{"RcloneBisync", "a.yaml.conflict1", "a.yaml"},
        Left{"RcloneBisyncOfEarlierVersions", "a.yaml..path2", "a.yaml"},
        Left{"RclonePartial", "a.yaml.x1y2z3w4.partial", "a.yaml"},
        Left{"Partial", "a.yaml.partial", "a.yaml"}, Left{"Part", "a.yaml.part", "a.yaml"},
        Left{"KdePart", ".a.yaml.part", "a.yaml"}, Left{"WinScp", "a.yaml.filepart", "a.yaml"},
        Left{"Browser", "a.yaml.crdownload", "a.yaml"},
        Left{"Syncthing", ".syncthing.a.yaml.tmp", "a.yaml"},
        Left{"SyncthingOnWindows", "~syncthing~a.yaml.tmp", "a.yaml"},
        Left{"SyncthingConflictBehindTheEnding", "a.yaml.sync-conflict-20260101-120000-ABCDEFG",
             "a.yaml"},
        Left{"Unison", ".unison.a.yaml.0123abcd.unison.tmp", "a.yaml"},
        Left{"UnisonBackupBehind", "a.yaml.1.bak", "a.yaml"},
        Left{"Nextcloud", ".a.yaml.~1a2b3c4d", "a.yaml"},
        Left{"Dropbox", "a.yaml (Eve's conflicted copy 2026-01-01)", "a.yaml"},
        Left{"OwnCloud", "a.yaml_conflict-20260101-120000", "a.yaml"},
        Left{"Rsync", ".a.yaml.Xy12Zz", "a.yaml"}, Left{"Emacs", "a.yaml~", "a.yaml"},
        Left{"EmacsNumbered", "a.yaml.~12~", "a.yaml"}, Left{"EmacsNotSaved", "#a.yaml#", "a.yaml"},
        Left{"EmacsLock", ".#a.yaml", ""}, Left{"HiddenBackup", ".a.yaml~", "a.yaml"},
        Left{"Vim", ".a.yaml.swp", "a.yaml"}, Left{"VimSecond", ".a.yaml.swo", "a.yaml"},
        Left{"VimShown", "a.yaml.swp", "a.yaml"}, Left{"VimProbe", "4913", ""},
        Left{"Nano", "a.yaml.save", "a.yaml"}, Left{"NanoSecond", "a.yaml.save.1", "a.yaml"},
        Left{"Backup", "a.yaml.bak", "a.yaml"}, Left{"OldBackup", "a.yaml.old", "a.yaml"},
        Left{"Merge", "a.yaml.orig", "a.yaml"}, Left{"Patch", "a.yaml.rej", "a.yaml"},
        Left{"Subversion", "a.yaml.mine", "a.yaml"},
        Left{"SubversionRevision", "a.yaml.r12", "a.yaml"},
        Left{"Temporary", "a.yaml.tmp", "a.yaml"}, Left{"New", "a.yaml.new", "a.yaml"},
        Left{"OfJson", "a.json.bak", "a.json"}, Left{"OfCapitals", "a.YAML.bak", "a.YAML"},
        Left{"DotsWithin", "a.b.yaml.bak", "a.b.yaml"},

        Left{"ResilioSync", "a.yaml.!sync", "a.yaml"}, Left{"ICloud", ".a.yaml.icloud", "a.yaml"},
        Left{"Ftp", ".in.a.yaml.", "a.yaml"}, Left{"Download", "a.yaml.download", "a.yaml"},
        Left{"JetBrains", "a.yaml___jb_tmp___", "a.yaml"}, Left{"GitSide", "a.yaml~HEAD", "a.yaml"},
        Left{"Ansible", "a.yaml.4711.2026-01-01@12:00:00~", "a.yaml"},
        Left{"LongBackup", "a.yaml.backup", "a.yaml"}, Left{"Dpkg", "a.yaml.dpkg-old", "a.yaml"},
        Left{"Rpm", "a.yaml.rpmsave", "a.yaml"}, Left{"Breezy", "a.yaml.OTHER", "a.yaml"},
        Left{"CapitalEnding", "a.yaml.TMP", "a.yaml"}, Left{"Kate", ".a.yaml.kate-swp", "a.yaml"},
        Left{"VsCode", "a.yaml.vsctmp", "a.yaml"}, Left{"LongTemporary", "a.yaml.temp", "a.yaml"},
        Left{"NumberedBackup", "a.yaml.bak2", "a.yaml"},
        Left{"DatedBackup", "a.yaml.bak-20260101", "a.yaml"},
        Left{"DatedLongBackup", "a.yaml.backup.2026-01-01", "a.yaml"},
        Left{"BackupByUnderscore", "a.yaml_backup", "a.yaml"},
        Left{"PreviousVersion", "a.yaml.prev", "a.yaml"},
        Left{"Dated", "a.yaml.2026-01-01", "a.yaml"},
        Left{"DatedByDash", "a.yaml-20260101", "a.yaml"},
        Left{"DatedByUnderscore", "a.yaml_20260101T120000Z", "a.yaml"},
        Left{"Rotated", "a.yaml.1", "a.yaml"},
        // What a person does to switch a manifest off.
        Left{"SwitchedOff", "a.yaml.disabled", ""}, Left{"AnotherEnding", "a.txt", ""},
        Left{"NoName", ".yaml~", ""}, Left{"NoNumber", "a.yaml.conflict", ""},
        Left{"LongerEnding", "a.yamlx~", ""}),
    [](const auto& param) { return std::string(param.param.tool); });

struct Trash {
  const char* name;
  const char* to;
};

void PrintTo(const Trash& trash, std::ostream* out) { *out << trash.name; }

class TrashTest : public DirectoryTest, public ::testing::WithParamInterface<Trash> {};

TEST_P(TrashTest, MayHoldWhatIsMissing) {
  temp_.Write("m/keep.yaml", "keep");
  temp_.Write("m/team/a.yaml", "one");
  // What was deleted earlier.
  temp_.Write(std::string("m/") + GetParam().to + ".2", "older");
  DirectorySource source = Source();
  ASSERT_THAT(source.Scan(true), IsOk());
  std::filesystem::rename(root_ + "/team/a.yaml", root_ + "/" + GetParam().to);
  for (int look = 0; look < 2; ++look) {
    const auto scan = source.Scan(true);
    ASSERT_THAT(scan, IsOk());
    ASSERT_EQ(scan->facts.unread.size(), 1U) << look;
    EXPECT_EQ(scan->facts.unread[0].path, GetParam().to);
  }
  std::filesystem::remove(root_ + "/" + GetParam().to);
  EXPECT_TRUE(source.Scan(true)->facts.unread.empty());
}

INSTANTIATE_TEST_SUITE_P(Directory, TrashTest,
                         ::testing::Values(Trash{"OfAVolume", ".Trash-1000/files/a.yaml"},
                                           Trash{"OfASharedVolume", ".Trash/1000/files/a.2.yaml"},
                                           Trash{"OfAHome", ".local/share/Trash/files/a.yaml"},
                                           Trash{"OfSyncthing",
                                                 ".stversions/team/a~20260101-120000.yaml"},
                                           Trash{"OfMacs", ".Trashes/501/a.yaml"},
                                           Trash{"OfARepair", "lost+found/#12345"}),
                         [](const auto& param) { return std::string(param.param.name); });

TEST_F(DirectoryTest, AFolderInATrashMayHoldWhatIsMissing) {
  temp_.Write("m/keep.yaml", "keep");
  temp_.Write("m/team/a.yaml", "one");
  temp_.Write("m/.Trash-1000/files/other", "older");
  DirectorySource source = Source();
  ASSERT_THAT(source.Scan(true), IsOk());
  std::filesystem::rename(root_ + "/team", root_ + "/.Trash-1000/files/team");
  const auto scan = source.Scan(true);
  ASSERT_FALSE(scan->facts.unread.empty());
  EXPECT_EQ(scan->facts.unread[0].path, ".Trash-1000/files/team");
}

}  // namespace
}  // namespace bindery::manifests
