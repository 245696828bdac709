#include "store/sqlite/clean_mark.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <tuple>

#include "fixture.h"

namespace bindery::store {
namespace {

using testing::EventChange;
using testing::FailsWith;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::StoreTest;

class CleanMark : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    StoreChange change;
    for (int i = 0; i < 200; ++i) change.events.push_back(testing::EventNamed("Old"));
    ASSERT_THAT(store().Apply(change), IsOk());
    SQLite::Database database(path(), SQLite::OPEN_READONLY);
    page_ = database.execAndGet("SELECT max(pageno) FROM dbstat WHERE name = 'events'").getInt();
  }

  [[nodiscard]] std::string mark() const { return path() + ".clean"; }
  [[nodiscard]] bool Marked() const { return std::filesystem::exists(mark()); }

  /// Makes the file look as if it had been left some seconds ago, as file systems count too
  /// coarsely for what a test does in a row.
  void Settle() {
    std::ofstream(mark(), std::ios::app).close();
    timespec later[2] = {};
    ASSERT_EQ(::clock_gettime(CLOCK_REALTIME, &later[0]), 0);
    later[0].tv_sec += 10;
    later[1] = later[0];
    ASSERT_EQ(::utimensat(AT_FDCWD, mark().c_str(), later, 0), 0);
  }

  /// Loses a page of the events, which only reading them or the whole file finds.
  void LosePage() {
    std::fstream file(path(), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp((page_ - 1) * 4096);
    file << std::string(4096, 'x');
  }

  int page_ = 0;
};

TEST_F(CleanMark, IsThereAfterAnOrderlyEndAndGoneWhileTheStoreIsOpen) {
  EXPECT_FALSE(Marked());
  store_.reset();
  EXPECT_TRUE(Marked());
  struct stat found = {};
  ASSERT_EQ(::stat(mark().c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777U, 0600U);
  Reopen();
  EXPECT_FALSE(Marked());
}

TEST_F(CleanMark, SparesTheStartTheReadingOfTheWholeFile) {
  store_.reset();
  LosePage();
  LeaveCleanMark(path(), "");
  Settle();
  Reopen();
  EXPECT_EQ(store().recovered_from(), "") << "nobody looked";
}

TEST_F(CleanMark, WithoutItTheWholeFileIsRead) {
  store_.reset();
  LosePage();
  std::filesystem::remove(mark());
  Reopen();
  EXPECT_NE(store().recovered_from(), "");
}

TEST_F(CleanMark, DoesNotCountForAFileThatWasChangedSince) {
  store_.reset();
  Settle();
  LosePage();
  Reopen();
  EXPECT_NE(store().recovered_from(), "");
}

TEST_F(CleanMark, DoesNotCountForAnotherFileOfTheSameSize) {
  store_.reset();
  Settle();
  const std::string copy = path() + ".copy";
  std::filesystem::copy(path(), copy);
  std::filesystem::rename(copy, path());
  EXPECT_FALSE(TakeCleanMark(path()).as_left);
  EXPECT_FALSE(Marked()) << "it counts once at the most";
}

TEST_F(CleanMark, DoesNotCountWhileChangesWaitInTheWal) {
  store_.reset();
  Settle();
  std::ofstream(path() + "-wal") << "changes";
  EXPECT_FALSE(TakeCleanMark(path()).as_left);
  LeaveCleanMark(path(), "");
  EXPECT_FALSE(Marked());
}

TEST_F(CleanMark, DoesNotCountWhenItIsNoLaterThanTheDatabase) {
  store_.reset();
  timespec early[2] = {{1, 0}, {1, 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, mark().c_str(), early, 0), 0);
  EXPECT_FALSE(TakeCleanMark(path()).as_left);
}

TEST_F(CleanMark, CountsForAFileLeftAsItWas) {
  store_.reset();
  Settle();
  EXPECT_TRUE(TakeCleanMark(path()).as_left);
  EXPECT_FALSE(TakeCleanMark(path()).as_left) << "it was taken";
}

TEST_F(CleanMark, TellsAnotherStateOfTheStoreInItsPlace) {
  const std::string copy = path() + ".copy";
  const auto keep_copy = [&] {
    std::filesystem::copy_file(path(), copy, std::filesystem::copy_options::overwrite_existing);
  };
  const auto put_in_place = [&] {
    std::filesystem::copy_file(copy, path(), std::filesystem::copy_options::overwrite_existing);
  };
  Reopen();
  EXPECT_FALSE(store().replaced()) << "it is as it was left";
  store_.reset();
  keep_copy();
  put_in_place();
  Reopen();
  EXPECT_FALSE(store().replaced()) << "the same content as it was left with";
  ASSERT_THAT(store().Apply(EventChange("Later")), IsOk());
  store_.reset();
  put_in_place();
  Reopen();
  EXPECT_TRUE(store().replaced()) << "copied over it";
  ASSERT_THAT(store().Apply(EventChange("Later")), IsOk());
  store_.reset();
  std::filesystem::rename(copy, path());
  Reopen();
  EXPECT_TRUE(store().replaced()) << "moved over it";
  Reopen();
  EXPECT_FALSE(store().replaced()) << "it is told once";
}

TEST_F(CleanMark, CountsAtOnceForAFileWrittenJustBefore) {
  for (int i = 0; i < 5; ++i) {
    ASSERT_THAT(store().Apply(EventChange("Late")), IsOk());
    store_.reset();
    struct stat database = {};
    struct stat marked = {};
    ASSERT_EQ(::stat(path().c_str(), &database), 0);
    ASSERT_EQ(::stat(mark().c_str(), &marked), 0);
    EXPECT_LT(std::tie(database.st_ctim.tv_sec, database.st_ctim.tv_nsec),
              std::tie(marked.st_mtim.tv_sec, marked.st_mtim.tv_nsec));
    Reopen();
  }
}

TEST_F(CleanMark, IsNotThereAfterAKill) {
  store_.reset();
  const pid_t child = ::fork();
  if (child == 0) {
    auto opened = OpenStore(path(), StoreAccess::kReadWrite, clock_);
    if (!opened || !(*opened)->Apply(EventChange("Last"))) ::_exit(1);
    ::raise(SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status)) << status;
  EXPECT_FALSE(Marked());
  Reopen();
  EXPECT_EQ(EventReasons().back(), "Last");
}

TEST_F(CleanMark, APipeInItsPlaceIsNotWaitedFor) {
  store_.reset();
  std::filesystem::remove(path() + ".clean");
  ASSERT_EQ(::mkfifo((path() + ".clean").c_str(), S_IRUSR | S_IWUSR), 0);
  Reopen();
  EXPECT_EQ(store().recovered_from(), "");
}

TEST_F(CleanMark, IsNotLeftWhenTheStoreTurnedOutToBeDamaged) {
  store_.reset();
  LosePage();
  LeaveCleanMark(path(), "");
  Settle();
  Reopen();
  EXPECT_THAT(store().Events({}), FailsWith(Code::kInternal, HasSubstr("is damaged")));
  store_.reset();
  EXPECT_FALSE(Marked());
  Reopen();
  EXPECT_NE(store().recovered_from(), "") << "the next start looks";
}

}  // namespace
}  // namespace bindery::store
