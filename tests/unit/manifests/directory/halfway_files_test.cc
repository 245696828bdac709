#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/manifests/directory_fixture.h"

namespace bindery::manifests {
namespace {

using ::bindery::testing::DirectoryTest;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class HalfwayFilesTest : public DirectoryTest {
 protected:
  void SetUp() override { temp_.Write("m/keep.yaml", "keep"); }
  std::vector<std::string> Told() {
    std::vector<std::string> paths;
    const auto scan = Source().Scan(true);
    if (!scan) return {scan.error().message};
    for (const UnreadItem& item : scan->facts.unread) {
      EXPECT_TRUE(item.ignored && !item.opaque && !item.harmless) << item.path;
      paths.push_back(item.path);
    }
    return paths;
  }
  void Link(const std::string& to, const std::string& name) {
    std::filesystem::create_symlink(to, root_ + "/" + name);
  }
};

/// As Kubernetes' AtomicWriter leaves a volume that is killed between its last two steps.
TEST_F(HalfwayFilesTest, AFileOfAVolumeWithoutALinkIsTold) {
  temp_.Write("m/..2026_01_01_00_00_00.1/a.yaml", "one");
  temp_.Write("m/..2026_01_01_00_00_00.1/team/b.yaml", "two");
  temp_.Write("m/..2026_01_01_00_00_00.1/notes.txt", "no manifest");
  Link("..2026_01_01_00_00_00.1", "..data");
  EXPECT_THAT(Told(), ElementsAre("..data/a.yaml", "..data/team"));
  Link("..data/a.yaml", "a.yaml");
  Link("..data/team", "team");
  EXPECT_THAT(Told(), IsEmpty());
}

TEST_F(HalfwayFilesTest, WhatRsyncKeptAsideIsTold) {
  temp_.Write("m/team/.~tmp~/a.yaml", "one");
  temp_.Write("m/.rsync-partial/b.yaml", "two");
  temp_.Write("m/.rsync-partial/notes.txt", "no manifest");
  temp_.Write("m/.other/c.yaml", "three");
  EXPECT_THAT(Told(), ElementsAre(".rsync-partial/b.yaml", "team/.~tmp~/a.yaml"));
}

}  // namespace
}  // namespace bindery::manifests
