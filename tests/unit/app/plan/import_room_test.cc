// The limits of the manifests directory, for an import.

#include "app/plan/import_room.h"

#include <filesystem>
#include <string>

#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery::app {
namespace {

using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;

class ImportRoomTest : public ::testing::Test {
 protected:
  ImportRoomTest() {
    config.directory = dir.path();
    dir.Write("a.yaml", "1234567890");
    dir.Write("note.txt", "no manifest");
    std::filesystem::create_directories(dir.path() / "p/k");
    dir.Write("p/k/b.yaml", "1234567890");
    std::filesystem::create_directories(dir.path() / ".git/x");
    dir.Write(".git/x/c.yaml", "1234567890");
  }

  testing::TempDir dir;
  config::ManifestsConfig config;
};

TEST_F(ImportRoomTest, PresentFilesCount) {
  config.max_files = 3;
  ImportRoom room = ImportRoom::Measure(config);
  EXPECT_TRUE(room.IsAmple(0, 1'000));
  EXPECT_FALSE(room.IsAmple(2, 0));
  EXPECT_THAT(room.Take("c.yaml", "x"), IsOk());
  EXPECT_THAT(room.Take("d.yaml", "x"),
              FailsWith(Code::kFailedPrecondition, HasSubstr("manifests.maxFiles (3)")));
}

TEST_F(ImportRoomTest, FoldersCount) {
  config.max_files = 4;
  ImportRoom room = ImportRoom::Measure(config);
  EXPECT_FALSE(room.IsAmple(2, 0)) << "each file may have two folders of its own";
  EXPECT_THAT(room.Take("p/k/c.yaml", "x"), IsOk());
  EXPECT_THAT(room.Take("q/k/l/c.yaml", "x"),
              FailsWith(Code::kFailedPrecondition, HasSubstr("more folders than")));
}

TEST_F(ImportRoomTest, BytesCount) {
  config.max_bytes = 25;
  ImportRoom room = ImportRoom::Measure(config);
  EXPECT_TRUE(room.IsAmple(1, 5));
  EXPECT_FALSE(room.IsAmple(1, 6));
  EXPECT_THAT(room.Take("c.yaml", "12345"), IsOk());
  EXPECT_THAT(room.Take("d.yaml", "1"),
              FailsWith(Code::kFailedPrecondition, HasSubstr("manifests.maxBytes (25)")));
}

TEST_F(ImportRoomTest, AFileThatIsGivenBackDoesNotCount) {
  config.max_files = 3;
  config.max_bytes = 25;
  ImportRoom room = ImportRoom::Measure(config);
  for (const char* taken : {"c.yaml", "c-2.yaml", "c-3.yaml"}) {
    EXPECT_THAT(room.Take(taken, "12345"), IsOk()) << taken;
    room.GiveBack("12345");
  }
  EXPECT_THAT(room.Take("c-4.yaml", "123456"),
              FailsWith(Code::kFailedPrecondition, HasSubstr("bytes")));
}

TEST_F(ImportRoomTest, FoldersThatBinderyDoesNotReadDoNotCount) {
  config.recursive = false;
  config.max_files = 2;
  ImportRoom room = ImportRoom::Measure(config);
  EXPECT_THAT(room.Take("c.yaml", "x"), IsOk());
  EXPECT_THAT(room.Take("d.yaml", "x"), FailsWith(Code::kFailedPrecondition, HasSubstr("files")));
}

TEST_F(ImportRoomTest, AFileThatGrowsCounts) {
  config.max_bytes = 25;
  ImportRoom room = ImportRoom::Measure(config, ", or something else");
  EXPECT_THAT(room.Resize(10, 15), IsOk());
  EXPECT_THAT(room.Resize(15, 16),
              FailsWith(Code::kFailedPrecondition,
                        HasSubstr("set manifests.maxBytes higher, or something else")));
  EXPECT_THAT(room.Resize(16, 15), IsOk()) << "less is no fault of the file";
}

}  // namespace
}  // namespace bindery::app
