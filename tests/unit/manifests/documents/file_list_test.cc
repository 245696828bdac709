#include "manifests/documents/file_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "manifests/directory/contents.h"

namespace bindery::manifests {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

SharedFile File(const std::string& path, const std::string& digest = "d") {
  FileContent content;
  content.path = path;
  content.digest = digest;
  return std::make_shared<const FileContent>(std::move(content));
}

FileList MakeList(const std::map<std::string, SharedFile>& files) {
  std::vector<SharedFile> sorted;
  for (const auto& [path, file] : files) sorted.push_back(file);
  return FileList(std::move(sorted));
}

std::vector<std::string> Differences(const FileList& before, const FileList& after) {
  std::vector<std::string> texts;
  FileList::Compare(before, after, [&](const SharedFile& a, const SharedFile& b) {
    texts.push_back((a == nullptr ? "+" : b == nullptr ? "-" : "~") + (a ? a : b)->path);
  });
  return texts;
}

TEST(FileList, IsEmptyAtFirst) {
  FileList list;
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(list.begin(), list.end());
  EXPECT_EQ(list.Find("a"), nullptr);
  list.Remove("a");
  list.Put(File("a"));
  EXPECT_EQ(list.size(), 1U);
  list.Remove("a");
  EXPECT_TRUE(list.empty());
}

TEST(FileList, TellsWhatIsDifferent) {
  FileList list({File("a"), File("b"), File("c")});
  const FileList before = list;
  EXPECT_THAT(Differences(before, list), IsEmpty());
  list.Put(File("b"));
  list.Remove("a");
  list.Put(File("d"));
  EXPECT_THAT(Differences(before, list), ElementsAre("-a", "~b", "+d"));
  EXPECT_THAT(Differences(list, before), ElementsAre("+a", "~b", "-d"));
  EXPECT_THAT(Differences(FileList(), before), ElementsAre("+a", "+b", "+c"));
}

TEST(FileList, HoldsWhatAMapWouldAndCopiesAreIndependent) {
  std::mt19937 random(7);  // NOLINT(cert-msc51-cpp): the same each time
  std::map<std::string, SharedFile> expected;
  for (int i = 0; i < 3000; ++i) expected.emplace(std::to_string(i), File(std::to_string(i)));
  FileList list = MakeList(expected);
  for (int round = 0; round < 50; ++round) {
    const FileList before = list;
    const std::map<std::string, SharedFile> expected_before = expected;
    std::map<std::string, std::string> told;
    for (int i = 0; i < 100; ++i) {
      const std::string path = std::to_string(random() % 6000);
      if (random() % 2 == 0) {
        list.Remove(path);
        expected.erase(path);
      } else {
        list.Put(expected[path] = File(path));
      }
    }
    ASSERT_EQ(list.size(), expected.size());
    ASSERT_EQ(list, MakeList(expected));
    ASSERT_EQ(before, MakeList(expected_before));
    ASSERT_EQ(Differences(before, list),
              Differences(MakeList(expected_before), MakeList(expected)));
  }
}

TEST(DigestSum, ComesBackToWhereItWas) {
  Sha256Digest one;
  one.bytes.fill(0xFF);
  Sha256Digest two;
  two.bytes[0] = 1;
  DigestSum sum;
  const std::string nothing = sum.Bytes();
  sum.Add(one);
  const std::string of_one = sum.Bytes();
  EXPECT_EQ(of_one, std::string(32, '\xFF'));
  sum.Add(two);
  EXPECT_EQ(sum.Bytes(), nothing) << "carried through and over the end";
  sum.Subtract(two);
  EXPECT_EQ(sum.Bytes(), of_one) << "borrowed back";
  sum.Subtract(one);
  EXPECT_EQ(sum.Bytes(), nothing);
}

TEST(DigestSum, OfTwoSetsIsThatOfBoth) {
  Sha256Digest one;
  one.bytes.fill(0xFF);
  Sha256Digest two;
  two.bytes[8] = 1;
  Sha256Digest three;
  three.bytes.fill(0x80);
  DigestSum all;
  for (const Sha256Digest& digest : {one, two, three}) all.Add(digest);
  DigestSum some;
  some.Add(one);
  some.Add(three);
  DigestSum sum;
  sum.Add(two);
  sum.Add(some);
  EXPECT_EQ(sum.Bytes(), all.Bytes());
}

TEST(Contents, TheDigestIsThatOfTheSetWhateverTheOrder) {
  Contents a;
  a.Put(File("a", "1"));
  a.Put(File("b", "2"));
  Contents b;
  b.Become(FileList({File("b", "0"), File("c", "3")}));
  EXPECT_NE(a.Digest({}, {}), b.Digest({}, {}));
  b.Put(File("b", "2"));
  b.Remove("c");
  b.Remove("c");
  b.Put(File("a", "1"));
  EXPECT_EQ(a.Digest({}, {}), b.Digest({}, {}));
  EXPECT_NE(a.Digest({"x"}, {}), b.Digest({}, {}));
  b.Put(File("b", "1"));
  b.Put(File("a", "2"));
  EXPECT_NE(a.Digest({}, {}), b.Digest({}, {})) << "each path with its own bytes";
}

}  // namespace
}  // namespace bindery::manifests
