#include "app/plan/manifest_writer.h"

#include <sys/stat.h>

#include <iterator>

#include "support/matchers.h"
#include "support/temp_dir.h"

namespace bindery::app {
namespace {

using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::TempDir;

std::ptrdiff_t FilesIn(const TempDir& dir) {
  return std::distance(std::filesystem::directory_iterator(dir.path()), {});
}

TEST(WriteNewFile, PutsTheWholeFileThereAndNothingElse) {
  const TempDir dir;
  const std::string text(200'000, 'x');
  ASSERT_THAT(WriteNewFile(dir.path() / "a.yaml", text), IsOk());
  EXPECT_EQ(dir.Read("a.yaml"), text);
  EXPECT_EQ(FilesIn(dir), 1);
  struct ::stat status {};
  ASSERT_EQ(::stat((dir / "a.yaml").c_str(), &status), 0);
  const ::mode_t mask = ::umask(0);
  ::umask(mask);
  EXPECT_EQ(status.st_mode & 0777U, 0666U & ~mask) << "as any new file";
}

TEST(WriteNewFile, NeverReplacesAnother) {
  const TempDir dir;
  dir.Write("a.yaml", "kept");
  EXPECT_THAT(WriteNewFile(dir.path() / "a.yaml", "new"),
              FailsWith(Code::kAlreadyExists, HasSubstr("never overwritten")));
  EXPECT_EQ(dir.Read("a.yaml"), "kept");
  EXPECT_EQ(FilesIn(dir), 1);
}

TEST(WriteNewFile, SaysWhyAFolderTakesNoFile) {
  const TempDir dir;
  EXPECT_THAT(WriteNewFile(dir.path() / "none" / "a.yaml", "x"),
              FailsWith(Code::kFailedPrecondition, HasSubstr("no such file or directory")));
}

TEST(WriteNewFiles, PutsAllOfThemThereAndNothingElse) {
  const TempDir dir;
  ASSERT_THAT(WriteNewFiles(dir.path(), {{"a.yaml", "one"}, {"b.yaml", "two"}}), IsOk());
  EXPECT_EQ(dir.Read("a.yaml"), "one");
  EXPECT_EQ(dir.Read("b.yaml"), "two");
  EXPECT_EQ(FilesIn(dir), 2);
}

TEST(WriteNewFiles, PutsNoneThereWhereOneNameIsTaken) {
  const TempDir dir;
  dir.Write("b.yaml", "kept");
  EXPECT_THAT(WriteNewFiles(dir.path(), {{"a.yaml", "one"}, {"b.yaml", "two"}}),
              FailsWith(Code::kAlreadyExists, HasSubstr("b.yaml")));
  EXPECT_EQ(dir.Read("b.yaml"), "kept");
  EXPECT_EQ(FilesIn(dir), 1);
}

TEST(WriteNewFiles, TakesBackWhatWasThereWhenOneFails) {
  const TempDir dir;
  EXPECT_THAT(WriteNewFiles(dir.path(), {{"a.yaml", "one"}, {"none/b.yaml", "two"}}),
              FailsWith(Code::kFailedPrecondition, HasSubstr("none/b.yaml")));
  EXPECT_EQ(FilesIn(dir), 0);
}

TEST(NewFileBatches, PutTheFilesOfABatchThereTogether) {
  const TempDir dir;
  std::filesystem::create_directory(dir.path() / "below");
  NewFileBatches batches(dir.path());
  ASSERT_THAT(batches.Add(dir.path() / "a.yaml", "one"), IsOk());
  ASSERT_THAT(batches.Add(dir.path() / "below" / "b.yaml", "two"), IsOk());
  EXPECT_FALSE(std::filesystem::exists(dir.path() / "a.yaml"));
  ASSERT_THAT(batches.Place(), IsOk());
  EXPECT_EQ(dir.Read("a.yaml"), "one");
  EXPECT_EQ(dir.Read("below/b.yaml"), "two");
  EXPECT_EQ(FilesIn(dir), 2) << "nothing else";
  ASSERT_THAT(batches.Add(dir.path() / "c.yaml", "three"), IsOk());
  ASSERT_THAT(batches.Place(), IsOk());
  ASSERT_THAT(batches.Place(), IsOk()) << "of an empty batch";
  EXPECT_EQ(dir.Read("c.yaml"), "three");
  EXPECT_EQ(FilesIn(dir), 3);
}

TEST(NewFileBatches, ReplaceNothing) {
  const TempDir dir;
  dir.Write("a.yaml", "kept");
  NewFileBatches batches(dir.path());
  EXPECT_THAT(batches.Add(dir.path() / "a.yaml", "new"),
              FailsWith(Code::kAlreadyExists, HasSubstr("never overwritten")));
  ASSERT_THAT(batches.Add(dir.path() / "b.yaml", "first"), IsOk());
  EXPECT_THAT(batches.Add(dir.path() / "b.yaml", "second"),
              FailsWith(Code::kAlreadyExists, HasSubstr("b.yaml")));
  dir.Write("b.yaml", "of somebody else");
  EXPECT_THAT(batches.Place(), FailsWith(Code::kAlreadyExists, HasSubstr("b.yaml")));
  EXPECT_EQ(dir.Read("a.yaml"), "kept");
  EXPECT_EQ(dir.Read("b.yaml"), "of somebody else");
}

TEST(NewFileBatches, LeaveNothingOfABatchThatIsNotPlaced) {
  const TempDir dir;
  {
    NewFileBatches batches(dir.path());
    ASSERT_THAT(batches.Add(dir.path() / "a.yaml", "one"), IsOk());
  }
  EXPECT_EQ(FilesIn(dir), 0);
}

}  // namespace
}  // namespace bindery::app
