// Scans that look at nothing but what was hinted, and when hints do not tell all.

#include <ostream>

#include "manifests/directory/directory.h"
#include "unit/manifests/directory_fixture.h"

namespace bindery::manifests {
namespace {

using ::bindery::testing::DirectoryTest;
using ::bindery::testing::FailsWith;
using ::bindery::testing::IsOk;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

/// A settled scan of a.yaml ("one"), b.yaml ("two") and team/c.yaml ("three").
class HintedScanTest : public DirectoryTest {
 protected:
  void SetUp() override {
    temp_.Write("m/a.yaml", "one");
    temp_.Write("m/b.yaml", "two");
    temp_.Write("m/team/c.yaml", "three");
  }
  DirectorySource Scanned() {
    DirectorySource source = Source();
    EXPECT_THAT(source.Scan(true), IsOk());
    return source;
  }
  /// What a scan of everything by a source of its own finds.
  DirectoryScan Fresh() { return *Source().Scan(true); }

  /// The scan agrees with one of everything, and so does the next of everything.
  void ExpectTrue(DirectorySource& source, const DirectoryScan& scan) {
    const DirectoryScan fresh = Fresh();
    EXPECT_EQ(GetTexts(scan), GetTexts(fresh));
    EXPECT_EQ(scan.digest, fresh.digest);
    EXPECT_EQ(scan.broken, fresh.broken);
    const auto next = source.Scan(false);
    ASSERT_THAT(next, IsOk());
    EXPECT_TRUE(next->settled) << "it sees no difference";
    EXPECT_TRUE(next->complete);
    EXPECT_EQ(next->digest, fresh.digest);
    EXPECT_EQ(next->parsed, 0U);
    EXPECT_THAT(ChangedIn(*next), IsEmpty());
    EXPECT_THAT(next->gone, IsEmpty());
  }
};

struct Edit {
  const char* name;
  void (*change)(const testing::TempDir& temp);
  std::vector<std::string> hints;
  std::vector<std::string> changed;
  std::vector<std::string> gone;
};

void PrintTo(const Edit& edit, std::ostream* out) { *out << edit.name; }

class HintedEditTest : public HintedScanTest, public ::testing::WithParamInterface<Edit> {};

TEST_P(HintedEditTest, IsFoundWithoutLookingAtTheOthers) {
  DirectorySource source = Scanned();
  const int loads = loads_;
  GetParam().change(temp_);
  const auto scan = source.ScanHinted(GetParam().hints);
  ASSERT_THAT(scan, IsOk());
  EXPECT_FALSE(scan->complete);
  EXPECT_TRUE(scan->settled);
  EXPECT_EQ(ChangedIn(*scan), GetParam().changed);
  EXPECT_EQ(scan->gone, GetParam().gone);
  EXPECT_EQ(scan->parsed, GetParam().changed.size());
  EXPECT_EQ(loads_ - loads, static_cast<int>(GetParam().changed.size()));
  ExpectTrue(source, *scan);
}

INSTANTIATE_TEST_SUITE_P(
    Directory, HintedEditTest,
    ::testing::Values(
        Edit{"Written",
             [](const testing::TempDir& temp) { temp.Write("m/team/c.yaml", "four"); },
             {"team/c.yaml"},
             {"team/c.yaml"},
             {}},
        Edit{"Replaced",
             [](const testing::TempDir& temp) {
               temp.Write("m/.b.yaml.new", "four");
               std::filesystem::rename(temp / "m/.b.yaml.new", temp / "m/b.yaml");
             },
             {"b.yaml", "b.yaml"},
             {"b.yaml"},
             {}},
        Edit{"Made",
             [](const testing::TempDir& temp) {
               temp.Write("m/aa.yaml", "four");
               temp.Write("m/team/z.yaml", "five");
             },
             {"team/z.yaml", "aa.yaml"},
             {"aa.yaml", "team/z.yaml"},
             {}},
        Edit{"Removed",
             [](const testing::TempDir& temp) { temp.Remove("m/a.yaml"); },
             {"a.yaml"},
             {},
             {"a.yaml"}},
        Edit{"Renamed",
             [](const testing::TempDir& temp) {
               std::filesystem::rename(temp / "m/b.yaml", temp / "m/team/b.yaml");
             },
             {"b.yaml", "team/b.yaml"},
             {"team/b.yaml"},
             {"b.yaml"}},
        Edit{"MadeAndRemoved", [](const testing::TempDir& /*temp*/) {}, {"x.yaml"}, {}, {}},
        Edit{"Touched",
             [](const testing::TempDir& temp) {
               std::filesystem::last_write_time(temp / "m/a.yaml", {});
             },
             {"a.yaml"},
             {},
             {}},
        Edit{"NoText",
             [](const testing::TempDir& temp) { temp.Write("m/a.yaml", "binary"); },
             {"a.yaml"},
             {"a.yaml"},
             {}}),
    [](const auto& param) { return std::string(param.param.name); });

TEST_F(HintedScanTest, WhatIsNotHintedIsLeftToTheNextScanOfEverything) {
  DirectorySource source = Scanned();
  temp_.Write("m/a.yaml", "more");
  temp_.Write("m/b.yaml", "less");
  const auto hinted = source.ScanHinted({"b.yaml"});
  ASSERT_THAT(hinted, IsOk());
  EXPECT_THAT(GetTexts(*hinted), ElementsAre(Pair("a.yaml", "one"), Pair("b.yaml", "less"),
                                             Pair("team/c.yaml", "three")));
  const auto scan = source.Scan(true);
  ASSERT_THAT(scan, IsOk());
  EXPECT_THAT(ChangedIn(*scan), ElementsAre("a.yaml"));
}

TEST_F(HintedScanTest, ManyHintedScansInARowStayTrue) {
  DirectorySource source = Scanned();
  for (int i = 0; i < 20; ++i) {
    const std::string name = "team/" + std::to_string(i * 7 % 20) + ".yaml";
    temp_.Write("m/" + name, "text " + std::to_string(i));
    ASSERT_THAT(source.ScanHinted({name}), IsOk());
    if (i % 3 != 0) continue;
    temp_.Remove("m/" + name);
    ASSERT_THAT(source.ScanHinted({name}), IsOk());
  }
  temp_.Write("m/b.yaml", "end");
  const auto scan = source.ScanHinted({"b.yaml"});
  ASSERT_THAT(scan, IsOk());
  EXPECT_FALSE(scan->complete);
  EXPECT_EQ(scan->files.size(), 16U);
  ExpectTrue(source, *scan);
}

struct Oddity {
  const char* name;
  void (*change)(const testing::TempDir& temp);
  std::string hint;
};

void PrintTo(const Oddity& oddity, std::ostream* out) { *out << oddity.name; }

class OddHintTest : public HintedScanTest, public ::testing::WithParamInterface<Oddity> {};

TEST_P(OddHintTest, MakesItAScanOfEverything) {
  DirectorySource source = Scanned();
  GetParam().change(temp_);
  temp_.Write("m/b.yaml", "seen as well");
  const auto scan = source.ScanHinted({GetParam().hint});
  ASSERT_THAT(scan, IsOk());
  EXPECT_TRUE(scan->complete);
  EXPECT_TRUE(scan->settled);
  EXPECT_EQ(GetTexts(*scan), GetTexts(Fresh()));
  EXPECT_EQ(scan->digest, Fresh().digest);
}

INSTANTIATE_TEST_SUITE_P(
    Directory, OddHintTest,
    ::testing::Values(
        Oddity{"ALink",
               [](const testing::TempDir& temp) {
                 std::filesystem::create_symlink("b.yaml", temp / "m/d.yaml");
               },
               "d.yaml"},
        Oddity{"AFileOfTwoNames",
               [](const testing::TempDir& temp) {
                 std::filesystem::create_hard_link(temp / "m/a.yaml", temp / "m/d.yaml");
               },
               "d.yaml"},
        Oddity{"AFolder",
               [](const testing::TempDir& temp) {
                 std::filesystem::create_directory(temp / "m/d.yaml");
               },
               "d.yaml"},
        Oddity{"AnUnknownFolder",
               [](const testing::TempDir& temp) { temp.Write("m/new/d.yaml", "four"); },
               "new/d.yaml"},
        Oddity{"ANewFolderOfAKnownName",
               [](const testing::TempDir& temp) {
                 std::filesystem::rename(temp / "m/team", temp / "m/old");
                 temp.Write("m/team/d.yaml", "four");
               },
               "team/d.yaml"},
        Oddity{"ANewDirectory",
               [](const testing::TempDir& temp) {
                 std::filesystem::rename(temp / "m", temp / "old");
                 temp.Write("m/a.yaml", "four");
               },
               "a.yaml"},
        Oddity{"TheDataLink", [](const testing::TempDir& /*temp*/) {}, "..data"},
        Oddity{"AnotherName", [](const testing::TempDir& /*temp*/) {}, "README.md"},
        Oddity{"Nothing", [](const testing::TempDir& /*temp*/) {}, ""},
        Oddity{"AFileThatCannotBeLoaded",
               [](const testing::TempDir& temp) { temp.Write("m/a.yaml", "throw"); }, "a.yaml"}),
    [](const auto& param) { return std::string(param.param.name); });

TEST_F(HintedScanTest, InATreeWithLinksEverythingIsLookedAt) {
  Link("b.yaml", root_ + "/link.yaml");
  DirectorySource source = Scanned();
  temp_.Write("m/b.yaml", "more");
  const auto scan = source.ScanHinted({"b.yaml"});
  ASSERT_THAT(scan, IsOk());
  EXPECT_TRUE(scan->complete);
  EXPECT_THAT(ChangedIn(*scan), ElementsAre("b.yaml", "link.yaml"));
}

TEST_F(HintedScanTest, WithoutASettledScanBeforeEverythingIsLookedAt) {
  DirectorySource source = Source();
  EXPECT_TRUE(source.ScanHinted({"a.yaml"})->complete) << "the first";
  temp_.Write("m/a.yaml", "more");
  ASSERT_FALSE(source.Scan(false)->settled);
  const auto scan = source.ScanHinted({"b.yaml"});
  ASSERT_THAT(scan, IsOk());
  EXPECT_TRUE(scan->complete);
  EXPECT_THAT(ChangedIn(*scan), ElementsAre("a.yaml"));
}

TEST_F(HintedScanTest, WhatCouldNotBeReadBeforeIsNotMendedByAHintAlone) {
  std::filesystem::create_directory(root_ + "/d.yaml");
  DirectorySource source = Scanned();
  temp_.Remove("m/d.yaml");
  temp_.Write("m/d.yaml", "four");
  const auto scan = source.ScanHinted({"d.yaml"});
  ASSERT_THAT(scan, IsOk());
  EXPECT_TRUE(scan->complete);
  EXPECT_THAT(scan->problems, IsEmpty());
  EXPECT_THAT(scan->broken, IsEmpty());
}

TEST_F(HintedScanTest, WhatElseIsAmissStaysSo) {
  std::filesystem::create_directory(root_ + "/d.yaml");
  temp_.Write("m/a.yaml", "throw");
  DirectorySource source = Scanned();
  temp_.Write("m/b.yaml", "more");
  const auto scan = source.ScanHinted({"b.yaml"});
  ASSERT_THAT(scan, IsOk());
  EXPECT_FALSE(scan->complete);
  EXPECT_THAT(scan->broken, ElementsAre("a.yaml", "d.yaml"));
  EXPECT_EQ(ListProblems(*scan), ListProblems(Fresh()));
  EXPECT_EQ(scan->digest, Fresh().digest);
}

TEST_F(HintedScanTest, TheLastFileIsNotMissedByAHint) {
  temp_.Remove("m/team");
  temp_.Remove("m/b.yaml");
  DirectorySource source = Scanned();
  temp_.Remove("m/a.yaml");
  EXPECT_THAT(source.ScanHinted({"a.yaml"}),
              FailsWith(Code::kFailedPrecondition, HasSubstr("nothing is deleted")));
  temp_.Write("m/a.yaml", "one");
  EXPECT_THAT(source.ScanHinted({"a.yaml"}), IsOk());
}

TEST_F(HintedScanTest, LimitsHold) {
  DirectorySettings settings = Settings(root_);
  settings.max_files = 3;
  settings.max_file_bytes = 10;
  DirectorySource source = Source(settings);
  ASSERT_THAT(source.Scan(true), IsOk());
  temp_.Write("m/d.yaml", "four");
  EXPECT_THAT(source.ScanHinted({"d.yaml"}), FailsWith(Code::kResourceExhausted, HasSubstr("3")));
  temp_.Remove("m/d.yaml");
  temp_.Remove("m/team/c.yaml");
  std::filesystem::create_directories(root_ + "/folder.yaml");
  ASSERT_THAT(source.Scan(true), IsOk());
  temp_.Write("m/d.yaml", "four");
  EXPECT_THAT(source.ScanHinted({"d.yaml"}), FailsWith(Code::kResourceExhausted, HasSubstr("3")))
      << "what bears such a name counts, whatever it is";
  temp_.Remove("m/d.yaml");
  std::filesystem::remove(root_ + "/folder.yaml");
  temp_.Write("m/a.yaml", "far too long");
  EXPECT_THAT(source.ScanHinted({"a.yaml"})->broken, ElementsAre("a.yaml"));
}

TEST_P(HintedEditTest, AChangeMeanwhileDiscardsIt) {
  DirectorySource source = Scanned();
  const std::string before = source.Scan(true)->digest;
  GetParam().change(temp_);
  source.CallBeforeLookingAgain([&] {
    temp_.Write("m/" + GetParam().hints.front(), "written under way");
    source.CallBeforeLookingAgain(nullptr);
  });
  const auto first = source.ScanHinted(GetParam().hints);
  if (GetParam().hints.front() == "x.yaml") return;  // It was not there, and is hinted anew.
  EXPECT_THAT(first, FailsWith(Code::kAborted, HasSubstr("changed while it was read")));
  const auto again = source.ScanHinted(GetParam().hints);
  ASSERT_THAT(again, IsOk());
  EXPECT_FALSE(again->complete);
  EXPECT_EQ(GetTexts(*again)[GetParam().hints.front()], "written under way");
  ExpectTrue(source, *again);
}

}  // namespace
}  // namespace bindery::manifests
