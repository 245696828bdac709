#include "app/settings/config_watch.h"

#include <gtest/gtest.h>

#include <fstream>

#include "support/temp_dir.h"

namespace bindery::app {
namespace {

using News = ConfigWatch::News;

class ConfigWatchTest : public ::testing::Test {
 protected:
  ConfigWatchTest() { dir_.Write("bindery.yaml", "guard: {}\n"); }

  testing::TempDir dir_;
};

TEST_F(ConfigWatchTest, AFileThatIsAsItWasReadIsNoNews) {
  ConfigWatch watch(dir_ / "bindery.yaml");
  EXPECT_EQ(watch.Look(), News::kNone);
  dir_.Write("bindery.yaml", "guard: {maxRemovedGrants: 1}\n");
  EXPECT_EQ(watch.Look(), News::kNone) << "it may be half of it";
  EXPECT_EQ(watch.Look(), News::kChanged);
  EXPECT_EQ(watch.Look(), News::kChanged) << "until it is read";
  watch.NoteRead();
  EXPECT_EQ(watch.Look(), News::kNone);
}

TEST_F(ConfigWatchTest, WhoLookedLastLongAgoNeedsNoSecondLook) {
  ConfigWatch watch(dir_ / "bindery.yaml");
  EXPECT_FALSE(watch.IsOther());
  dir_.Write("bindery.yaml", "guard: {maxRemovedGrants: 1}\n");
  EXPECT_TRUE(watch.IsOther());
  std::ofstream half(dir_ / "bindery.yaml", std::ios::app);
  EXPECT_FALSE(watch.IsOther()) << "it is being written";
}

TEST_F(ConfigWatchTest, AFileThatIsMissedOnceMayBeInTheCourseOfBeingReplaced) {
  ConfigWatch watch(dir_ / "bindery.yaml");
  dir_.Remove("bindery.yaml");
  EXPECT_EQ(watch.Look(), News::kNone);
  dir_.Write("bindery.yaml", "guard: {maxRemovedGrants: 1}\n");
  EXPECT_EQ(watch.Look(), News::kNone);
  EXPECT_EQ(watch.Look(), News::kChanged);
}

TEST_F(ConfigWatchTest, AFileThatChangesAtEachLookIsStillBeingWritten) {
  ConfigWatch watch(dir_ / "bindery.yaml");
  std::string text = "guard: {}\n";
  for (int i = 0; i < 5; ++i) {
    dir_.Write("bindery.yaml", text += "# more\n");
    EXPECT_EQ(watch.Look(), News::kNone);
  }
  EXPECT_EQ(watch.Look(), News::kChanged);
}

TEST_F(ConfigWatchTest, AFileThatIsOpenForWritingIsNotReadButForOneThatNeverIsClosed) {
  ConfigWatch watch(dir_ / "bindery.yaml");
  {
    std::ofstream half(dir_ / "bindery.yaml", std::ios::trunc);
    half << "guard: {}\n" << std::flush;
    for (int i = 0; i < 5; ++i) EXPECT_EQ(watch.Look(), News::kNone);
  }
  EXPECT_EQ(watch.Look(), News::kChanged);
  watch.NoteRead();
  std::ofstream forgotten(dir_ / "bindery.yaml", std::ios::app);
  forgotten << "# open\n" << std::flush;
  int looks = 1;
  while (watch.Look() == News::kNone && looks < 100) ++looks;
  EXPECT_EQ(looks, 60);
}

TEST_F(ConfigWatchTest, AFileThatIsGoneIsToldOnceAndReadWhenItIsBack) {
  ConfigWatch watch(dir_ / "bindery.yaml");
  dir_.Remove("bindery.yaml");
  EXPECT_EQ(watch.Look(), News::kNone);
  EXPECT_EQ(watch.Look(), News::kGone);
  EXPECT_EQ(watch.Look(), News::kNone);
  dir_.Write("bindery.yaml", "guard: {}\n");
  EXPECT_EQ(watch.Look(), News::kNone);
  EXPECT_EQ(watch.Look(), News::kChanged);
  watch.NoteRead();
  EXPECT_EQ(watch.Look(), News::kNone);
}

}  // namespace
}  // namespace bindery::app
