// When a scan may be acted on: changes under way, and changes at a stroke.

#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <ostream>

#include "manifests/directory/directory.h"
#include "unit/manifests/directory_fixture.h"

namespace bindery::manifests {
namespace {

using ::bindery::testing::DirectoryTest;
using ::bindery::testing::FailsWith;
using ::bindery::testing::IsOk;
using ::testing::ElementsAre;
using ::testing::Pair;

TEST_F(DirectoryTest, WhatHeldStillWhileItWasReadForLongIsSettled) {
  temp_.Write("m/a.yaml", "one");
  DirectorySettings settings = Settings(root_);
  settings.quiet = std::chrono::milliseconds(0);
  DirectorySource source = Source(std::move(settings));
  EXPECT_TRUE(source.Scan(false)->settled);
  temp_.Write("m/a.yaml", "three");
  source.CallBeforeLookingAgain([&] { temp_.Write("m/b.yaml", "two"); });
  EXPECT_THAT(source.Scan(false), FailsWith(Code::kAborted, ::testing::_)) << "it did not";
}

TEST_F(DirectoryTest, ItIsSettledOnceTwoScansFindTheSame) {
  temp_.Write("m/a.yaml", "one");
  DirectorySource source = Source();
  EXPECT_FALSE(source.Scan(false)->settled);
  EXPECT_TRUE(source.Scan(false)->settled);
  temp_.Write("m/a.yaml", "three");
  EXPECT_FALSE(source.Scan(false)->settled);
  temp_.Write("m/a.yaml", "three and more");
  EXPECT_FALSE(source.Scan(false)->settled);
  temp_.Write("m/b.yaml", "two");
  EXPECT_FALSE(source.Scan(false)->settled);
  EXPECT_TRUE(source.Scan(false)->settled);
  temp_.Remove("m/b.yaml");
  EXPECT_FALSE(source.Scan(false)->settled);
  EXPECT_TRUE(source.Scan(false)->settled);
}

TEST_F(DirectoryTest, TheCallerMayVouchForIt) {
  temp_.Write("m/a.yaml", "one");
  EXPECT_TRUE(Source().Scan(true)->settled);
}

TEST_F(DirectoryTest, FilesThatAreNoManifestsDoNotUnsettleIt) {
  temp_.Write("m/a.yaml", "one");
  DirectorySource source = Source();
  ASSERT_TRUE(source.Scan(true)->settled);
  temp_.Write("m/.a.yaml.swp", "text");
  temp_.Write("m/README.md", "text");
  EXPECT_TRUE(source.Scan(false)->settled);
}

/// Without CAP_LEASE as long as it lives.
class WithoutLeases {
 public:
  WithoutLeases() {
    ::syscall(SYS_capget, &header_, before_.data());
    auto now = before_;
    now[0].effective &= ~(1U << static_cast<unsigned>(CAP_LEASE));
    ::syscall(SYS_capset, &header_, now.data());
  }
  ~WithoutLeases() { ::syscall(SYS_capset, &header_, before_.data()); }
  WithoutLeases(const WithoutLeases&) = delete;
  WithoutLeases& operator=(const WithoutLeases&) = delete;

 private:
  __user_cap_header_struct header_{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> before_{};
};

TEST_F(DirectoryTest, OfAFileOfAnotherUserItIsSaidThatNobodyCanTellWhoWritesIt) {
  temp_.Write("m/a.yaml", "one");
  EXPECT_EQ(Source().Scan(true)->facts.writers_unknown, "");
  if (::chown((root_ + "/a.yaml").c_str(), 65534, 65534) != 0) {
    GTEST_SKIP() << "only root can give files away";
  }
  const WithoutLeases without;
  DirectorySource source = Source();
  EXPECT_EQ(source.Scan(true)->facts.writers_unknown, "a.yaml");
  temp_.Write("m/a.yaml", "other");
  EXPECT_EQ(source.ScanHinted({"a.yaml"})->facts.writers_unknown, "a.yaml");
}

struct Meanwhile {
  const char* name;
  void (*change)(const testing::TempDir& temp);
  const char* what;  ///< Follows "changed while it was read"; where it is said.
};

void PrintTo(const Meanwhile& meanwhile, std::ostream* out) { *out << meanwhile.name; }

class DirectoryMeanwhileTest : public DirectoryTest,
                               public ::testing::WithParamInterface<Meanwhile> {};

TEST_P(DirectoryMeanwhileTest, AScanDuringAChangeIsDiscarded) {
  temp_.Write("m/a.yaml", "one");
  temp_.Write("m/team/b.yaml", "two");
  temp_.Write("m/..v1/c.yaml", "three");
  temp_.Write("m/..v2/c.yaml", "four");
  Link("..v1", root_ + "/..data");
  Link("..data/c.yaml", root_ + "/c.yaml");
  DirectorySource source = Source();
  bool changed = false;
  source.CallBeforeLookingAgain([&] {
    if (!std::exchange(changed, true)) GetParam().change(temp_);
  });
  EXPECT_THAT(source.Scan(true),
              FailsWith(Code::kAborted, "the manifests directory \"" + root_ +
                                            "\" changed while it was read" + GetParam().what));
  const auto scan = source.Scan(true);
  ASSERT_TRUE(scan || scan.error().code == Code::kNotFound);
}

INSTANTIATE_TEST_SUITE_P(
    Directory, DirectoryMeanwhileTest,
    ::testing::Values(
        Meanwhile{"Written",
                  [](const testing::TempDir& temp) { temp.Write("m/team/b.yaml", "longer text"); },
                  ": \"team/b.yaml\""},
        Meanwhile{"Deleted", [](const testing::TempDir& temp) { temp.Remove("m/a.yaml"); },
                  ": \"a.yaml\""},
        Meanwhile{"Created", [](const testing::TempDir& temp) { temp.Write("m/new.yaml", "text"); },
                  ""},
        Meanwhile{"FolderCreated",
                  [](const testing::TempDir& temp) { temp.Write("m/new/new.yaml", "text"); }, ""},
        Meanwhile{"FolderDeleted", [](const testing::TempDir& temp) { temp.Remove("m/team"); },
                  ": \"team\""},
        Meanwhile{"DataSwapped",
                  [](const testing::TempDir& temp) {
                    std::filesystem::create_symlink("..v2", temp / "m/..data_tmp");
                    std::filesystem::rename(temp / "m/..data_tmp", temp / "m/..data");
                  },
                  ": \"..data\""},
        Meanwhile{"Replaced",
                  [](const testing::TempDir& temp) {
                    std::filesystem::rename(temp / "m", temp / "old");
                    temp.Write("m/a.yaml", "other");
                  },
                  ""},
        Meanwhile{"Gone", [](const testing::TempDir& temp) { temp.Remove("m"); }, ""}),
    [](const auto& param) { return std::string(param.param.name); });

TEST_F(DirectoryTest, OfThousandsOfFilesNoneChangesMeanwhileUnnoticed) {
  constexpr int kFiles = 9'000;  // Enough to be looked at on several cores.
  const auto path = [](int i) {
    return (i < 5'000 ? "long/" : "short/") + std::to_string(i) + ".yaml";
  };
  for (int i = 0; i < kFiles; ++i) temp_.Write("m/" + path(i), "text");
  temp_.Write("m/none/README.md", "between the two");
  DirectorySource source = Source();
  for (const int i : {0, 4'500, 4'999, 5'000, kFiles - 1}) {
    source.CallBeforeLookingAgain([&] { temp_.Write("m/" + path(i), std::to_string(i)); });
    EXPECT_THAT(source.Scan(true),
                FailsWith(Code::kAborted, "the manifests directory \"" + root_ +
                                              "\" changed while it was read: \"" + path(i) + "\""));
  }
  source.CallBeforeLookingAgain(nullptr);
  EXPECT_THAT(source.Scan(true), IsOk());
}

TEST_F(DirectoryTest, ANewNameOfNoManifestMeanwhileDoesNotDiscardTheScan) {
  temp_.Write("m/a.yaml", "one");
  DirectorySource source = Source();
  source.CallBeforeLookingAgain([&] { temp_.Write("m/.a.yaml.swp", "text"); });
  EXPECT_THAT(source.Scan(true), IsOk());
}

TEST_F(DirectoryTest, WhatWasReadBeforeAScanWasDiscardedIsNotParsedAgain) {
  temp_.Write("m/a.yaml", "one");
  temp_.Write("m/b.yaml", "two");
  DirectorySource source = Source();
  source.CallBeforeLookingAgain([&] { temp_.Write("m/b.yaml", "more"); });
  ASSERT_FALSE(source.Scan(true));
  source.CallBeforeLookingAgain(nullptr);
  const auto scan = source.Scan(true);
  ASSERT_THAT(scan, IsOk());
  EXPECT_EQ(scan->parsed, 1U);
  EXPECT_EQ(scan->reused, 1U);
  EXPECT_THAT(GetTexts(*scan), ElementsAre(Pair("a.yaml", "one"), Pair("b.yaml", "more")));
}

TEST_F(DirectoryTest, AConfigMapVolumeIsSettledAtOnceWhenItIsExchanged) {
  temp_.Write("m/..2026_01/a.yaml", "one");
  temp_.Write("m/..2026_01/team/b.yaml", "two");
  Link("..2026_01", root_ + "/..data");
  Link("..data/a.yaml", root_ + "/a.yaml");
  Link("..data/team", root_ + "/team");
  DirectorySource source = Source();
  ASSERT_THAT(source.Scan(true), IsOk());

  temp_.Write("m/..2026_02/a.yaml", "three");
  temp_.Write("m/..2026_02/team/b.yaml", "four");
  temp_.Write("m/..2026_02/team/c.yaml", "five");
  Swap("..2026_02", root_ + "/..data");
  const auto scan = source.Scan(false);
  ASSERT_THAT(scan, IsOk());
  EXPECT_TRUE(scan->settled);
  EXPECT_THAT(GetTexts(*scan), ElementsAre(Pair("a.yaml", "three"), Pair("team/b.yaml", "four"),
                                           Pair("team/c.yaml", "five")));
  EXPECT_THAT(scan->problems, ElementsAre());
}

TEST_F(DirectoryTest, AnExchangeDoesNotSettleWhatIsWrittenBesideIt) {
  temp_.Write("m/..v1/a.yaml", "one");
  temp_.Write("m/..v2/a.yaml", "two");
  temp_.Write("m/plain.yaml", "three");
  Link("..v1", root_ + "/..data");
  Link("..data/a.yaml", root_ + "/a.yaml");
  DirectorySource source = Source();
  ASSERT_THAT(source.Scan(true), IsOk());
  Swap("..v2", root_ + "/..data");
  temp_.Write("m/plain.yaml", "half of");
  EXPECT_FALSE(source.Scan(false)->settled);
}

TEST_F(DirectoryTest, AnExchangeThatLeavesALinkDanglingIsNotSettled) {
  // The kubelet removes the links of keys that are gone only after the exchange.
  temp_.Write("m/..v1/a.yaml", "one");
  temp_.Write("m/..v1/b.yaml", "two");
  temp_.Write("m/..v2/a.yaml", "one");
  Link("..v1", root_ + "/..data");
  Link("..data/a.yaml", root_ + "/a.yaml");
  Link("..data/b.yaml", root_ + "/b.yaml");
  DirectorySource source = Source();
  ASSERT_THAT(source.Scan(true), IsOk());
  Swap("..v2", root_ + "/..data");
  const auto scan = source.Scan(false);
  ASSERT_THAT(scan, IsOk());
  EXPECT_FALSE(scan->settled);
  EXPECT_THAT(scan->broken, ElementsAre("b.yaml"));
}

TEST_F(DirectoryTest, MovingTheLinkToTheDirectoryIsSettledAtOnce) {
  temp_.Write("trees/1/manifests/a.yaml", "one");
  temp_.Write("trees/2/manifests/a.yaml", "two");
  temp_.Write("trees/2/manifests/b.yaml", "three");
  Link("trees/1", temp_ / "current");
  DirectorySource source = Source(Settings(temp_ / "current/manifests"));
  ASSERT_THAT(source.Scan(true), IsOk());
  Swap("trees/2", temp_ / "current");
  const auto scan = source.Scan(false);
  ASSERT_THAT(scan, IsOk());
  EXPECT_TRUE(scan->settled);
  EXPECT_THAT(GetTexts(*scan), ElementsAre(Pair("a.yaml", "two"), Pair("b.yaml", "three")));
}

TEST_F(DirectoryTest, TheSameBytesInANewTreeAreNotParsedAgain) {
  temp_.Write("trees/1/a.yaml", "one");
  temp_.Write("trees/1/b.yaml", "two");
  temp_.Write("trees/2/a.yaml", "one");
  temp_.Write("trees/2/b.yaml", "new");
  Link("trees/1", root_);
  DirectorySource source = Source();
  ASSERT_THAT(source.Scan(true), IsOk());
  Swap("trees/2", root_);
  const auto scan = source.Scan(false);
  ASSERT_THAT(scan, IsOk());
  EXPECT_EQ(scan->parsed, 1U);
  EXPECT_EQ(scan->reused, 1U);
}

}  // namespace
}  // namespace bindery::manifests
