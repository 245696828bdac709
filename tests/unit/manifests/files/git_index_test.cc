#include "manifests/files/git_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "unit/manifests/directory_fixture.h"
#include "unit/manifests/git_index_bytes.h"

namespace bindery::manifests {
namespace {

using ::bindery::testing::DirectoryTest;
using ::bindery::testing::IndexBytes;
using ::bindery::testing::IndexEntry;
using ::bindery::testing::IsOk;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> PathsIn(const std::string& bytes) {
  std::vector<std::string> paths;
  const auto files = ParseGitIndex(bytes);
  if (!files) return {files.error().message};
  for (const GitIndexFile& file : *files) paths.push_back(file.path);
  return paths;
}

struct Form {
  const char* name;
  int version;
  std::size_t id_size;
};

void PrintTo(const Form& form, std::ostream* out) { *out << form.name; }

class GitIndexTest : public ::testing::TestWithParam<Form> {
 protected:
  static std::string Bytes(const std::vector<IndexEntry>& entries, const std::string& end = "") {
    return IndexBytes(entries, GetParam().version, GetParam().id_size, end);
  }
};

TEST_P(GitIndexTest, TellsTheFilesOfTheWorkTree) {
  const std::string end = std::string("TREE\0\0\0\3abc", 11) + std::string("link\0\0\0\0", 8);
  EXPECT_THAT(PathsIn(Bytes({{"a.yaml"}, {"team/b.yaml"}, {"team/bc.yaml"}, {"x", 0120000}}, end)),
              ElementsAre("a.yaml", "team/b.yaml", "team/bc.yaml", "x"));
  EXPECT_THAT(PathsIn(Bytes({})), IsEmpty());
  const std::string longest(5000, 'n');
  EXPECT_THAT(PathsIn(Bytes({{longest}})), ElementsAre(longest));
  EXPECT_THAT(PathsIn(Bytes({{"a", 0100644, 0, 1}, {"a", 0100644, 0, 2}})), ElementsAre("a"))
      << "the sides of a conflict";
}

TEST_P(GitIndexTest, LeavesOutWhatNoCheckoutBrings) {
  EXPECT_THAT(PathsIn(Bytes({{"sparse/", 0040000}, {"y.yaml"}})), ElementsAre("y.yaml"));
  if (GetParam().version == 2) return;  // It has no such flags.
  EXPECT_THAT(PathsIn(Bytes({{"add.yaml", 0100644, 0x2000}, {"skip.yaml", 0100644, 0x4000}})),
              IsEmpty());
}

/// Each byte is damaged in several ways, and each end is cut off: nothing is read beyond it, and
/// what is left out is never taken for the whole.
TEST_P(GitIndexTest, ADamagedOneIsRefusedOrTellsNoLess) {
  const std::string whole =
      Bytes({{"a.yaml"}, {"team/b.yaml"}, {"team/bc.yaml"}}, std::string("TREE\0\0\0\3abc", 11));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    // Without an extension, where it is cut between the two, it tells the same.
    const auto files = ParseGitIndex(whole.substr(0, size));
    EXPECT_EQ(files ? files->size() : 3U, 3U) << "of " << size << " bytes";
  }
  EXPECT_FALSE(ParseGitIndex(whole + "x"));
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const unsigned flip : {0x01U, 0x04U, 0x40U, 0x80U, 0xFFU}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ flip);
      const auto files = ParseGitIndex(damaged);
      EXPECT_LE(files ? files->size() : 0U, 3U) << at;
    }
  }
}

TEST_P(GitIndexTest, TellsSubmodulesAndWhatNobodyWrote) {
  IndexEntry unwritten{"a.yaml"};
  unwritten.unwritten = true;
  const auto files = ParseGitIndex(Bytes({unwritten, {"b.yaml"}, {"module", 0160000}}));
  ASSERT_THAT(files, IsOk());
  ASSERT_EQ(files->size(), 3U);
  EXPECT_TRUE((*files)[0].unwritten && !(*files)[0].submodule);
  EXPECT_TRUE(!(*files)[1].unwritten && !(*files)[1].submodule);
  EXPECT_TRUE((*files)[2].submodule);
}

/// One word that says how many words of the same bit follow, and of any bits; then these.
std::string Bitmap(std::uint64_t bits) {
  const auto word = [](std::uint64_t number) {
    return testing::BigEndian(static_cast<std::uint32_t>(number >> 32U), 4) +
           testing::BigEndian(static_cast<std::uint32_t>(number), 4);
  };
  return testing::BigEndian(64, 4) + testing::BigEndian(2, 4) + word(std::uint64_t{1} << 33U) +
         word(bits) + testing::BigEndian(0, 4);
}

class SplitIndexTest : public GitIndexTest {
 protected:
  /// The other half, which says what changed since.
  static std::string Half(const std::vector<IndexEntry>& entries, const std::string& bitmaps) {
    const std::string link = std::string(GetParam().id_size, 's') + bitmaps;
    return Bytes(entries,
                 "link" + testing::BigEndian(static_cast<std::uint32_t>(link.size()), 4) + link);
  }
  std::optional<std::string> Shared(const std::string& name) {
    asked_ = name;
    return shared_;
  }
  std::vector<std::string> Told(const std::string& half) {
    std::vector<std::string> told;
    const auto files =
        ParseGitIndex(half, [this](const std::string& name) { return Shared(name); });
    if (!files) return {"refused"};
    for (const GitIndexFile& file : *files) told.push_back(file.path + " " + file.id.substr(0, 2));
    return told;
  }

  std::optional<std::string> shared_ = Bytes({{"a.yaml"}, {"b.yaml"}, {"d.yaml"}});
  std::string asked_;
};

TEST_P(SplitIndexTest, BothHalvesAreRead) {
  EXPECT_THAT(Told(Half({{"c.yaml"}}, "")),
              ElementsAre("a.yaml 69", "b.yaml 69", "c.yaml 69", "d.yaml 69"));
  EXPECT_THAT(asked_, ::testing::MatchesRegex("sharedindex\\.(73)+"));
  EXPECT_THAT(Told(Half({{"", 0100644, 0, 0, 'x'}, {"c.yaml"}}, Bitmap(1) + Bitmap(4))),
              ElementsAre("b.yaml 69", "c.yaml 69", "d.yaml 78"))
      << "the first is deleted, the third replaced";
}

TEST_P(SplitIndexTest, HalvesThatDoNotFitAreRefused) {
  const std::vector<std::string> refused = {"refused"};
  EXPECT_EQ(Told(Half({{"c.yaml"}}, Bitmap(8) + Bitmap(0))), refused) << "there is no fourth";
  EXPECT_EQ(Told(Half({{"c.yaml"}}, Bitmap(0) + Bitmap(1))), refused) << "it bears a name";
  EXPECT_EQ(Told(Half({{""}}, Bitmap(0) + Bitmap(0))), refused) << "it replaces nothing";
  EXPECT_EQ(Told(Half({}, Bitmap(0))), refused);
  EXPECT_EQ(Told(Half({}, "abc")), refused);
  EXPECT_FALSE(ParseGitIndex(Half({{"c.yaml"}}, ""))) << "nobody reads the shared half";
  shared_ = "DIRC";
  EXPECT_EQ(Told(Half({{"c.yaml"}}, "")), refused);
  shared_.reset();
  EXPECT_EQ(Told(Half({{"c.yaml"}}, "")), refused);
}

TEST(GitIndex, BytesWithoutSenseAreRefused) {
  unsigned state = 7;
  for (int round = 0; round < 2000; ++round) {
    std::string bytes = std::string("DIRC\0\0\0", 7) + static_cast<char>(2 + round % 3);
    for (int i = 0; i < round % 200; ++i) {
      state = state * 1664525U + 1013904223U;
      bytes += static_cast<char>(round % 2 == 0 ? state >> 24U : (state >> 30U));
    }
    const auto files = ParseGitIndex(bytes);
    EXPECT_LE(files ? files->size() : 0U, 4U);
  }
  EXPECT_FALSE(ParseGitIndex(IndexBytes({{"a"}}, 5, 20)));
  EXPECT_FALSE(ParseGitIndex(IndexBytes({{"b"}, {"a"}}, 2, 20))) << "not in order";
}

const auto kForms = ::testing::Values(Form{"Two", 2, 20}, Form{"Three", 3, 20}, Form{"Four", 4, 20},
                                      Form{"TwoOfSha256", 2, 32}, Form{"FourOfSha256", 4, 32});
const auto kNameOfForm = [](const auto& param) { return std::string(param.param.name); };
INSTANTIATE_TEST_SUITE_P(Git, GitIndexTest, kForms, kNameOfForm);
INSTANTIATE_TEST_SUITE_P(Git, SplitIndexTest, kForms, kNameOfForm);

/// A directory of manifests within the work tree, whose index says what the test says.
class UnfinishedCheckoutTest : public DirectoryTest {
 protected:
  void SetUp() override {
    temp_.Write("m/a.yaml", "one");
    temp_.Write("m/team/b.yaml", "two");
    Index({{"m/a.yaml"}, {"m/team/b.yaml"}});
  }
  void Index(const std::vector<IndexEntry>& entries) {
    temp_.Write(".git/index", IndexBytes(entries, 2, 20));
  }
  /// Of hex digits.
  static std::string Bytes(const std::string& hex) {
    std::string bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2) {
      bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    }
    return bytes;
  }
  static std::vector<std::string> BlockingIn(const DirectoryScan& scan) {
    std::vector<std::string> paths;
    for (const UnreadItem& item : scan.facts.unread) {
      if (!item.harmless) paths.push_back(item.path);
    }
    return paths;
  }
};

TEST_F(UnfinishedCheckoutTest, AFileThatDidNotComeIsTold) {
  DirectorySource source = Source();
  EXPECT_THAT(BlockingIn(*source.Scan(true)), IsEmpty());
  Index({{"m/a.yaml"}, {"m/team/c.yaml"}});
  temp_.Remove("m/team/b.yaml");
  for (int look = 0; look < 2; ++look) {
    const auto scan = source.Scan(true);
    EXPECT_THAT(BlockingIn(*scan), ElementsAre("team/c.yaml"));
    EXPECT_TRUE(scan->facts.unread[0].opaque);
    EXPECT_FALSE(scan->facts.unread[0].ignored);
  }
  temp_.Write("m/team/c.yaml", "two");
  EXPECT_THAT(BlockingIn(*source.Scan(true)), IsEmpty());
}

TEST_F(UnfinishedCheckoutTest, AFileThatWentWhileItsIndexChangedIsTold) {
  DirectorySource source = Source();
  ASSERT_THAT(source.Scan(true), IsOk());
  Index({{"m/a.yaml", 0100644, 0, 0, 'x'}, {"m/team/b.yaml"}});
  temp_.Remove("m/a.yaml");
  EXPECT_THAT(BlockingIn(*source.Scan(true)), ElementsAre("a.yaml"));
}

TEST_F(UnfinishedCheckoutTest, AFileThatSomebodyDeletedIsNot) {
  DirectorySource source = Source();
  ASSERT_THAT(source.Scan(true), IsOk());
  temp_.Remove("m/a.yaml");
  std::filesystem::remove_all(root_ + "/team");
  temp_.Write("m/other.yaml", "three");
  for (int look = 0; look < 2; ++look) EXPECT_THAT(BlockingIn(*source.Scan(true)), IsEmpty());
}

TEST_F(UnfinishedCheckoutTest, NorWhatIsNoManifestOfTheDirectory) {
  Index({{"README.yaml"},
         {"m/.hidden/a.yaml"},
         {"m/a.txt"},
         {"m/a.yaml"},
         {"m/sub/a.yaml~"},
         {"other/m/a.yaml"}});
  EXPECT_THAT(BlockingIn(*Source().Scan(true)), IsEmpty());
  Index({{"m/sub/z.yaml"}});
  DirectorySettings flat = Settings(root_);
  flat.recursive = false;
  EXPECT_THAT(BlockingIn(*Source(flat).Scan(true)), IsEmpty());
}

/// As go-git leaves the index: it puts all files into it first, and then writes them one by one.
TEST_F(UnfinishedCheckoutTest, AFileThatIsOlderThanTheIndexIsTold) {
  DirectorySource source = Source();
  ASSERT_THAT(source.Scan(true), IsOk());
  // git hash-object: of "three" and of "two".
  const std::string three = Bytes("1d19714ffbc272ba0da6eb419d66123c20527174");
  const std::string two = Bytes("64c5e5885a4b06010b3a0c20edb7900dd0311025");
  IndexEntry next{"m/a.yaml"};
  next.whole_id = three;
  next.unwritten = true;
  IndexEntry same{"m/team/b.yaml"};
  same.whole_id = two;
  same.unwritten = true;
  Index({next, same});
  for (int look = 0; look < 2; ++look) {
    const auto scan = source.Scan(true);
    EXPECT_THAT(BlockingIn(*scan), ElementsAre("a.yaml"));
    EXPECT_TRUE(scan->facts.unread[0].opaque);
  }
  EXPECT_THAT(BlockingIn(*Source().Scan(true)), ElementsAre("a.yaml")) << "in another run";
  temp_.Write("m/a.yaml", "three");
  EXPECT_THAT(BlockingIn(*source.Scan(true)), IsEmpty());
  temp_.Write("m/a.yaml", "four");
  EXPECT_THAT(BlockingIn(*source.Scan(true)), ElementsAre("a.yaml"));
  next.unwritten = false;
  Index({next, same});
  EXPECT_THAT(BlockingIn(*source.Scan(true)), IsEmpty()) << "somebody changes it";
}

TEST_F(UnfinishedCheckoutTest, ASubmoduleThatIsNotCheckedOutMayHoldWhatIsMissing) {
  DirectorySource source = Source();
  ASSERT_THAT(source.Scan(true), IsOk());
  Index({{"m/a.yaml"}, {"m/other", 0160000}, {"m/team", 0160000}});
  EXPECT_THAT(BlockingIn(*source.Scan(true)), IsEmpty());
  temp_.Remove("m/team/b.yaml");
  const auto scan = source.Scan(true);
  EXPECT_THAT(BlockingIn(*scan), ElementsAre("team")) << "the other one never held a file";
  ASSERT_EQ(scan->facts.unread.size(), 1U);
  EXPECT_TRUE(scan->facts.unread[0].ignored && !scan->facts.unread[0].opaque);
  temp_.Write("m/team/.git", "gitdir: ../../modules/team\n");
  EXPECT_THAT(BlockingIn(*source.Scan(true)), IsEmpty());
}

TEST_F(UnfinishedCheckoutTest, AWorkTreeBelowHasAnIndexOfItsOwn) {
  temp_.Write("m/other/c.yaml", "three");
  temp_.Write("m/other/.git", "gitdir: ../../gitdir\n");
  temp_.Write("gitdir/index", IndexBytes({{"c.yaml"}, {"d.yaml"}}, 4, 20));
  EXPECT_THAT(BlockingIn(*Source().Scan(true)), ElementsAre("other/d.yaml"));
}

TEST_F(UnfinishedCheckoutTest, ADamagedIndexIsGitAtWork) {
  DirectorySource source = Source();
  ASSERT_THAT(source.Scan(true), IsOk());
  temp_.Write(".git/index", "DIRC");
  const auto scan = source.Scan(true);
  ASSERT_EQ(scan->facts.under_way.size(), 1U);
  EXPECT_TRUE(scan->facts.under_way[0].git);
  EXPECT_THAT(scan->facts.under_way[0].path, HasSubstr(".git/index"));
  EXPECT_THAT(scan->facts.under_way[0].what, HasSubstr("damaged"));
  temp_.Remove("m/a.yaml");
  ASSERT_THAT(source.Scan(true), IsOk());
  Index({{"m/a.yaml"}, {"m/team/b.yaml"}});
  const auto mended = source.Scan(true);
  EXPECT_THAT(mended->facts.under_way, IsEmpty());
  EXPECT_THAT(BlockingIn(*mended), IsEmpty()) << "it was seen to go";
}

}  // namespace
}  // namespace bindery::manifests
